// mutant: the tail is not copied
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: tail-skipped
//
// The mistake: head and body are copied, and what lies after the last whole vector is not.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, (n - head) / 4);
  // END TODO(3)
