// mutant: length in 32 bits
// item: dot_f32 gives the dot product at any length
// diagnosis: index-overflow
// backends: cuda
//
// The mistake: n is put into an int. Of 2^32 + 2^20 elements, 2^20 are left.
// Read: labs/04-dot-product/lab.hpp: 32 bits do not always count the elements.

  // TODO(2)
  const int length = static_cast<int>(n);
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < length; i += step)
    sum += a[i] * b[i];
  // END TODO(2)
