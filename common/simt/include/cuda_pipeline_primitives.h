// The simulator's own: copies from global to shared memory that no register sees, as functions of C.
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_runtime.h"
#include "simt_shim/ptx.h"

/// The last `zfill` of the 4, 8 or 16 bytes become 0. A copy of another size ends the kernel.
SIMT_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zfill = 0) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zfill > bytes) __trap();
  ::simt::ptx::copy_async(reinterpret_cast<unsigned long long>(to),
                          reinterpret_cast<unsigned long long>(from), static_cast<unsigned>(bytes),
                          static_cast<unsigned>(bytes - zfill));
}
SIMT_INLINE void __pipeline_commit() { __simt_copy_commit(); }
/// Waits for all batches but the last `allowed`.
SIMT_INLINE void __pipeline_wait_prior(size_t allowed) { __simt_copy_wait(static_cast<unsigned>(allowed)); }

#endif
