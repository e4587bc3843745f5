#include "simt/runtime/memory/announced.hpp"

#include "simt/runtime/machine/splitmix.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_memory.hpp"
#include "simt/runtime/races/race.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace simt {

namespace {

struct Bytes {
  std::uintptr_t begin = 0;
  std::size_t count = 0;
  bool holds(std::uintptr_t address) const { return address - begin < count; }
};

unsigned char* at(std::uintptr_t address) { return reinterpret_cast<unsigned char*>(address); }

/// Device variables share their pages with others of their module, so that their bytes are kept in a copy, and so are those of the
/// host's that are in such pages.
struct KeptVariables {
  std::uintptr_t begin;
  std::vector<unsigned char> bytes;
  bool is_constant;
};
std::vector<KeptVariables> kept_variables;
SectionSpan all_kept;

/// Pages at the addresses are emptied before some rounds, by chance: in the mean before one of 32, and later in a grid of as many as a
/// 16th of those that it has had. So a part of a grid's rounds meets the more of these the larger it is, however many there are.
std::uint64_t rounds_until_empty = 0, rounds_had = 0, chance = 0;

std::uint64_t rounds_to_go() {
  return next_of_splitmix(chance) % std::max<std::uint64_t>(64, rounds_had / 8);
}

/// Bytes that are right at their addresses, and pages that are open for them. There are none of them if it is empty.
struct Opened {
  Bytes right, pages;
  unsigned char* kept = nullptr; ///< where these bytes are else
};
Opened opened_to_write, opened_to_read;
bool has_open_pages = false; ///< one of them

/// Random bytes, for as many as an access may have at once, from any place in a page on.
std::array<unsigned char, 2 * processor_page> noise;

/// Most accesses are of one of these sizes.
[[gnu::always_inline]] inline void copy(void* to, const void* from, std::size_t bytes) {
  switch (bytes) {
  case 4:
    std::memcpy(to, from, 4);
    return;
  case 8:
    std::memcpy(to, from, 8);
    return;
  case 16:
    std::memcpy(to, from, 16);
    return;
  default:
    std::memcpy(to, from, bytes);
  }
}

[[gnu::always_inline]] inline void leave_noise(std::uintptr_t begin, std::size_t bytes) {
  if (bytes <= processor_page) [[likely]]
    return copy(at(begin), noise.data() + begin % processor_page, bytes);
  for (const std::uintptr_t end = begin + bytes; begin < end;) {
    const std::size_t offset = begin % processor_page;
    const std::size_t length = std::min<std::size_t>(noise.size() - offset, end - begin);
    copy(at(begin), noise.data() + offset, length);
    begin += length;
  }
}

/// Accesses of a launch that memory is opened for to find others, at two calls of the system each.
constexpr std::size_t most_opened = 50'000;
std::size_t openings_left = 0;
/// Pages that are closed: those at the addresses of what had moved when the grid began, and those of shared memory; or none.
std::vector<Bytes> closed;

bool is_closed(std::uintptr_t address) {
  return std::ranges::any_of(closed, [=](const Bytes& pages) { return pages.holds(address); });
}

void set_rights(const Bytes& pages, int rights) { mprotect(at(pages.begin), pages.count, rights); }

Bytes pages_of(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t first = begin / processor_page * processor_page;
  return {first, (begin + bytes - first + processor_page - 1) / processor_page * processor_page};
}

/// Makes the pages at the addresses present at once, up to so many: a fault of each one costs as much as a hundred accesses.
void make_present() {
  std::size_t left = 4 << 20;
  for (const Allocation& each : all_allocations()) {
    if (!each.live || each.closed || each.sparse || !in_arena(each.base) || each.bytes > left) continue;
    left -= each.bytes;
    const Bytes pages = pages_of(each.base, each.bytes);
    madvise(at(pages.begin), pages.count, populate_write);
  }
}

/// Swaps pages, which are private and without a file, for empty ones. They may belong to several areas of the system, which moves
/// these one by one alone.
void move_pages(std::uintptr_t from, std::uintptr_t to, std::size_t bytes) {
  // What confines a submission lets no longer range be changed at once.
  constexpr std::size_t most = std::size_t{32} << 30;
  if (bytes > most || mremap(at(from), bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at(to)) == MAP_FAILED) {
    if (bytes <= processor_page || (bytes <= most && errno != EFAULT)) end_for_want_of_memory();
    const std::size_t half = (bytes / 2 + processor_page - 1) / processor_page * processor_page;
    move_pages(from, to, half);
    return move_pages(from + half, to + half, bytes - half);
  }
  constexpr int empty = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  if (mmap(at(from), bytes, PROT_READ | PROT_WRITE, empty, -1, 0) != at(from)) end_for_want_of_memory();
}

/// All that kernels can have pointers to, but device variables.
void close_addresses() {
  closed = {{machine.arena, shared_span}};
  for (const auto& [begin, bytes] : used_global_memory()) closed.push_back({begin, bytes});
  for (const Bytes& pages : closed) set_rights(pages, PROT_NONE);
}

void open_addresses() {
  for (const Bytes& pages : std::exchange(closed, {})) set_rights(pages, PROT_READ | PROT_WRITE);
}

void keep(std::uintptr_t begin, std::size_t bytes, bool is_constant) {
  kept_variables.push_back({begin, {at(begin), at(begin) + bytes}, is_constant});
  all_kept = all_kept.with(begin, bytes);
}

KeptVariables* find_kept(std::uintptr_t address) {
  if (!all_kept.may_hold(address)) return nullptr;
  const auto found = std::ranges::find_if(
      kept_variables, [=](const KeptVariables& each) { return address - each.begin < each.bytes.size(); });
  return found == kept_variables.end() ? nullptr : &*found;
}

struct Home {
  unsigned char* bytes = nullptr; ///< null if they are at their address
  std::size_t count = 0;
};
Home home_of(std::uintptr_t address, std::size_t bytes) {
  if (in_arena(address)) return {at(address + machine.moved), bytes};
  KeptVariables* const kept = find_kept(address);
  if (!kept || kept->is_constant) return {};
  const std::size_t offset = address - kept->begin;
  return {kept->bytes.data() + offset, std::min(bytes, kept->bytes.size() - offset)};
}

/// What the processor needs for an access there.
Bytes open_pages(std::uintptr_t address, std::size_t bytes) {
  if (!in_arena(address)) {
    const auto [begin, count] = closed_pages(address, bytes);
    if (count != 0) set_rights({begin, count}, PROT_READ | PROT_WRITE);
    return {begin, count};
  }
  if (!is_closed(address)) return {};
  if (--openings_left == 0) {
    for (Bytes* pages : {&opened_to_read.pages, &opened_to_write.pages})
      if (in_arena(pages->begin)) pages->count = 0;
    open_addresses();
    return {};
  }
  const Bytes pages = pages_of(address, bytes);
  set_rights(pages, PROT_READ | PROT_WRITE);
  return pages;
}

std::span<const std::byte> open_for_writing() {
  return {reinterpret_cast<const std::byte*>(opened_to_write.right.begin), opened_to_write.right.count};
}

constexpr AccessWatcher watcher = {&bring, &open_for_writing};

} // namespace

AnnouncedAccesses::AnnouncedAccesses(const Grid& grid) {
  const UnseenAccess unseen = machine.options.unseen;
  if (unseen == UnseenAccess::passes) return;
  if (noise.front() == 0) {
    std::uint64_t& state = chance;
    state = machine.options.seed;
    for (std::size_t i = 0; i < noise.size(); i += sizeof state) {
      const std::uint64_t bits = next_of_splitmix(state) | 1; // the first byte is not 0
      std::memcpy(noise.data() + i, &bits, sizeof bits);
    }
    // Pages that are emptied are to be small.
    madvise(at(machine.arena), shared_span, MADV_NOHUGEPAGE);
  }
  machine.moved = arena_span;
  for (const auto& [begin, bytes] : used_global_memory()) {
    move_pages(begin, begin + machine.moved, bytes);
    madvise(at(begin), bytes, MADV_NOHUGEPAGE);
  }
  make_present();
  for (const DeviceSection& section : all_sections())
    if (is_mapped(section)) keep(section.begin, section.bytes, section.kind == constant_section);
  empty_stack_below();
  for (const std::span<unsigned char> beside : close_host_memory(grid))
    keep(reinterpret_cast<std::uintptr_t>(beside.data()), beside.size(), false);
  access_watcher = &watcher;
  rounds_had = 0;
  rounds_until_empty = std::min(rounds_until_empty, rounds_to_go());
  openings_left = most_opened;
  if (unseen == UnseenAccess::traps) close_addresses();
}

AnnouncedAccesses::~AnnouncedAccesses() {
  if (machine.moved == 0) return;
  take_back();
  open_addresses();
  access_watcher = nullptr;
  empty_stack_below();
  open_host_memory();
  for (const KeptVariables& kept : kept_variables) std::ranges::copy(kept.bytes, at(kept.begin));
  kept_variables.clear();
  all_kept = {};
  // What kernels have allocated is there, too.
  for (const auto& [begin, bytes] : used_global_memory()) move_pages(begin + machine.moved, begin, bytes);
  machine.moved = 0;
}

bool forget_unannounced() {
  ++rounds_had;
  if (rounds_until_empty != 0) {
    --rounds_until_empty;
    return false;
  }
  // Who takes data by way of these pages finds some gone, and whoever looks before using them has accesses that are counted.
  rounds_until_empty = rounds_to_go();
  std::uintptr_t last = machine.arena + shared_span;
  for (const auto& [begin, bytes] : used_global_memory())
    if (begin == last)
      last += bytes;
    else
      madvise(at(begin), bytes, MADV_DONTNEED);
  madvise(at(machine.arena), last - machine.arena, MADV_DONTNEED);
  for (const auto& [begin, bytes, is_constant] : kept_variables)
    if (is_constant)
      std::ranges::copy(bytes, at(begin));
    else
      leave_noise(begin, bytes.size());
  empty_stack_below();
  return true;
}

namespace {

/// Whether all that is open is bytes of memory that has moved, and no pages.
bool is_simple(std::uintptr_t address) { return in_arena(address) && closed.empty() && !has_open_pages; }

[[gnu::always_inline]] inline void end_reading() {
  Bytes& read = opened_to_read.right;
  if (read.count != 0) leave_noise(read.begin, read.count);
}

/// bring(), where pages have to be opened, or bytes are elsewhere or open already.
[[gnu::noinline]] void bring_with_care(std::uintptr_t address, std::size_t bytes, bool is_read) {
  const Bytes& written = opened_to_write.right;
  if (!is_read || opened_to_read.right.count != 0 || opened_to_read.pages.count != 0) take_back();
  Opened& opened = is_read ? opened_to_read : opened_to_write;
  opened.pages = open_pages(address, bytes);
  has_open_pages |= opened.pages.count != 0;
  auto [kept, count] = home_of(address, bytes);
  if (!kept) return; // registered memory, which the host sees at once, or constants
  Bytes right = {address, count};
  // Of a copy of something to itself, or to beside it, the part that is open is.
  if (is_read && written.count != 0) {
    if (written.holds(right.begin)) {
      const std::size_t common = std::min(right.count, written.begin + written.count - right.begin);
      right = {right.begin + common, right.count - common};
      kept += common;
    } else if (right.holds(written.begin)) {
      right.count = written.begin - right.begin;
    }
    if (right.count == 0) return;
  }
  opened.right = right;
  opened.kept = kept;
  copy(at(right.begin), kept, right.count);
}

} // namespace

void bring(std::uintptr_t address, std::size_t bytes, Access access) {
  if (OneAccess::parts_) return;
  settle_pending_write(); // to what is open still
  const bool is_read = access == Access::read;
  Bytes &written = opened_to_write.right, &read = opened_to_read.right;
  if (!is_simple(address)) [[unlikely]]
    return bring_with_care(address, bytes, is_read);
  unsigned char* const kept = at(address + machine.moved);
  if (!is_read) {
    if (written.count != 0) {
      copy(opened_to_write.kept, at(written.begin), written.count);
      leave_noise(written.begin, written.count);
    }
    end_reading();
    read.count = 0;
    written = {address, bytes};
    opened_to_write.kept = kept;
  } else if (written.count == 0) {
    end_reading();
    read = {address, bytes};
  } else if (read.count == 0 &&
             (address >= written.begin + written.count || written.begin >= address + bytes)) {
    read = {address, bytes};
  } else {
    return bring_with_care(address, bytes, is_read);
  }
  copy(at(address), kept, bytes);
}

void take_back() {
  OneAccess::parts_ = false;
  if (const Bytes written = opened_to_write.right; written.count != 0)
    copy(opened_to_write.kept, at(written.begin), written.count);
  for (Bytes* right : {&opened_to_read.right, &opened_to_write.right}) {
    if (right->count != 0) leave_noise(right->begin, right->count);
    right->count = 0;
  }
  if (!std::exchange(has_open_pages, false)) return;
  for (Bytes* pages : {&opened_to_read.pages, &opened_to_write.pages}) {
    if (pages->count != 0) set_rights(*pages, PROT_NONE);
    pages->count = 0;
  }
}

std::uintptr_t real_address(std::uintptr_t address) {
  if (machine.moved == 0) return address;
  take_back();
  const Home home = home_of(address, 1);
  return home.bytes ? reinterpret_cast<std::uintptr_t>(home.bytes) : address;
}

bool is_unseen_access(std::uintptr_t address) { return is_closed(address) || is_closed_to_kernels(address); }

} // namespace simt
