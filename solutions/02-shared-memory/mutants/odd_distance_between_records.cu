// mutant: odd distance between records
// item: gather_strided writes shared memory without conflicts at every stride
// diagnosis: bank-conflict-writing
//
// The mistake: records are kept an odd number of words apart. Reading has no conflicts then, but writing
//   has: the gaps come between the lanes of one request.
// Read: the handout, "A stride and its banks".

  // TODO(7)
  return j + (stride % 2 == 0 ? j / stride : 0);
  // END TODO(7)
