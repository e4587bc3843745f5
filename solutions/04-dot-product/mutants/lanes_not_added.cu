// mutant: lanes not added
// item: dot_f32 gives the dot product at any length
// diagnosis: lanes-not-added
// todo: 3
//
// The mistake: the lanes of a warp exchange nothing; lane 0 passes on its own value.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  // value stays as it is: that of lane 0
  // END TODO(3)
