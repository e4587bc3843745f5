// mutant: pairs overlap
// item: reduce_neighbored_less adds up every part
// diagnosis: pairs-overlap
// backends: sim
//
// The mistake: thread t begins at distance * t: every second thread then adds to an element that its
// neighbour is just reading. The pairs of a round are 2 * distance apart.
// Read: the handout, "Lanes that only watch".

  // TODO(2)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = distance * t;
    if (first + distance < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(2)
