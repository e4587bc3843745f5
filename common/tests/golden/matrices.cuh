// The golden table's kernels that load and store matrices of tensor cores: from global memory, then from shared memory. Each of
// a block's warps does it with the same matrix.
#pragma once

#include <mma.h>

namespace matrices {

using namespace nvcuda;

template <typename Fragment>
__device__ void use(const Fragment& fragment, float* out) {
  for (int i = 0; i < fragment.num_elements; ++i)
    if (static_cast<float>(fragment.x[i]) == -123) out[0] = 1; // no input is ever this value
}

/// ldm: elements from one row (or column) of the matrix to the next.
template <typename Fragment, typename T>
__device__ void load_global(const float* in, float* out, int ldm) {
  Fragment fragment;
  wmma::load_matrix_sync(fragment, reinterpret_cast<const T*>(in), ldm);
  use(fragment, out);
}

template <typename Fragment, typename T, int Elements>
__device__ void load_shared(float* out, int ldm) {
  __shared__ __align__(32) T matrix[Elements];
  for (int i = threadIdx.x; i < Elements; i += blockDim.x) matrix[i] = T(0);
  __syncthreads();
  Fragment fragment;
  wmma::load_matrix_sync(fragment, matrix, ldm);
  use(fragment, out);
}

template <typename Fragment, typename T>
__device__ void pass_global(const float* in, float* out, int ldm, wmma::layout_t layout) {
  Fragment fragment;
  wmma::load_matrix_sync(fragment, reinterpret_cast<const T*>(in), ldm, layout);
  wmma::store_matrix_sync(reinterpret_cast<T*>(out), fragment, ldm, layout);
}

template <typename Fragment, typename T, int Elements>
__device__ void pass_shared(float* out, int ldm, wmma::layout_t layout) {
  __shared__ __align__(32) T matrices[4][Elements];
  T* matrix = matrices[threadIdx.x / 32];
  Fragment fragment;
  wmma::fill_fragment(fragment, T(0));
  wmma::store_matrix_sync(matrix, fragment, ldm, layout);
  __syncwarp();
  wmma::load_matrix_sync(fragment, matrix, ldm, layout);
  use(fragment, out);
}

template <typename T, typename Layout, int M = 16, int N = 16, int K = 16>
using A = wmma::fragment<wmma::matrix_a, M, N, K, T, Layout>;
template <typename T, typename Layout, int M = 16, int N = 16, int K = 16>
using B = wmma::fragment<wmma::matrix_b, M, N, K, T, Layout>;
template <typename T, int M = 16, int N = 16, int K = 16>
using C = wmma::fragment<wmma::accumulator, M, N, K, T>;
using Row = wmma::row_major;
using Column = wmma::col_major;
using Tf32 = wmma::precision::tf32;
using Byte = signed char;

} // namespace matrices

__global__ void matrix_a_half_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Row>, half>(in, out, 16);
}
__global__ void matrix_a_half_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Row>, half, 256>(out, 16);
}
__global__ void matrix_a_half_ldm_24_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Row>, half>(in, out, 24);
}
__global__ void matrix_a_half_ldm_24_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Row>, half, 384>(out, 24);
}
__global__ void matrix_a_byte_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<signed char, matrices::Row>, signed char>(in, out, 16);
}
__global__ void matrix_a_byte_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<signed char, matrices::Row>, signed char, 256>(out, 16);
}
__global__ void matrix_a_tf32_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<matrices::Tf32, matrices::Row, 16, 16, 8>, float>(in, out, 8);
}
__global__ void matrix_a_tf32_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<matrices::Tf32, matrices::Row, 16, 16, 8>, float, 128>(out, 8);
}
__global__ void matrix_a_double_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<double, matrices::Row, 8, 8, 4>, double>(in, out, 4);
}
__global__ void matrix_a_double_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<double, matrices::Row, 8, 8, 4>, double, 32>(out, 4);
}
__global__ void matrix_a_half_32_8_16_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Row, 32, 8, 16>, half>(in, out, 16);
}
__global__ void matrix_a_half_32_8_16_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Row, 32, 8, 16>, half, 512>(out, 16);
}
__global__ void matrix_a_half_8_32_16_rows(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Row, 8, 32, 16>, half>(in, out, 16);
}
__global__ void matrix_a_half_8_32_16_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Row, 8, 32, 16>, half, 128>(out, 16);
}
__global__ void matrix_a_half_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Column>, half>(in, out, 16);
}
__global__ void matrix_a_half_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Column>, half, 256>(out, 16);
}
__global__ void matrix_a_half_ldm_24_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Column>, half>(in, out, 24);
}
__global__ void matrix_a_half_ldm_24_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Column>, half, 384>(out, 24);
}
__global__ void matrix_a_byte_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<signed char, matrices::Column>, signed char>(in, out, 16);
}
__global__ void matrix_a_byte_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<signed char, matrices::Column>, signed char, 256>(out, 16);
}
__global__ void matrix_a_tf32_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<matrices::Tf32, matrices::Column, 16, 16, 8>, float>(in, out, 16);
}
__global__ void matrix_a_tf32_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<matrices::Tf32, matrices::Column, 16, 16, 8>, float, 128>(out, 16);
}
__global__ void matrix_a_double_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<double, matrices::Column, 8, 8, 4>, double>(in, out, 8);
}
__global__ void matrix_a_double_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<double, matrices::Column, 8, 8, 4>, double, 32>(out, 8);
}
__global__ void matrix_a_half_32_8_16_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Column, 32, 8, 16>, half>(in, out, 32);
}
__global__ void matrix_a_half_32_8_16_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Column, 32, 8, 16>, half, 512>(out, 32);
}
__global__ void matrix_a_half_8_32_16_columns(const float* in, float* out) {
  matrices::load_global<matrices::A<half, matrices::Column, 8, 32, 16>, half>(in, out, 8);
}
__global__ void matrix_a_half_8_32_16_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::A<half, matrices::Column, 8, 32, 16>, half, 128>(out, 8);
}
__global__ void matrix_b_half_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Row>, half>(in, out, 16);
}
__global__ void matrix_b_half_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Row>, half, 256>(out, 16);
}
__global__ void matrix_b_half_ldm_24_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Row>, half>(in, out, 24);
}
__global__ void matrix_b_half_ldm_24_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Row>, half, 384>(out, 24);
}
__global__ void matrix_b_byte_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<signed char, matrices::Row>, signed char>(in, out, 16);
}
__global__ void matrix_b_byte_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<signed char, matrices::Row>, signed char, 256>(out, 16);
}
__global__ void matrix_b_tf32_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<matrices::Tf32, matrices::Row, 16, 16, 8>, float>(in, out, 16);
}
__global__ void matrix_b_tf32_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<matrices::Tf32, matrices::Row, 16, 16, 8>, float, 128>(out, 16);
}
__global__ void matrix_b_double_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<double, matrices::Row, 8, 8, 4>, double>(in, out, 8);
}
__global__ void matrix_b_double_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<double, matrices::Row, 8, 8, 4>, double, 32>(out, 8);
}
__global__ void matrix_b_half_32_8_16_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Row, 32, 8, 16>, half>(in, out, 8);
}
__global__ void matrix_b_half_32_8_16_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Row, 32, 8, 16>, half, 128>(out, 8);
}
__global__ void matrix_b_half_8_32_16_rows(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Row, 8, 32, 16>, half>(in, out, 32);
}
__global__ void matrix_b_half_8_32_16_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Row, 8, 32, 16>, half, 512>(out, 32);
}
__global__ void matrix_b_half_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Column>, half>(in, out, 16);
}
__global__ void matrix_b_half_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Column>, half, 256>(out, 16);
}
__global__ void matrix_b_half_ldm_24_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Column>, half>(in, out, 24);
}
__global__ void matrix_b_half_ldm_24_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Column>, half, 384>(out, 24);
}
__global__ void matrix_b_byte_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<signed char, matrices::Column>, signed char>(in, out, 16);
}
__global__ void matrix_b_byte_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<signed char, matrices::Column>, signed char, 256>(out, 16);
}
__global__ void matrix_b_tf32_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<matrices::Tf32, matrices::Column, 16, 16, 8>, float>(in, out, 8);
}
__global__ void matrix_b_tf32_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<matrices::Tf32, matrices::Column, 16, 16, 8>, float, 128>(out, 8);
}
__global__ void matrix_b_double_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<double, matrices::Column, 8, 8, 4>, double>(in, out, 4);
}
__global__ void matrix_b_double_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<double, matrices::Column, 8, 8, 4>, double, 32>(out, 4);
}
__global__ void matrix_b_half_32_8_16_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Column, 32, 8, 16>, half>(in, out, 16);
}
__global__ void matrix_b_half_32_8_16_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Column, 32, 8, 16>, half, 128>(out, 16);
}
__global__ void matrix_b_half_8_32_16_columns(const float* in, float* out) {
  matrices::load_global<matrices::B<half, matrices::Column, 8, 32, 16>, half>(in, out, 16);
}
__global__ void matrix_b_half_8_32_16_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::load_shared<matrices::B<half, matrices::Column, 8, 32, 16>, half, 512>(out, 16);
}
__global__ void matrix_c_float_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<float>, float>(in, out, 16, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float>, float, 256>(out, 16, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<float>, float>(in, out, 16, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float>, float, 256>(out, 16, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_half_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<half>, half>(in, out, 16, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_half_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<half>, half, 256>(out, 16, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_half_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<half>, half>(in, out, 16, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_half_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<half>, half, 256>(out, 16, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_int_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<int>, int>(in, out, 16, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_int_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<int>, int, 256>(out, 16, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_int_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<int>, int>(in, out, 16, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_int_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<int>, int, 256>(out, 16, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_double_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<double, 8, 8, 4>, double>(in, out, 8, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_double_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<double, 8, 8, 4>, double, 64>(out, 8, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_double_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<double, 8, 8, 4>, double>(in, out, 8, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_double_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<double, 8, 8, 4>, double, 64>(out, 8, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_32_8_16_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<float, 32, 8, 16>, float>(in, out, 8, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_32_8_16_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float, 32, 8, 16>, float, 256>(out, 8, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_32_8_16_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<float, 32, 8, 16>, float>(in, out, 32, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_32_8_16_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float, 32, 8, 16>, float, 256>(out, 32, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_8_32_16_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<float, 8, 32, 16>, float>(in, out, 32, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_8_32_16_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float, 8, 32, 16>, float, 256>(out, 32, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_8_32_16_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<float, 8, 32, 16>, float>(in, out, 8, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_8_32_16_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float, 8, 32, 16>, float, 256>(out, 8, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_ldm_20_rows(const float* in, float* out) {
  matrices::pass_global<matrices::C<float>, float>(in, out, 20, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_ldm_20_rows_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float>, float, 320>(out, 20, nvcuda::wmma::mem_row_major);
}
__global__ void matrix_c_float_ldm_20_columns(const float* in, float* out) {
  matrices::pass_global<matrices::C<float>, float>(in, out, 20, nvcuda::wmma::mem_col_major);
}
__global__ void matrix_c_float_ldm_20_columns_shared(const float* in, float* out) {
  (void)in;
  matrices::pass_shared<matrices::C<float>, float, 320>(out, 20, nvcuda::wmma::mem_col_major);
}
