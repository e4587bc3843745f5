// mutant: interleaved places
// item: block_dots_f32 has no bank conflicts
// diagnosis: bank-conflicts
//
// The mistake: neighbouring threads work, on places that lie 2 s apart. With s = 16 all lanes of a warp are
// on words of the same bank.
// Read: the handout, "Which places does a warp touch?".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  for (unsigned distance = 1; distance < threads_per_block; distance *= 2) {
    __syncthreads();
    const unsigned place = 2 * distance * t;
    if (place < threads_per_block) cache[place] += cache[place + distance];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
