// mutant: the head is subtracted from the number of vectors
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: wrong-part
// backends: sim
//
// The mistake: a head is counted in elements, and n / 4 in vectors. Where n / 4 is less than the head, the
// difference wraps around.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  if (head == n && past_boundary(in) != past_boundary(out)) return copy<float>(out, in, n);
  const std::size_t vectors = n / 4 - head;
  const std::size_t tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
