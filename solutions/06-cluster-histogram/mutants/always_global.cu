// mutant: always global
// item: histogram takes the nearest memory that holds the counters and says which
// diagnosis: farther-than-needed
//
// The mistake: global memory is always right, and slower than shared memory by far.
// Read: the handout, "Which memory?".

  // TODO(5)
  histogram_global(in, n, bins, nbins);
  // END TODO(5)
