// A right solution of lab 02 in another style: cooperative groups, few blocks that walk over pieces, rows and tiles.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

constexpr int few = 48; // blocks at most

int blocks_for(std::size_t work) { return work < few ? static_cast<int>(work) : few; }

__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[reverse_piece];
  const cg::thread_block block = cg::this_thread_block();
  for (std::size_t first = blockIdx.x * reverse_piece; first < n; first += gridDim.x * reverse_piece) {
    const std::size_t length = first + reverse_piece < n ? reverse_piece : n - first;
    for (unsigned k = block.thread_rank(); k < length; k += block.size())
      piece[length - 1 - k] = a[first + k];
    block.sync();
    for (unsigned k = block.thread_rank(); k < length; k += block.size()) a[first + k] = piece[k];
    block.sync(); // the next piece comes into the same buffer
  }
}

__global__ void stencil_kernel(float* out, const float* in, long long n, int radius) {
  extern __shared__ float window[];
  const cg::thread_block block = cg::this_thread_block();
  const long long size = block.size();
  for (long long first = blockIdx.x * size; first < n; first += gridDim.x * size) {
    for (long long k = block.thread_rank(); k < size + 2 * radius; k += size) {
      const long long j = first - radius + k;
      window[k] = 0 <= j && j < n ? in[j] : 0.0f;
    }
    block.sync();
    float sum = 0;
    for (int k = 2 * radius; k >= 0; --k) sum += window[block.thread_rank() + k];
    if (first + block.thread_rank() < n) out[first + block.thread_rank()] = sum;
    block.sync();
  }
}

// Reverses k elements of one row through `kept`, in two halves between which the caller waits.
template <typename T>
__device__ void bring(const cg::thread_block& block, T* kept, const T* row, unsigned count) {
  for (unsigned k = block.thread_rank(); k < count; k += block.size()) kept[k] = row[k];
}
template <typename T>
__device__ void take(const cg::thread_block& block, T* row, const T* kept, unsigned count) {
  for (unsigned k = block.thread_rank(); k < count; k += block.size()) row[k] = kept[count - 1 - k];
}

__global__ void two_arrays_kernel(double* numbers, char* letters, unsigned rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ unsigned char bytes[]; // begins on a boundary for any type
  double* const kept_numbers = reinterpret_cast<double*>(bytes);
  char* const kept_letters = reinterpret_cast<char*>(bytes + numbers_per_row * sizeof(double));
  const cg::thread_block block = cg::this_thread_block();
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    if (row != blockIdx.x) block.sync();
    bring(block, kept_letters, letters + row * letters_per_row, letters_per_row);
    bring(block, kept_numbers, numbers + row * numbers_per_row, numbers_per_row);
    block.sync();
    take(block, letters + row * letters_per_row, kept_letters, letters_per_row);
    take(block, numbers + row * numbers_per_row, kept_numbers, numbers_per_row);
  }
}

// A warp for 32 records: row k of its buffer has word k of all of them, moved on by what keeps lanes apart.
template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, unsigned stride, unsigned again) {
  extern __shared__ float4 raw[];
  T* const kept = reinterpret_cast<T*>(raw);
  const cg::thread_block block = cg::this_thread_block();
  for (std::size_t first = 32ull * blockIdx.x; first < n; first += 32ull * gridDim.x) {
    const unsigned records = n - first < 32 ? n - first : 32;
    for (unsigned j = block.thread_rank(); j < records * stride; j += 32)
      kept[j + j / again] = in[first * stride + j];
    block.sync();
    for (unsigned k = 0; k < stride; ++k) {
      const unsigned j = block.thread_rank() * stride + k;
      if (block.thread_rank() < records) out[k * n + first + block.thread_rank()] = kept[j + j / again];
    }
    block.sync();
  }
}

template <typename T>
void gather(T* out, const T* in, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  unsigned again = stride; // until this is a multiple of the words in all banks
  while (again % (128 / sizeof(T)) != 0) again += stride;
  const std::size_t words = 32 * stride + 32 * stride / again;
  gather_kernel<T><<<blocks_for((n + 31) / 32), 32, words * sizeof(T)>>>(out, in, n, stride, again);
}

// Walks over tiles of 32 x 32 with 32 x 4 threads.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols) {
  __shared__ float tile[32][33];
  const cg::thread_block block = cg::this_thread_block();
  const std::size_t across = (cols + 31) / 32, down = (rows + 31) / 32;
  for (std::size_t t = blockIdx.x; t < across * down; t += gridDim.x) {
    const std::size_t top = t % down * 32, left = t / down * 32;
    for (unsigned y = threadIdx.y; y < 32; y += blockDim.y) {
      if (top + y < rows && left + threadIdx.x < cols)
        tile[threadIdx.x][y] = in[(top + y) * cols + left + threadIdx.x];
    }
    block.sync();
    for (unsigned y = threadIdx.y; y < 32; y += blockDim.y) {
      if (left + y < cols && top + threadIdx.x < rows)
        out[(left + y) * rows + top + threadIdx.x] = tile[y][threadIdx.x];
    }
    block.sync();
  }
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return;
  reverse_kernel<<<blocks_for((n + reverse_piece - 1) / reverse_piece), 128>>>(a, n);
}

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  const int bytes = static_cast<int>((512 + 2 * radius) * sizeof(float));
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  stencil_kernel<<<blocks_for((n + 511) / 512), 512, bytes>>>(out, in, n, radius);
}

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  const int bytes = static_cast<int>(numbers_per_row * sizeof(double) + letters_per_row);
  if (rows == 0 || bytes == 0) return;
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  two_arrays_kernel<<<blocks_for(rows), 96, bytes>>>(numbers, letters, rows, numbers_per_row,
                                                     letters_per_row);
}

void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride) {
  gather(out, in, n, stride);
}
void gather_strided_f64(double* out, const double* in, std::size_t n, std::size_t stride) {
  gather(out, in, n, stride);
}
void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride) {
  gather(reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), n, stride);
}

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  transpose_kernel<<<few, dim3(32, 4)>>>(out, in, rows, cols);
}
