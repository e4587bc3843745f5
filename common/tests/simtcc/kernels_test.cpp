#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

PROGRAM_TEST("launch bounds and cluster sizes are registered for their kernel", R"(
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
    })",
             32)

PROGRAM_TEST("overloads have their own launch bounds", R"(
    __global__ void __launch_bounds__(32) k(int* p, const float* q = nullptr) {}
    __global__ void __launch_bounds__(64) k(float* p, int n) {}
    extern "C" int test() {
      return simt::attributes_of((void*)static_cast<void (*)(int*, const float*)>(&k))->max_threads * 100 +
             simt::attributes_of((void*)static_cast<void (*)(float*, int)>(&k))->max_threads;
    })",
             3264)

PROGRAM_TEST("a kernel template may have launch bounds", R"(
    template <int N> __global__ void __launch_bounds__(N) k(int* p) { *p = N; }
    extern "C" int test() { int n; k<5><<<1, 1>>>(&n); return n; })",
             5)

PROGRAM_TEST("launch bounds and cluster sizes of a template hold for each of its instances", R"(
    namespace {
    template <class T, int N = 4, class... Rest>
    __global__ void __cluster_dims__(N, 1) __launch_bounds__(32 * N) k(T* p, Rest...) { *p = N; }
    template <class T> __global__ void __launch_bounds__(64) same(T* p, int) {}
    template <class T> __global__ void __launch_bounds__(96) same(T* p, float) {}
    template <> __global__ void __launch_bounds__(128) k<char, 2>(char* p) { *p = 0; }
    }
    extern "C" int test() {
      int n; float f; char c;
      k<int><<<1, 1>>>(&n);
      k<float, 2, int><<<1, 1>>>(&f, 1);
      k<char, 2><<<1, 1>>>(&c);
      same<<<1, 1>>>(&n, 1);
      same<<<1, 1>>>(&n, 1.0f);
      const auto* a = simt::attributes_of((void*)&k<int>);
      const auto* b = simt::attributes_of((void*)&k<float, 2, int>);
      const auto* d = simt::attributes_of((void*)static_cast<void (*)(int*, float)>(&same<int>));
      const auto* e = simt::attributes_of((void*)&k<char, 2>);
      if (!a || !b || !d || !e) return -1;
      if (a->cluster_x != 4 || a->cluster_y != 1 || a->cluster_z != 1 || a->max_threads != 128) return -2;
      if (b->cluster_x != 2 || b->max_threads != 64 || d->cluster_x != 0) return -3;
      return d->max_threads * 1000 + e->max_threads;
    })",
             96128)

PROGRAM_TEST("built-in variables give way to host variables and members of their names", R"(
    struct config { dim3 gridDim; int threadIdx; };
    __global__ void k(int* p) { *p = gridDim.x * 10000 + blockDim.y * 100 + blockIdx.z; }
    __host__ __device__ int use(dim3 blockDim) { return blockDim.x; }
    int sum(const dim3& gridDim) { return gridDim.x; }
    extern "C" int test() {
      int n;
      {
        dim3 blockDim(1, 2), gridDim(2);
        config c = {.gridDim = gridDim, .threadIdx = 5};
        c.gridDim.x = 1;
        k<<<c.gridDim, blockDim>>>(&n);
        if (sum(gridDim) + use(blockDim) + c.threadIdx != 2 + 1 + 5) return -1;
      }
      return n;
    }
    __device__ int after() { return gridDim.x; })",
             302112)

PROGRAM_TEST("kernels may be static, inline, specialised, instantiated and extern C", R"(
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
    })",
             1 + 2 + 4 + 8 + 16 + 32)

PROGRAM_TEST("grid constants and restricted pointers are ordinary parameters", R"(
    struct pair { int a, b; };
    __global__ void k(const __grid_constant__ pair p, int* __restrict__ out) { *out = p.b; }
    extern "C" int test() { int n; k<<<1, 1>>>(pair{1, 2}, &n); return n; })",
             2)

PROGRAM_TEST("kernels may have auto parameters", R"(
    __global__ void k(auto* out, auto value) { *out = value; }
    extern "C" int test() {
      int n; double d;
      k<<<1, 1>>>(&n, 2.5);
      k<<<1, 1>>>(&d, 2.5);
      return n * 10 + int(d * 2); })",
             25)

PROGRAM_TEST("a student's function may be named like one of the C library", R"(
    extern "C" int rand() { return 42; }
    extern "C" int test() { return rand(); })",
             42)

TEST_CASE("pragmas that unroll or optimise are dropped, so that a line stays one instruction") {
  CHECK(translated("#pragma unroll 4\nfor (;;) ;\n#pragma GCC poison x\n#pragma GCC optimize(\"O3\")\n") ==
        "\nfor (;;) ;\n#pragma GCC poison x\n\n");
}

TEST_CASE("conditions around barriers are marked, of an if and of loops that have one") {
  const auto marked = [](const std::string& statement) {
    const std::string text = translated("__global__ void k(int n) { " + statement + " }");
    return text.substr(text.find("{ ") + 2, text.rfind(" }") - text.find("{ ") - 2);
  };
  CHECK(marked("for (int i = 0; i < n; ++i) __syncthreads();") ==
        "for (int i = 0;::__simt_loop(static_cast<bool>( i < n), \"lab.cu\", 1, 1); ++i) __syncthreads();");
  CHECK(marked("while (n-- > 0) { if (n) __syncthreads_or(n); }") ==
        "while (::__simt_loop(static_cast<bool>(n-- > 0), \"lab.cu\", 1, 1)) "
        "{ if (::__simt_branch(static_cast<bool>(n), true, \"lab.cu\", 1, 1)) __syncthreads_or(n); }");
  CHECK(marked("do { __syncthreads(); } while (n-- > 0);") ==
        "do { ::__simt_enter_loop(); __syncthreads(); } while (::__simt_loop(static_cast<bool>(n-- > 0), "
        "\"lab.cu\", 1, 1));");
  CHECK(marked("if (n) cluster.sync();") ==
        "if (::__simt_branch(static_cast<bool>(n), true, \"lab.cu\", 1, 1)) cluster.sync();");
  for (const char* statement : {
           "if (n) sync();",
           "if (n) mutex.sync(n);",
           "for (;;) { __syncthreads(); }",
           "for (int i = 0; i < n; ++i) n = i; __syncthreads();",
           "for (int i : list) { __syncthreads(); }",
           "for (int i = 0; (n = i), n = 3; ++i) { __syncthreads(); }",
           "while (int i = next()) { __syncthreads(); }",
           "do { n = 2; } while (n < 3); __syncthreads();",
           "do { __syncthreads(); } while (n = next());",
           "while (n) ; __syncthreads();",
       })
    CHECK(marked(statement) == statement);
}

TEST_CASE(
    "returns of a kernel are marked, and neither those of its lambdas and classes nor those of functions") {
  CHECK(translated("__global__ void k(int n) { if (n) { return; } for (;;) return; }")
            .find("{ if (n) { return ::__simt_return(\"lab.cu\", 1); } for (;;) return "
                  "::__simt_return(\"lab.cu\", 1); }") != std::string::npos);
  const auto is_marked = [](const std::string& code) {
    return translated(code).find("::__simt_return") != std::string::npos;
  };
  CHECK_FALSE(is_marked("__global__ void k(int n) { auto f = [=](int i) { if (i) return; }; f(n); }"));
  CHECK_FALSE(is_marked("__global__ void k(int n) { auto f = [] { return; }; f(); }"));
  CHECK_FALSE(is_marked("__global__ void k(int n) { struct S { void f() { return; } }; S().f(); }"));
  CHECK_FALSE(is_marked("__device__ void f(int n) { if (n) return; }"));
  CHECK_FALSE(is_marked("void f(int n) { if (n) return; }"));
}

TEST_CASE("a return of a device function is marked if a barrier or an exchange comes behind it") {
  const auto in_function = [](const std::string& body) {
    const std::string text = translated("__device__ int f(int n) { " + body + " }");
    return text.substr(text.find("{ ") + 2, text.rfind(" }") - text.find("{ ") - 2);
  };
  CHECK(in_function("if (n) return f(n - 1);\n else n = 2;\n __syncthreads(); return n;") ==
        "if (n) { ::__simt_left(\"lab.cu\", 1, 3); return f(n - 1); }\n else n = 2;\n __syncthreads(); "
        "return n;");
  CHECK(in_function("for (;;) { if (n) return 1; n = __shfl_xor_sync(~0u, n, 1); }").find("::__simt_left") !=
        std::string::npos);
  CHECK(in_function("switch (n) { case 1: return 1; }\n cg::this_cluster().sync();")
            .find("{ ::__simt_left(\"lab.cu\", 1, 2); return 1; } }") != std::string::npos);
  for (const char* body : {"if (n) return 1; return 2;", "__syncthreads(); if (n) return 1; return 2;",
                           "auto g = [] { return 1; }; __syncthreads();", "return __shfl_sync(~0u, n, 0);",
                           "return n; sync(n);"})
    CHECK(in_function(body) == body);
}

TEST_CASE("lines that assign to one place in several arms of a branch are recorded") {
  const auto recorded = [](const std::string& statements) {
    const std::string text = translated("__global__ void k(int n, int* a) {\n" + statements + "\n}\n");
    const std::size_t begin = text.find("used)) = \"");
    return begin == text.npos ? "" : text.substr(begin + 10, text.rfind("\";") - begin - 10);
  };
  CHECK(recorded("if (n)\n a[n] = 1;\nelse\n a[n] = 2;") == "3 5 lab.cu\\n");
  CHECK(recorded("for (;;) {\n if (n) { n = 3; *a = 1; }\n else { *a = 2; } }") == "3 4 lab.cu\\n");
  CHECK(recorded("if (n)\n a[0] = 1;\nelse if (n > 2)\n a[0] = 2;\nelse\n a[0]\n = 3;") ==
        "5 8 lab.cu\\n3 5 8 lab.cu\\n");
  CHECK(recorded("switch (n) {\ncase 1: a[0] += 1; break;\ncase 2: default:\n a[0] += 2; }") ==
        "3 5 lab.cu\\n");
  CHECK(recorded("if (n) {\n a[n] = 1;\n a[n] = 2; }\nelse {\n for (;;) a[n] = 3;\n a[n] = 4; }") ==
        "4 7 lab.cu\\n");
  for (const char* statements : {
           "if (n) a[n] = 1; else a[n] = 2;",
           "if (n)\n a[n] = 1;\nelse\n a[n + 1] = 2;",
           "if (n)\n a[n] = 1;\na[n] = 2;",
           "if (n) {\n int b = a[0];\n} else {\n int b = a[1];\n}",
           "if constexpr (sizeof(n) == 4)\n a[n] = 1;\nelse\n a[n] = 2;",
           "if (n)\n f([&] { a[n] = 1; });\nelse\n f([&] { a[n] = 2; });",
       })
    CHECK(recorded(statements) == "");
}
