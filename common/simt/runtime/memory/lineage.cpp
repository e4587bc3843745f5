#include "simt/runtime/memory/lineage.hpp"

#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <memory>
#include <unordered_map>

namespace simt {

namespace {

constexpr std::size_t word = 4, words_of_page = 1024;
constexpr unsigned no_launch = 0;

using Launches = std::bitset<last_launch_number + 1>;

/// Who has written the words of a page last, by numbers of launches.
struct Writers {
  std::array<std::uint8_t, words_of_page> last{};
  bool host_sees = false; ///< what is written there, at once
};

struct Lineage {
  std::unordered_map<std::uintptr_t, Writers> pages;
  std::uintptr_t latest_page = 0; ///< 0: none
  Writers* latest = nullptr;
  std::array<Launches, last_launch_number + 1> needs; ///< whose words a launch has read
  Launches seen;                                      ///< by the host
  unsigned running = no_launch;
} lineage;

bool host_sees(std::uintptr_t address) {
  if (const DeviceSection* section = find_section(address)) return section->kind == managed_section;
  if (!in_arena(address)) return true; // registered memory
  const Allocation* allocation = find_allocation(address);
  return allocation && (allocation->managed || allocation->page_locked) && !allocation->lent;
}

Writers& writers_of(std::uintptr_t page) {
  if (page == lineage.latest_page) return *lineage.latest;
  const auto [place, is_new] = lineage.pages.try_emplace(page);
  if (is_new) place->second.host_sees = host_sees(page * word * words_of_page) || host_sees((page + 1) * word * words_of_page - 1);
  lineage.latest_page = page;
  return *(lineage.latest = &place->second);
}

/// The same where nothing is made.
const Writers* known_writers_of(std::uintptr_t page) {
  if (page == lineage.latest_page) return lineage.latest;
  const auto known = lineage.pages.find(page);
  return known == lineage.pages.end() ? nullptr : &known->second;
}

/// Calls `with(page, first word in it, words)` for the pages of a range.
template <typename With>
void for_pages(std::uintptr_t address, std::size_t bytes, const With& with) {
  if (bytes == 0) return;
  std::uintptr_t first = address / word;
  const std::uintptr_t end = (address + bytes - 1) / word + 1;
  while (first < end) {
    const std::size_t offset = first % words_of_page, count = std::min(words_of_page - offset, end - first);
    with(first / words_of_page, offset, count);
    first += count;
  }
}

void add_writers(Launches& to, std::uintptr_t address, std::size_t bytes) {
  for_pages(address, bytes, [&](std::uintptr_t page, std::size_t offset, std::size_t count) {
    const Writers* const writers = known_writers_of(page);
    if (!writers) return;
    for (std::size_t i = offset; i < offset + count; ++i) to.set(writers->last[i]);
  });
}

bool is_of_device(std::uintptr_t address) { return in_global(address) || find_section(address) != nullptr; }

} // namespace

void begin_lineage() { lineage = {}; }

void begin_launch_in_lineage() {
  if (machine.options.unseen != UnseenAccess::passes)
    lineage.running = std::min(lineage.running + 1, last_launch_number);
}

unsigned launch_in_lineage() { return lineage.running; }

void note_word_reads(std::uintptr_t address, std::size_t bytes) {
  if (lineage.running > 1) add_writers(lineage.needs[lineage.running], address, bytes);
}

void note_word_writes(std::uintptr_t address, std::size_t bytes) {
  // Of a word that is written in part, the rest is still another's.
  if (address % word != 0 || bytes % word != 0) note_word_reads(address, bytes);
  for_pages(address, bytes, [](std::uintptr_t page, std::size_t offset, std::size_t count) {
    Writers& writers = writers_of(page);
    if (writers.host_sees) lineage.seen.set(lineage.running);
    std::fill_n(writers.last.begin() + static_cast<std::ptrdiff_t>(offset), count,
                static_cast<std::uint8_t>(lineage.running));
  });
}

void note_lineage_of_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (lineage.running == no_launch) return;
  const bool is_from_device = is_of_device(from);
  if (!is_of_device(to)) {
    if (is_from_device) add_writers(lineage.seen, from, bytes);
    return;
  }
  // Word by word where both begin at one; elsewhere all that went into it has a part, as if the host had seen it.
  const bool by_words = is_from_device && to % word == 0 && from % word == 0;
  if (is_from_device && !by_words) add_writers(lineage.seen, from, bytes);
  std::vector<std::uint8_t> writers;
  if (by_words)
    for_pages(from, bytes, [&](std::uintptr_t page, std::size_t offset, std::size_t count) {
      const Writers* const known = known_writers_of(page);
      for (std::size_t i = offset; i < offset + count; ++i)
        writers.push_back(known ? known->last[i] : static_cast<std::uint8_t>(no_launch));
    });
  if (to % word != 0 || bytes % word != 0) {
    add_writers(lineage.seen, to, 1);
    add_writers(lineage.seen, to + bytes - 1, 1);
  }
  std::size_t next = 0;
  for_pages(to, bytes, [&](std::uintptr_t page, std::size_t offset, std::size_t count) {
    Writers& own = writers_of(page);
    for (std::size_t i = offset; i < offset + count; ++i, ++next)
      own.last[i] = next < writers.size() ? writers[next] : static_cast<std::uint8_t>(no_launch);
  });
}

void end_lineage() {
  lineage.seen.set(last_launch_number);
  for (const Allocation& allocation : all_allocations())
    if ((allocation.lent || !allocation.of_call) && allocation.live)
      for (const auto& [page, writers] : lineage.pages)
        if (page * words_of_page * word - allocation.base < allocation.bytes)
          for (const std::uint8_t writer : writers.last) lineage.seen.set(writer);
  // A launch has read only what others wrote before it, and those are numbered before it.
  for (unsigned launch = last_launch_number; launch > no_launch; --launch)
    if (lineage.seen.test(launch)) lineage.seen |= lineage.needs[launch];
}

bool has_part(unsigned launch) { return lineage.seen.test(launch); }

} // namespace simt
