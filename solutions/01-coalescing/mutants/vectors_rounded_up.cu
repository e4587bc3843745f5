// mutant: vectors rounded up
// item: copy_vectorized copies n floats from any address to any address
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the number of vectors is rounded up like the number of blocks; the last vector reaches past the end.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, (n - head + 3) / 4);
  // END TODO(3)
