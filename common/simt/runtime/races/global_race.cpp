#include "simt/runtime/races/global_race.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/races/pending_write.hpp"
#include "simt/runtime/races/waiting_rows_end.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <sys/mman.h>
#include <unordered_map>
#include <utility>

namespace simt {

GlobalShadow global_shadow;

namespace {

/// Chunks of marks, handed out in order and taken back in the same order when there are no more.
class Chunks {
public:
  Chunks(std::size_t marks, std::size_t bytes) : marks_(marks), count_(bytes / (marks * sizeof(Mark))) {}

  void initialise() {
    // What a small kernel touches comes in small pieces; beyond, one fault for 2 MiB instead of one for every 4 KiB.
    memory_ = static_cast<Mark*>(reserve_memory(bytes()));
    madvise(reinterpret_cast<std::byte*>(memory_) + small, bytes() - small, MADV_HUGEPAGE);
  }

  void begin() { used_ = 0; }

  bool are_used_up() const { return used_ >= count_; }

  /// Marks for a page, none of this launch among them.
  Mark* take(ShadowPage& page) {
    std::size_t number = used_++ % count_;
    while (holds(page, number)) number = used_++ % count_; // it needs its other marks
    Mark* chunk = memory_ + number * marks_;
    if (number >= owners_.size()) {
      owners_.resize(number + 1);
      fetch(number * marks_ * sizeof(Mark));
    }
    if (used_ > count_) {
      if (owners_[number] && holds(*owners_[number], number)) owners_[number]->launch = 0;
      std::fill_n(chunk, marks_, Mark{0});
    }
    owners_[number] = &page;
    return chunk;
  }

  void forget() {
    if (memory_) madvise(memory_, bytes(), MADV_DONTNEED);
  }

private:
  static constexpr std::size_t small = 2 << 20; ///< bytes that come in pieces ...
  static constexpr std::size_t piece = 64 << 10;

  std::size_t bytes() const { return count_ * marks_ * sizeof(Mark); }

  /// Asks for the piece that begins there, which costs less than a fault for each of its pages.
  void fetch(std::size_t begin) {
    if (begin < small && begin % piece == 0)
      madvise(reinterpret_cast<std::byte*>(memory_) + begin, piece, populate_write);
  }

  bool holds(const ShadowPage& page, std::size_t number) const {
    return page.launch == global_shadow.launch &&
           std::find(std::begin(page.marks), std::end(page.marks), memory_ + number * marks_) !=
               std::end(page.marks);
  }

  std::size_t marks_;
  std::size_t count_;
  std::size_t used_ = 0;
  Mark* memory_ = nullptr;
  std::vector<ShadowPage*> owners_;
};

/// By the grain's power of two; larger grains are for as many pages as words are.
Chunks chunks[] = {{shadow_page, byte_shadow_bytes},
                   {shadow_page / 2, byte_shadow_bytes},
                   {shadow_page / 4, word_shadow_bytes},
                   {shadow_page / 8, word_shadow_bytes / 2},
                   {shadow_page / 16, word_shadow_bytes / 4}};

constexpr std::size_t largest_grain = std::size_t{1} << (std::size(chunks) - 1);

/// Those of pages by rows: enough for what single grains take 32 times as much for, and more.
Chunks row_chunks[] = {{shadow_page / lanes_per_warp, row_shadow_bytes},
                       {shadow_page / 2 / lanes_per_warp, row_shadow_bytes},
                       {shadow_page / 4 / lanes_per_warp, row_shadow_bytes},
                       {shadow_page / 8 / lanes_per_warp, row_shadow_bytes},
                       {shadow_page / 16 / lanes_per_warp, row_shadow_bytes}};

Chunks& chunks_of(const ShadowPage& page) {
  const auto number = std::countr_zero(page.grain);
  return page.by_rows ? row_chunks[number] : chunks[number];
}

/// Other pages may lose their marks for it.
Mark* take_chunk(ShadowPage& page) {
  if (chunks_of(page).are_used_up()) end_rows();
  return chunks_of(page).take(page);
}

/// Pages of device variables and page-locked memory, which lie outside of the arena.
std::unordered_map<std::uintptr_t, ShadowPage> outside_pages;

PendingWrite<Mark, report_global_race> pending_global_write;

ShadowPage& page_of(std::uintptr_t address) {
  if (!in_global(address)) return outside_pages[address / shadow_page];
  return global_shadow.pages[(address - machine.arena - shared_span) / shadow_page];
}

Mark of_row(const Mark* rows, std::size_t number) {
  const Mark mark = rows[number / lanes_per_warp];
  return mark == 0 ? mark : mark | Mark{number % lanes_per_warp} << 19;
}

/// From now on the page has marks for each grain. None of its rows waits.
void spread_rows(ShadowPage& page) {
  page.by_rows = false;
  for (Mark*& marks : page.marks) {
    if (!marks) continue;
    const Mark* const rows = std::exchange(marks, nullptr);
    Mark* const each = take_chunk(page);
    for (std::size_t i = 0; i < shadow_page / page.grain; ++i) each[i] = of_row(rows, i);
    marks = each;
  }
}

/// Before the page's marks are read.
void make_way(const ShadowPage& page) {
  if (page.rows_wait) end_rows();
}

/// Makes sure that the page's marks are of this launch, and for grains of at most so many bytes. None of its rows waits.
void prepare(ShadowPage& page, std::uint32_t grain) {
  if (page.launch == global_shadow.launch && page.by_rows) spread_rows(page);
  if (page.launch != global_shadow.launch) {
    page = {{}, global_shadow.launch, grain};
  } else if (grain < page.grain) {
    const std::size_t parts = page.grain / grain;
    page.grain = grain;
    for (Mark*& marks : page.marks) {
      if (!marks) continue;
      const Mark* coarse = std::exchange(marks, take_chunk(page));
      for (std::size_t i = 0; i < shadow_page / grain; ++i) marks[i] = coarse[i / parts];
    }
  }
}

template <Access Kind>
void check_any_size(std::uintptr_t address, unsigned size, Mark flags, std::uintptr_t site) {
  const Mark mine = mark_of_access<Kind>(flags);
  const std::uintptr_t aligned = address | size | largest_grain;
  const std::uint32_t grain = static_cast<std::uint32_t>(aligned & -aligned);
  for (const std::uintptr_t end = address + size; address < end;) {
    ShadowPage& page = page_of(address);
    if (page.rows_wait) end_rows();
    prepare(page, grain);
    for (std::size_t offset = address % shadow_page; address < end && offset < shadow_page;
         offset += page.grain, address += page.grain)
      check_marks<Kind>(page, offset / page.grain, mine, address, size, site);
  }
}

} // namespace

void initialise_global_race_detection() {
  global_shadow.pages =
      static_cast<ShadowPage*>(reserve_memory(global_span / shadow_page * sizeof(ShadowPage)));
  for (Chunks& own : chunks) own.initialise();
  for (Chunks& own : row_chunks) own.initialise();
}

void begin_global_checks() {
  ++global_shadow.launch;
  for (Chunks& own : chunks) own.begin();
  for (Chunks& own : row_chunks) own.begin();
  outside_pages.clear();
  pending_global_write.drop();
  if (begin_order()) {
    for (Chunks& own : chunks) own.forget();
    for (Chunks& own : row_chunks) own.forget();
  }
}

void handle_global_conflict(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                            Access access, std::uintptr_t site) {
  if (happened_before(earlier)) return;
  if (earlier_access == Access::atomic && learned_of_update(earlier, address)) return;
  if (earlier_access != Access::write || access != Access::write) {
    report_global_race(earlier, earlier_access, address, size, access, site, {});
    return;
  }
  pending_global_write.keep(earlier, address, size, site, settle_global_write);
}

bool is_too_narrow(Mark earlier, Mark mine) {
  return ((earlier | mine) & mark_narrow) != 0 && !same_block(earlier);
}

bool follows_updates(Mark latest_update, Mark mine) {
  return ((latest_update ^ mine) & mark_thread) == 0 || happened_before(latest_update);
}

namespace {

/// 0 where there is none, or one of an earlier launch.
Mark mark_at(const ShadowPage& page, MarkKind kind, std::size_t number) {
  const Mark* const marks = page.marks[kind];
  const Mark mark = !marks ? 0 : page.by_rows ? of_row(marks, number) : marks[number];
  return segment_of(mark) < segment_table.first ? 0 : mark;
}

/// The latest of this launch, or 0.
Mark latest_of(std::uintptr_t address, MarkKind kind) {
  ShadowPage& page = page_of(address);
  make_way(page);
  if (page.launch != global_shadow.launch || page.grain == 0) return 0; // nothing was launched, or used there
  return mark_at(page, kind, address % shadow_page / page.grain);
}

} // namespace

void for_each_latest_access(
    std::uintptr_t begin, std::size_t bytes,
    const std::function<void(std::uintptr_t address, unsigned size, Access access, Mark mark)>& see) {
  end_rows();
  for (const std::uintptr_t end = begin + bytes; begin < end;) {
    const std::uintptr_t stop = std::min(end, begin / shadow_page * shadow_page + shadow_page);
    const bool is_outside = !in_global(begin) && !outside_pages.contains(begin / shadow_page);
    const ShadowPage unseen, &page = is_outside ? unseen : page_of(begin);
    if (page.launch != global_shadow.launch) {
      begin = stop;
      continue;
    }
    for (begin -= begin % page.grain; begin < stop; begin += page.grain) {
      const std::size_t number = begin % shadow_page / page.grain;
      const Mark write = mark_at(page, latest_write, number), update = mark_at(page, latest_update, number),
                 read = mark_at(page, latest_read, number);
      if (write != 0 || update != 0)
        see(begin, page.grain, write != 0 ? Access::write : Access::atomic, write != 0 ? write : update);
      if (read != 0) see(begin, page.grain, Access::read, read);
    }
  }
}

std::uintptr_t own_read_site(Mark mark, std::uintptr_t address) {
  const Mark read = latest_of(address, latest_read);
  return read != 0 && ((read ^ mark) & mark_thread) == 0 ? site_of_number(site_number_of(read)) : 0;
}

Mark latest_write_of(std::uintptr_t address) { return latest_of(address, latest_write); }

Mark latest_update_of(std::uintptr_t address) { return latest_of(address, latest_update); }

void settle_global_write() { pending_global_write.settle(); }

void add_marks(ShadowPage& page, MarkKind kind) { page.marks[kind] = take_chunk(page); }

void add_marks_of_grains(ShadowPage& page, std::uint32_t grain, MarkKind kind) {
  prepare(page, grain);
  if (!page.marks[kind]) add_marks(page, kind);
}

void keep_far(ShadowPage& page, std::size_t number, Mark replaced, Mark mine) {
  if (!page.marks[far_access]) add_marks(page, far_access);
  Mark& far = page.marks[far_access][number];
  if (far < machine.floor || ((far ^ mine) & mark_thread) == 0) {
    far = replaced;
    return;
  }
  // Within one segment all lanes are equally far.
  if (segment_of(replaced) == segment_of(mine) && segment_of(far) == segment_of(mine)) return;
  constexpr int farthest = 3;
  auto distance = [mine](Mark mark) {
    const Segment &there = segment_table[mark], &here = segment_table[mine];
    if (there.block != here.block) return farthest;
    if (there.epoch != here.epoch) return 0; // a barrier lies between
    return there.warp != here.warp ? 2 : lane_of(mark) != lane_of(mine) ? 1 : 0;
  };
  if (const int known = distance(far); known < farthest && distance(replaced) > known) far = replaced;
}

void replace_read(ShadowPage& page, std::size_t number, Mark mine) {
  Mark& read = page.marks[latest_read][number];
  keep_far(page, number, read, mine);
  read = mine;
}

void forget_global_accesses(std::uintptr_t address, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += shadow_page)
    global_shadow.pages[(address - machine.arena - shared_span + i) / shadow_page].launch = 0;
}

void check_global_race(std::uintptr_t address, unsigned size, Access access, Mark flags,
                       std::uintptr_t site) {
  with_kind(access, [&]<Access Kind>() { check_any_size<Kind>(address, size, flags, site); });
}

} // namespace simt
