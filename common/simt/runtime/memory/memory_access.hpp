// What happens at a memory access of the submission: is it valid, does it race, how is it counted.
#pragma once

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/short_copies.hpp"
#include "simt/runtime/memory/warp_log.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/race.hpp"
#include "simt/runtime/races/waiting_reads.hpp"
#include "simt/runtime/races/waiting_rows.hpp"

#include <cstring>

namespace simt {

/// Accesses by host code; only device memory is of interest, and managed memory and device variables. `strong`: the access is
/// volatile or atomic.
void host_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site,
                 bool strong = false);

/// Accesses of the running lane that are neither in the arena nor on its stack.
void foreign_access(std::uintptr_t address, unsigned size, Access access, Mark flags, std::uintptr_t site);

/// Accesses to bytes that are not all valid and initialised. Of a structure that is copied some may be
/// padding, which is never written, so a read of partly written bytes is a mistake only if `no_padding`.
void unwritten_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site,
                      bool no_padding);

[[noreturn]] void misaligned_access(std::uintptr_t address, unsigned size, Access access,
                                    std::uintptr_t site);
/// An access to the stacks that uses up what the kernel may make of them. Host code may make none.
void last_local_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site);

/// A range that the compiler or the C library accesses as a whole: words, and bytes where it is not aligned.
void range_access(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site);

/// True if all Size bytes at the aligned arena offset are valid and initialised.
template <unsigned Size>
[[gnu::always_inline]] inline bool is_written(std::size_t offset) {
  const std::uint8_t* bits = machine.written + offset / 8;
  if constexpr (Size == 16) {
    std::uint16_t both;
    std::memcpy(&both, bits, sizeof both);
    return both == 0xffff;
  } else if constexpr (Size == 8) {
    return *bits == 0xff;
  } else {
    constexpr unsigned wanted = (1u << Size) - 1;
    return (*bits >> offset % 8 & wanted) == wanted;
  }
}

template <unsigned Size>
[[gnu::always_inline]] inline void set_written(std::size_t offset) {
  std::uint8_t* bits = machine.written + offset / 8;
  if constexpr (Size == 16)
    std::memset(bits, 0xff, 2);
  else if constexpr (Size == 8)
    *bits = 0xff;
  else
    *bits = static_cast<std::uint8_t>(*bits | ((1u << Size) - 1) << offset % 8);
}

/// Whether this is a write to a valid place that has not been written: then it has been from now on.
template <unsigned Size, Access Kind>
[[gnu::always_inline]] inline bool is_first_write(std::uintptr_t address) {
  if constexpr (Kind != Access::write) return false;
  const ValidRange& valid =
      machine.valid[static_cast<int>(in_shared(address) ? Space::shared : Space::global)];
  const std::size_t place = address - valid.begin;
  if (place >= valid.bytes || valid.bytes - place < Size) return false;
  set_written<Size>(address - machine.arena);
  return true;
}

/// True if no byte, or with `NoPadding` not each one, of the Size bytes at the aligned arena offset has been written.
template <unsigned Size, bool NoPadding>
[[gnu::always_inline]] inline bool is_unwritten(std::size_t offset) {
  if constexpr (NoPadding) return !is_written<Size>(offset);
  const std::uint8_t* bits = machine.written + offset / 8;
  if constexpr (Size == 16) return bits[0] == 0 && bits[1] == 0;
  if constexpr (Size == 8) return *bits == 0;
  return (*bits >> offset % 8 & ((1u << Size) - 1)) == 0;
}

/// Volatile reads may belong to loops that wait, and single bytes have cells of their own, if they have any.
template <unsigned Size, Access Kind, Mark Flags, bool Atomic>
inline constexpr bool reads_can_wait = (Kind == Access::read) && Size >= 4 && Flags == 0 && !Atomic;

/// Volatile and atomic accesses publish what their threads have done before.
template <Access Kind, Mark Flags, bool Atomic>
inline constexpr bool rows_can_wait = (Kind != Access::atomic) && Flags == 0 && !Atomic;

/// Accesses of the running lane that are not to its own stack. What is `Atomic` need not update: it may be an atomic read.
template <unsigned Size, Access Kind, bool NoPadding, Mark Flags, bool Atomic>
[[gnu::noinline]] void check_access(std::uintptr_t address, std::uintptr_t site, unsigned part) {
  std::size_t offset = address - machine.arena;
  if (offset >= arena_span) return foreign_access(address, Size, Kind, Flags, site);
  if (offset % Size != 0) [[unlikely]]
    misaligned_access(address, Size, Kind, site);
  if (!is_written<Size>(offset) && !is_first_write<Size, Kind>(address)) [[unlikely]]
    unwritten_access(address, Size, Kind, site, NoPadding);
  Space space = offset < shared_span ? Space::shared : Space::global;
  log_access(address, Size, space, Kind, site, part);
  if constexpr ((Flags & mark_expected) != 0) return;
  if constexpr (reads_can_wait<Size, Kind, Flags, Atomic>)
    if (may_wait(offset)) return let_wait(address);
  constexpr Access kind = Atomic ? Access::atomic : Kind;
  if (space == Space::shared) return check_race<Size, kind>(offset, site);
  if constexpr (rows_can_wait<Kind, Flags, Atomic>)
    if (begin_row(address, Size, Kind)) return;
  check_global_race<Size, Kind>(address, Flags, site);
}

/// A function of its own, so that what it needs in registers costs accesses to shared memory nothing.
template <unsigned Size, Access Kind, Mark Flags>
[[gnu::noinline]] void check_global_access(std::uintptr_t address, std::uintptr_t site) {
  check_global_race<Size, Kind>(address, Flags, site);
}

/// access_arena(), for what access_watcher has to hear of before others run.
template <unsigned Size, Access Kind, Mark Flags, bool Atomic>
[[gnu::noinline]] void access_watched(std::uintptr_t address, std::uintptr_t site) {
  access_watcher->announced(address, Size, Kind);
  if constexpr ((Flags & mark_expected) != 0) return;
  const std::size_t offset = address - machine.arena;
  if constexpr (reads_can_wait<Size, Kind, Flags, Atomic>)
    if (waits_too(offset)) return;
  if (offset < shared_span) return check_race < Size, Atomic ? Access::atomic : Kind > (offset, site);
  check_global_race<Size, Kind>(address, Flags, site);
}

/// What is left of an access, when the log has taken it where it expected it.
template <unsigned Size, Access Kind, Mark Flags, bool Atomic>
[[gnu::always_inline]] inline void check_logged(std::uintptr_t address, std::uintptr_t site) {
  const std::size_t offset = address - machine.arena;
  if (access_watcher) [[unlikely]]
    return access_watched<Size, Kind, Flags, Atomic>(address, site);
  if constexpr ((Flags & mark_expected) != 0) return;
  if constexpr (reads_can_wait<Size, Kind, Flags, Atomic>)
    if (waits_too(offset)) return;
  if (offset < shared_span) return check_race < Size, Atomic ? Access::atomic : Kind > (offset, site);
  check_global_access<Size, Kind, Flags>(address, site);
}

/// The same for bytes that have not been written: a program may read them again and again.
template <unsigned Size, Access Kind, bool NoPadding, Mark Flags, bool Atomic>
[[gnu::noinline]] void access_unwritten(std::uintptr_t address, std::uintptr_t site, unsigned part) {
  if constexpr (Kind == Access::read) {
    const UnwrittenReads& known = unwritten_reads_at(site);
    if (known.has(site, address, Size) && is_unwritten<Size, NoPadding>(address - machine.arena) &&
        log_expected_access(address, Kind, site, part)) {
      ++*known.times;
      return check_logged<Size, Kind, Flags, Atomic>(address, site);
    }
  }
  check_access<Size, Kind, NoPadding, Flags, Atomic>(address, site, part);
}

/// The same for most accesses: to bytes that have been written, or are now, where the log expects it. All that is rare is left to
/// others by tail calls, so that this needs no frame.
template <unsigned Size, Access Kind, bool NoPadding, Mark Flags, bool Atomic>
[[gnu::noinline]] void access_arena(std::uintptr_t address, std::uintptr_t site, unsigned part) {
  const std::size_t offset = address - machine.arena;
  if (offset >= arena_span || offset % Size != 0) [[unlikely]]
    return check_access<Size, Kind, NoPadding, Flags, Atomic>(address, site, part);
  if (!is_written<Size>(offset) && !is_first_write<Size, Kind>(address)) [[unlikely]]
    return access_unwritten<Size, Kind, NoPadding, Flags, Atomic>(address, site, part);
  if (!log_expected_access(address, Kind, site, part)) [[unlikely]]
    return check_access<Size, Kind, NoPadding, Flags, Atomic>(address, site, part);
  check_logged<Size, Kind, Flags, Atomic>(address, site);
}

/// `Flags` is 0, mark_expected, or mark_strong if the access is volatile or atomic, with mark_narrow if it is so in its
/// block only. Local variables are many accesses of some kernels: they do not pay for what the others need.
template <unsigned Size, Access Kind, bool NoPadding = false, Mark Flags = 0, bool Atomic = false>
[[gnu::always_inline]] inline void access_memory(std::uintptr_t address, std::uintptr_t site,
                                                 unsigned part = 0) {
  if constexpr (reads_can_wait<Size, Kind, Flags, Atomic>)
    if (log_waiting_read<Size>(address, site, part)) { // most are to shared memory, and on no stack
      if (access_watcher) [[unlikely]]
        access_watcher->announced(address, Size, Kind);
      return;
    }
  if (address - machine.own_stack >= stack_stride) {
    if (!machine.lane) [[unlikely]] {
      if (address - machine.arena >= arena_span && !device_sections.may_hold(address) &&
          !left_out.may_hold(address))
        return;
      return host_access(address, Size, Kind, site, Flags != 0 || Atomic || Kind == Access::atomic);
    }
    if constexpr (rows_can_wait<Kind, Flags, Atomic>)
      if (log_row_access<Size, Kind>(address, site, part)) {
        if constexpr (Kind == Access::write)
          if (const std::size_t offset = address - machine.arena; !is_written<Size>(offset))
            set_written<Size>(offset);
        if (access_watcher) [[unlikely]]
          access_watcher->announced(address, Size, Kind);
        return;
      }
    return access_arena<Size, Kind, NoPadding, Flags, Atomic>(address, site, part);
  }
  if (--machine.local_steps_left == 0) [[unlikely]]
    last_local_access(address, Size, Kind, site);
}

/// As access_memory, for a size that is known at run time only (1, 2, 4, 8 or 16).
void access_memory(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site,
                   unsigned part = 0);

} // namespace simt
