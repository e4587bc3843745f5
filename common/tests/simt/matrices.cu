// Tensor cores: the accesses to memory of fragments, what each lane holds, and mistakes.
#include <mma.h>

using namespace nvcuda;

using MatrixA = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using TransposedA = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major>;
using MatrixB = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void load_and_store(const half* from, float* to, int stride) {
  MatrixA a;
  wmma::load_matrix_sync(a, from, stride); // rows
  TransposedA transposed;
  wmma::load_matrix_sync(transposed, from, stride); // columns
  Sum sum;
  wmma::fill_fragment(sum, float(a.x[0]) + float(transposed.x[0]));
  wmma::store_matrix_sync(to, sum, stride, wmma::mem_row_major); // result
}

/// What lane and index each element of the three kinds of fragments has: 100 * lane + index.
__global__ void owners(float* sums, const half* numbers, float* of_a, float* of_b) {
  Sum sum;
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 100.0f * threadIdx.x + i;
  wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
  MatrixA a;
  MatrixB b;
  wmma::load_matrix_sync(a, numbers, 16);
  wmma::load_matrix_sync(b, numbers, 16);
  for (int i = 0; i < 16; ++i) {
    of_a[16 * threadIdx.x + i] = a.x[i];
    of_b[16 * threadIdx.x + i] = b.x[i];
  }
}

__global__ void half_a_warp(float* to) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(to, sum, 16, wmma::mem_row_major); // half a warp
}

__global__ void some_lanes(float* to) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  if (threadIdx.x != 5) wmma::store_matrix_sync(to, sum, 16, wmma::mem_row_major); // all but one
}

__global__ void without_barrier(float* out) {
  __shared__ alignas(32) float tile[256];
  Sum sum;
  if (threadIdx.x < 32) {
    wmma::fill_fragment(sum, 1.0f);
    wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major); // first warp
  } else {
    wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major); // second warp
    out[threadIdx.x] = sum.x[0];
  }
}

extern "C" {
void run_load_and_store(const half* from, float* to, int stride) { load_and_store<<<1, 32>>>(from, to, stride); }
void run_owners(float* sums, const half* numbers, float* of_a, float* of_b) {
  owners<<<1, 32>>>(sums, numbers, of_a, of_b);
}
void run_half_a_warp(float* to) { half_a_warp<<<1, 16>>>(to); }
void run_some_lanes(float* to) { some_lanes<<<1, 32>>>(to); }
void run_without_barrier(float* out) { without_barrier<<<1, 64>>>(out); }
}
