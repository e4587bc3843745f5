// mutant: the host launches a grid for every part
// item: reduce_nested launches the next half from every block
// diagnosis: host-launches
// backends: sim
//
// The mistake: a loop over the parts on the host, and a grid of one block for each of them, as the child grids are.
// The blocks of one grid can be all parts at once.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)

// GIVEN(reduce_nested)
void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  for (std::size_t first = 0; first < n; first += part_size)
    nested_kernel<<<1, part_size / 2>>>(sums + first / part_size, work + first, in + first, n - first);
}
// END GIVEN(reduce_nested)
