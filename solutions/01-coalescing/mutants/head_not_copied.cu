// mutant: head not copied
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: head-skipped
//
// The mistake: the vectors begin at the first boundary, and no thread copies the elements before it.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  if (head == n) copy<float>(out, in, n);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
