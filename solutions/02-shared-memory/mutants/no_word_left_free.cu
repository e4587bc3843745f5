// mutant: no word left free
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: bank-conflict-reading
//
// The mistake: the words lie without a gap, so that lanes an even stride apart meet in the same banks; at
//   stride 32 all 32 do.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  return j;
  // END TODO(7)
