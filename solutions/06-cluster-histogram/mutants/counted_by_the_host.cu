// mutant: the host counts
// item: histogram_global counts every value in its bin
// diagnosis: computed-by-host
// backends: sim
//
// The mistake: a kernel copies the values into the host's page-locked memory, where the host counts them. No call of
// cudaMemcpy to the host is to be seen, and all of them cross all the same.
// Read: the contract, labs/06-cluster-histogram/lab.hpp: what may cross between host and device.

#include <cuda_runtime.h>

#include <vector>

namespace {

__global__ void fetch_kernel(int* to, const int* from, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  std::vector<unsigned> counts(nbins);
  if (n != 0) {
    int *values = nullptr, *mapped = nullptr;
    cudaHostAlloc(&values, n * sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&mapped, values, 0);
    fetch_kernel<<<(n + 255) / 256, 256>>>(mapped, in, n);
    cudaDeviceSynchronize();
    for (std::size_t i = 0; i < n; ++i) {
      const unsigned bin = values[i] < 0 ? 0 : static_cast<unsigned>(values[i]);
      ++counts[bin < nbins ? bin : nbins - 1];
    }
    cudaFreeHost(values);
  }
  cudaMemcpy(bins, counts.data(), nbins * sizeof(unsigned), cudaMemcpyHostToDevice);
}
