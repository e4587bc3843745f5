// mutant: distance left out
// item: dot_f32 gives the dot product at any length
// diagnosis: distance-left-out
// todo: 3
//
// The mistake: the exchanges begin at a distance of 8, so that lanes 16 to 31 are never added.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 4; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  // END TODO(3)
