// mutant: block for a column
// item: column_sums reads the matrix coalesced and once
// diagnosis: uncoalesced
//
// The mistake: a block sums one column with all its threads: neighbouring lanes are on neighbouring rows.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  __shared__ float partial[threads_per_block];
  const std::size_t c = blockIdx.x;
  float sum = 0;
  for (std::size_t r = threadIdx.x; r < rows; r += blockDim.x) sum += matrix[r * cols + c];
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned k = 1; k < threads_per_block; ++k) sum += partial[k];
  sums[c] = sum;
  // END TODO(5)

// GIVEN(column_sums)
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  column_sums_kernel<<<(cols * threads_per_block + threads_per_block - 1) / threads_per_block,
                       threads_per_block>>>(sums, matrix, rows, cols);
}
// END GIVEN(column_sums)
