#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

PROGRAM_TEST("threads of a block see one shared variable", R"(
    __global__ void k(int* out) {
      __shared__ int values[4];
      values[threadIdx.x] = threadIdx.x;
      if (threadIdx.x == 3) *out = values[0] + values[1] + values[2] + values[3];
    }
    extern "C" int test() { int n; k<<<1, 4>>>(&n); return n; })",
             6)

PROGRAM_TEST("one declaration may hold several shared variables of different shapes", R"(
    constexpr int N = 3;
    __global__ void k(int* out) {
      __shared__ float tile[N][N + 1], scalar, *pointer, (*row)[4];
      static_assert(sizeof(tile) == 48 && sizeof(scalar) == 4 && sizeof(pointer) == 8 && sizeof(row) == 8);
      tile[2][3] = 5; scalar = 1; pointer = &tile[2][0]; row = &tile[2];
      *out = int(pointer[3] + (*row)[3] + scalar) * 10 + simt::shared_count;
    }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             114)

PROGRAM_TEST("a shared variable has its name, file and line",
             "static __host__ __device__ bool same(const char* a, const char* b) {\n"
             "  return *a == *b && (!*a || same(a + 1, b + 1)); }\n"
             "__global__ void k() {\n"
             "  __shared__ float first,\n"
             "      second;\n"
             "  first = second = 0;\n"
             "}\n"
             "extern \"C\" int test() {\n"
             "  k<<<1, 1>>>();\n"
             "  const auto& v = simt::shared_variables[1];\n"
             "  return same(v.name, \"second\") && same(v.file, \"lab.cu\") ? v.line : -1;\n"
             "}\n",
             5)

PROGRAM_TEST("static, volatile and const may stand on any side of __shared__", R"(
    __global__ void k(int* out) {
      static __shared__ int a;
      __shared__ static int b;
      volatile __shared__ int c;
      __shared__ volatile unsigned int d[2];
      unsigned long __shared__ e;
      static_assert(__is_same(decltype(c), volatile int&) && __is_same(decltype(d), volatile unsigned (&)[2]));
      a = 1; b = 2; c = 3; d[1] = 4; e = 5;
      *out = a + b + c + d[1] + int(e);
    }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             15)

PROGRAM_TEST("alignment is kept, however it is asked for", R"(
    using word = unsigned long;
    __global__ void k(int* out) {
      __shared__ char odd;
      __shared__ __align__(16) char a[3];
      alignas(64) __shared__ char b[5];
      __shared__ alignas(128) float c, d[2];
      __shared__ float e __attribute__((aligned(32)));
      __shared__ float4 f;
      odd = a[0] = b[0] = 1; c = d[1] = e = f.x = 1;
      *out = (word)a % 16 + (word)b % 64 + (word)&c % 128 + (word)d % 128 + (word)&e % 32 + (word)&f % 16;
      static_assert(sizeof(a) == 3 && sizeof(d) == 8);
    }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             0)

PROGRAM_TEST("shared variables may have class types, also defined in place", R"(
    struct point { int x, y; };
    template <class A, class B> struct pair { A a; B b; };
    __global__ void k(int* out) {
      __shared__ point points[3];
      __shared__ pair<int, pair<char, float>> nested;
      __shared__ struct { int u, v; } anonymous;
      __shared__ union either { int i; float f; } one, two;
      __shared__ struct point elaborated;
      points[2].y = 1; nested.b.b = 2; anonymous.v = 3; one.i = 4; two.i = 5; elaborated.x = 6;
      *out = points[2].y + int(nested.b.b) + anonymous.v + one.i + two.i + elaborated.x;
    }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             21)

PROGRAM_TEST("types and sizes may depend on template parameters", R"(
    template <class T> struct traits { using type = T; };
    template <class T, int N> __global__ void k(int* out) {
      __shared__ typename traits<T>::type tile[N][N + 1];
      __shared__ decltype(T() + 1) sum;
      tile[1][2] = 7; sum = tile[1][2];
      *out = int(sum) + sizeof(tile);
    }
    extern "C" int test() { int n; k<short, 4><<<1, 1>>>(&n); return n; })",
             47)

PROGRAM_TEST("every instantiation of a device function has its own shared variable", R"(
    template <int N> __device__ int* own() { __shared__ int v; return &v; }
    __global__ void k(int* out) { *out = (own<1>() != own<2>()) + (own<1>() == own<1>()) * 2; }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             3)

PROGRAM_TEST("an inner block may declare the same name again", R"(
    __global__ void k(int* out) {
      __shared__ int v;
      v = 1;
      { __shared__ int v[2]; v[1] = 5; *out = v[1]; }
      *out += v;
    }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             6)

PROGRAM_TEST("dynamic shared memory in a function has the type and name it was declared with", R"(
    template <class T> struct memory { __device__ operator T*() { extern __shared__ int raw[]; return (T*)raw; } };
    template <class T> __global__ void k(int* out) {
      extern __shared__ __align__(16) unsigned char bytes[];
      T* values = reinterpret_cast<T*>(bytes);
      values[1] = 9;
      T* same = memory<T>();
      *out = int(same[1]);
    }
    extern "C" int test() { int n; k<float><<<1, 1, 64>>>(&n); return n; })",
             9)

TEST_CASE("shared variables may be declared at namespace scope") {
  CHECK(result_of(R"(
    extern __shared__ float dynamic[];
    namespace inner { __shared__ int fixed[2], __attribute__((aligned(32))) single; }
    using namespace inner;
    __device__ void write(int v) { dynamic[0] = v; fixed[1] = v * 2; }
    namespace inner { __device__ int read() { return int(dynamic[0]) + fixed[1]; } }
    __global__ void k(int* out) { write(5); int dynamic = read(); *out = dynamic; }
    struct s { float dynamic = 1; __host__ __device__ float get() const { return this->dynamic; } };
    __host__ __device__ int parameter(int dynamic) { return dynamic; }
    int host() { int dynamic = 3; return dynamic; }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n + host() + int(s().get()) + parameter(0); })") ==
        19);
}

PROGRAM_TEST("lambdas reach shared variables whatever they capture", R"(
    __global__ void k(int* out) {
      __shared__ int sum, values[2];
      sum = 0; values[0] = values[1] = 1;
      auto by_value = [=] __device__ (int i) { sum += i; };
      auto none = [](int i) { sum += i * values[0]; };
      auto some = [out](int i) mutable { sum += i; *out = 0; };
      auto nested = [] { auto inner = [] { values[1] = 100; }; inner(); };
      auto all = [&] { sum += 1000; };
      by_value(1); none(10); some(5); nested(); all();
      *out = sum + values[1] + values[0] * 10000;
    }
    extern "C" int test() { int n; k<<<1, 1>>>(&n); return n; })",
             11116)

TEST_CASE("pointers into dynamic shared memory tell the simulator their names") {
  const auto kernel = [](const std::string& statements) {
    return translated("template <class T> __global__ void k(int n) { extern __shared__ float4 raw[]; " +
                      statements + " }");
  };
  const auto named = [](const std::string& name) {
    return "; ::simt::name_shared(" + name + ", \"" + name + "\");";
  };
  CHECK(kernel("T* const a = reinterpret_cast<T*>(raw);").find("(raw)" + named("a")) != std::string::npos);
  const std::string two = kernel("float *a = (float*)raw, *b = a + n; auto c = b + 1;");
  for (const char* name : {"a", "b", "c"})
    CHECK(two.find(std::string("::simt::name_shared(") + name + ", ") != std::string::npos);
  for (const char* other :
       {"float x = raw[0].x;", "int* p = nullptr;", "for (auto p = raw; p < raw + 2; ++p) *p = {};",
        "float4* own = raw + threadIdx.x;", "float4* p; p = raw;"})
    CHECK(kernel(other).find("name_shared") == std::string::npos);
}
