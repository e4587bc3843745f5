// Makes accesses that no hook announces harmless, whatever they are written as.
//
// While a grid runs, memory of the device lies elsewhere, and at its addresses are pages that hold nothing (UnseenAccess). The
// hook that announces an access brings its own bytes there, and the lane's next hook, or its next stop, takes them back and
// leaves noise. What is read unannounced is then nothing or noise, and what was written unannounced is lost: before each round of a
// warp these pages are emptied. So a result is right only if all that went into it, and it itself, was announced.
//
// To find such an access the pages are closed to the processor besides: it is a SIGSEGV where it happens. Memory of the host is
// closed in any case (host_memory.hpp).
#pragma once

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/memory/warp_log.hpp"

#include <cstddef>
#include <utility>

namespace simt {

/// While one lives, a grid runs with its children. What the runtime itself uses of memory then is at real_address().
class AnnouncedAccesses {
public:
  explicit AnnouncedAccesses(const Grid& grid);
  ~AnnouncedAccesses();
  AnnouncedAccesses(const AnnouncedAccesses&) = delete;
  AnnouncedAccesses& operator=(const AnnouncedAccesses&) = delete;
};

/// Before lanes of a warp run, by chance: what earlier ones have left at the addresses is gone. Returns whether it is.
bool forget_unannounced();

/// The running lane announces an access, whose bytes are right from now to the next one.
/// Where g++ copies a structure it announces the write and then the read, before either is made: a write stays open for one read.
void bring(std::uintptr_t address, std::size_t bytes, Access access);
/// Ends all that is open.
void take_back();

/// Where the bytes are that belong at an address of the device; what the running lane has open is there, too. The runtime asks,
/// where it uses memory while a grid runs, beside what it announces.
std::uintptr_t real_address(std::uintptr_t address);
template <typename T>
T* real_address(T* pointer) {
  return reinterpret_cast<T*>(real_address(reinterpret_cast<std::uintptr_t>(pointer)));
}

inline void open_announced(std::uintptr_t address, std::size_t bytes, Access access) {
  if (machine.moved != 0) [[unlikely]]
    bring(address, bytes, access);
}

/// While one lives, the accesses that are announced are parts of one, which is open from now on.
class OneAccess {
public:
  OneAccess(std::uintptr_t address, std::size_t bytes, Access access)
      : address_(address), bytes_(bytes), access_(access) {
    open_announced(address, bytes, access);
    parts_ = machine.moved != 0;
  }
  ~OneAccess() {
    // Where the lane has given way it is open no more.
    if (!std::exchange(parts_, false)) open_announced(address_, bytes_, access_);
  }
  OneAccess(const OneAccess&) = delete;
  OneAccess& operator=(const OneAccess&) = delete;

private:
  friend void bring(std::uintptr_t address, std::size_t bytes, Access access);
  friend void take_back();
  static inline bool parts_ = false;
  std::uintptr_t address_;
  std::size_t bytes_;
  Access access_;
};

/// Whether pages are closed there because an access has to be announced. A signal handler asks.
bool is_unseen_access(std::uintptr_t address);

} // namespace simt
