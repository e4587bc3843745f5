// mutant: the last vector is copied one by one
// item: copy_vectorized moves 16 bytes per lane where both arrays are aligned
// diagnosis: vector-left-over
// backends: sim
//
// The mistake: one vector too few is counted, and the tail has its elements.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  std::size_t vectors = (n - head) / 4;
  if (vectors > 0) --vectors;
  const std::size_t tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
