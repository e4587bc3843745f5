// mutant: lanes leave before the shuffle
// item: dot_f32 gives the dot product at any length
// diagnosis: lanes-missing
// backends: sim
//
// The mistake: only the lanes below the distance take part in an exchange whose mask names all 32.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
    if (threadIdx.x % warp_size < distance) value += __shfl_down_sync(0xffffffff, value, distance);
  }
  // END TODO(3)
