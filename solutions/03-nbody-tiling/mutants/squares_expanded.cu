// mutant: the squared distance as a^2 + b^2 - 2ab
// item: accelerations are precise far from the origin and for unequal masses
// diagnosis: low-precision
//
// The mistake: the binomial formula saves subtractions, and subtracts large numbers that are almost the
// same.
// Read: the handout, "Precision".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 =
      fmaxf(me.x * me.x + me.y * me.y + me.z * me.z + other.x * other.x + other.y * other.y +
                other.z * other.z - 2 * (me.x * other.x + me.y * other.y + me.z * other.z),
            0.0F) +
      softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
