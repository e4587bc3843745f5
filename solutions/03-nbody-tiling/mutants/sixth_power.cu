// mutant: d over the sixth power of the distance
// item: accelerations are the sums of all pulls at any n
// diagnosis: power-mistaken
//
// The mistake: 1 / (distance2^3) is the sixth power: what is to be cubed is the root.
// Read: the handout, "One pair".

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const float inverse = 1 / distance2;
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
