// Tensor cores: matrices that the lanes of a warp hold together, and their products (nvcuda::wmma).
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32; ///< a float of which 10 bits of the fraction count
}
enum layout_t { mem_row_major, mem_col_major };

namespace simt_detail {

/// What the elements are called: for the runtime, and as they are kept.
template <class T>
struct Element {};
#define SIMT_MATRIX_ELEMENT(T, kept, name)                                                                   \
  template <>                                                                                                \
  struct Element<T> {                                                                                        \
    using Kept = kept;                                                                                       \
    static constexpr simt_matrix_type type = name;                                                           \
  };
SIMT_MATRIX_ELEMENT(__half, __half, simt_half)
SIMT_MATRIX_ELEMENT(__nv_bfloat16, __nv_bfloat16, simt_bfloat16)
SIMT_MATRIX_ELEMENT(precision::tf32, float, simt_tf32)
SIMT_MATRIX_ELEMENT(float, float, simt_float)
SIMT_MATRIX_ELEMENT(double, double, simt_double)
SIMT_MATRIX_ELEMENT(signed char, signed char, simt_int8)
SIMT_MATRIX_ELEMENT(unsigned char, unsigned char, simt_uint8)
SIMT_MATRIX_ELEMENT(int, int, simt_int32)
#undef SIMT_MATRIX_ELEMENT

template <class T, class... Of>
inline constexpr bool is_any = (std::is_same_v<T, Of> || ...);

template <int m, int n, int k>
inline constexpr bool is_deep = k == 16 &&
                                ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));

/// The shapes and types that devices multiply.
template <class Use, int m, int n, int k, class T, class Layout>
constexpr bool exists() {
  if constexpr (std::is_same_v<Use, accumulator>)
    return std::is_void_v<Layout> && ((is_deep<m, n, k> && is_any<T, __half, float, int>) ||
                                      (m == 16 && n == 16 && k == 8 && is_any<T, float>) ||
                                      (m == 8 && n == 8 && k == 4 && is_any<T, double>));
  else
    return is_any<Layout, row_major, col_major> &&
           ((is_deep<m, n, k> && is_any<T, __half, __nv_bfloat16, signed char, unsigned char>) ||
            (m == 16 && n == 16 && k == 8 && is_any<T, precision::tf32>) ||
            (m == 8 && n == 8 && k == 4 && is_any<T, double>));
}

/// The rows and columns of a matrix in a product of m by k and k by n.
template <class Use, int m, int n, int k>
inline constexpr unsigned rows = std::is_same_v<Use, matrix_b> ? k : m;
template <class Use, int m, int n, int k>
inline constexpr unsigned columns = std::is_same_v<Use, matrix_a> ? k : n;
template <class Use>
inline constexpr simt_matrix_use use = std::is_same_v<Use, matrix_a>   ? simt_matrix_a
                                       : std::is_same_v<Use, matrix_b> ? simt_matrix_b
                                                                       : simt_accumulator;

/// A lane's number of elements. Of halves to be multiplied it holds 16, some of them several times.
template <class Use, int m, int n, int k, class T>
inline constexpr int elements = std::is_same_v<T, __half> && !std::is_same_v<Use, accumulator>
                                    ? 16
                                    : rows<Use, m, n, k> * columns<Use, m, n, k> / 32;

} // namespace simt_detail

/// A lane's part of a matrix. x[i] is the same place of the matrix in fragments of the same type.
template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class alignas(8) fragment {
  static_assert(
      simt_detail::exists<Use, m, n, k, T, Layout>(),
      "there is no such fragment on the simulator. matrix_a and matrix_b, with row_major or col_major: half, "
      "__nv_bfloat16, signed char and unsigned char of 16x16x16, 32x8x16 and 8x32x16, precision::tf32 of "
      "16x16x8, "
      "double of 8x8x4; accumulators of the same shapes, without a layout");

public:
  enum { num_elements = simt_detail::elements<Use, m, n, k, T> };
  enum { num_storage_elements = num_elements };
  typedef T element_type;
  typedef typename simt_detail::Element<T>::Kept storage_element_type;
  storage_element_type x[num_storage_elements];
};

namespace simt_detail {

template <class Use, int m, int n, int k, class T, class Layout>
SIMT_INLINE simt_fragment told(const fragment<Use, m, n, k, T, Layout>& part) {
  return {use<Use>,
          Element<T>::type,
          rows<Use, m, n, k>,
          columns<Use, m, n, k>,
          elements<Use, m, n, k, T>,
          const_cast<void*>(static_cast<const void*>(part.x))};
}

} // namespace simt_detail

template <typename Use, int m, int n, int k, typename T, typename Layout>
SIMT_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout>& part,
                               const typename simt_detail::Element<T>::Kept& value) {
  for (auto& element : part.x) element = value;
}

template <typename Use, int m, int n, int k, typename T, typename Layout>
SIMT_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& part,
                                  const typename simt_detail::Element<T>::Kept* from, unsigned stride,
                                  SIMT_CALLER) {
  static_assert(!std::is_same_v<Use, accumulator>,
                "an accumulator is loaded with a layout: mem_row_major or mem_col_major");
  const simt_fragment whole = simt_detail::told(part);
  __simt_matrix_load(&whole, from, stride, std::is_same_v<Layout, col_major>, simt_file, simt_line);
}
template <int m, int n, int k, typename T>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& part,
                                  const typename simt_detail::Element<T>::Kept* from, unsigned stride,
                                  layout_t layout, SIMT_CALLER) {
  const simt_fragment whole = simt_detail::told(part);
  __simt_matrix_load(&whole, from, stride, layout == mem_col_major, simt_file, simt_line);
}

template <int m, int n, int k, typename T>
SIMT_INLINE void store_matrix_sync(typename simt_detail::Element<T>::Kept* to,
                                   const fragment<accumulator, m, n, k, T>& part, unsigned stride,
                                   layout_t layout, SIMT_CALLER) {
  const simt_fragment whole = simt_detail::told(part);
  __simt_matrix_store(to, &whole, stride, layout == mem_col_major, simt_file, simt_line);
}

namespace simt_detail {

template <int m, int n, int k, class D, class A, class B, class C, class LayoutA, class LayoutB>
SIMT_INLINE void
multiply(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
         const fragment<matrix_b, m, n, k, B, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c,
         bool saturated, const char* file, int line) {
  static_assert(std::is_same_v<A, B>, "the two matrices of a product have elements of one type");
  constexpr bool is_integer = is_any<A, signed char, unsigned char>;
  static_assert(is_integer                  ? is_any<D, int> && is_any<C, int>
                : is_any<A, double>         ? is_any<D, double> && is_any<C, double>
                : std::is_same_v<A, __half> ? is_any<D, __half, float> && is_any<C, __half, float>
                                            : is_any<D, float> && is_any<C, float>,
                "these accumulators do not go with these matrices: halves add up in float or half, bfloat16 "
                "and tf32 in "
                "float, chars in int, doubles in double");
  const simt_fragment told_d = told(d), told_a = told(a), told_b = told(b), told_c = told(c);
  __simt_matrix_multiply(&told_d, &told_a, &told_b, &told_c, saturated, file, line);
}

} // namespace simt_detail

template <int m, int n, int k, typename D, typename A, typename B, typename C, typename LayoutA,
          typename LayoutB>
SIMT_INLINE void mma_sync(fragment<accumulator, m, n, k, D>& d,
                          const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                          const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                          const fragment<accumulator, m, n, k, C>& c, SIMT_CALLER) {
  simt_detail::multiply(d, a, b, c, false, simt_file, simt_line);
}
/// Of integers, whose sums stop at the largest and the smallest int if they are `saturated`.
template <int m, int n, int k, typename A, typename LayoutA, typename LayoutB, typename Flag,
          std::enable_if_t<std::is_same_v<Flag, bool>, int> = 0>
SIMT_INLINE void mma_sync(fragment<accumulator, m, n, k, int>& d,
                          const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                          const fragment<matrix_b, m, n, k, A, LayoutB>& b,
                          const fragment<accumulator, m, n, k, int>& c, Flag saturated, SIMT_CALLER) {
  simt_detail::multiply(d, a, b, c, saturated, simt_file, simt_line);
}

/// A float as tf32: the nearest one, ties away from 0.
SIMT_INLINE float __float_to_tf32(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return __builtin_bit_cast(float, (bits + 0x1000u) & ~0x1fffu);
}

} // namespace wmma
} // namespace nvcuda

#endif
