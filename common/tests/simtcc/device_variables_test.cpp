#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

namespace {

/// Declarations by which a test's source finds the simulator's sections.
const std::string sections = R"(
  extern "C" {
  extern char __start_simt_device[] __attribute__((weak, visibility("hidden")));
  extern char __stop_simt_device[] __attribute__((weak, visibility("hidden")));
  extern char __start_simt_constant[] __attribute__((weak, visibility("hidden")));
  extern char __stop_simt_constant[] __attribute__((weak, visibility("hidden")));
  extern char __start_simt_managed[] __attribute__((weak, visibility("hidden")));
  extern char __stop_simt_managed[] __attribute__((weak, visibility("hidden")));
  int __simt_reads_of_4_bytes(const void*, const void*);
  }
  template <class T> bool on_device(const T& v) {
    return (const char*)&v >= __start_simt_device && (const char*)&v < __stop_simt_device; }
  template <class T> bool is_managed(const T& v) {
    return (const char*)&v >= __start_simt_managed && (const char*)&v < __stop_simt_managed; }
  template <class T> bool in_constants(const T& v) {
    return (const char*)&v >= __start_simt_constant && (const char*)&v < __stop_simt_constant; }
)";

} // namespace

TEST_CASE("device variables of every shape stand in the device section with their values") {
  CHECK(result_of(sections + R"(
    struct point { int x, y; };
    __device__ int scalar = 3;
    __device__ float array[2][3], other, *pointer;
    static __device__ unsigned counter;
    __device__ point p = {4, 5};
    int __device__ behind = 6;
    namespace n { __device__ int inner = 7; }
    namespace { __device__ int hidden = 8; }
    inline __device__ int in_line = 9;
    __device__ __managed__ int managed = 10;
    __managed__ int managed_alone = 11;
    extern __device__ int later[];
    __device__ int later[2] = {12, 13};
    __device__ int (*function)(int);
    extern "C" int test() {
      const bool all = on_device(scalar) && on_device(array) && on_device(other) && on_device(pointer) &&
                       on_device(counter) && on_device(p) && on_device(behind) && on_device(n::inner) &&
                       on_device(hidden) && on_device(in_line) && is_managed(managed) && is_managed(managed_alone) &&
                       on_device(later) && on_device(function);
      return all ? scalar + p.y + behind + n::inner + hidden + in_line + managed + managed_alone + later[1]
                 : -1;
    })") == 3 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 13);
}

PROGRAM_TEST("constants stand in the constant section and can be changed underneath", sections + R"(
    __constant__ float plain[4];
    __constant__ const float table[2] = {1, 2};
    static __constant__ int limit = 3;
    __device__ __constant__ int both = 4;
    __constant__ const char* const text = "abc";
    __constant__ const int* address;
    extern "C" int test() {
      const bool all = in_constants(plain) && in_constants(table) && in_constants(limit) && in_constants(both) &&
                       in_constants(text) && in_constants(address);
      table[1] = 20; *&limit = 30; *&text = "xyz"; plain[0] = 1; // by their names alone nvcc refuses it
      static_assert(__is_same(decltype(address), const int*));
      return all ? int(table[1]) + limit + text[0] : -1;
    })",
             20 + 30 + 'x')

PROGRAM_TEST("every read of a constant is seen, also of one that is never written", sections + R"(
    static __constant__ const int weights[3] = {1, 2, 3};
    static __device__ int never_written = 4;
    __global__ void k(int* out) { *out = weights[0] + weights[1] + weights[2] + never_written; }
    extern "C" int test() {
      int n;
      const auto constants = [] { return __simt_reads_of_4_bytes(__start_simt_constant, __stop_simt_constant); };
      const auto variables = [] { return __simt_reads_of_4_bytes(__start_simt_device, __stop_simt_device); };
      const int constants_before = constants(), variables_before = variables();
      k<<<1, 1>>>(&n);
      return (constants() - constants_before) * 1000 + (variables() - variables_before) * 100 + n;
    })",
             3110)

PROGRAM_TEST("compile-time constants stay compile-time constants", R"(
    __device__ constexpr int width = 4;
    __constant__ const int height = width + 1;
    static __device__ const unsigned depth{2};
    struct limits { static constexpr __device__ int most = 3; };
    __global__ void k(int* out) { __shared__ int tile[height][width][depth][limits::most]; *out = sizeof(tile); }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             480)

PROGRAM_TEST("each instance of a variable template in device memory tells where it lies, and keeps its type",
             R"(
    template <class T> __device__ T scalar = T(3.14);
    template <typename T, int N = 2> static __constant__ T table[N] = {1, 2};
    template <class T> inline __managed__ T total{5};
    template <class T> __global__ void k(T* out) { scalar<T> += table<T>[1]; *out = scalar<T> + total<T>; }
    extern "C" int test() {
      static_assert(__is_same(decltype(scalar<double>), double) && sizeof(table<char, 7>) == 7);
      int n; double x;
      k<<<1, 1>>>(&n); k<<<1, 1>>>(&x);
      const bool all = simt::kind_of_instance(&scalar<int>) == 0 && simt::kind_of_instance(&scalar<double>) == 0 &&
                       simt::kind_of_instance(&table<double>) == 1 && simt::kind_of_instance(&total<int>) == 2;
      return all ? 100 * n + int(10 * x) : -1;
    })",
             1000 + 101)

PROGRAM_TEST(
    "variable templates in device memory have specialisations, instantiations, packs and constraints", R"(
    template <class T> __device__ T v = 1;
    template <> __device__ int v<int> = 2;
    template <class T> __device__ T* v<T*> = &v<T>;
    template __device__ long v<long>;
    template <class... Ts> requires (sizeof...(Ts) > 0) __device__ const int count = sizeof...(Ts);
    namespace inner { template <int N> __device__ int some[N]; }
    __device__ char* address = &v<char>;
    template <class T> __device__ T (*pointer)(T) = nullptr;
    template <class, int = 3> __device__ int unnamed = 7;
    __global__ void k(int* out) {
      *out = *v<int*> * 100 + v<long> * 10 + count<int, int, int> + *address + inner::some<3>[2];
      *out += pointer<int> ? 0 : 1000 * unnamed<char>;
    }
    extern "C" int test() {
      int n;
      k<<<1, 1>>>(&n);
      const bool all = simt::kind_of_instance(&v<int*>) == 0 && simt::kind_of_instance(&pointer<int>) == 0 &&
                       simt::kind_of_instance(&v<long>) == 0;
      return all ? n : -1;
    })",
    7000 + 200 + 10 + 3 + 1)

PROGRAM_TEST("a variable template of the device is read in memory and not taken for a constant",
             sections + R"(
    template <class T> static __device__ T never_written = 4;
    __global__ void k(int* out) { *out = never_written<int>; }
    extern "C" int test() {
      int n;
      const auto reads = [] { return __simt_reads_of_4_bytes(&never_written<int>, &never_written<int> + 1); };
      const int before = reads();
      k<<<1, 1>>>(&n);
      return (reads() - before) * 10 + n;
    })",
             14)

TEST_CASE("a const device array keeps its linkage to itself") {
  CHECK(translated("__device__ const float table[2] = {1, 2};")
            .find("static __attribute__((section(\"simt_device\")") != std::string::npos);
}

PROGRAM_TEST("functions of the device lose their keywords and nothing else", R"(
    #define BOTH __host__ __device__
    struct vector {
      float x;
      BOTH vector(float v = 0) : x{v} {}
      BOTH ~vector() {}
      __device__ vector operator+(const vector& o) const { return vector(x + o.x); }
      __device__ float operator()(int i) const { return x * i; }
      __device__ float& operator[](int) { return x; }
      template <class T> __device__ operator T() const { return T(x); }
      __device__ auto twice() const -> float { return 2 * x; }
      friend __device__ bool operator<(const vector& a, const vector& b) { return a.x < b.x; }
      static __device__ __forceinline__ int one() { return 1; }
    };
    BOTH __noinline__ int slow(int v = 3, int (*f)(int) = nullptr) { return f ? f(v) : v; }
    template <class T> requires (sizeof(T) > 1) BOTH T constrained(T t) { return t; }
    BOTH int later(int);
    BOTH int later(int v) try { return v; } catch (...) { return 0; }
    BOTH decltype(slow()) deduced() { return 1; }
    [[nodiscard]] BOTH int with_attribute() { return 1; }
    __global__ void k(int* out) {
      vector a(2), b(3);
      *out = int((a + b)(2)) + (a < b) + int(a) + slow() + constrained(4) + later(5) + deduced() + vector::one() +
             int(a.twice()) + int(b[0]) + with_attribute();
    }
    extern "C" int test() { int n = 0; k<<<1, 1>>>(&n); return n; })",
             10 + 1 + 2 + 3 + 4 + 5 + 1 + 1 + 4 + 3 + 1)

TEST_CASE("members of classes cannot be device variables, as with nvcc") {
  for (const char* member : {"static __device__ int n;", "static inline __device__ int n = 1;",
                             "static __constant__ float table[4];"})
    CHECK(errors_of("struct s {\n  " + std::string(member) + "\n};") ==
          "lab.cu:2: error: a variable in device memory cannot be a member of a class; move it out to "
          "namespace "
          "scope\n");
}
