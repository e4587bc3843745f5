// What a program loads: a kernel for each of C's and C++'s names, and variables of three kinds.
extern "C" {
__constant__ int factor = 3;
__managed__ int limit = 50;
}
static __device__ unsigned int calls = 100; // has its plain name, too

extern "C" __global__ void multiply(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * factor < limit ? in[i] * factor : limit;
    if (i == 0) atomicAdd(&calls, 1u);
}

// Its mangled name is _Z4fillPii.
__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = i; // one too many
}

// As a texture the array has fractions, as a surface its bytes, which go back in reverse.
extern "C" __global__ void fetch(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float *out)
{
    int i = threadIdx.x;
    out[i] = tex1D<float>(texture, i + 0.5f);
    surf1Dwrite<unsigned char>((unsigned char)(3 - i), surface, i);
}

static __global__ void reset() { calls = 0; }
void (*keepStaticKernel)() = reset; // nvcc leaves out what nothing uses
