// Data races in global memory, by happens-before (order.hpp says what that is).
//
// Two accesses of different threads of one launch to the same bytes, at least one of them a write, race
// unless one happened before the other. Atomic and volatile accesses do not race among themselves. Memory is
// looked at in pages of 4 KiB, and a page in grains: as many bytes as the smallest access to it in this launch,
// and all aligned to that (at most 16). Each grain has a mark for each kind of access that its page has seen. A
// page has its marks of one kind in a chunk, and chunks are used again by the next launch. As long as warps access
// nothing but whole rows of a page (waiting_rows.hpp), a row has one mark for all of its grains. When chunks are used up,
// the page that got its own first is forgotten: then a race between accesses far apart may be missed, but none is
// made up.
#pragma once

#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/memory/warp_log.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <functional>

namespace simt {

/// What is remembered of a grain: the latest accesses by kind, and one more reader or atomic update, as far as
/// possible from the latest ones (another block, else another warp), so that a writer finds another thread if
/// there was one.
enum MarkKind { latest_write, latest_read, latest_update, far_access, mark_kinds };

inline constexpr std::size_t shadow_page = 4096;

struct ShadowPage {
  Mark* marks[mark_kinds] = {}; ///< by kind; null: no such access yet
  std::uint32_t launch = 0;     ///< of which launch the marks are
  std::uint32_t grain = 0;      ///< bytes: 1, 2, 4, 8 or 16
  /// All accesses so far were to whole rows, which are as many grains as a warp has lanes, by lane i to grain i. A kind's marks
  /// are then those of lane 0, one for each row.
  bool by_rows = false;
  bool rows_wait = false; ///< some do (see waiting_rows.hpp)
};

struct GlobalShadow {
  ShadowPage* pages = nullptr; ///< by offset in the global arena / shadow_page
  std::uint32_t launch = 0;
};
extern GlobalShadow global_shadow;

void initialise_global_race_detection();

/// Before a launch by the host.
void begin_global_checks();

/// Handles an access that may race with an earlier one: unless that happened before, it is reported. Of two
/// plain writes the report waits until the new value is there, and is dropped if that equals the old.
void handle_global_conflict(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                            Access access, std::uintptr_t site);

/// Whether a plain access at `mine` comes after all atomic updates of its word. The latest of them came after
/// the others, so a thread that made it, or knows of it, has them all behind it: the last block of a sum may
/// reset its counter like any variable.
bool follows_updates(Mark latest_update, Mark mine);

/// The call site at which the thread that left the mark has read the byte at `address`, if it is the last that has; else 0.
std::uintptr_t own_read_site(Mark mark, std::uintptr_t address);

/// The mark of the latest write, or atomic update, in this launch to the byte at `address`; 0 if there is none.
Mark latest_update_of(std::uintptr_t address);
Mark latest_write_of(std::uintptr_t address);

/// Calls `see` for what the latest launch has done to bytes of this range, from the first to the last: a mark for who has written them
/// last, if anyone has, and one for who has read them. Marks may have been forgotten. They say something until the next launch.
void for_each_latest_access(
    std::uintptr_t begin, std::size_t bytes,
    const std::function<void(std::uintptr_t address, unsigned size, Access access, Mark mark)>& see);

/// Decides about a write that waits for its value.
void settle_global_write();

/// Gives the page marks of one more kind.
void add_marks(ShadowPage& page, MarkKind kind);
/// Gives a page, which may have been forgotten or have marks for rows, marks of this kind for each of its grains.
void add_marks_of_grains(ShadowPage& page, std::uint32_t grain, MarkKind kind);

/// Chooses between the previous far access and one that is about to be replaced as the latest. All grains of a row would choose
/// the same: their marks differ in nothing but the lanes.
void keep_far(ShadowPage& page, std::size_t number, Mark replaced, Mark mine);

/// Remembers a read of a grain that another thread has read last, and that conflicts with nothing.
void replace_read(ShadowPage& page, std::size_t number, Mark mine);

/// What was there raced with nothing that is to come. In whole pages.
void forget_global_accesses(std::uintptr_t address, std::size_t bytes);
/// Checks an access of any size anywhere in global memory. `flags`: as access_memory() takes them.
void check_global_race(std::uintptr_t address, unsigned size, Access access, Mark flags, std::uintptr_t site);

/// Volatile accesses do not race among themselves, with one exception: lanes of a warp that hand each other values as
/// if they ran in step, as reductions did before 2017. Such a lane reads what another writes, and writes elsewhere
/// itself, and there is no fence. A flag that all watch is one place.
template <Access Kind>
bool expects_step(Mark earlier, Access earlier_access, Mark mine, std::uintptr_t address) {
  constexpr Mark moments = 0xffffffff'ff000000, fences = 0xff000000;
  if (((earlier ^ mine) & moments) != 0 || ((earlier | mine) & (fences | mark_atomic)) != 0) return false;
  if (earlier_access == Kind) return false;
  const Lane& lane =
      Kind == Access::read ? *machine.lane : machine.block->lanes[machine.warp->first + lane_of(earlier)];
  const LaneExtras& reader = lane.extras();
  return reader.volatile_segment == segment_of(mine) && reader.volatile_address != address;
}

/// Whether one of two accesses of different blocks is atomic for the threads of its own block only.
bool is_too_narrow(Mark earlier, Mark mine);

/// Checks an access to the grain that has this number in its page, and remembers it.
template <Access Kind>
[[gnu::always_inline]] inline void check_marks(ShadowPage& page, std::size_t number, Mark mine,
                                               std::uintptr_t address, unsigned size, std::uintptr_t site) {
  const Mark floor = machine.floor;
  auto conflicts = [&](Mark earlier, Access earlier_access = Access::read) {
    if (earlier < floor || ((earlier ^ mine) & mark_thread) == 0) return false;
    return !(earlier & mine & mark_strong) || is_too_narrow(earlier, mine) ||
           expects_step<Kind>(earlier, earlier_access, mine, address);
  };
  auto mark = [&](MarkKind kind) { return page.marks[kind] ? page.marks[kind][number] : Mark{0}; };
  auto remember = [&](MarkKind kind) {
    if (!page.marks[kind]) [[unlikely]]
      add_marks(page, kind);
    page.marks[kind][number] = mine;
  };
  if (const Mark write = mark(latest_write); conflicts(write, Access::write)) [[unlikely]]
    handle_global_conflict(write, Access::write, address, size, Kind, site);
  const Mark read = mark(latest_read), update = mark(latest_update), far = mark(far_access);
  if constexpr (Kind == Access::read) {
    if (conflicts(update)) [[unlikely]]
      handle_global_conflict(update, Access::atomic, address, size, Kind, site);
    if (conflicts(far) && (far & mark_atomic) && !follows_updates(update, mine)) [[unlikely]]
      handle_global_conflict(far, Access::atomic, address, size, Kind, site);
    if (read >= floor && ((read ^ mine) & mark_thread) != 0) keep_far(page, number, read, mine);
    remember(latest_read);
  } else {
    if (conflicts(read)) [[unlikely]]
      handle_global_conflict(read, Access::read, address, size, Kind, site);
    if (conflicts(far) && !(Kind == Access::write && (far & mark_atomic) && follows_updates(update, mine)))
        [[unlikely]]
      handle_global_conflict(far, far & mark_atomic ? Access::atomic : Access::read, address, size, Kind,
                             site);
    if constexpr (Kind == Access::write) {
      if (conflicts(update)) [[unlikely]]
        handle_global_conflict(update, Access::atomic, address, size, Kind, site);
      remember(latest_write);
    } else {
      if (((update | mine) & mark_narrow) && conflicts(update, Access::atomic)) [[unlikely]]
        handle_global_conflict(update, Access::atomic, address, size, Kind, site);
      if (update >= floor && ((update ^ mine) & mark_thread) != 0) keep_far(page, number, update, mine);
      remember(latest_update);
    }
  }
}

/// The running lane's mark for an access that the warp log has just taken.
template <Access Kind>
[[gnu::always_inline]] inline Mark mark_of_access(Mark flags) {
  return machine.mark | flags | (Kind == Access::atomic ? mark_strong | mark_atomic : Mark{0}) |
         warp_log.previous->site_number;
}

/// The next lanes most often come to the next grains, whose marks are new to the cache where memory is used once.
inline constexpr std::size_t marks_ahead = 16;

/// Checks an access to the global arena that others may have to do with.
template <unsigned Size, Access Kind>
[[gnu::noinline]] void check_global_marks(std::uintptr_t address, Mark flags, std::uintptr_t site) {
  const std::size_t offset = address - machine.arena - shared_span;
  ShadowPage& page = global_shadow.pages[offset / shadow_page];
  check_marks<Kind>(page, offset % shadow_page / Size, mark_of_access<Kind>(flags), address, Size, site);
}

/// Checks one access to the global arena; `address` is aligned to `Size`.
template <unsigned Size, Access Kind>
[[gnu::always_inline]] inline void check_global_race(std::uintptr_t address, Mark flags,
                                                     std::uintptr_t site) {
  const std::size_t offset = address - machine.arena - shared_span;
  ShadowPage& page = global_shadow.pages[offset / shadow_page];
  if (page.launch != global_shadow.launch || page.grain != Size || page.by_rows) [[unlikely]]
    return check_global_race(address, Size, Kind, flags, site);
  constexpr MarkKind kind = Kind == Access::read    ? latest_read
                            : Kind == Access::write ? latest_write
                                                    : latest_update;
  const std::size_t number = offset % shadow_page / Size;
  Mark* const own = page.marks[kind];
  __builtin_prefetch(own + number + marks_ahead);
  if (Mark* const far = page.marks[far_access]) __builtin_prefetch(far + number + marks_ahead);
  // In most cases no other thread has been here since all was ordered: only the mark changes.
  const Mark mine = mark_of_access<Kind>(flags), floor = machine.floor;
  const auto is_of_other = [&](MarkKind each) __attribute__((always_inline)) {
    const Mark earlier = page.marks[each] ? page.marks[each][number] : 0;
    if (Kind == Access::read && each == far_access && !(earlier & mark_atomic)) return false;
    return earlier >= floor && ((earlier ^ mine) & mark_thread) != 0;
  };
  if (!own || is_of_other(latest_write) || is_of_other(latest_update) || is_of_other(far_access))
    return check_global_marks<Size, Kind>(address, flags, site);
  if (is_of_other(latest_read)) {
    if constexpr (Kind == Access::read) return replace_read(page, number, mine);
    return check_global_marks<Size, Kind>(address, flags, site);
  }
  own[number] = mine;
}

} // namespace simt
