// mutant: too many gaps
// item: gather_strided_f32x4 makes an array of each word of the records
// diagnosis: too-many-gaps
// backends: sim
//
// The mistake: the number of records after which the banks repeat is taken for a number of words. With
//   words of 16 bytes and a stride of 32 every second word is free, and the buffer too large.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  constexpr unsigned together = 128 / sizeof(T); // words in all banks: so many lanes are served at once
  const unsigned power = stride & (~stride + 1); // the largest power of two that divides stride
  const unsigned common = power < together ? power : together;
  const unsigned apart = together / common; // records until the banks repeat, taken for words
  return j + j / apart;
  // END TODO(7)
