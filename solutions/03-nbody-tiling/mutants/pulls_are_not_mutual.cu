// mutant: the heavier pulls, the lighter does not
// item: leapfrog_step keeps momentum and energy over many steps
// diagnosis: momentum-not-kept
//
// The mistake: bodies lighter than oneself are left out as negligible. Then those do not pull back, and the
// whole system drives off.
// Read: the handout, "What a simulation must keep".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0 || other.w < me.w) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
