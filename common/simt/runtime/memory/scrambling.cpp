#include "simt/runtime/memory/scrambling.hpp"

#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/machine/splitmix.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/races/race.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace simt {

namespace {

constexpr std::size_t processor_page = 4096;
constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;

struct Bytes {
  std::uintptr_t begin = 0;
  std::size_t count = 0;
  bool holds(std::uintptr_t address) const { return address - begin < count; }
};
std::vector<Bytes> scrambled;
std::vector<Bytes> closed; ///< whole pages, to the processor; empty if it is not to find anything

/// Bytes that are right, and the pages that the processor may use for them. There are none if it is empty.
struct Opened {
  Bytes right, pages;
  std::vector<unsigned char> replaced; ///< what a read finds, and puts back
};
Opened opened_to_write, opened_to_read;

/// A page's keys are two places in it, which depend on its number.
constexpr std::size_t key_bytes = std::size_t{1} << 16;
std::array<unsigned char, key_bytes + processor_page> key_stream;
std::uint64_t key_seed = 0;

std::uint64_t choices = 1; ///< state of next_of_splitmix()
/// The rounds that each launch has for certain: of one block after each other, for the work may be that of any warp, or of one round
/// where there is much memory.
struct Certain {
  std::uint64_t rounds_before = 0, rounds = 0;
  std::uint64_t bytes_left = 0, accesses_left = 0; ///< what the first of them may exceed, and the others not
} certain;
constexpr std::uint64_t certain_bytes = 128 << 10, certain_accesses = 2048;
/// Bytes that a call may have looked at for all of these, and to find accesses, beyond what its first such round needs.
constexpr std::uint64_t most_looked_at = 128 << 20;
/// Besides these, one of so many rounds is chosen.
constexpr std::uint64_t chosen_of = 256;
/// Bytes that may be looked at for those: so many, and more for each operation of the call.
constexpr std::uint64_t free_bytes = 4 << 20, bytes_of_operation = 2;
std::uint64_t looked_at = 0;

/// Each byte is mapped to another one by exclusive-or and addition: neither alone, nor a copy to another place, passes through.
template <bool Scramble>
void transform(std::uintptr_t begin, std::size_t bytes) {
  for (const std::uintptr_t end = begin + bytes; begin < end;) {
    const std::size_t offset = begin % processor_page,
                      length = std::min<std::size_t>(processor_page - offset, end - begin);
    const std::uint64_t number = (begin / processor_page + key_seed) * golden_ratio;
    const unsigned char* const mask = key_stream.data() + (number >> 48) + offset;
    const unsigned char* const shift = key_stream.data() + (number >> 24) % key_bytes + offset;
    auto* const at = reinterpret_cast<unsigned char*>(begin);
    for (std::size_t i = 0; i < length; ++i)
      at[i] =
          static_cast<unsigned char>(Scramble ? (at[i] ^ mask[i]) + shift[i] : (at[i] - shift[i]) ^ mask[i]);
    begin += length;
  }
}

/// Accesses of a call for which memory is opened, at two calls of the system each, where rounds are only to find what they can.
constexpr std::size_t most_opened = 256;
std::size_t openings_left = 0; ///< of the call
bool finds = false;            ///< whether the round that runs does

void set_closed(const Bytes& pages, bool is_closed) {
  mprotect(reinterpret_cast<void*>(pages.begin), pages.count, is_closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

Bytes pages_of(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t first = begin / processor_page * processor_page;
  return {first, (begin + bytes - first + processor_page - 1) / processor_page * processor_page};
}

void add(std::uintptr_t begin, std::size_t bytes, const Bytes& pages) {
  if (bytes != 0) scrambled.push_back({begin, bytes});
  if (finds) closed.push_back(pages);
}

void add_window(const Block& block) {
  // Variables that threads first come to in this round stay as they are.
  const std::size_t bytes = std::max(block.grid->dynamic_bytes, block.grid->next_offset);
  add(block.shared_base, bytes, pages_of(block.shared_base, bytes + shared_red_zone));
}

void find_memory() {
  scrambled.clear();
  for (const Allocation& each : all_allocations())
    // Host code may look at memory of its own meanwhile.
    if (each.live && !each.sparse && !each.managed && !each.page_locked)
      add(each.valid, each.valid_bytes, pages_of(each.base, each.bytes + red_zone));
  for (const DeviceSection& section : all_sections())
    if (section.kind == 0) add(section.begin, section.bytes, {}); // its pages hold other variables, too
  if (machine.block->cluster)
    for (const Block* block : machine.block->cluster->blocks) add_window(*block);
  else
    add_window(*machine.block);
}

const Bytes* find(const std::vector<Bytes>& among, std::uintptr_t address) {
  const auto found = std::ranges::find_if(among, [=](const Bytes& each) { return each.holds(address); });
  return found == among.end() ? nullptr : &*found;
}

void open_all_pages() {
  for (const Bytes& pages : closed) set_closed(pages, false);
  closed.clear();
  opened_to_write.pages = opened_to_read.pages = {};
}

/// What the processor needs for an access there, be it to what is scrambled or beside it.
Bytes open_pages(std::uintptr_t address, std::size_t bytes) {
  const Bytes* const area = find(closed, address);
  if (!area) return {};
  if (--openings_left == 0) {
    finds = false;
    open_all_pages();
    return {};
  }
  Bytes pages = pages_of(address, bytes);
  pages.count = std::min(pages.count, area->begin + area->count - pages.begin);
  set_closed(pages, false);
  return pages;
}

void put_back(Opened& opened) {
  if (const Bytes right = std::exchange(opened.right, {}); right.count != 0) {
    if (opened.replaced.empty())
      transform<true>(right.begin, right.count);
    else
      std::memcpy(reinterpret_cast<void*>(right.begin), opened.replaced.data(), right.count);
    opened.replaced.clear();
  }
}

} // namespace

void choose_rounds(std::uint64_t seed) {
  looked_at = 0;
  const UnseenAccess unseen = machine.options.unseen;
  openings_left = unseen == UnseenAccess::traps              ? std::numeric_limits<std::size_t>::max()
                  : unseen == UnseenAccess::garbles_or_traps ? most_opened
                                                             : 0;
  choices = seed;
  if (seed == key_seed && key_stream.front() != 0) return;
  key_seed = seed;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < key_stream.size(); i += sizeof state) {
    const std::uint64_t bits = next_of_splitmix(state) | 1; // the first byte is not 0
    std::memcpy(key_stream.data() + i, &bits, sizeof bits);
  }
}

void begin_choice(std::uint64_t blocks, std::uint64_t warps, bool by_host) {
  constexpr std::uint64_t chosen_children_of = 4;
  if (!by_host && next_of_splitmix(choices) % chosen_children_of != 0) return;
  const std::uint64_t block = next_of_splitmix(choices) % blocks, warp = next_of_splitmix(choices) % warps;
  certain = {block * warps + warp, warps, certain_bytes, certain_accesses};
}

namespace {

bool is_certain() {
  if (certain.rounds_before != 0) {
    --certain.rounds_before;
    return false;
  }
  return certain.rounds != 0 && certain.accesses_left != 0 && certain.bytes_left != 0;
}

} // namespace

bool is_round_chosen() {
  using enum UnseenAccess;
  const UnseenAccess unseen = machine.options.unseen;
  if (unseen == passes) return false;
  finds = false;
  if (unseen == garbles_always) return true;
  if (unseen == traps) return finds = looked_at <= most_looked_at;
  if (is_certain() && looked_at <= most_looked_at) {
    --certain.rounds;
    finds = openings_left != 0;
    return true;
  }
  const std::uint64_t operations = machine.options.work_budget - machine.work_left;
  return next_of_splitmix(choices) % chosen_of == 0 &&
         looked_at <= free_bytes + bytes_of_operation * operations;
}

namespace {

std::span<const std::byte> open_for_writing() {
  return {reinterpret_cast<const std::byte*>(opened_to_write.right.begin), opened_to_write.right.count};
}

constexpr AccessWatcher watcher = {&open_announced, &open_for_writing};

} // namespace

void scramble_for_round() {
  find_memory();
  for (const Bytes& each : scrambled) {
    transform<true>(each.begin, each.count);
    looked_at += each.count;
    certain.bytes_left -= std::min<std::uint64_t>(certain.bytes_left, each.count);
  }
  machine.scrambled = true;
  access_watcher = &watcher;
  for (const Bytes& pages : closed) set_closed(pages, true);
}

void restore_after_round() {
  close_scrambled();
  open_all_pages();
  machine.scrambled = false;
  access_watcher = nullptr;
  for (const Bytes& each : scrambled) transform<false>(each.begin, each.count);
}

void open_scrambled(std::uintptr_t address, std::size_t bytes, Access access) {
  if (OneAccess::parts_) return;
  settle_pending_write(); // to what is open still
  if (certain.accesses_left != 0) --certain.accesses_left;
  const bool is_read = access == Access::read;
  const Bytes& written = opened_to_write.right;
  if (!is_read || opened_to_read.right.count != 0 || opened_to_read.pages.count != 0) close_scrambled();
  Opened& opened = is_read ? opened_to_read : opened_to_write;
  if (finds) opened.pages = open_pages(address, bytes);
  const Bytes* const range = find(scrambled, address);
  if (!range) return;
  Bytes right = {address, std::min(bytes, range->begin + range->count - address)};
  // Of a copy of something to itself, or to beside it, the part that is open is.
  if (is_read && written.count != 0) {
    if (written.holds(right.begin)) {
      const std::size_t common = std::min(right.count, written.begin + written.count - right.begin);
      right = {right.begin + common, right.count - common};
    } else if (right.holds(written.begin)) {
      right.count = written.begin - right.begin;
    }
    if (right.count == 0) return;
  }
  opened.right = right;
  const auto* const at = reinterpret_cast<const unsigned char*>(right.begin);
  if (is_read) opened.replaced.assign(at, at + right.count);
  transform<false>(right.begin, right.count);
}

void close_scrambled() {
  OneAccess::parts_ = false;
  put_back(opened_to_read);
  put_back(opened_to_write);
  for (Opened* opened : {&opened_to_read, &opened_to_write})
    if (const Bytes pages = std::exchange(opened->pages, {}); pages.count != 0) set_closed(pages, true);
}

bool is_unseen_access(std::uintptr_t address) { return find(closed, address) != nullptr; }

} // namespace simt
