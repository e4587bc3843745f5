// nvcuda::wmma: products of every shape and type that it has, from row- and column-major matrices in global and shared memory.
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

using namespace nvcuda;

template <class T>
struct Stored {
  using Type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
  using Type = float;
};

/// d = 2 a b + c, where b comes from shared memory and c has the layout `mem`.
template <int m, int n, int k, class T, class Sum, class LayoutA, class LayoutB>
__global__ void product(const typename Stored<T>::Type* a, const typename Stored<T>::Type* b, const Sum* c, Sum* d, wmma::layout_t mem) {
  __shared__ alignas(32) typename Stored<T>::Type tile[n * (k + 16)];
  constexpr int stride = std::is_same_v<LayoutB, wmma::col_major> ? k + 16 : n;  // the columns are 16 elements apart
  constexpr int lines = std::is_same_v<LayoutB, wmma::col_major> ? n : k, length = n * k / lines;
  for (int i = threadIdx.x; i < n * k; i += 32) tile[i / length * stride + i % length] = b[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> part_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> part_b;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum, start;
  wmma::load_matrix_sync(part_a, a, std::is_same_v<LayoutA, wmma::row_major> ? k : m);
  wmma::load_matrix_sync(part_b, tile, stride);
  wmma::load_matrix_sync(start, c, mem == wmma::mem_row_major ? n : m, mem);
  wmma::fill_fragment(sum, Sum(0));
  wmma::mma_sync(sum, part_a, part_b, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = Sum(2) * sum.x[i] + start.x[i];
  wmma::store_matrix_sync(d, sum, mem == wmma::mem_row_major ? n : m, mem);
}

template <class T>
T number(int i) {
  return T(static_cast<float>(i * 37 % 11));
}

template <int m, int n, int k, class T, class Sum, class LayoutA, class LayoutB>
int check(wmma::layout_t mem) {
  using Kept = typename Stored<T>::Type;
  Kept *a, *b;
  Sum *c, *d;
  cudaMallocManaged(&a, m * k * sizeof(Kept));
  cudaMallocManaged(&b, k * n * sizeof(Kept));
  cudaMallocManaged(&c, m * n * sizeof(Sum));
  cudaMallocManaged(&d, m * n * sizeof(Sum));
  for (int i = 0; i < m * k; ++i) a[i] = number<Kept>(i);
  for (int i = 0; i < k * n; ++i) b[i] = number<Kept>(i + 5);
  for (int i = 0; i < m * n; ++i) c[i] = number<Sum>(i + 3);
  product<m, n, k, T, Sum, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, mem);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      const int at = mem == wmma::mem_row_major ? row * n + column : column * m + row;
      double expected = double(float(c[at]));
      for (int i = 0; i < k; ++i) {
        const int in_a = std::is_same_v<LayoutA, wmma::row_major> ? row * k + i : i * m + row;
        const int in_b = std::is_same_v<LayoutB, wmma::row_major> ? i * n + column : column * k + i;
        expected += 2.0 * double(float(a[in_a])) * double(float(b[in_b]));
      }
      // Whole numbers below 2048 + 2^11: a half rounds the largest of them.
      const double largest_error = std::is_same_v<Sum, half> ? 2.0 : 0.0;
      wrong += !(std::fabs(double(float(d[at])) - expected) <= largest_error);
    }
  for (void* buffer : {(void*)a, (void*)b, (void*)c, (void*)d}) cudaFree(buffer);
  return wrong;
}

template <int m, int n, int k, class T, class Sum>
int check_layouts() {
  int wrong = 0;
  for (wmma::layout_t mem : {wmma::mem_row_major, wmma::mem_col_major}) {
    wrong += check<m, n, k, T, Sum, wmma::row_major, wmma::row_major>(mem);
    wrong += check<m, n, k, T, Sum, wmma::row_major, wmma::col_major>(mem);
    wrong += check<m, n, k, T, Sum, wmma::col_major, wmma::row_major>(mem);
    wrong += check<m, n, k, T, Sum, wmma::col_major, wmma::col_major>(mem);
  }
  return wrong;
}

template <class T, class Sum>
int check_shapes() {
  return check_layouts<16, 16, 16, T, Sum>() + check_layouts<32, 8, 16, T, Sum>() + check_layouts<8, 32, 16, T, Sum>();
}

/// Sums of integers that stop at the largest int, and tf32 that keeps 10 bits of a fraction.
__global__ void edges(int* sums, float* kept) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(a, (unsigned char)255);
  wmma::fill_fragment(b, (unsigned char)255);
  wmma::fill_fragment(c, 0x7fffffff - 10);
  wmma::mma_sync(c, a, b, c, true);
  wmma::store_matrix_sync(sums, c, 16, wmma::mem_row_major);
  if (threadIdx.x == 0) {
    kept[0] = wmma::__float_to_tf32(1.0f + 0x1p-11f);
    kept[1] = wmma::__float_to_tf32(-1.0f - 0x1p-12f);
  }
}

int main() {
  int wrong = check_shapes<half, float>() + check_shapes<half, half>();
  wrong += check_shapes<__nv_bfloat16, float>();
  wrong += check_shapes<signed char, int>() + check_shapes<unsigned char, int>();
  wrong += check_layouts<16, 16, 8, wmma::precision::tf32, float>();
  wrong += check_layouts<8, 8, 4, double, double>();

  int* sums;
  float* kept;
  cudaMallocManaged(&sums, 256 * sizeof(int));
  cudaMallocManaged(&kept, 2 * sizeof(float));
  edges<<<1, 32>>>(sums, kept);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i) wrong += sums[i] != 0x7fffffff;
  wrong += kept[0] != 1.0f + 0x1p-10f || kept[1] != -1.0f;
  cudaFree(sums);
  cudaFree(kept);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
