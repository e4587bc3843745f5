// mutant: shared memory taken for granted
// item: histogram counts every value for any number of bins
// diagnosis: bins-not-overwritten
//
// The mistake: histogram_shared says whether it has counted, and its answer is not used: where the bins do not
// fit, no kernel counts.
// Read: the handout, "Which memory?".

// GIVEN(histogram)
Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  histogram_shared(in, n, bins, nbins);
  return Regime::shared;
}
// END GIVEN(histogram)
