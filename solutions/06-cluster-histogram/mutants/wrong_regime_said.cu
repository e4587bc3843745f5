// mutant: wrong regime said
// item: histogram takes the nearest memory that holds the counters and says which
// diagnosis: regime-untrue
// backends: sim
//
// The mistake: the function always says the same, whatever it has done.
// Read: the handout, "Which memory?".

  // TODO(5)
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  for (unsigned cluster_size = 2; cluster_size <= 16; cluster_size *= 2) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size)) return Regime::shared;
  }
  histogram_global(in, n, bins, nbins);
  // END TODO(5)
