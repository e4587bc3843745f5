// mutant: the product for the least common multiple
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: gaps-too-rare
// todo: 7
// backends: sim
//
// The mistake: the banks are taken to repeat after stride times as many elements as fill them: a multiple of both,
//   and not the least. At stride 2 the gaps come half as often as the banks repeat.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  constexpr unsigned together = 128 / sizeof(T); // elements in all banks
  return j + j / (stride * together);
  // END TODO(7)
