// mutant: vectors only if aligned
// item: copy_vectorized peels head and tail and moves the rest 16 bytes per lane
// diagnosis: narrow-accesses
//
// The mistake: unless both arrays begin on a boundary, everything is copied float by float.
// Read: the handout, "Head, body and tail": a head of at most 3 elements makes the rest aligned.

  // TODO(3)
  const bool aligned = past_boundary(in) == 0 && past_boundary(out) == 0;
  const std::size_t vectors = aligned ? n / 4 : 0, tail = 4 * vectors;
  copy<float4>(out, in, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
