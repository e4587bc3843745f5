// Calls with as few arguments as their declarations allow: the rest has the values that the toolkit's headers give it.
#include <cstdio>
#include <cstring>
#include <helper_cuda.h>

__device__ float from_host[4];
__constant__ float factor;

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * factor + from_host[i % 4];
}

int main() {
  const int n = 64, width = 16;
  const size_t bytes = n * sizeof(float);
  float *managed, *host, *linear, *rows;
  size_t pitch;
  checkCudaErrors(cudaMallocManaged(&managed, bytes));
  checkCudaErrors(cudaMallocHost(&host, bytes));
  checkCudaErrors(cudaMalloc(&linear, bytes));
  checkCudaErrors(cudaMallocPitch(&rows, &pitch, width * sizeof(float), n / width));
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);

  const float four[4] = {1, 2, 3, 4}, two = 2;
  checkCudaErrors(cudaMemcpyToSymbol(from_host, four, sizeof four));
  checkCudaErrors(cudaMemcpyToSymbol(factor, &two, sizeof two));
  float back[4] = {};
  checkCudaErrors(cudaMemcpyFromSymbol(back, from_host, sizeof back));
  if (std::memcmp(back, four, sizeof four) != 0) return 1;

  cudaEvent_t begin, end;
  checkCudaErrors(cudaEventCreate(&begin));
  checkCudaErrors(cudaEventCreate(&end));
  checkCudaErrors(cudaEventRecord(begin));
  checkCudaErrors(cudaMemsetAsync(linear, 0, bytes));
  checkCudaErrors(cudaMemcpyAsync(linear, host, bytes, cudaMemcpyHostToDevice));
  scale<<<2, 32>>>(linear, n);
  checkCudaErrors(cudaEventRecordWithFlags(end));
  checkCudaErrors(cudaStreamWaitEvent(nullptr, end));
  checkCudaErrors(cudaMemset2DAsync(rows, pitch, 0, width * sizeof(float), n / width));
  checkCudaErrors(cudaMemcpy2DAsync(rows, pitch, linear, width * sizeof(float), width * sizeof(float),
                                    n / width, cudaMemcpyDeviceToDevice));
  checkCudaErrors(cudaMemcpy2DAsync(managed, width * sizeof(float), rows, pitch, width * sizeof(float),
                                    n / width, cudaMemcpyDefault));
  checkCudaErrors(cudaMemcpyPeerAsync(linear, 0, managed, 0, bytes));

  cudaPitchedPtr box;
  checkCudaErrors(cudaMalloc3D(&box, make_cudaExtent(width * sizeof(float), 2, 2)));
  checkCudaErrors(cudaMemset3DAsync(box, 0, make_cudaExtent(width * sizeof(float), 2, 2)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(linear, width * sizeof(float), width, 2);
  copy.dstPtr = box;
  copy.extent = make_cudaExtent(width * sizeof(float), 2, 2);
  copy.kind = cudaMemcpyDeviceToDevice;
  checkCudaErrors(cudaMemcpy3DAsync(&copy));
  cudaMemcpy3DPeerParms peer = {};
  peer.srcPtr = box;
  peer.dstPtr = make_cudaPitchedPtr(host, width * sizeof(float), width, 2);
  peer.extent = copy.extent;
  checkCudaErrors(cudaMemcpy3DPeerAsync(&peer));

  cudaStream_t stream;
  checkCudaErrors(cudaStreamCreate(&stream));
  checkCudaErrors(cudaStreamAttachMemAsync(stream, managed));
  checkCudaErrors(cudaDeviceSynchronize());

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != 2.0f * i + four[i % 4];
  std::printf("%d of %d wrong\n", wrong, n);
  return wrong != 0;
}
