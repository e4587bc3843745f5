// mutant: tail counted without head
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: tail-skipped
//
// The mistake: the tail is taken for n % 4 elements; after a head it is (n - head) % 4.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, std::min(n % 4, n - tail));
  // END TODO(3)
