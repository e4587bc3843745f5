// The keywords of CUDA for files that the host compiles alone: there they mean nothing. In .cu files the pre-pass
// reads them.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#ifndef __CUDACC__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#endif

#endif
