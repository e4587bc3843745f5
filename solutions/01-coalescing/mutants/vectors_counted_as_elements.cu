// mutant: vectors counted as elements
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: vectors-counted-as-elements
//
// The mistake: n / 4 threads are launched, as for vectors, but each copies one float.
// Read: the handout, "Sixteen bytes per access".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float>(out + head, in + head, vectors);
  if (vectors == 0) copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
