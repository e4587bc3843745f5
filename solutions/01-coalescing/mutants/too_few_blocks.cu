// mutant: too few blocks
// item: offset_add_f32 is as fast as one element per thread can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: 16 blocks, as a CPU would get 16 threads, and a loop over the rest. The result is right and every
// request coalesced, but most multiprocessors have nothing to do, and the others wait for memory with no warp to
// take their place.
// Read: the handout, "What a warp asks for", and docs/measuring-well.md.

  // TODO(1)
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
    a[offset + i] += T{1};
  // END TODO(1)

// GIVEN(offset_add)
constexpr unsigned blocks = 16;

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  if (n != 0) offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add)
