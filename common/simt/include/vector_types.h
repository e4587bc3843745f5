// The vector types of CUDA with 1 to 4 components.
//
// A compiler copies `float4 v = p[i]` as four 4-byte reads, a GPU as one 16-byte read. So the types that have
// a vector instruction (2 and 4 components) carry copy operations that report one access of that width. They
// stay trivially default constructible, so that arrays of them can live in shared memory.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "simt_shim/entry_points.h"

namespace simt {

// What a vector is copied with: its bytes, how they are read, and a copy that tells if it is misaligned.
template <unsigned Size>
struct VectorAccess;
#define SIMT_VECTOR_ACCESS(size)                                                                             \
  template <>                                                                                                \
  struct VectorAccess<size> {                                                                                \
    using Bits = simt_bits##size;                                                                            \
    SIMT_INLINE static Bits load(const void* from) { return __simt_load##size(from); }                       \
    SIMT_INLINE static void copy(void* to, const void* from) { __simt_copy##size(to, from); }                \
  };
SIMT_VECTOR_ACCESS(2)
SIMT_VECTOR_ACCESS(4)
SIMT_VECTOR_ACCESS(8)
SIMT_VECTOR_ACCESS(16)
#undef SIMT_VECTOR_ACCESS

/// Copies Size bytes as the widest accesses the device has (at most 16 bytes), each reported as one.
template <unsigned Size>
SIMT_INLINE void copy_vector(void* to, const void* from) {
  if constexpr (Size == 32) {
    copy_vector<16>(to, from);
    copy_vector<16>(static_cast<char*>(to) + 16, static_cast<const char*>(from) + 16);
  } else {
    VectorAccess<Size>::copy(to, from);
  }
}

/// The same for a vector that begins to be, which is hardly ever elsewhere than on the stack. The write is the compiler's
/// own: it knows of variables that nothing else sees them, and of all variables that they are aligned.
template <unsigned Size>
SIMT_INLINE void begin_vector(void* to, const void* from) {
  if constexpr (Size == 32) {
    begin_vector<16>(to, from);
    begin_vector<16>(static_cast<char*>(to) + 16, static_cast<const char*>(from) + 16);
  } else {
    using Access = VectorAccess<Size>;
    if (reinterpret_cast<std::size_t>(to) % Size != 0) return Access::copy(to, from);
    *static_cast<typename Access::Bits*>(to) = Access::load(from);
  }
}

template <class One, class Other, class Type>
struct IfSame {};
template <class One, class Type>
struct IfSame<One, One, Type> {
  using type = Type;
};

/// A vector as a member of a union, whose copies have to be trivial: the translator writes it there.
template <class Vector>
struct InUnion;

} // namespace simt

#if __cplusplus >= 202002L
#define SIMT_VECTOR_CONSTEXPR constexpr
#define SIMT_VECTOR_IS_CONSTANT __builtin_is_constant_evaluated()
#else // where a constexpr constructor names each member
#define SIMT_VECTOR_CONSTEXPR
#define SIMT_VECTOR_IS_CONSTANT false
#endif

// `each` copies the members one by one, for what the compiler itself computes.
#define SIMT_VECTOR_COPY(name, each)                                                                         \
  name() = default;                                                                                          \
  operator ::simt::InUnion<name>() const;                                                                    \
  [[gnu::always_inline]] SIMT_VECTOR_CONSTEXPR name(const name& other) {                                     \
    if (SIMT_VECTOR_IS_CONSTANT)                                                                             \
      each;                                                                                                  \
    else                                                                                                     \
      ::simt::begin_vector<sizeof(name)>(this, &other);                                                      \
  }                                                                                                          \
  [[gnu::always_inline]] SIMT_VECTOR_CONSTEXPR name& operator=(const name& other) {                          \
    if (SIMT_VECTOR_IS_CONSTANT)                                                                             \
      each;                                                                                                  \
    else                                                                                                     \
      ::simt::copy_vector<sizeof(name)>(this, &other);                                                       \
    return *this;                                                                                            \
  }

// g++ reads a structure with a volatile part as a whole, and not by those of its members that are used; with clang++ there is no way.
#ifdef __clang__
#define SIMT_WHOLE static_assert(true, "")
#else
#define SIMT_WHOLE volatile char : 0
#endif
#define SIMT_IN_UNION(name, T, copies, whole, ...)                                                           \
  template <>                                                                                                \
  struct alignas(name) [[gnu::may_alias]] simt::InUnion<name> {                                              \
    T __VA_ARGS__;                                                                                           \
    whole;                                                                                                   \
    template <class V>                                                                                       \
    typename ::simt::IfSame<V, name, InUnion&>::type operator=(const V& other) {                             \
      static_cast<name&>(*this) = other;                                                                     \
      return *this;                                                                                          \
    }                                                                                                        \
    operator name&() { return *&*this; }                                                                     \
    operator const name&() const { return *&*this; }                                                         \
    name* operator&() { return reinterpret_cast<name*>(this); }                                              \
    const name* operator&() const { return reinterpret_cast<const name*>(this); }                            \
  };                                                                                                         \
  [[gnu::always_inline]] inline name::operator ::simt::InUnion<name>() const {                               \
    ::simt::InUnion<name> other;                                                                             \
    copies;                                                                                                  \
    return other;                                                                                            \
  }

#define SIMT_VECTOR_OF_4(name, make, T, align)                                                               \
  struct alignas(align) name {                                                                               \
    T x, y, z, w;                                                                                            \
    SIMT_VECTOR_COPY(name, (x = other.x, y = other.y, z = other.z, w = other.w))                             \
    explicit constexpr name(T x_) : x(x_), y(), z(), w() {}                                                  \
    constexpr name(T x_, T y_, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {}                           \
  };                                                                                                         \
  SIMT_IN_UNION(name, T, ::simt::begin_vector<sizeof(*this)>(&other, this), SIMT_WHOLE, x, y, z, w)          \
  inline name make(T x, T y, T z, T w) { return name{x, y, z, w}; }

#define SIMT_VECTOR_TYPES(name, T, align2, align4)                                                           \
  struct name##1 {                                                                                           \
    T x;                                                                                                     \
  };                                                                                                         \
  struct alignas(align2) name##2 {                                                                           \
    T x, y;                                                                                                  \
    SIMT_VECTOR_COPY(name##2, (x = other.x, y = other.y))                                                    \
    explicit constexpr name##2(T x_) : x(x_), y() {}                                                         \
    constexpr name##2(T x_, T y_) : x(x_), y(y_) {}                                                          \
  };                                                                                                         \
  struct name##3 {                                                                                           \
    T x, y, z;                                                                                               \
    name##3() = default;                                                                                     \
    explicit constexpr name##3(T x_) : x(x_), y(), z() {}                                                    \
    operator ::simt::InUnion<name##3>() const;                                                               \
    constexpr name##3(T x_, T y_, T z_ = 0) : x(x_), y(y_), z(z_) {}                                         \
    [[gnu::always_inline]] constexpr name##3(const name##3 & o) : x(o.x), y(o.y), z(o.z) {}                  \
    [[gnu::always_inline]] constexpr name##3 & operator=(const name##3 & o) {                                \
      x = o.x;                                                                                               \
      y = o.y;                                                                                               \
      z = o.z;                                                                                               \
      return *this;                                                                                          \
    }                                                                                                        \
  };                                                                                                         \
  SIMT_IN_UNION(name##2, T, ::simt::begin_vector<sizeof(*this)>(&other, this), SIMT_WHOLE, x, y)             \
  SIMT_IN_UNION(name##3, T, (other.x = x, other.y = y, other.z = z), static_assert(true, ""), x, y, z)       \
  inline name##1 make_##name##1(T x) { return name##1 {x}; }                                                 \
  inline name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }                                         \
  inline name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; }                                 \
  SIMT_VECTOR_OF_4(name##4, make_##name##4, T, align4)

SIMT_VECTOR_TYPES(char, signed char, 2, 4)
SIMT_VECTOR_TYPES(uchar, unsigned char, 2, 4)
SIMT_VECTOR_TYPES(short, short, 4, 8)
SIMT_VECTOR_TYPES(ushort, unsigned short, 4, 8)
SIMT_VECTOR_TYPES(int, int, 8, 16)
SIMT_VECTOR_TYPES(uint, unsigned int, 8, 16)
SIMT_VECTOR_TYPES(long, long, 16, 16)
SIMT_VECTOR_TYPES(ulong, unsigned long, 16, 16)
SIMT_VECTOR_TYPES(longlong, long long, 16, 16)
SIMT_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
SIMT_VECTOR_TYPES(float, float, 8, 16)
SIMT_VECTOR_TYPES(double, double, 16, 16)

// Four of 64 bits, by their alignment, as CUDA 13 names them.
#define SIMT_VECTORS_BY_ALIGNMENT(name, T)                                                                   \
  SIMT_VECTOR_OF_4(name##4_16a, make_##name##4_16a, T, 16)                                                   \
  SIMT_VECTOR_OF_4(name##4_32a, make_##name##4_32a, T, 32)
SIMT_VECTORS_BY_ALIGNMENT(long, long)
SIMT_VECTORS_BY_ALIGNMENT(ulong, unsigned long)
SIMT_VECTORS_BY_ALIGNMENT(longlong, long long)
SIMT_VECTORS_BY_ALIGNMENT(ulonglong, unsigned long long)
SIMT_VECTORS_BY_ALIGNMENT(double, double)

#undef SIMT_VECTORS_BY_ALIGNMENT
#undef SIMT_VECTOR_TYPES
#undef SIMT_VECTOR_OF_4
#undef SIMT_IN_UNION
#undef SIMT_WHOLE
#undef SIMT_VECTOR_COPY
#undef SIMT_VECTOR_CONSTEXPR
#undef SIMT_VECTOR_IS_CONSTANT

/// Extents of a grid or a block; components left out are 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
