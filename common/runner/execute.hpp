#pragma once

#include <cstddef>
#include <span>

#include "call/call.hpp"
#include "runner/module.hpp"

namespace warpbook {

/// Performs one call on the loaded module; `memory` holds the buffers' images before and after.
/// Whatever the function does wrong and survives is in the reply. Throws only if the call itself is
/// ill-formed.
RawReply execute(const Module& module, const Call& call, std::span<std::byte> memory);

} // namespace warpbook
