// mutant: added by one thread
// item: block_dots_f32 keeps the working lanes of a tree together
// diagnosis: added-one-by-one
//
// The mistake: thread 0 adds up all 256 places while 255 threads wait.
// Read: the handout, "Which threads work?".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (unsigned k = 0; k < threads_per_block; ++k) sum += cache[k];
    sums[blockIdx.x] = sum;
  }
  // END TODO(1)
