// mutant: one chunk per thread
// item: offset_add_f32 touches no sector twice when aligned
// diagnosis: uncoalesced
//
// The mistake: each thread works through a chunk of neighbouring elements, as a CPU thread would; at every
// step the
//   32 lanes of a warp are a whole chunk apart, and each touches a sector of its own.
// Read: the handout, "What a warp asks for".

  // TODO(1)
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t chunk = (n + threads - 1) / threads;
  for (std::size_t i = thread * chunk; i < (thread + 1) * chunk && i < n; ++i) a[offset + i] += T{1};
  // END TODO(1)

// GIVEN(offset_add)
template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  if (n != 0) offset_add_kernel<<<16, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add)
