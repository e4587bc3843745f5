// mutant: the distances never end
// item: dot_f32 gives the dot product at any length
// diagnosis: step-budget
// todo: 3
// backends: sim
//
// The mistake: an unsigned number is never below 0, so the loop goes on with distances of 0.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance >= 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);
  // END TODO(3)
