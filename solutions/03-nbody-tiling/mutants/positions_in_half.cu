// mutant: a tile of half-precision positions
// item: accelerations are precise far from the origin and for unequal masses
// diagnosis: low-precision
//
// The mistake: positions are cut to half precision to make the tile smaller. Far from the origin nothing
// is left of the differences.
// Read: labs/03-nbody-tiling/lab.hpp: half precision is not enough.

// GIVEN(add_pull)
// The leading 11 bits of x: what a half-precision number keeps.
__device__ float as_half(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

__device__ void add_pull(float3& sum, float4 me, float4 other, float softening2) {
  const float dx = as_half(other.x) - as_half(me.x);
  const float dy = as_half(other.y) - as_half(me.y);
  const float dz = as_half(other.z) - as_half(me.z);
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
}
// END GIVEN(add_pull)
