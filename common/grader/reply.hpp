#pragma once
/// What came back from a call that passed every generic check.

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "call/call.hpp"
#include "call/host_memory.hpp"
#include "grader/crossing.hpp"
#include "grader/detail.hpp"

#include "grader/say.hpp"
#include "simt/report/report.hpp"
#include "simt/trace/trace.hpp"

namespace warpbook {

/// Of an extent of three dimensions: the blocks of a kernel's grid or cluster, the threads of its block.
using simt::volume;

/// Writes to `target` what the bytes of a payload from `first` on were before the call; both ends lie between two
/// generated values.
using BytesBefore = std::function<void(std::size_t first, std::span<std::byte> target)>;

/// The first byte of a payload that is no longer what it was.
std::optional<std::size_t> first_change(const BytesBefore& before, std::span<const std::byte> after);

/// An element of the k-th buffer argument of a function, counting buffers alone from 0.
struct BufferElement {
  std::size_t buffer = 0;
  std::size_t index = 0;
};

/// What an element of an output depends on, according to the task: elements of buffers as they were before the call. None
/// where the rubric does not say.
using Sources = std::function<std::vector<BufferElement>(BufferElement)>;

/// Element i of every output depends on element i of buffer `k`.
Sources same_element_of(std::size_t k);
/// Of the elements [first(i), last(i)) of each of these buffers.
Sources range_of(std::vector<std::size_t> buffers, std::function<std::size_t(std::size_t)> first,
                 std::function<std::size_t(std::size_t)> last);
/// Of all `count` elements of each of these buffers.
Sources all_of(std::vector<std::size_t> buffers, std::size_t count);

/// A call in words as a detail of a failure: the one that the failure is about.
inline Detail in_call(const std::string& call_text) {
  return {say("In the call {call}.", call_text), Detail::Kind::call, call_text};
}

class Reply {
public:
  /// The contents after the call of the function's k-th buffer argument, counting buffers alone from
  /// 0; of a sampled() one the samples, whose places indices() gives. T must be that buffer's element type;
  /// anything else is a mistake in the rubric and throws std::logic_error. The span lives as long as the
  /// reply.
  template <typename T>
  std::span<const T> values(std::size_t k) const& {
    const Contents& buffer = contents(k, typeid(T));
    return {reinterpret_cast<const T*>(buffer.after.data()), buffer.after.size() / sizeof(T)};
  }
  template <typename T>
  std::vector<T> values(std::size_t k) && {
    const std::span<const T> view = static_cast<const Reply&>(*this).values<T>(k);
    return {view.begin(), view.end()};
  }

  /// The places in the whole buffer of the elements in values(k), where these are samples; else empty.
  const std::vector<std::size_t>& indices(std::size_t k) const { return buffers_.at(k).indices; }

  /// The function's returned value; T is the contract's type (an enum or a scalar).
  template <typename T>
  T returned() const {
    check_returned(sizeof(T));
    T value;
    std::memcpy(&value, &returned_bits_, sizeof(T));
    return value;
  }

  /// Counters of all kernels of the call together, child grids included (simulator only).
  const simt::Counters& counters() const { return counters_; }
  /// Each kernel in the order of launch (simulator only).
  const std::vector<simt::KernelRecord>& kernels() const { return kernels_; }
  /// Diagnostics of the simulator that did not fail the call: warnings, notes, and those in `allow`.
  const std::vector<simt::Finding>& diagnostics() const { return diagnostics_; }
  /// What crossed between host and device, if that is more than the contract allows (expect_from_device); else null.
  const Crossing* crossing() const { return crossing_.get(); }
  /// Event times of the timed repetitions, in milliseconds (cuda only; empty on the simulator).
  const std::vector<double>& times_ms() const { return times_ms_; }

  /// What kernels did with memory; null unless calls are traced (Context::trace, CallOptions::trace), and on a GPU.
  const simt::Trace* trace() const { return trace_.get(); }
  /// As the call's options say; may be empty.
  const Sources& sources() const { return sources_; }

  /// True if no byte of any out or in-out buffer changed, as when the TODO is still open. False if
  /// there is no such byte to look at, and if a trace shows that some have got the value that they had.
  bool untouched() const;
  /// True if element `index` of buffer `k` still holds the bytes it held before the call.
  bool unwritten(std::size_t k, std::size_t index) const;
  /// Whether a trace shows that something has written to that element. False without a trace.
  bool seen_written(std::size_t k, std::size_t index) const;
  /// Whether `bytes` are what element `index` of buffer `k`, no output, was before the call.
  bool was(std::size_t k, std::size_t index, std::span<const std::byte> bytes) const;

  /// Whether this call has made what `other` has, the same call, but for how sums of floating-point numbers round. Where no buffers of
  /// `other` were kept: whether it has launched as many kernels.
  bool has_made_the_same(const Reply& other) const;

  /// The call in words: "offset_add_f32(data[260], offset = 3, n = 257), schedule reverse".
  const std::string& call_text() const { return call_text_; }
  /// The same as a detail of a failure.
  Detail in_call() const { return warpbook::in_call(call_text_); }
  const std::string& function() const { return function_; }
  /// The name in lab.hpp of the k-th buffer argument, how many there are, and what the function may do with each.
  const std::string& buffer_name(std::size_t k) const;
  std::size_t buffers() const { return buffers_.size(); }
  std::size_t element_size(std::size_t k) const { return buffers_.at(k).element_size; }
  /// How many elements of it have come back.
  std::size_t count(std::size_t k) const { return buffers_.at(k).after.size() / element_size(k); }
  Direction direction(std::size_t k) const { return buffers_.at(k).direction; }

private:
  friend class Submission;
  friend class CallImage;
  struct Contents {
    std::string name;
    const std::type_info* type = nullptr;
    std::size_t element_size = 1;
    bool is_returned = false;
    Direction direction = Direction::in;
    std::vector<std::size_t> indices;
    BytesBefore before; ///< empty for inputs, which are what they were
    std::span<const std::byte> after;
    std::shared_ptr<const HostMemory> memory; ///< that `after` lies in
  };
  const Contents& contents(std::size_t k, const std::type_info& type) const;
  void check_returned(std::size_t size) const;

  std::string function_;
  std::string call_text_;
  std::vector<Contents> buffers_;
  std::size_t returned_size_ = 0;
  std::uint64_t returned_bits_ = 0;
  simt::Counters counters_;
  std::vector<simt::KernelRecord> kernels_;
  std::vector<simt::Finding> diagnostics_;
  std::shared_ptr<const Crossing> crossing_;
  std::vector<double> times_ms_;
  std::shared_ptr<const simt::Trace> trace_;
  Sources sources_;
};

} // namespace warpbook
