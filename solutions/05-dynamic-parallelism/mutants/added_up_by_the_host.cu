// mutant: the host adds up
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: too-few-requests
// backends: sim
//
// The mistake: the input is copied to the host, which adds it up. The sums are right, and no thread of a GPU has
// had any part in it.
// Read: the handout, "Lanes that only watch".

#include <cuda_runtime.h>

#include <vector>

void reduce_neighbored_less(int* sums, int*, const int* in, std::size_t n) {
  std::vector<int> values(n), totals((n + part_size - 1) / part_size);
  cudaMemcpy(values.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < n; ++i) totals[i / part_size] += values[i];
  cudaMemcpy(sums, totals.data(), totals.size() * sizeof(int), cudaMemcpyHostToDevice);
}
