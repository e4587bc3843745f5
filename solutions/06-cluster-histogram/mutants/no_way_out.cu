// mutant: no way out
// item: histogram counts every value for any number of bins
// diagnosis: bins-not-overwritten
//
// The mistake: where not even a cluster holds the counters, no function counts.
// Read: the handout, "Which memory?".

  // TODO(5)
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  for (unsigned cluster_size = 2; cluster_size <= 16; cluster_size *= 2) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size)) return Regime::distributed;
  }
  // END TODO(5)
