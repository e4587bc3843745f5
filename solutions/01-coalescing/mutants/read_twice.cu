// mutant: read twice
// item: offset_add_f64 pays at most one more sector per request when misaligned
// diagnosis: read-more-than-once
//
// The mistake: the element is fetched from memory for the test and once more for the sum; volatile keeps the
//   compiler from correcting it.
// Read: the handout, "What a warp asks for": a request is an instruction, and each one pays.

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile T* element = a + offset + i;
  if (*element == *element) *element = *element + T{1};
  // END TODO(1)
