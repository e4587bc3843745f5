// mutant: mask and value swapped
// item: dot_f32 gives the dot product at any length
// diagnosis: lanes-missing
// backends: sim
// todo: 3
//
// The mistake: the value stands where the mask should, and becomes one: the lanes that it names have nothing to do with those
// that call.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(value, all_lanes, distance);
  // END TODO(3)
