// A write that conflicts with an earlier one waits for its value: threads that all write the same one do not race.
#pragma once

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/memory/warp_log.hpp"

#include <algorithm>
#include <cstring>

namespace simt {

/// Keeps one such write until the value is in memory. `Report` tells of a race with the access `Earlier`.
template <typename Earlier, auto Report>
class PendingWrite {
public:
  /// `settle` calls settle(), at the lane's next access.
  void keep(const Earlier& earlier, std::uintptr_t address, unsigned size, std::uintptr_t site,
            void (*settle)()) {
    if (active_) return;
    active_ = machine.writes_pending = true;
    earlier_ = earlier;
    address_ = address - address % size;
    size_ = size;
    site_ = site;
    std::memcpy(old_, reinterpret_cast<const void*>(address_), size);
    interrupt_lane(settle);
  }

  void settle() {
    if (!active_) return;
    active_ = false;
    const void* now = reinterpret_cast<const void*>(address_);
    if (std::memcmp(old_, now, size_) == 0) return note_equal_writes();
    WrittenValues values{size_, 0, 0};
    std::memcpy(&values.old, old_, std::min(size_, 8u));
    std::memcpy(&values.now, now, std::min(size_, 8u));
    Report(earlier_, Access::write, address_, size_, Access::write, site_, values);
  }

  void drop() { active_ = false; }

private:
  bool active_ = false;
  Earlier earlier_{};
  std::uintptr_t address_ = 0;
  unsigned size_ = 0;
  std::uintptr_t site_ = 0;
  unsigned char old_[16];
};

} // namespace simt
