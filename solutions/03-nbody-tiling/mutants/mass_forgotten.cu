// mutant: all masses taken for 1
// item: accelerations are the sums of all pulls at any n
// diagnosis: mass-forgotten
//
// The mistake: the fourth component of the other body is not used; it pulls as hard as if it had mass 1.
// Read: the handout, "One pair".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w == 0 ? 0 : inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
