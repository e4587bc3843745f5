#pragma once

#include <cstdint>
#include <vector>

#include "call/call.hpp"

namespace warpbook {

/// A contract's function bound to its arguments, from their types in the call alone.
class Dispatch {
public:
  /// `buffers` are the addresses that the call's buffer arguments get, in order. Throws
  /// std::invalid_argument if there are too few of them.
  Dispatch(void* function, const Call& call, const std::vector<void*>& buffers);

  /// Calls the function. Exceptions of the function pass through. The result is the returned value's
  /// bytes, zero-extended, or 0.
  std::uint64_t operator()() const;

private:
  void* function_;
  bool returns_value_;
  ScalarType return_type_;
  std::vector<ScalarType> types_;
  std::vector<bool> is_pointer_;
  std::vector<std::uint64_t> values_;
};

} // namespace warpbook
