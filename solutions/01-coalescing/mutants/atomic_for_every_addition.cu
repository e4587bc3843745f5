// mutant: atomic for every addition
// item: column_sums keeps its running sums out of global memory
// diagnosis: atomics-not-needed
//
// The mistake: every element is added to its sum by an atomic operation, although one thread could add the whole column.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < rows * cols) atomicAdd(&sums[i % cols], matrix[i]);
  // END TODO(5)

// GIVEN(column_sums)
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  cudaMemset(sums, 0, cols * sizeof(float));
  if (rows == 0) return;
  column_sums_kernel<<<(rows * cols + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
      sums, matrix, rows, cols);
}
// END GIVEN(column_sums)
