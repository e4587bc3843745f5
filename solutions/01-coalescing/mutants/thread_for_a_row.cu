// mutant: thread for a row
// item: column_sums reads the matrix coalesced and once
// diagnosis: uncoalesced
//
// The mistake: each thread walks along a row and adds to all the sums: at every step the lanes are a whole row apart.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t r = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (std::size_t c = 0; c < cols; ++c) atomicAdd(&sums[c], matrix[r * cols + c]);
  // END TODO(5)

// GIVEN(column_sums)
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  cudaMemset(sums, 0, cols * sizeof(float));
  if (rows == 0) return;
  column_sums_kernel<<<(rows + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
// END GIVEN(column_sums)
