// mutant: multiplied by the body's own mass
// item: accelerations are the sums of all pulls at any n
// diagnosis: own-mass
//
// The mistake: the force is proportional to both masses, but the acceleration is not: one's own mass
// cancels.
// Read: the handout, "One pair".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = me.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
