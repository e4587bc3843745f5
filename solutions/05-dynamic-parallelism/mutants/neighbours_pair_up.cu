// mutant: neighbours pair up
// item: reduce_interleaved has neighbouring threads on neighbouring elements
// diagnosis: elements-apart
//
// The mistake: the additions are those of reduce_neighbored_less. The threads are neighbours, the elements
// are not: a request for 32 of them touches up to 32 sectors.
// Read: the handout, "The third way to pair up".

  // TODO(3)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t;
    if (first < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(3)
