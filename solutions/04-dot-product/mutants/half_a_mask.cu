// mutant: half a mask
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: lanes-missing
// diagnosis[cuda]: output-unwritten
// backends: sim
//
// The mistake: the mask names lanes 0 to 15, and all 32 make the exchange. Every lane that calls must be in
// its own mask.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0x0000ffff, value, distance);
  // END TODO(3)
