// mutant: always the largest cluster
// item: histogram takes the nearest memory that holds the counters and says which
// diagnosis: larger-cluster-than-needed
// backends: sim
//
// The mistake: clusters of 16 blocks also where 2 hold the counters: 15 of 16 atomics leave the block in
// place of every second.
// Read: the handout, "Which memory?".

  // TODO(5)
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  if (histogram_cluster(in, n, bins, nbins, 16)) return Regime::distributed;
  histogram_global(in, n, bins, nbins);
  // END TODO(5)
