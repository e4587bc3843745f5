#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

PROGRAM_TEST("a launch passes grid, block, shared bytes and stream", R"(
    __global__ void k(int* p) { *p += 1; }
    extern "C" int test() {
      int n = 0;
      k<<<dim3(3), 4, 64, (cudaStream_t)&n>>>(&n);
      const auto& c = simt::last_config;
      return n == 12 && c.grid.x == 3 && c.block.x == 4 && c.shared_bytes == 64 && c.stream == &n;
    })",
             1)

TEST_CASE("a launch names its kernel, file and line") {
  CHECK(result_of("__global__ void k() {}\n"
                  "namespace n { template <int N> __global__ void t() {} }\n"
                  "static bool same(const char* a, const char* b) { return *a == *b && (!*a || same(a + 1, b "
                  "+ 1)); }\n"
                  "extern \"C\" int test() {\n"
                  "  n::t<3>\n"
                  "      <<<1, 1>>>();\n"
                  "  return simt::last_site.line * same(simt::last_site.kernel, \"n::t<3>\")\n"
                  "         * same(simt::last_site.file, \"lab.cu\");\n"
                  "}\n") == 5);
}

PROGRAM_TEST("arguments convert to the kernel's parameter types", R"(
    __global__ void k(float* p, double d, const int* q) { *p = float(d) + (q == nullptr); }
    extern "C" int test() { float f; k<<<1, 1>>>(&f, 3, nullptr); return int(f); })",
             4)

PROGRAM_TEST("template arguments may hold comparisons and nested templates", R"(
    template <class A, class B> struct pair {};
    namespace ns { template <class T, bool B> __global__ void k(int* p) { *p = B + sizeof(T); } }
    extern "C" int test() {
      int n;
      ns::k<pair<char, pair<int, char>>, (4 > 2)><<<1, 1>>>(&n);
      return n;
    })",
             2)

PROGRAM_TEST("the configuration may hold lambdas, comparisons, shifts and closing angles", R"(
    template <class T> struct box { T t; };
    template <class T> constexpr int size(int n) { return n * sizeof(T); }
    __global__ void k(int* p) { *p += 1; }
    extern "C" int test() {
      int n = 0, m = 8;
      k<<<[&] { return dim3(m >> 1); }(), 1>>>(&n);
      k<<<m < 9 ? 1 : 2, m > 9 ? 1 : 2>>>(&n);
      k<<<1, size<box<box<char>>>(3)>>>(&n);
      k<<<1, 1, sizeof(box<box<int>>)>>>(&n);
      k<<<1, size<char>(2), size<box<int>>(4)>>>(&n);
      k<<<dim3{2, 1, 1}, {1, 1}>>>(&n);
      return n * 100 + int(simt::launches);
    })",
             (4 + 2 + 3 + 1 + 2 + 2) * 100 + 6)

PROGRAM_TEST("a macro may expand to a launch", R"(
    #define CONFIG(n) <<<(n), 2>>>
    #define LAUNCH(kernel, n, ...) kernel<<<(n + 31) / 32, 32>>>(__VA_ARGS__)
    __global__ void k(int* p, int add) { *p += add; }
    extern "C" int test() { int n = 0; LAUNCH(k, 40, &n, 2); k CONFIG(1)(&n, 1); return n; })",
             130)

PROGRAM_TEST("kernels may be launched from device code", R"(
    __global__ void child(int* p) { *p += 1; }
    __global__ void parent(int* p) { if (threadIdx.x < 2) child<<<1, 4>>>(p); else child<<<1, 1>>>(p); }
    extern "C" int test() { int n = 0; parent<<<1, 3>>>(&n); return n; })",
             9)

PROGRAM_TEST("a template kernel may leave its arguments to be deduced", R"(
    template <class T> __global__ void k(T* p, T add) { *p += add; }
    extern "C" int test() { int n = 1; k<<<1, 2>>>(&n, 5); return simt::last_was_generic ? n : -1; })",
             11)

PROGRAM_TEST("some template arguments may be given and others deduced", R"(
    template <int N, class T, class U = T> __global__ void k(T* p) { *p += N + sizeof(U); }
    extern "C" int test() {
      int n = 0;
      k<8><<<1, 1>>>(&n);
      const bool deduced = simt::last_was_generic;
      k<8, int><<<1, 1>>>(&n);
      return deduced && !simt::last_was_generic ? n : -1;
    })",
             24)

PROGRAM_TEST("a kernel template may take a pack", R"(
    template <int... Is> __global__ void k(int* p) { *p += (Is + ...); }
    extern "C" int test() { int n = 0; k<1, 2, 3><<<1, 1>>>(&n); return n; })",
             6)

PROGRAM_TEST("overloaded kernels are told apart by their arguments", R"(
    __global__ void k(int* p) { *p = 1; }
    __global__ void k(int* p, int n) { *p += n; }
    extern "C" int test() { int n = 0; k<<<1, 1>>>(&n); k<<<1, 1>>>(&n, 5); return n; })",
             6)

PROGRAM_TEST("a function of the host may have a kernel's name", R"(
    __global__ void k(int* p) { *p += 1; }
    template <class T> __global__ void __launch_bounds__(32) twice(T* p) { *p *= 2; }
    void k() { int n = 0; k<<<1, 1>>>(&n); }
    template <class T> void twice(T* p, int times) { for (int i = 0; i < times; ++i) twice<T><<<1, 1>>>(p); }
    int k(int n, const char*) { k<<<1, 1>>>(&n); return n; }
    extern "C" int test() { int n = 6; k(); k<<<1, 1>>>(&n); twice(&n, 2); return n * 10 + k(1, ""); })",
             282)

TEST_CASE("a kernel may have the name of a function of std, whose names are used") {
  CHECK(result_of(R"(
    namespace std { template <class T, class F> T* transform(T* p, T* q, F f); int count(int*, int*, int); }
    using namespace std;
    __global__ void transform(int* p) { *p += 1; }
    __global__ void count(int* p) { *p += 2; }
    extern "C" int test() { int n = 0; transform<<<1, 1>>>(&n); count<<<1, 1>>>(&n); return n; })") == 3);
}

PROGRAM_TEST("a kernel's default arguments may be left out", R"(
    __global__ void k(int* p, int n = 2, const int* more = nullptr) { *p = *p * 10 + n + (more ? *more : 0); }
    template <int N> __global__ void t(int* p, int n = N) { *p += n; }
    extern "C" int test() {
      int n = 0, one = 1;
      k<<<1, 1>>>(&n);
      k<<<1, 1>>>(&n, 3);
      k<<<1, 1>>>(&n, 4, &one);
      t<7><<<1, 1>>>(&n);
      return n;
    })",
             242)

PROGRAM_TEST("a forward declaration is no overload", R"(
    __global__ void k(float* __restrict__ p, const int n);
    extern "C" int test() { float f; k<<<1, 1>>>(&f, 5); return simt::last_was_generic ? -1 : int(f); }
    __global__ void k(float* p, const int count) { *p = count; })",
             5)

PROGRAM_TEST("a lambda may be a kernel's argument", R"(
    template <class F> __global__ void each(F f) { f(threadIdx.x); }
    extern "C" int test() {
      int n = 0; int* p = &n;
      each<<<1, 4>>>([=] __device__ (int i) { *p += i; });
      each<<<1, 4>>>([p] __host__ __device__ (int i) mutable { *p += i; });
      return n;
    })",
             12)

TEST_CASE("a kernel may be reached through a pointer, an array or an expression") {
  CHECK(result_of(R"(
    __global__ void one(int* p) { *p += 1; }
    __global__ void ten(int* p) { *p += 10; }
    extern "C" int test() {
      int n = 0;
      void (*table[])(int*) = {one, &ten};
      auto kernel = one;
      kernel<<<1, 1>>>(&n);
      table[1]<<<1, 1>>>(&n);
      (n > 100 ? one : ten)<<<1, 1>>>(&n);
      ::one<<<1, 1>>>(&n);
      return n;
    })") == 22);
}

PROGRAM_TEST("a launch may be the branch of an if, a loop's body, or one of several on a line", R"(
    __global__ void k(int* p) { *p += 1; }
    extern "C" int test() {
      int n = 0;
      if (n) k<<<1, 1>>>(&n); else k<<<1, 2>>>(&n);
      for (int i = 0; i < 3; ++i) k<<<1, 1>>>(&n);
      k<<<1, 1>>>(&n), k<<<1, 1>>>(&n); k<<<1, 1>>>(&n);
      switch (n) { case 8: k<<<1, 1>>>(&n); }
      return n;
    })",
             9)

PROGRAM_TEST("a dependent kernel template may be launched", R"(
    template <class T, int N> __global__ void k(T* p) { *p = N; }
    template <class T> struct run { template <int N> static void now(T* p) { k<T, N><<<1, N>>>(p); } };
    extern "C" int test() { int n; run<int>::now<7>(&n); return n; })",
             7)

PROGRAM_TEST("shifts, stream operators and text that looks like a launch stay as they are", R"x(
    struct out { int n = 0; template <class T> out& operator<<(const T& v) { n += sizeof v; return *this; } };
    template <class T> int operator<<(T* p, out&) { return *p; }
    extern "C" int test() {
      out o;
      o << 'a' << "k<<<1, 2>>>(3)" << R"q(k<<<1,2>>>(")")q" << 1'000;
      int m = 1 << 4 >> 2;
      return o.n * 100 + operator<< <int>(&m, o);
    })x",
             (1 + 15 + 15 + 4) * 100 + 4)

TEST_CASE("launches through the API learn the kernel's name and their line") {
  CHECK(result_of(R"(
    template <class T, int N> __global__ void k(T* p) { *p = N; }
    __global__ void two(int*, int) {}
    bool is(const char* name, int line) {
      return !__builtin_strcmp(simt::last_site.kernel, name) && simt::last_site.line == line;
    }
    extern "C" int test() {
      int n = 0;
      cudaLaunchConfig_t config = {2, 1};
      cudaLaunchKernelEx(&config, k<int, 3>, &n); if (!is("k<int, 3>", 10)) return 1;
      ::cudaLaunchKernelEx(&config, &k<int, 4>,
                           &n); if (!is("k<int, 4>", 11)) return 2;
      if (cudaLaunchKernelExC(&config, (const void*)two, nullptr) != 202 || !is("two", 13)) return 3;
      if (cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(&two), nullptr) != 202) return 4;
      if (cudaLaunchCooperativeKernel((void*)k<char, 1>, 1, 1, nullptr) != 1 || !is("k<char, 1>", 15)) return 5;
      const void* untyped = (const void*)two;
      if (cudaLaunchCooperativeKernel(untyped, 1, 1, nullptr) != -1 || !is("untyped", 17)) return 6;
      return n * 100;
    })") == 400);
}

TEST_CASE("kernels that are launched through a variable are known by their names") {
  CHECK(result_of(R"(
    namespace {
    __global__ void plain(int* p) { *p = 1; }
    __global__ void twice(int* p) { *p = 2; }
    __global__ void twice(float* p) { *p = 2; }
    template <class T, int N> __global__ void pattern(T* p) { *p = N; }
    template <> __global__ void pattern<int, 7>(int* p) { *p = 70; }
    }
    template <class Kernel> void launch(Kernel kernel, int* p) { kernel<<<1, 1>>>(p); }
    bool is(const void* kernel, const char* name) { return !__builtin_strcmp(simt::name_of(kernel), name); }
    extern "C" int test() {
      int n = 0, sum = 0;
      launch(plain, &n); sum += n;
      launch(pattern<int, 3>, &n); sum += n;
      launch(pattern<int, 7>, &n); sum += n;
      if (!is((void*)plain, "plain") || !is((void*)pattern<int, 3>, "pattern")) return -1;
      if (!is((void*)pattern<int, 7>, "pattern")) return -2;
      if (!is((void*)static_cast<void (*)(float*)>(twice), "twice")) return -3;
      return sum;
    })") == 74);
}

TEST_CASE("kernels that no code passes on are not named") {
  CHECK(translated("__global__ void k() {} void f() { k<<<1, 1>>>(); }").find("KernelName") ==
        std::string::npos);
}

PROGRAM_TEST("a kernel whose arguments decide its template takes NULL, 0 and lists in braces", R"(
    struct pair { int a, b; };
    template <class T> __global__ void k(T* p, const int* q, pair v, dim3 d, T* r) {
      *p += (q == nullptr) + 10 * v.a + 100 * v.b + 1000 * d.y + 10000 * (r == nullptr);
    }
    template <class T> __global__ void k(T* p, const int* q, pair v, dim3 d) { *p += q == nullptr; }
    extern "C" int test() {
      int n = 0, two = 2;
      k<<<1, 1>>>(&n, 0, {1, two}, {1, 3}, &n);
      k<<<1, 1>>>(&n, __null, {}, 4, (int*)nullptr);
      k<<<1, 1>>>(&n, nullptr, pair{0, 0}, {1,}, &n);
      return n;
    })",
             3211 + 11001 + 1001)
