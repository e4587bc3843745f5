// mutant: head subtracted from less
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: head-longer-than-array
// backends: sim
//
// The mistake: the head is limited where it is copied, but not where it is taken from n: n - head wraps around.
// Read: the handout, "Head, body and tail": never longer than n.

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out)) head = (16 - past_boundary(in)) % 16 / sizeof(float);
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  copy<float>(out, in, std::min(head, n));
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
