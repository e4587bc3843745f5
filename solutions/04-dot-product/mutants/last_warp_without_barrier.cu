// mutant: last warp without barrier
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: shared-race
// backends: sim
//
// The mistake: the last six steps are unrolled without any synchronisation, through a volatile pointer.
// That was right while the lanes of a warp ran in step; since compute capability 7.0 they need not, and
// __syncwarp() belongs between reading and writing.
// Read: the more.md, "Older hardware".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (unsigned half = threads_per_block / 2; half > 32; half /= 2) {
    if (t < half) cache[t] += cache[t + half];
    __syncthreads();
  }
  if (t < 32) {
    volatile float* place = cache;
    place[t] = place[t] + place[t + 32];
    place[t] = place[t] + place[t + 16];
    place[t] = place[t] + place[t + 8];
    place[t] = place[t] + place[t + 4];
    place[t] = place[t] + place[t + 2];
    place[t] = place[t] + place[t + 1];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
