// mutant: products forgotten
// item: dot_f32 gives the dot product at any length
// diagnosis: nothing-added
// todo[sim]: 2
//
// The mistake: threads, lanes and blocks add up what thread_sum gives, which is still 0.
// Read: the handout, "One thread, many products".

  // TODO(2)
  // sum stays 0
  // END TODO(2)
