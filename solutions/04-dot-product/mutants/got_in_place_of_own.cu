// mutant: what a lane got in place of its own
// item: dot_f32 gives the dot product at any length
// diagnosis: nothing-added
// todo[sim]: 3 4
//
// The mistake: the value that a lane gets takes the place of its own, and is not added to it. In the end lane 0 has
// what lane 31 had in the beginning; of the warps' sums that is none.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value = __shfl_down_sync(all_lanes, value, distance);
  // END TODO(3)
