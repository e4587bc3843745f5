// mutant: exchanges stop early
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: distance-left-out
// diagnosis[cuda]: wrong-result
// todo[sim]: 3
//
// The mistake: the loop ends at distance > 1, so that odd lanes are never added. In the second call of warp_sum they have
// the sums of whole warps.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance > 1; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  // END TODO(3)
