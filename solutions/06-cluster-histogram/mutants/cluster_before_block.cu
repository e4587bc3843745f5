// mutant: cluster before block
// item: histogram takes the nearest memory that holds the counters and says which
// diagnosis: farther-than-needed
//
// The mistake: a cluster is tried first. It counts right, and pays for memory of other blocks where its own
// would do.
// Read: the handout, "Which memory?".

  // TODO(5)
  for (unsigned cluster_size = 2; cluster_size <= 16; cluster_size *= 2) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size)) return Regime::distributed;
  }
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  histogram_global(in, n, bins, nbins);
  // END TODO(5)
