// Makes accesses that no hook announces harmless, whatever they are written as.
//
// While some rounds of warps run (UnseenAccess), each byte of device and shared memory is replaced by another one, by its
// address. The hook that announces an access puts its own bytes right, and the lane's next hook, or its next stop, replaces
// them again. What is read unannounced is then garbage, and so is what was written unannounced when the round has ended: the
// result is wrong, and right only where memory stays as it is. That is done to some rounds because it costs a look at all
// memory: by the schedule's seed to some of each launch by the host, of whichever warp, and to a few others.
//
// To find such an access the memory is closed to the processor besides: it is a SIGSEGV where it happens.
#pragma once

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/memory/warp_log.hpp"

#include <cstddef>
#include <utility>

namespace simt {

/// Before and after the lanes of a warp run in a round that is chosen.
void scramble_for_round();
void restore_after_round();
/// A call begins; its rounds are chosen by this seed.
void choose_rounds(std::uint64_t seed);
/// A grid begins, of so many blocks with so many warps each. Of child grids some are looked at.
void begin_choice(std::uint64_t blocks, std::uint64_t warps, bool by_host);
bool is_round_chosen();

/// The running lane announces an access, whose bytes are right from now to the next one. What it only reads is put back as it was.
/// Where g++ copies a structure it announces the write and then the read, before either is made: a write stays open for one read.
void open_scrambled(std::uintptr_t address, std::size_t bytes, Access access);
/// Ends all that is open.
void close_scrambled();

inline void open_announced(std::uintptr_t address, std::size_t bytes, Access access) {
  if (machine.scrambled) [[unlikely]] {
    open_scrambled(address, bytes, access);
    interrupt_lane();
  }
}

/// While one lives, the accesses that are announced are parts of one, which is open from now on.
class OneAccess {
public:
  OneAccess(std::uintptr_t address, std::size_t bytes, Access access)
      : address_(address), bytes_(bytes), access_(access) {
    open_announced(address, bytes, access);
    parts_ = machine.scrambled;
  }
  ~OneAccess() {
    // Where the lane has given way it is open no more.
    if (!std::exchange(parts_, false)) open_announced(address_, bytes_, access_);
  }
  OneAccess(const OneAccess&) = delete;
  OneAccess& operator=(const OneAccess&) = delete;

private:
  friend void open_scrambled(std::uintptr_t address, std::size_t bytes, Access access);
  friend void close_scrambled();
  static inline bool parts_ = false;
  std::uintptr_t address_;
  std::size_t bytes_;
  Access access_;
};

/// Whether memory is closed there because an access has to be announced. A signal handler asks.
bool is_unseen_access(std::uintptr_t address);

} // namespace simt
