// mutant: neighbours pair up in shared memory
// item: reduce_interleaved has neighbouring threads on neighbouring elements
// diagnosis: elements-apart
//
// The mistake: shared memory has no sectors, but banks: lanes whose elements are 2, 4, 8 … apart meet in the
// same ones.
// Read: the handout, "The third way to pair up".

// GIVEN(interleaved_kernel)
__global__ void interleaved_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ int part[part_size];
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t;
    if (first < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
// END GIVEN(interleaved_kernel)
