// mutant: tail as long as the array
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: wrong-part
// backends: sim
// todo: 3
//
// The mistake: the third argument of copy is a number of elements, and not the end; the tail has n - tail.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  const std::size_t vectors = (n - head) / 4;
  const std::size_t tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n);
  // END TODO(3)
