// mutant: the input is work space
// item: reduce_neighbored adds up every part
// diagnosis: input-modified
//
// The mistake: as in many books, the sums are made in the input itself. It is gone then: whoever calls the
// function twice gets other sums.
// Read: the handout, "Parts and blocks".

// GIVEN(neighbored_kernel)
__global__ void neighbored_kernel(int* sums, int* work, const int* in, std::size_t n) {
  const unsigned t = threadIdx.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = const_cast<int*>(in) + begin;
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0 && begin + t + distance < n) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
// END GIVEN(neighbored_kernel)
