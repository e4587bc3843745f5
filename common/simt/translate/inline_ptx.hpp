#pragma once

#include "simt/translate/source.hpp"

namespace simt::compiler {

/// Puts C++ in the place of the asm statement at i, which is in device code. If that is not possible, it is an error and the
/// result is false. The C++ needs simt_shim/ptx.h.
bool rewrite_inline_ptx(Source& source, std::size_t i);

} // namespace simt::compiler
