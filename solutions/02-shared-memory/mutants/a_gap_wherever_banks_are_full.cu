// mutant: a gap wherever banks are full
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: gap-not-needed
//
// The mistake: a word is left free whenever all banks have one more word. That is right for strides that are
//   powers of two. At odd strides there are no conflicts without gaps, and with them there are.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  return j + j / (128 / sizeof(T));
  // END TODO(7)
