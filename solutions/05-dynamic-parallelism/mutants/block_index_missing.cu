// mutant: every block adds up the first part
// item: reduce_neighbored adds up every part
// diagnosis: block-index-missing
//
// The mistake: threadIdx.x counts within a block, and is taken for the place in the whole array.
// Read: the handout, "Parts and blocks".

// GIVEN(load_part)
__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}
// END GIVEN(load_part)
