#pragma once

#include <memory>
#include <string>
#include <vector>

#include "call/call.hpp"
#include "call/host_memory.hpp"
#include "call/memory.hpp"
#include "grader/contract.hpp"
#include "grader/failure.hpp"
#include "grader/reply.hpp"

namespace warpbook {

/// The buffers of one call as they lie in shared memory: guard zones of random bytes around each
/// payload, outputs poisoned. What the grader put there it finds again without a copy: in the rubric's values, or
/// from a seed.
class CallImage {
public:
  /// Lays the buffers out with `guard_bytes` on both sides; `names` are the parameters' names,
  /// `secret` seeds guards and poison. They lie in `memory`, which is that of an earlier call, whose results were taken,
  /// or is made again if that is too small, or much too large; it has to outlive the image.
  CallImage(const std::vector<detail::PreparedArgument>& arguments, const std::vector<std::string>& names,
            std::size_t guard_bytes, std::uint64_t secret, SharedMemory& memory);

  /// The arguments of the call to send, in the contract's order.
  const std::vector<Argument>& arguments() const { return arguments_; }
  const SharedMemory& memory() const { return memory_; }

  /// Takes what the runner left, and the strays that it tells of sparse buffers. From then on the shared memory is not looked at again.
  void take_results(const std::vector<Stray>& strays);
  /// Fails with `guard-damaged` or `input-modified` if the function wrote where it must not.
  void check(const std::string& function) const;
  /// The buffers' contents for a reply, which may outlive the rubric's values.
  std::vector<Reply::Contents> contents() const;

private:
  // Of argument `i`, a buffer: its guard zones, and its payload, as they were before the call.
  std::vector<std::byte> front_guard(std::size_t i) const;
  std::vector<std::byte> back_guard(std::size_t i) const;
  BytesBefore before(std::size_t i) const;
  void add_strays(std::size_t i, Reply::Contents& contents) const;

  std::vector<Argument> arguments_;
  std::vector<detail::PreparedArgument> prepared_;
  std::uint64_t secret_ = 0;
  SharedMemory& memory_;
  std::vector<Stray> strays_;
  std::shared_ptr<HostMemory> after_;
};

} // namespace warpbook
