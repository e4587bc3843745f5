// A kernel call that is kept: its arguments as they were when it was made.
#pragma once

#include "simt_shim/entry_points.h"

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace simt {

/// Owns a closure; copies copy the arguments as the kernel's own parameters would be.
class CallCopy {
public:
  CallCopy() = default;
  CallCopy(const simt_closure_operations* operations, const void* from) : CallCopy(operations) {
    operations_->copy(memory_, from);
  }
  /// The call of a kernel that has an entry, with these arguments; `told` gets their descriptions.
  CallCopy(const simt_kernel_entry& entry, void** arguments, std::vector<simt_argument>& told)
      : CallCopy(entry.operations) {
    told.resize(entry.count + 1);
    entry.make(memory_, entry.kernel, arguments, told.data());
    told.resize(entry.count);
  }
  CallCopy(const CallCopy& other) {
    if (other.memory_) *this = CallCopy(other.operations_, other.memory_);
  }
  CallCopy(CallCopy&& other) noexcept
      : operations_(std::exchange(other.operations_, nullptr)),
        memory_(std::exchange(other.memory_, nullptr)) {}
  CallCopy& operator=(CallCopy other) noexcept {
    std::swap(operations_, other.operations_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~CallCopy() {
    if (!memory_) return;
    operations_->destroy(memory_);
    ::operator delete(memory_, std::align_val_t(operations_->alignment));
  }

  const simt_closure_operations* operations() const { return operations_; }
  void* get() const { return memory_; }
  /// Where its arguments lie.
  std::vector<void*> addresses(std::size_t count) const {
    std::vector<void*> found(count + 1);
    if (memory_) operations_->addresses(memory_, found.data());
    found.resize(count);
    return found;
  }

private:
  explicit CallCopy(const simt_closure_operations* operations)
      : operations_(operations),
        memory_(::operator new(operations->size, std::align_val_t(operations->alignment))) {}

  const simt_closure_operations* operations_ = nullptr;
  void* memory_ = nullptr;
};

} // namespace simt
