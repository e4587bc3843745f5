// mutant: every lane asked
// item: dot_f32 adds the lanes of a warp without shared memory
// diagnosis: too-many-exchanges
// todo: 3
//
// The mistake: lane 0 asks each of the other 31 lanes for its value, one after the other. Five exchanges do, if lanes pass
// on what they have added up.
// Read: the handout, "Lanes exchange values".

// GIVEN(warp_sum)
// The sum of a warp's values, in lane 0.
template <typename T>
__device__ T warp_sum(T value) {
  T sum = value;
  for (unsigned distance = 1; distance < warp_size; ++distance)
    sum += __shfl_down_sync(0xffffffff, value, distance);
  return sum;
}
// END GIVEN(warp_sum)
