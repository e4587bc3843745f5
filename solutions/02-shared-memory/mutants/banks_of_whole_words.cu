// mutant: banks of whole words
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: gaps-too-rare
//
// The mistake: 32 lanes are taken to be served at once whatever the size of their words. Of 8-byte words
//   it is 16, of 16-byte words 8.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  constexpr unsigned together = 32;
  const unsigned power = stride & (~stride + 1); // the largest power of two that divides stride
  const unsigned common = power < together ? power : together;
  const unsigned apart = stride / common * together; // least common multiple of the two
  return j + j / apart; // every `apart` elements the banks repeat: move on by one
  // END TODO(7)
