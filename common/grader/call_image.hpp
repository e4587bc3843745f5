#pragma once

#include <string>
#include <vector>

#include "call/call.hpp"
#include "call/memory.hpp"
#include "grader/contract.hpp"
#include "grader/failure.hpp"
#include "grader/reply.hpp"

namespace warpbook {

/// The buffers of one call as they lie in shared memory: guard zones of random bytes around each
/// payload, outputs poisoned. The grader keeps its own copy of everything to compare with.
class CallImage {
public:
  /// Lays the buffers out with `guard_bytes` on both sides; `names` are the parameters' names,
  /// `secret` seeds guards and poison.
  CallImage(const std::vector<detail::PreparedArgument>& arguments, const std::vector<std::string>& names,
            std::size_t guard_bytes, std::uint64_t secret);

  /// The arguments of the call to send, in the contract's order.
  const std::vector<Argument>& arguments() const { return arguments_; }
  const SharedMemory& memory() const { return memory_; }

  /// Takes what the runner left. From then on the shared memory is not looked at again.
  void take_results();
  /// Fails with `guard-damaged` or `input-modified` if the function wrote where it must not.
  void check(const std::string& function) const;
  /// The buffers' contents for a reply.
  std::vector<Reply::Contents> contents() const;

private:
  std::vector<Argument> arguments_;
  std::vector<detail::PreparedArgument> prepared_;
  SharedMemory memory_;
  std::vector<std::byte> before_;
  std::vector<std::byte> after_;
};

} // namespace warpbook
