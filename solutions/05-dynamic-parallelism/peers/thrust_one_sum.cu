// Peer: Thrust, reduce(), which makes one sum of all elements and not one of each part.
//
// fails: reduce_interleaved adds up every part: sums-missing
//
// It allocates its temporary storage in each call, and brings the sum to the host; both belong to its time.

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

void reduce_interleaved(int* sums, int*, const int* in, std::size_t n) {
  if (n == 0) return;
  const int sum = thrust::reduce(thrust::device, in, in + n);
  cudaMemcpyAsync(sums, &sum, sizeof sum, cudaMemcpyDefault); // pageable memory: it has been copied when this returns
}
