// A vector addition by the driver API. The kernels are compiled with the program; host.cpp, which any C++ compiler takes, gets
// them as functions of the driver API and does all the rest.
#include "host.h"

#include <cuda_runtime.h>

extern "C" __global__ void addVectors(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

template <typename T>
__global__ void scaleBy(T *values, T factor, int n)
{
    extern __shared__ char scratch[];
    T *part = reinterpret_cast<T *>(scratch);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? values[i] : T(0);
    __syncthreads();
    if (i < n) values[i] = part[threadIdx.x] * factor;
}

CUfunction functionOf(const void *kernel)
{
    cudaFunction_t function = nullptr;
    if (cudaGetFuncBySymbol(&function, kernel) != cudaSuccess) return nullptr;
    return function;
}

int main()
{
    return runOnHost(functionOf((const void *)addVectors), functionOf((const void *)scaleBy<float>));
}
