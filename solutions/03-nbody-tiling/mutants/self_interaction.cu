// mutant: a body meets itself
// item: accelerations stay finite without softening and for bodies at one place
// diagnosis: nan-at-distance-zero
//
// The mistake: without softening the distance of a body to itself gives 0 * infinity, which is NaN, and a
// NaN spoils the whole sum.
// Read: the handout, "Softening".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
