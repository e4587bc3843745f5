// mutant: tail begins at the vectors' number
// item: copy_vectorized copies n floats from any address to any address
// diagnosis[sim]: tail-misplaced
// diagnosis[cuda]: tail-skipped
//
// The mistake: the tail's beginning is counted in vectors: out + vectors is that many floats further.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4, tail = head + vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, (n - head) % 4);
  // END TODO(3)
