// mutant: a limit that was enough once
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: refused-part-ends-the-kernel
// backends: sim
//
// The mistake: the host asks for room for 4,096 launches, whatever the number of parts, and takes it that no
// launch is refused any more.
// Read: the handout, "At most 2,048 launches pending".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(4)

// GIVEN(reduce_nested)
void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
// END GIVEN(reduce_nested)
