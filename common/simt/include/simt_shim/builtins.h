// threadIdx and the like, and the attributes that the pre-pass leaves to the headers.
#ifndef SIMT_INCLUDE_SIMT_SHIM_BUILTINS_H
#define SIMT_INCLUDE_SIMT_SHIM_BUILTINS_H

#include "vector_types.h"

#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
#ifndef __builtin_align__
#define __builtin_align__(n) __align__(n)
#endif

// What g++ does not have of nvcc's built-in functions; it is a hint only.
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(0)
#endif

namespace simt {

/// A built-in index: reads like uint3, converts to uint3 and dim3.
struct Index : simt_index3 {
  constexpr Index(simt_index3 v) : simt_index3(v) {}
  constexpr Index(simt_packed_index v)
      : simt_index3{static_cast<unsigned>(v), static_cast<unsigned>(v >> 32 & 0xffff),
                    static_cast<unsigned>(v >> 48)} {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
  constexpr operator dim3() const { return dim3{x, y, z}; }
};

SIMT_INLINE Index thread_index() { return __simt_thread_index(); }
SIMT_INLINE Index block_index() { return __simt_block_index(); }
SIMT_INLINE Index block_extent() { return __simt_block_extent(); }
SIMT_INLINE Index grid_extent() { return __simt_grid_extent(); }
/// Compilers know the value, and no constant may be made of it: on a device it is none.
SIMT_INLINE int warp_size() { return 32; }

/// The size of an array in device code, which must be a constant.
template <decltype(sizeof(0)) Size>
inline constexpr decltype(sizeof(0)) constant_size = Size;

} // namespace simt

/// The same as __simt_in_kernel(), for functions that may be computed by the compiler: constants are the host's.
constexpr bool __simt_in_kernel_at_run_time() {
  return !__builtin_is_constant_evaluated() && __simt_in_kernel();
}

// threadIdx, blockIdx, blockDim, gridDim and warpSize become calls of these in the pre-pass.

#endif
