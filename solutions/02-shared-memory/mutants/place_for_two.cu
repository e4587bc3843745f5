// mutant: place for two
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: buffer-left
// backends: sim
//
// The mistake: the place is taken modulo the words of all banks, so that two elements get the same one.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  constexpr unsigned together = 128 / sizeof(T); // words in all banks: so many lanes are served at once
  const unsigned power = stride & (~stride + 1); // the largest power of two that divides stride
  const unsigned common = power < together ? power : together;
  const unsigned apart = stride / common * together; // least common multiple of the two
  return (j + j / apart) %
         (stride * together); // every `apart` elements the banks repeat: move on by one
  // END TODO(7)
