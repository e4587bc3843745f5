// mutant: vectors at any address
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: misaligned-access
// diagnosis[cuda]: cuda-error
//
// The mistake: both arrays are read as float4, also where they do not begin at a multiple of 16 bytes.
// Read: labs/04-dot-product/lab.hpp: arrays begin at any multiple of 4 bytes.

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4* va = reinterpret_cast<const float4*>(a);
  const float4* vb = reinterpret_cast<const float4*>(b);
  for (std::size_t i = first; i < n / 4; i += step) {
    const float4 x = va[i], y = vb[i];
    sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  for (std::size_t i = n / 4 * 4 + first; i < n; i += step) sum += a[i] * b[i];
  // END TODO(2)
