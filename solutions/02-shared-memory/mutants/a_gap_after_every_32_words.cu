// mutant: a gap after every 32 words
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: gaps-too-rare
//
// The mistake: one word is left free after every 32. Of 8-byte words 16 fill the banks, of 16-byte words 8; and
//   the banks do not repeat after 32 words at every stride.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  return j + j / 32;
  // END TODO(7)
