// mutant: elements behind the end are read
// item: reduce_neighbored adds up every part
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: last-part-wrong
//
// The mistake: n is taken for a multiple of 256. The last part's threads read what lies behind the array.
// Read: the handout, "Parts and blocks".

// GIVEN(load_part)
__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
}
// END GIVEN(load_part)
