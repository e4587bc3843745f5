// mutant: difference the wrong way round
// item: accelerations are the sums of all pulls at any n
// diagnosis: pushed-apart
//
// The mistake: d is my position minus the other's, so that all forces push.
// Read: the handout, "One pair".

  // TODO(1)
  const float dx = me.x - other.x;
  const float dy = me.y - other.y;
  const float dz = me.z - other.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
