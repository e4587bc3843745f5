// mutant: the first round has every second thread
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: too-many-requests
//
// The mistake: the tree is in shared memory, and in its first round every second thread adds: all eight warps
// go through it, where four would do.
// Read: the handout, "Lanes that only watch".

  // TODO(2)
  __shared__ int s[part_size];
  s[t] = part[t];
  __syncthreads();
  if (t % 2 == 0) s[t] += s[t + 1];
  __syncthreads();
  for (unsigned distance = 2; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t;
    if (first < part_size) s[first] += s[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
  // END TODO(2)
