// mutant: lanes not added
// item: dot_f32 gives the dot product at any length
// diagnosis: lanes-not-added
// todo: 3
//
// The mistake: nobody exchanges anything within a warp; lane 0 passes on what it has itself.
// Read: the handout, "Lanes exchange values".

  // TODO(3)
  // value stays as it is: that of lane 0
  // END TODO(3)
