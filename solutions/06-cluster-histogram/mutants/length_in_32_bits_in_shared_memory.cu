// mutant: length in 32 bits in shared memory
// item: histogram_shared counts every value in its bin
// diagnosis: index-in-32-bits
// backends: cuda
//
// The mistake: the length is put into an int. Of an array of more than 2,147,483,647 values it is negative, and
// no block counts.
// Read: the handout, "A histogram for every block"; labs/06-cluster-histogram/lab.hpp: n is often more than 2^31.

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const int length = static_cast<int>(n);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < length;
       i += static_cast<int>(gridDim.x * blockDim.x))
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
