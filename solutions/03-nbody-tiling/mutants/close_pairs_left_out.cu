// mutant: close pairs taken for the same place
// item: accelerations stay finite without softening and for bodies at one place
// diagnosis: wrong-result
//
// The mistake: pairs closer than 0.03 are left out to keep the sums finite; only those at distance zero
// may be.
// Read: the handout, "Softening".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 < 0.001F) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
