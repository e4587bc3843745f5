// Of NVIDIA's header all but an assertion for the host alone: that nothing asks for the result of a lambda for the device. Here
// host and device see one text, and kernels may ask.
#ifndef SIMT_INCLUDE_CUDA_STD_FUNCTIONAL_INVOKE_H
#define SIMT_INCLUDE_CUDA_STD_FUNCTIONAL_INVOKE_H

#pragma push_macro("__CUDACC_EXTENDED_LAMBDA__")
#undef __CUDACC_EXTENDED_LAMBDA__
#include_next <cuda/std/__functional/invoke.h>
#pragma pop_macro("__CUDACC_EXTENDED_LAMBDA__")

#endif
