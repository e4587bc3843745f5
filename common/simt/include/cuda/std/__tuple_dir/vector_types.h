// Of libcu++'s headers this one makes tuples of CUDA's vector types, among them some that the simulator has not. It stands
// for NVIDIA's: get<0>() of a float4 is not there.
#ifndef SIMT_INCLUDE_CUDA_STD_TUPLE_VECTOR_TYPES_H
#define SIMT_INCLUDE_CUDA_STD_TUPLE_VECTOR_TYPES_H
#endif
