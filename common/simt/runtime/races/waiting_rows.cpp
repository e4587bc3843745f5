#include "simt/runtime/races/waiting_rows.hpp"

#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace simt {

namespace {

constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

struct Row {
  LogEntry* entry = nullptr;
  ShadowPage* page = nullptr;
  std::size_t number = 0; ///< in its page
  MarkKind kind = latest_read;
  std::uint64_t* unwritten = nullptr; ///< counts its lanes' reads if it was never written; lane 0's has been
};

std::vector<Row> rows; ///< of the round that runs
bool is_open = false;

/// By the number of the call site: requests that turned out to be to no row, one after the other. Beyond some, few are tried.
std::array<std::uint8_t, 1 << 16> failures;
constexpr std::uint8_t most_failures = 8;
constexpr unsigned tried_of = 64; ///< one of so many

bool is_tried(const LogEntry& entry) {
  static unsigned distrusted = 0;
  return failures[entry.site_number] < most_failures || ++distrusted % tried_of == 0;
}

/// Whether what left the mark of a row happened before whatever the running warp does now to it, as far as that is simple.
/// Lane i of a row's warp has accessed grain i.
bool is_before(Mark mark) {
  if (mark < machine.floor) return true;
  const Block& block = *machine.block;
  const Segment& segment = segment_table[mark];
  return segment.block == block.number &&
         (segment.epoch < block.epoch || segment.warp == machine.warp->first / lanes_per_warp);
}

/// Whether no lane's access can conflict with what has been left in the row.
bool is_free(const ShadowPage& page, std::size_t number, Access access) {
  const auto is_clear = [&](MarkKind kind) {
    return !page.marks[kind] || is_before(page.marks[kind][number]);
  };
  // By rows there are no atomic updates.
  return is_clear(latest_write) &&
         (access == Access::read || (is_clear(latest_read) && is_clear(far_access)));
}

/// A row that was never written, where it is known that the request's call site reads such memory; null for others.
std::uint64_t* counted_unwritten(const LogEntry& entry, std::uintptr_t begin, std::size_t bytes) {
  const UnwrittenReads& known = unwritten_reads_at(entry.site);
  return known.has(entry.site, begin, bytes) && none_written(begin, bytes) ? known.times : nullptr;
}

bool is_accessible(std::uintptr_t begin, std::size_t bytes, Access access) {
  if (all_written(begin, bytes)) return true;
  const ValidRange& valid = machine.valid[static_cast<int>(Space::global)];
  return access == Access::write && begin - valid.begin < valid.bytes &&
         valid.bytes - (begin - valid.begin) >= bytes;
}

void leave_mark(ShadowPage& page, MarkKind kind, std::size_t number, Mark mine) {
  Mark& own = page.marks[kind][number];
  if (kind == latest_read && own >= machine.floor && ((own ^ mine) & mark_thread) != 0)
    keep_far(page, number, own, mine);
  own = mine;
}

void leave_marks(const Row& row, std::uint32_t lanes) {
  ShadowPage& page = *row.page;
  const Mark mine = Mark{machine.segment} << 32 | row.entry->site_number; // what lane 0 leaves
  if (lanes == all_lanes && page.launch == global_shadow.launch && page.by_rows) {
    if (!page.marks[row.kind]) add_marks(page, row.kind);
    return leave_mark(page, row.kind, row.number, mine);
  }
  add_marks_of_grains(page, row.entry->size, row.kind);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    leave_mark(page, row.kind, row.number * lanes_per_warp + lane, mine | Mark{lane} << 19);
  }
}

/// Of a request whose lanes have come, or not.
void note_success(const LogEntry& entry, std::uint32_t waiting) {
  std::uint8_t& failed = failures[entry.site_number];
  if (waiting == all_lanes)
    failed = 0;
  else if (entry.mask != waiting && failed < most_failures)
    ++failed;
}

} // namespace

void begin_rows(const Warp& warp, std::span<const std::uint8_t> lanes) {
  // Else a lane's marks need not have the warp's segment.
  is_open = lanes.size() == lanes_per_warp && lanes[0] == 0 && !warp.synced;
}

bool begin_row(std::uintptr_t address, unsigned size, Access access) {
  if (!is_open || warp_log.lane != 0) return false;
  LogEntry& entry = *warp_log.previous;
  const std::size_t bytes = std::size_t{lanes_per_warp} * size;
  if (address % bytes != 0 || !is_tried(entry)) return false;
  const std::size_t offset = address - machine.arena - shared_span;
  ShadowPage& page = global_shadow.pages[offset / shadow_page];
  if (page.launch != global_shadow.launch)
    page = {.launch = global_shadow.launch, .grain = size, .by_rows = true};
  const std::size_t number = offset % shadow_page / bytes;
  if (!page.by_rows || page.grain != size || !is_free(page, number, access)) return false;
  std::uint64_t* unwritten = nullptr;
  if (!is_accessible(address, bytes, access)) {
    if (access == Access::read) unwritten = counted_unwritten(entry, address, bytes);
    if (!unwritten) return false;
  }
  page.rows_wait = machine.rows_wait = true;
  start_row(entry, address, size, 1);
  rows.push_back({&entry, &page, number, access == Access::read ? latest_read : latest_write, unwritten});
  return true;
}

void end_rows() {
  if (!machine.rows_wait) return;
  machine.rows_wait = false;
  // The pages of others may be forgotten for the marks, which ends rows: these are under way already.
  static std::vector<Row> ending;
  ending.swap(rows);
  for (const Row& row : ending) row.page->rows_wait = false;
  for (const Row& row : ending) {
    const std::uint32_t waiting = end_row(*row.entry);
    note_success(*row.entry, waiting);
    if (row.unwritten) *row.unwritten += std::popcount(waiting & ~1u);
    leave_marks(row, waiting);
  }
  ending.clear();
}

void close_rows() {
  end_rows();
  is_open = false;
}

} // namespace simt
