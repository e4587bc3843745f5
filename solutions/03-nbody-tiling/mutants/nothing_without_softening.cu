// mutant: the test for distance zero asks for the softening
// item: accelerations stay finite without softening and for bodies at one place
// diagnosis: nothing-without-softening
//
// The mistake: no pull at all is added where softening is 0; only that of a pair at distance zero is to be
// left out.
// Read: the handout, "Softening".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (softening2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
