#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

TEST_CASE("launch bounds and cluster sizes are registered for their kernel") {
  CHECK(result_of(R"(
    constexpr int threads = 256;
    __global__ void __launch_bounds__(threads, 2) first(int*) {}
    namespace ns { __global__ void __cluster_dims__(4) __launch_bounds__(threads / 2) second() {} }
    __global__ void third() {}
    __cluster_dims__(2, 3, 1) __global__ void fourth();
    __global__ void fourth() {}
    extern "C" { __launch_bounds__(32) __global__ void fifth() {} }
    extern "C" int test() {
      const auto* a = simt::attributes_of((void*)&first);
      const auto* b = simt::attributes_of((void*)&ns::second);
      const auto* d = simt::attributes_of((void*)&fourth);
      const auto* e = simt::attributes_of((void*)&fifth);
      if (!a || !b || !d || !e || simt::attributes_of((void*)&third)) return -1;
      if (a->max_threads != 256 || a->min_blocks != 2 || a->cluster_x != 0 || a->cluster_z != 0) return -2;
      if (b->max_threads != 128 || b->min_blocks != 0 || b->cluster_x != 4 || b->cluster_y != 1) return -3;
      if (d->max_threads != 0 || d->cluster_x != 2 || d->cluster_y != 3 || d->cluster_z != 1) return -4;
      return e->max_threads;
    })") == 32);
}

TEST_CASE("overloads have their own launch bounds") {
  CHECK(result_of(R"(
    __global__ void __launch_bounds__(32) k(int* p, const float* q = nullptr) {}
    __global__ void __launch_bounds__(64) k(float* p, int n) {}
    extern "C" int test() {
      return simt::attributes_of((void*)static_cast<void (*)(int*, const float*)>(&k))->max_threads * 100 +
             simt::attributes_of((void*)static_cast<void (*)(float*, int)>(&k))->max_threads;
    })") == 3264);
}

TEST_CASE("a kernel template may have launch bounds") {
  CHECK(result_of(R"(
    template <int N> __global__ void __launch_bounds__(N) k(int* p) { *p = N; }
    extern "C" int test() { int n; k<5><<<1, 1>>>(&n); return n; })") == 5);
}

TEST_CASE("kernels may be static, inline, specialised, instantiated and extern C") {
  CHECK(result_of(R"(
    template <class T> __global__ void k(int* p) { *p = 1; }
    template <> __global__ void k<float>(int* p) { *p = 2; }
    template __global__ void k<char>(int* p);
    static __global__ void s(int* p) { *p += 4; }
    inline __global__ void i(int* p) { *p += 8; }
    extern "C" __global__ void c(int* p) { *p += 16; }
    void __global__ behind(int* p) { *p += 32; }
    extern "C" int test() {
      int a, b;
      k<char><<<1, 1>>>(&a); k<float><<<1, 1>>>(&b);
      s<<<1, 1>>>(&b); i<<<1, 1>>>(&b); c<<<1, 1>>>(&b); behind<<<1, 1>>>(&b);
      return a + b;
    })") == 1 + 2 + 4 + 8 + 16 + 32);
}

TEST_CASE("grid constants and restricted pointers are ordinary parameters") {
  CHECK(result_of(R"(
    struct pair { int a, b; };
    __global__ void k(const __grid_constant__ pair p, int* __restrict__ out) { *out = p.b; }
    extern "C" int test() { int n; k<<<1, 1>>>(pair{1, 2}, &n); return n; })") == 2);
}

TEST_CASE("a student's function may be named like one of the C library") {
  CHECK(result_of(R"(
    extern "C" int rand() { return 42; }
    extern "C" int test() { return rand(); })") == 42);
}

TEST_CASE("unroll pragmas are dropped, so that a line stays one instruction") {
  CHECK(translated("#pragma unroll 4\nfor (;;) ;\n#pragma GCC poison x\n") ==
        "\nfor (;;) ;\n#pragma GCC poison x\n");
}
