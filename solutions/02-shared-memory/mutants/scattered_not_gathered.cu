// mutant: scattered not gathered
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: scattered
//
// The mistake: the way back: arrays are made into records.
// Read: labs/02-shared-memory/lab.hpp, gather_strided_f32.

// GIVEN(gather_strided_f32)
namespace {

// One thread for one word of `in`, an array of n words for every word of a record.
template <typename T>
__global__ void scatter_kernel(T* out, const T* in, std::size_t n, std::size_t stride) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < n * stride) out[j % n * stride + j / n] = in[j];
}

} // namespace

void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride) {
  if (n != 0)
    scatter_kernel<<<pieces(n * stride, threads_per_block), threads_per_block>>>(out, in, n, stride);
}
// END GIVEN(gather_strided_f32)
