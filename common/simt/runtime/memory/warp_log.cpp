#include "simt/runtime/memory/warp_log.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/device_limits.hpp"
#include "simt/runtime/memory/joined.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/schedule/control.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace simt {

LogEntry end_of_log;
WarpLog warp_log;
const AccessWatcher* access_watcher = nullptr;

namespace {

// A lane that would make the log longer waits for the others to catch up.
constexpr std::size_t capacity = 1024;
constexpr std::uint64_t order_gap = std::uint64_t{1} << 32;

LogEntry entries[capacity];
std::size_t used = 0;
LogEntry interruption;
void (*settle_interruption)() = nullptr;

/// The entries of one call site in list order, found by hashing. Their generation marks stale slots.
struct SiteEntries {
  std::uint64_t key = 0;
  std::uint64_t generation = 0;
  std::vector<LogEntry*> entries;
};

constexpr std::size_t site_slots = 2 * capacity;
SiteEntries sites[site_slots];
std::uint64_t generation = 1;

SiteEntries& hashed_entries(std::uint64_t key) {
  std::size_t slot = (key * 0x9e3779b97f4a7c15ull) >> 53;
  static_assert(site_slots == std::size_t{1} << (64 - 53));
  while (sites[slot].generation == generation && sites[slot].key != key) slot = (slot + 1) % site_slots;
  SiteEntries& site = sites[slot];
  if (site.generation != generation) {
    site.generation = generation;
    site.key = key;
    site.entries.clear();
  }
  return site;
}

/// Those that are found by hashing; the others join them when they are looked for.
std::size_t hashed = 0;
/// The lane that the log began with: its entries are all in the order of the list, and it has passed over none.
std::uint32_t first_lane_bit = 0;

SiteEntries& entries_of(std::uint64_t key) {
  for (; hashed < used; ++hashed) hashed_entries(entries[hashed].key).entries.push_back(&entries[hashed]);
  return hashed_entries(key);
}

void renumber() {
  std::uint64_t order = 0;
  for (LogEntry* entry = warp_log.first; entry != &end_of_log; entry = entry->next)
    entry->order = order += order_gap;
}

/// Adds an entry to the list after `previous` (null: in front).
LogEntry* insert_after(LogEntry* previous) {
  LogEntry* next = previous ? previous->next : warp_log.first;
  std::uint64_t before = previous ? previous->order : 0;
  if (next != &end_of_log && next->order - before < 2) {
    renumber();
    before = previous ? previous->order : 0;
  }
  LogEntry* entry = &entries[used++];
  entry->order = next == &end_of_log ? before + order_gap : before + (next->order - before) / 2;
  entry->next = next;
  entry->is_followed = next == entry + 1;
  (previous ? previous->next : warp_log.first) = entry;
  if (previous) previous->is_followed = previous + 1 == entry;
  return entry;
}

void take(LogEntry* entry, std::uintptr_t address) {
  entry->address[warp_log.lane] = address;
  entry->mask |= warp_log.lane_bit;
  warp_log.previous = entry;
  warp_log.expected = entry->next;
}

} // namespace

void interrupt_lane(void (*settle)()) {
  settle_interruption = settle;
  if (warp_log.expected == &interruption) return;
  interruption.next = warp_log.expected;
  warp_log.expected = &interruption;
}

namespace {

void add_access(std::uint64_t key, std::uintptr_t address, unsigned size, Space space, Access access,
                std::uintptr_t site) {
  if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - machine.own_stack < machine.deep_stack)
      [[unlikely]]
    note_deep_stack(site);
  if (warp_log.expected == &interruption) {
    warp_log.expected = interruption.next;
    settle_interruption();
  }
  if (warp_log.expected->key == key) return take(warp_log.expected, address);
  const bool is_first_lane = used == 0 || warp_log.lane_bit == first_lane_bit;
  std::uint64_t order = warp_log.previous ? warp_log.previous->order : 0;
  auto later = [](std::uint64_t o, const LogEntry* entry) { return o < entry->order; };
  bool passed_over = false;
  if (!is_first_lane) {
    const std::vector<LogEntry*>& same_site = entries_of(key).entries;
    auto position = std::upper_bound(same_site.begin(), same_site.end(), order, later);
    passed_over = position != same_site.begin() && !has_lane(*position[-1], warp_log.lane);
    if (position != same_site.end()) {
      LogEntry* entry = *position;
      entry->approximate |= passed_over;
      take(entry, address);
      return;
    }
  }
  if (used == capacity) {
    // All lanes stop here and go on with an empty log, so that they stay in step.
    const AccessWatcher* const watcher = access_watcher;
    const std::span<const std::byte> open =
        watcher ? watcher->open_for_writing() : std::span<const std::byte>();
    wait_for_warp();
    if (!open.empty())
      watcher->announced(reinterpret_cast<std::uintptr_t>(open.data()), open.size(), Access::write);
    return add_access(key, address, size, space, access, site);
  }
  if (used == 0) first_lane_bit = warp_log.lane_bit;
  LogEntry* entry = insert_after(warp_log.previous);
  entry->key = key;
  entry->mask = 0;
  entry->size = static_cast<std::uint8_t>(size);
  entry->space = space;
  entry->access = access;
  entry->unit = Unit::memory;
  entry->approximate = passed_over;
  entry->form = access == Access::atomic && size == 4 ? AtomicForm::increments : AtomicForm::plain;
  entry->site_number = site_number(site, size);
  entry->site = site;
  entry->waits = false;
  entry->may_be_even = false;
  entry->whole_bytes = 0;
  entry->is_even = false;
  entry->row_next = LogEntry::no_place;
  entry->row_lanes = 0;
  take(entry, address);
}

} // namespace

void log_divergent_access(std::uint64_t key, std::uintptr_t address, unsigned size, Space space,
                          Access access, std::uintptr_t site) {
  add_access(key, address, size, space, access, site);
  if (access_watcher) [[unlikely]]
    access_watcher->announced(address, size, access);
}

void finish_requests() {
  warp_log.expected = &end_of_log;
  if (used == 0) return;
  if (machine.options.trace || has_mapped_blocks() || may_join())
    std::for_each(entries, entries + used, spread);
  if (machine.options.trace)
    for (const LogEntry* entry = warp_log.first; entry != &end_of_log; entry = entry->next)
      record_request(*entry);
  if (has_mapped_blocks()) std::for_each(entries, entries + used, note_kernel_access);
  if (may_join()) count_joined(warp_log.first, &end_of_log);
  std::uint64_t accesses = 0;
  for (std::size_t i = 0; i < used; ++i) {
    accesses += lanes_in(entries[i].mask);
    count_request(entries[i]);
  }
  consume_steps(used, entries[used - 1].site);
  consume_work(accesses);
  used = hashed = 0;
  warp_log.first = &end_of_log;
  ++generation;
}

} // namespace simt
