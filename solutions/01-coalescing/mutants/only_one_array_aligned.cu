// mutant: only one array aligned
// item: copy_vectorized copies n floats from any address to any address
// diagnosis[sim]: misaligned-access
// diagnosis[cuda]: cuda-error
//
// The mistake: the head is counted for `in` alone; `out` may lie at another distance from its boundary.
// Read: the handout, "Head, body and tail".

  // TODO(3)
  const std::size_t head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
