// mutant: vectors only where there is no head
// item: copy_vectorized peels head and tail and moves the rest 16 bytes per lane
// diagnosis: narrow-accesses
// backends: sim
//
// The mistake: vectors are used only where both arrays begin on a boundary, although both often reach one after
// equally many elements.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  if (past_boundary(in) != 0 || past_boundary(out) != 0) return copy<float>(out, in, n);
  const std::size_t tail = n / 4 * 4;
  copy<float4>(out, in, n / 4);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
