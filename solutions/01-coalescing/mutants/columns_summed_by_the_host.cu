// mutant: the host sums the columns
// item: column_sums sums the columns of a row-major matrix
// diagnosis: computed-by-host
// backends: sim
//
// The mistake: the matrix is copied to the host, whose sums are copied back. They are right, and the device has done
// nothing but wait for the copies.
// Read: the contract, labs/01-coalescing/lab.hpp: what may cross between host and device.

#include <cuda_runtime.h>

#include <vector>

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  std::vector<float> values(rows * cols), totals(cols);
  cudaMemcpy(values.data(), matrix, rows * cols * sizeof(float), cudaMemcpyDeviceToHost);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c) totals[c] += values[r * cols + c];
  cudaMemcpy(sums, totals.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
}
