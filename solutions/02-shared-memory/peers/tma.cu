// Peer of transpose: tiles by the tensor memory accelerator.
//
// Source      "Making matrix transpose really fast on Hopper GPUs", veitner.bearblog.dev, and github.com/simveit/effective_transpose:
//             2,771 GB/s there, 0.84 of an H100's peak. This file is our own, after what they describe.
// Idea        one thread of a block has a tile of 32 x 32 fetched and another one stored: the copies compute the addresses, and swizzle
//             16-byte pieces of a row of 128 bytes as the hardware does it. In between each of 128 threads moves eight elements
//             of a row to their places in the other tile.
// Changed     where rows are no multiple of 16 bytes, which such a copy needs, or the GPU has none, a padded tile of 32 x 33
//             does it.

#include <cuda.h>
#include <cuda_runtime.h>

#include <stdexcept>

namespace {

constexpr unsigned side = 32; // of a tile
constexpr unsigned elements_per_thread = 8;
constexpr unsigned threads_per_block = side * side / elements_per_thread;
constexpr unsigned rows_at_once = 8;

// ---- copies of tiles -----------------------------------------------------------------------------------------

#if __CUDA_ARCH__ >= 900
constexpr unsigned bytes_of_a_tile = side * side * sizeof(float);

__device__ unsigned shared_address(const void* place) {
  return static_cast<unsigned>(__cvta_generic_to_shared(place));
}

__device__ void start_barrier(unsigned long long* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the copies see it
}

__device__ void fetch_tile(float* tile, const CUtensorMap& map, int x, int y, unsigned long long* barrier) {
  const unsigned at = shared_address(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes_of_a_tile)
               : "memory");
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
               "%3}], [%4];" ::"r"(shared_address(tile)),
               "l"(&map), "r"(x), "r"(y), "r"(at)
               : "memory");
}

__device__ void wait_for_tile(unsigned long long* barrier) {
  unsigned is_there = 0;
  while (is_there == 0) {
    asm volatile("{ .reg .pred there;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 there, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, there; }"
                 : "=r"(is_there)
                 : "r"(shared_address(barrier))
                 : "memory");
  }
}

// By the thread that calls it. The tile has to be there until it has been read.
__device__ void store_tile(const float* tile, const CUtensorMap& map, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
               "r"(x), "r"(y), "r"(shared_address(tile))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}

// Where element x of row y lies in a tile: the copies exchange the eight pieces of 16 bytes of a row among each other.
__device__ unsigned place(unsigned y, unsigned x) { return y * side + (x / 4 ^ y % 8) * 4 + x % 4; }

__device__ void show_to_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#endif

__global__ void __launch_bounds__(threads_per_block)
    tma_kernel(const __grid_constant__ CUtensorMap to, const __grid_constant__ CUtensorMap from,
               unsigned tiles_in_a_row) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(1024) float fetched[side * side];
  __shared__ alignas(1024) float turned[side * side];
  __shared__ unsigned long long barrier;
  const auto first_col = static_cast<int>(blockIdx.x % tiles_in_a_row * side);
  const auto first_row = static_cast<int>(blockIdx.x / tiles_in_a_row * side);
  if (threadIdx.x == 0) {
    start_barrier(&barrier);
    fetch_tile(fetched, from, first_col, first_row, &barrier);
  }
  __syncthreads(); // the barrier is there
  wait_for_tile(&barrier);
  constexpr unsigned threads_per_row = side / elements_per_thread;
  const unsigned y = threadIdx.x / threads_per_row,
                 first = threadIdx.x % threads_per_row * elements_per_thread;
#pragma unroll
  for (unsigned x = first; x < first + elements_per_thread; ++x) turned[place(x, y)] = fetched[place(y, x)];
  show_to_copies();
  __syncthreads();
  if (threadIdx.x == 0) store_tile(turned, to, first_row, first_col);
#endif
}

// ---- any shape -----------------------------------------------------------------------------------------------

__global__ void padded_kernel(float* out, const float* in, std::size_t rows, std::size_t cols,
                              unsigned tiles_in_a_row) {
  __shared__ float tile[side][side + 1];
  const std::size_t first_col = blockIdx.x % tiles_in_a_row * side;
  const std::size_t first_row = blockIdx.x / tiles_in_a_row * side;
  for (unsigned y = threadIdx.y; y < side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < side; y += rows_at_once) {
    const std::size_t c = first_col + y, r = first_row + threadIdx.x;
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
}

// ---- launches ------------------------------------------------------------------------------------------------

// cuTensorMapEncodeTiled, a function of the driver, without linking to it; null where the driver has none.
using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

Encode find_encode() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = {};
#if CUDART_VERSION >= 12050
  constexpr unsigned since = 12000; // the version of CUDA that brought it
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, since, cudaEnableDefault, &result);
#else
  const cudaError_t status =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
  const bool is_there = status == cudaSuccess && result == cudaDriverEntryPointSuccess;
  return is_there ? reinterpret_cast<Encode>(found) : nullptr;
}

// Of a matrix, row after row, which is copied in tiles.
CUtensorMap map_of(Encode encode, const float* matrix, std::size_t rows, std::size_t cols) {
  CUtensorMap map = {};
  const cuuint64_t sizes[] = {cols, rows}, bytes_of_a_row[] = {cols * sizeof(float)};
  const cuuint32_t tile[] = {side, side}, apart[] = {1, 1};
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(matrix), sizes, bytes_of_a_row,
             tile, apart, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw std::runtime_error("cuTensorMapEncodeTiled refuses the matrix");
  return map;
}

bool has_tensor_copies() {
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  return major >= 9;
}

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  static const Encode encode = has_tensor_copies() ? find_encode() : nullptr;
  const std::size_t across = (cols + side - 1) / side, down = (rows + side - 1) / side;
  const auto tiles_in_a_row = static_cast<unsigned>(across), blocks = static_cast<unsigned>(across * down);
  if (encode != nullptr && rows % 4 == 0 && cols % 4 == 0) {
    tma_kernel<<<blocks, threads_per_block>>>(map_of(encode, out, cols, rows), map_of(encode, in, rows, cols),
                                              tiles_in_a_row);
  } else {
    padded_kernel<<<blocks, dim3(side, rows_at_once)>>>(out, in, rows, cols, tiles_in_a_row);
  }
}
