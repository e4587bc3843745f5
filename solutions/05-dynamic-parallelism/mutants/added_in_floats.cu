// mutant: the sum is a float
// item: reduce_neighbored adds up every part
// diagnosis: low-precision
//
// The mistake: a float has 24 bits and rounds a sum of ints that needs more.
// Read: the handout, "Parts and blocks".

// GIVEN(neighbored_kernel)
__global__ void neighbored_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ float part[part_size];
  const unsigned t = threadIdx.x;
  const std::size_t i = blockIdx.x * part_size + t;
  part[t] = i < n ? static_cast<float>(in[i]) : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = static_cast<int>(part[0]);
}
// END GIVEN(neighbored_kernel)
