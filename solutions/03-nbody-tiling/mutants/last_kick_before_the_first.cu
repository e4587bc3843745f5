// mutant: TODO(4) is right, and TODO(3) still open
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis: unsolved
// todo: 3
//
// The mistake: TODO(4) is written before TODO(3). It must not be blamed: what it does shows only behind the first half.
// Read: the handout, "Leapfrog".

  // TODO(3)
  // END TODO(3)
