// mutant: copied float by float
// item: copy_vectorized moves 16 bytes per lane where both arrays are aligned
// diagnosis: narrow-accesses
//
// The mistake: every thread copies one float: coalesced, but four times as many requests as needed.
// Read: the handout, "Sixteen bytes per access".

// GIVEN(copy_vectorized)
void copy_vectorized(float* out, const float* in, std::size_t n) { copy<float>(out, in, n); }
// END GIVEN(copy_vectorized)
