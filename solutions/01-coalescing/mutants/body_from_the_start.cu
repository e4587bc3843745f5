// mutant: body from the start
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: wrong-part
// backends: sim
// todo: 3
//
// The mistake: the vectors begin at the arrays' first elements, as if there were no head.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  const std::size_t vectors = (n - head) / 4;
  const std::size_t tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out, in, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
