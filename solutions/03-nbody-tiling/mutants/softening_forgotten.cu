// mutant: no softening
// item: accelerations are the sums of all pulls at any n
// diagnosis: softening-forgotten
//
// The mistake: the softening is not added to the squared distance.
// Read: the handout, "Softening".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
