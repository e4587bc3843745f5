// mutant: fewer than sixteen blocks
// item: histogram takes the nearest memory that holds the counters and says which
// diagnosis: farther-than-needed
//
// The mistake: the loop ends before the largest cluster. 929,792 bins need all 16 blocks.
// Read: the handout, "Which memory?".

  // TODO(5)
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  for (unsigned cluster_size = 2; cluster_size < 16; ++cluster_size) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size)) return Regime::distributed;
  }
  histogram_global(in, n, bins, nbins);
  // END TODO(5)
