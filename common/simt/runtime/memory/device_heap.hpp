// The heap that malloc and new in kernels take from.
#pragma once

#include <cstddef>

namespace simt {

inline constexpr std::size_t default_heap_bytes = 8 << 20;

void set_heap_limit(std::size_t bytes);
std::size_t heap_limit_bytes();

} // namespace simt
