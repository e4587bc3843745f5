// mutant: rows without opt in
// item: two_arrays takes rows of more than 48 KiB
// diagnosis: row-too-large
//
// The mistake: the kernel was never allowed more than 48 KiB, so that the launch for a longer row fails.
// Read: the handout, "More than 48 KiB".

  // TODO(5)
  bytes = numbers_per_row * sizeof(double) + letters_per_row;
  // END TODO(5)
