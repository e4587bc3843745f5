// tries: has copies within the device make the result, beside a kernel that reads and writes as it should
// hand-in: transposes
// must: 3 points
// told: copied-by-runtime
// way-memcpy: decoy_first; for (std::size_t i = 0; i < n; ++i) cudaMemcpyAsync(out + i % cols * rows + i / cols, in + i, 4, cudaMemcpyDeviceToDevice)
// way-memcpy_2d: decoy_first; each_column cudaMemcpy2DAsync(out + c * rows, 4, in + c, cols * 4, 4, rows, cudaMemcpyDeviceToDevice)
// way-memcpy_2d_of_any_kind: decoy_first; each_column cudaMemcpy2D(out + c * rows, 4, in + c, cols * 4, 4, rows, cudaMemcpyDefault)
// way-memcpy_3d: decoy_first; each_column { cudaMemcpy3DParms p = column(out + c * rows, in + c, rows, cols); cudaMemcpy3D(&p); }
// way-memcpy_between_devices: decoy_first; for (std::size_t i = 0; i < n; ++i) cudaMemcpyPeerAsync(out + i % cols * rows + i / cols, 0, in + i, 0, 4, 0)
// way-driver: decoy_first; for (std::size_t i = 0; i < n; ++i) cuMemcpyDtoDAsync((CUdeviceptr)(out + i % cols * rows + i / cols), (CUdeviceptr)(in + i), 4, 0)
// way-driver_2d: decoy_first; each_column { CUDA_MEMCPY2D m{}; m.srcMemoryType = m.dstMemoryType = CU_MEMORYTYPE_DEVICE; m.srcDevice = (CUdeviceptr)(in + c); m.srcPitch = cols * 4; m.dstDevice = (CUdeviceptr)(out + c * rows); m.dstPitch = m.WidthInBytes = 4; m.Height = rows; cuMemcpy2D(&m); }
// way-graph: decoy_first; cudaGraph_t g; cudaGraphCreate(&g, 0); each_column { cudaMemcpy3DParms p = column(out + c * rows, in + c, rows, cols); cudaGraphNode_t x; cudaGraphAddMemcpyNode(&x, g, nullptr, 0, &p); } cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize()
// way-from_a_kernel: decoy_first; copy_columns<<<1, 1>>>(out, in, rows, cols)
// way-before_the_kernel: float* turned; cudaMalloc(&turned, n * 4); each_column cudaMemcpy2DAsync(turned + c * rows, 4, in + c, cols * 4, 4, rows, cudaMemcpyDeviceToDevice); decoy<<<blocks, 256>>>(out, turned, n)
// way-to_constant_memory: const std::size_t height = rows == 128 ? 64 : rows, piece = height * cols; for (std::size_t r = 0; r < rows; r += height) { cudaMemcpyToSymbol(constant_memory, in + r * cols, piece * 4, 0, cudaMemcpyDeviceToDevice); read_alone<<<blocks, 256>>>(in + r * cols, piece); turn<<<blocks, 256>>>(out + r, rows, cols, height); }
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
__constant__ float constant_memory[1 << 14];
cudaMemcpy3DParms column(float* to, const float* from, std::size_t rows, std::size_t cols) {
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr((void*)from, cols * 4, 4, rows);
  p.dstPtr = make_cudaPitchedPtr(to, 4, 4, rows);
  p.extent = make_cudaExtent(4, rows, 1);
  p.kind = cudaMemcpyDeviceToDevice;
  return p;
}
__global__ void copy_columns(float* out, const float* in, std::size_t rows, std::size_t cols) {
  for (std::size_t c = 0; c < cols; ++c)
    cudaMemcpy2DAsync(out + c * rows, 4, in + c, cols * 4, 4, rows, cudaMemcpyDeviceToDevice, 0);
}
__global__ void read_alone(const float* in, std::size_t n) {
  __shared__ volatile float tile[256];
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = in[i];
  (void)tile[threadIdx.x];
}
__global__ void turn(float* out, std::size_t rows, std::size_t cols, std::size_t height) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < height * cols) out[i / height * rows + i % height] = constant_memory[i % height * cols + i / height];
}
#define decoy_first decoy<<<blocks, 256>>>(out, in, n)
#define each_column for (std::size_t c = 0; c < cols; ++c)
#define TRANSPOSE @WAY@
