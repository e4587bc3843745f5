#include "module.hpp"

#include <doctest/doctest.h>

#include "simt/translate/brackets.hpp"
#include "simt/translate/translator.hpp"

using namespace simtcc_test;

TEST_CASE("an initialised shared variable says how to assign it") {
  CHECK(errors_of("__global__ void k() {\n  __shared__ int sum = 0;\n}") ==
        "lab.cu:2: error: a __shared__ variable cannot be initialised where it is declared; let one thread "
        "assign sum, "
        "then call __syncthreads()\n");
}

TEST_CASE("a forgotten semicolon behind a shared variable is named") {
  for (const char* declaration : {"__shared__ int a[4]\n  int b = 1;", "__shared__ float a\n  float b;",
                                  "__shared__ float a\n  b = 1;", "__shared__ int a[4]\n  foo(a);"})
    CHECK(errors_of("__global__ void k() {\n  " + std::string(declaration) + "\n}") ==
          "lab.cu:3: error: a ; is missing behind the __shared__ declaration before this\n");
}

TEST_CASE("a kernel with a result says how to return it") {
  CHECK(
      errors_of("__global__ int k(int n) { return n; }") ==
      "lab.cu:1: error: a kernel returns nothing; write __global__ void and pass a pointer for its result\n");
}

TEST_CASE("a kernel in a class is refused") {
  CHECK(errors_of("struct s {\n  __global__ void k() {}\n};") ==
        "lab.cu:2: error: a kernel cannot be a member of a class; move it out of the class and pass it what "
        "it needs\n");
}

TEST_CASE("__global__ on a variable names the right keyword") {
  CHECK(errors_of("__global__ int n;") == "lab.cu:1: error: __global__ belongs to a function; for a variable "
                                          "in device memory write __device__\n");
}

TEST_CASE("a launch without a configuration, kernel or end says what a launch looks like") {
  CHECK(errors_of("void f() { k<<<>>>(1); }").find("at least a grid and a block size") != std::string::npos);
  CHECK(errors_of("void f() { k<<<1, 2>>; }").find("has no >>>( behind") != std::string::npos);
  CHECK(errors_of("void f() { +<<<1, 2>>>(1); }").find("needs a kernel before it") != std::string::npos);
}

TEST_CASE("inline PTX is refused in device code only") {
  const auto said = [](const std::string& statement) {
    return errors_of("__device__ void f(int* p, float x, char c) {\n  " + statement + "\n}");
  };
  CHECK(said("asm volatile(\"membar.gl;\");") == "");
  CHECK(said("asm(\"wgmma.fence.sync.aligned;\");")
            .find("lab.cu:2: error: inline PTX: the PTX instruction wgmma.fence.sync.aligned is not "
                  "simulated. Write the "
                  "CUDA intrinsic") == 0);
  CHECK(said("asm(\"addd.s32 %0, %0, 1;\" : \"+r\"(*p));")
            .find("the PTX instruction addd.s32 is not simulated") != std::string::npos);
  CHECK(said("asm(\"add.s32 %0, %1, 1;\" : \"=r\"(*p) : \"f\"(x));")
            .find("the operand %1 of add.s32 is no .s32") != std::string::npos);
  CHECK(said("asm(\"add.s32 %0, %0;\" : \"+r\"(*p));").find("add.s32 has 3 operands, not 2") !=
        std::string::npos);
  CHECK(said("asm(\"mov.u32 %0, 1\" : \"=r\"(*p));").find("does not end with ;") != std::string::npos);
  CHECK(said("asm(\"mov.u32 %0, %%pm0;\" : \"=r\"(*p));").find("the register %pm0 is not simulated") !=
        std::string::npos);
  CHECK(said("asm(\"mov.u32 %1, %0;\" : \"+r\"(*p));").find("%1 is no operand: there are 1") !=
        std::string::npos);
  CHECK(said("asm(\"bar.sync 1, 64;\");").find("with a barrier other than 0") != std::string::npos);
  CHECK(errors_of("void f() { asm(\"nop\"); }") == "");
}

TEST_CASE("waiting for child grids in device code says what to do since CUDA 12") {
  const std::string text = errors_of("__global__ void k() {\n  cudaDeviceSynchronize();\n}");
  CHECK(text.find("lab.cu:2: error: cudaDeviceSynchronize is a host function") == 0);
  CHECK(text.find("cudaStreamTailLaunch") != std::string::npos);
  CHECK(errors_of("void f() { cudaDeviceSynchronize(); }") == "");
}

TEST_CASE("a kernel template with attributes needs names for its parameters") {
  CHECK(errors_of("template <int N> __global__ void __cluster_dims__(2) k() {}") == "");
  CHECK(errors_of("template <int, class T> __global__ void __cluster_dims__(2) k() {}")
            .find("a parameter of this kernel template has no name; give it one") != std::string::npos);
}

TEST_CASE("a kernel with auto parameters and attributes is asked for a template") {
  CHECK(errors_of("__global__ void __launch_bounds__(64) k(auto* p) {}")
            .find("write a template for its parameters' types") != std::string::npos);
}

TEST_CASE("without C++20's library device code calls no algorithms") {
  const std::string text =
      errors_of("namespace std { template <class T> void swap(T&, T&); int max(int, int); }\n"
                "__global__ void k(int* p) {\n  std::swap(p[0], p[1]);\n  p[0] = std::max(p[0], p[1]);\n}\n"
                "void f(int* p) { std::swap(p[0], p[1]); }");
  CHECK(text.find("lab.cu:3: error: std::swap is constexpr since C++20 alone") != std::string::npos);
  CHECK(text.find("lab.cu:4:") == std::string::npos);
  CHECK(text.find("lab.cu:6:") == std::string::npos);
}

TEST_CASE("variable templates in device memory that are not simulated are refused with what to write") {
  CHECK(errors_of("template <class T> __device__ T (&v)[2] = w;").find("give its type a name with using") !=
        std::string::npos);
  CHECK(errors_of("template <int (*f)(int)> __device__ int v = f(1);")
            .find("no name for this parameter of the variable template v; give its type a name") !=
        std::string::npos);
  CHECK(errors_of("template <class T> __device__ T& v = w;")
            .find("write pointers, or one reference for each type") != std::string::npos);
  CHECK(errors_of("template <class T> extern __device__ T v;").find("define it where it is declared first") !=
        std::string::npos);
  CHECK(errors_of("template <class T> __shared__ T v;").find("declare the variable in the kernel") !=
        std::string::npos);
  CHECK(errors_of("template <class T> __device__ int S<T>::v = 1;").find("cannot be a member of a class") !=
        std::string::npos);
}

TEST_CASE("keywords in the wrong place are named") {
  CHECK(errors_of("void f() { __constant__ int x; }")
            .find("__constant__ on a variable in a function needs static") != std::string::npos);
  CHECK(errors_of("struct s { static __shared__ int x; };").find("cannot be a static member") !=
        std::string::npos);
  CHECK(errors_of("__launch_bounds__ __global__ void k() {}").find("__launch_bounds__(256)") !=
        std::string::npos);
}

TEST_CASE("all errors of a file are reported") {
  const std::string text = errors_of("__global__ int a() {}\n__global__ void k() {\n  __shared__ int x = 1;\n"
                                     "  asm(\"nop;\");\n}");
  CHECK(text.find("lab.cu:1:") != std::string::npos);
  CHECK(text.find("lab.cu:3:") != std::string::npos);
  CHECK(text.find("lab.cu:4:") != std::string::npos);
}

TEST_CASE("an error's column is the one in the student's file, also behind a macro") {
  const Folder folder;
  folder.write("lab.cu", "#define NOTHING(x, y, z)\n#define LONG int something, other, third;\n"
                         "__global__ void k() { LONG  NOTHING(1, 2, 3) __shared__ int v = 1; }\n");
  const Outcome outcome = simtcc(folder, {"lab.cu", "-o", "lab.so"});
  CHECK(outcome.status == 1);
  CHECK(outcome.text.find("lab.cu:3:61: error: a __shared__ variable") == 0);
  CHECK(!std::filesystem::exists(folder.path("lab.so")));
}

TEST_CASE("a kernel called like a function is shown how to launch it") {
  CHECK(errors_of("__global__ void k(int* p);\ntemplate <int N> __global__ void t();\nvoid f(int* p) {\n  "
                  "k(p);\n  t<2>();\n}") ==
        "lab.cu:4: error: the kernel k is called like a function; write k<<<grid, block>>>(arguments)\n"
        "lab.cu:5: error: the kernel t is called like a function; write t<<<grid, block>>>(arguments)\n");
}

TEST_CASE("classes of the host's standard library are refused in device code") {
  const auto error = [](const std::string& statement) {
    return errors_of("__global__ void k(int* p, std::vector<int> q, std::vector<int>* r) {\n  " + statement +
                     "\n}");
  };
  for (const char* statement :
       {"std::vector<int> v;", "std::vector<int> v(3); *p = v[0];", "std::vector<int> v{1};",
        "const std::vector<T> v = f();", "*p = q[0];", "*p = q.size();"})
    CHECK(error(statement).starts_with("lab.cu:2: error: std::vector is a class of the host"));
  CHECK(error("std::string s = text;").find("std::string is a class of the host") != std::string::npos);
  CHECK(errors_of("using namespace std;\n__device__ int f() { vector<int> v(3); return 0; }")
            .starts_with("lab.cu:2: error: std::vector is a class of the host"));
  for (const char* statement :
       {"std::vector<int>::value_type v = 1; *p = v;", "*p = sizeof(std::vector<int>);", "*p = r != nullptr;",
        "my::vector<int> v;", "vector<int> v;"})
    CHECK(error(statement) == "");
  CHECK(errors_of("void f() { std::vector<int> v; v.push_back(1); }") == "");
}

TEST_CASE("objects that only the host's functions change are told apart from those that cannot be made") {
  const auto error = [](const std::string& statement) {
    return errors_of(
        "__device__ std::atomic<int> own;\n__global__ void k(std::atomic<int>* q, int* p) {\n  " + statement +
        "\n}");
  };
  for (const char* statement :
       {"q->fetch_add(1);", "++*q;", "(*q)++;", "q[3] += 1;", "*q = 3;", "std::atomic<int> a{0}; a = 3;",
        "std::atomic<int> a; a.load();", "own++;", "own.store(1);"})
    CHECK(error(statement).starts_with("lab.cu:3: error: std::atomic is a class of the host"));
  for (const char* statement : {"std::atomic<int> a{0};", "*p = q != nullptr;", "*p = f(*q);", "use(q + 1);",
                                "*p = sizeof(std::atomic<int>);", "s.own++;"})
    CHECK(error(statement) == "");
}

TEST_CASE("functions of the C++ library that are not constexpr are refused in device code") {
  CHECK(errors_of("__global__ void k(int* p) {\n  std::stable_sort(p, p + 3);\n}")
            .starts_with("lab.cu:2: error: std::stable_sort is a function of the host's C++ library"));
  CHECK(errors_of("__global__ void k(int** p) {\n  *p = new (std::nothrow) int;\n}")
            .starts_with(
                "lab.cu:2: error: std::nothrow is of the host's C++ library; in device code write new"));
  CHECK(errors_of("__global__ void k() { std::this_thread::yield(); }").find("std::yield") !=
        std::string::npos);
  for (const char* text :
       {"__global__ void k(int* p) { std::max(1, 2); own::stable_sort(p, p + 3); p->yield(); }",
        "void f(int* p) { std::stable_sort(p, p + 3); delete new (std::nothrow) int; }",
        "__host__ __device__ void f(int* p) { std::stable_sort(p, p + 3); }"})
    CHECK(errors_of(text) == "");
}

TEST_CASE("a launch of what is no kernel is named") {
  const std::string text = "lab.cu:3: error: k is launched but is not a kernel; write __global__ before its "
                           "declaration\n";
  CHECK(errors_of("void k(int* p) {}\nvoid f(int* p) {\n  k<<<1, 2>>>(p);\n}") == text);
  CHECK(errors_of("template <class T> void k(T* p) {}\nvoid f(int* p) {\n  k<int><<<1, 2>>>(p);\n}") == text);
  CHECK(errors_of("__device__ void k(int* p) {}\nvoid f(int* p) {\n  k<<<1, 2>>>(p);\n}") == text);
  for (const char* source : {
           "void k(int*); void f(void (*k)(int*), int* p) { k<<<1, 2>>>(p); }",
           "void k(int*); template <class K> void f(K k) { k<<<1, 2>>>(); }",
           "void k(int*); __global__ void k(float*); void f(float* p) { k<<<1, 2>>>(p); }",
           "void k(int*); void f(s& all) { all.k<<<1, 2>>>(); }",
           "auto k = pick(); void f() { k<<<1, 2>>>(); pick()<<<1, 2>>>(); }",
       })
    CHECK(errors_of(source) == "");
}

TEST_CASE("what is declared as a function of the host is no kernel") {
  CHECK(errors_of(
            "extern \"C\" {\nvoid f(int* p, std::size_t n);\n}\n__global__ void f(int* p, size_t n) {}") ==
        "lab.cu:4: error: f is declared as a function of the host at lab.cu:2, and __global__ makes it a "
        "kernel. "
        "Give the kernel a name of its own, and let f launch it\n");
  for (const char* source :
       {"void f(int*); __global__ void f(float* p) {}",
        "__global__ void f(int*); __global__ void f(int* p) {}",
        "namespace a { void f(int*); } struct s { void f(int*); }; __global__ void f(long* p) {}",
        "template <class T> void f(T*); template <class T> __global__ void f(T* p) {}"})
    CHECK(errors_of(source) == "");
}

TEST_CASE("what only threads of a kernel can do is refused in host code") {
  for (const std::string call : {"__syncthreads()", "__shfl_sync(~0u, *p, 0)", "atomicAdd(p, 1)", "__ldg(p)"})
    CHECK(errors_of("void f(int* p) {\n  " + call + ";\n}")
              .find("lab.cu:2: error: " + call.substr(0, call.find('(')) + " is called from host code") == 0);
  for (const std::string call :
       {"__sinf(1.0f)", "__popc(3u)", "__fmaf_rn(1, 2, 3)", "__float2int_rn(1)", "clock64()"})
    CHECK(errors_of("void f(int* p) {\n  " + call + ";\n}")
              .find("lab.cu:2: error: " + call.substr(0, call.find('(')) + " is called from host code") == 0);
  CHECK(errors_of("int f() {\n  return cooperative_groups::this_thread_block().size();\n}")
            .find("is called from host code") != std::string::npos);
  CHECK(errors_of("__host__ __device__ inline void f(int* p) {\n  atomicAdd(p, 1);\n}") ==
        "lab.cu:2: error: atomicAdd is called from a function that runs on the host too; only kernels and "
        "__device__ "
        "functions can. Leave __host__ out before f, or put what is for the device between #ifdef "
        "__CUDA_ARCH__ and "
        "#endif\n");
  CHECK(errors_of("int f() {\n  return threadIdx.x;\n}") ==
        "lab.cu:2: error: f (line 1) runs on the host, where no thread has a number: threadIdx means nothing "
        "there. Is __global__ or __device__ missing before f?\n");
  CHECK(errors_of("extern \"C\" {\nvoid f(int*, std::size_t n);\n}\nvoid f(int* p, size_t n) {\n  *p = "
                  "blockIdx.x;\n}") ==
        "lab.cu:5: error: f (line 4) runs on the host, where no thread has a number: blockIdx means nothing "
        "there. That is for a kernel, which f launches\n");
  for (const char* source : {
           "int f() { dim3 threadIdx(1), blockIdx(2); return threadIdx.x + blockIdx.x; }",
           "int f(dim3 threadIdx) { return threadIdx.x; }",
           "int f(s& v) { return v.threadIdx.x; }",
           "struct s { dim3 threadIdx; int f() { return threadIdx.x; } };",
           "__device__ void f(int* p) { atomicAdd(p, 1); }",
           "void atomicAdd(std::atomic<int>*, int); void f(std::atomic<int>* p) { atomicAdd(p, 1); }",
           "void f(int* p) { each<<<1, 1>>>([=] __device__ (int i) { atomicAdd(p, i); }); }",
           "void f(s& counts) { counts.atomicAdd(1); }",
           "__host__ __device__ void f(int* p) { if (::__simt_in_kernel()) { atomicAdd(p, 1); } else { ++*p; "
           "} }",
           "template <class T> __host__ __device__ void f(T* p) { atomicAdd(p, 1); }",
           "float f(half h) { return __half2float(h) + rsqrtf(2); }",
           "int __popc(int); int f() { return __popc(3); }",
       })
    CHECK(errors_of(source) == "");
}

TEST_CASE("an array in device code whose size is known at run time only is refused") {
  const auto told = [](const std::string& compiler, const std::string& text) {
    const Folder folder;
    folder.write("lab.cu", text);
    return simtcc(folder, {"lab.cu", "--cxx", compiler, "-o", "lab.so"}).text;
  };
  for (const std::string& compiler : compilers()) {
    // Of every case the line: errors of one line that say the same are reported once.
    std::string text = "template <int N, class T> __device__ void k(float* p, int m) {\n";
    for (const char* statement :
         {"float s[m];", "float s[2][2 * m + 1];", "T s[blockDim.x];", "int w = m; float s[w];",
          "std::size_t w = m; for (;;) { float s[w]; }", "float s[warpSize];",
          "const int w = warpSize; int s[w];", "{ constexpr int w = 3; } int w = m; float s[w];"})
      text += "{ " + std::string(statement) + " }\n";
    text += "}\ntemplate __device__ void k<3, int>(float*, int);\n";
    const std::string said = told(compiler, text);
    CAPTURE(said);
    for (int line = 2; line < 10; ++line) {
      const std::size_t at = said.find("lab.cu:" + std::to_string(line) + ":");
      REQUIRE(at != std::string::npos);
      CHECK(said.substr(at, said.find('\n', at) - at).find("the size of the array s must be a constant") !=
            std::string::npos);
    }
    CHECK(said.find("not declared in this scope") == std::string::npos);
  }
  // Also of a size that is a constant here, and elsewhere the name of a variable.
  const std::string valid =
      "struct S { static constexpr int m = 2; };\nconstexpr int size = 4;\n"
      "template <int N, class T> __device__ float k(float* p, int m) {\n"
      "  { float s[4]; } { const int w = 4; float s[w]; } { constexpr int w = 4; float s[2 * w]; }\n"
      "  { float s[N]; } { float s[sizeof(m)]; } { float s = p[m]; } { float s[T::m]; }\n"
      "  { int w = m; p[w] = 1; } { constexpr int w = 2; float s[w]; } { enum { w = 3 }; float s[w]; }\n"
      "  { int size = m; p[size] = 2; } float s[size]; s[m] = 1; bool b = m > s[m];\n"
      "  if (m > s[m]) return s[m];\n  for (int i = 0; i < m; ++i) p[i] = 0;\n  constexpr int i = 2; float "
      "t[i];\n"
      "  return s[m] + t[0] + b;\n}\n"
      "template __device__ float k<3, S>(float*, int);\n"
      "void f(int m) { float s[m]; }\n"; // an extension that nvcc passes on to the host's compiler
  for (const std::string& compiler : compilers()) CHECK(told(compiler, valid) == "");
}

PROGRAM_TEST("operators may have names", R"(
    __device__ bool odd(int i) { return i bitand 1; }
    __global__ void k(int* p, int n) {
      const int i = threadIdx.x;
      if (i < n and threadIdx.x == 0 and not odd(i)) *p = 1;
      if (i not_eq 0 or threadIdx.x == 0) *p or_eq 4;
      *p += (compl 0 bitand 8) bitor (3 xor 1);
    }
    extern "C" int test() { int n = 0; k<<<1, 1>>>(&n, 4); return n == 15 and not (n == 14) ? n : 0; })",
             15)

TEST_CASE("extern shared memory of one name has one type, as nvcc asks for") {
  const Folder folder;
  for (const std::string source :
       {"__global__ void a(int* o) { extern __shared__ int s[]; *o = s[0]; }\n"
        "__global__ void b(float* o) {\n  extern __shared__ float s[];\n  *o = s[0];\n}\n",
        "namespace { template <class T>\n__global__ void k(T* o) {\n  extern __shared__ T s[]; *o = "
        "s[0];\n}\n}\n"
        "void f(int* i, float* o) { k<<<1, 1, 4>>>(i); k<<<1, 1, 4>>>(o); }\n"}) {
    folder.write("lab.cu", source);
    const Outcome outcome = simtcc(folder, {"lab.cu", "-o", "lab.so"});
    CAPTURE(outcome.text);
    CHECK(outcome.status == 1);
    CHECK(outcome.text.find("lab.cu:3:2") != std::string::npos);
    CHECK(outcome.text.find("error: extern __shared__ s is of type float here, and of another one before") !=
          std::string::npos);
    CHECK(outcome.text.find("extern __shared__ s is of type int here") != std::string::npos);
    CHECK(outcome.text.find("simt") == std::string::npos);
  }
  for (const std::string source :
       {"__global__ void a(int* o) { extern __shared__ int s[]; *o = s[0]; }\n"
        "__global__ void b(int* o) { extern __shared__ int s[]; *o = s[0]; }\n",
        "namespace a { __global__ void k(int* o) { extern __shared__ int s[]; *o = s[0]; } }\n"
        "namespace b { __global__ void k(float* o) { extern __shared__ float s[]; *o = s[0]; } }\n"}) {
    folder.write("lab.cu", source);
    CHECK(simtcc(folder, {"lab.cu", "-o", "lab.so"}).status == 0);
  }
}

TEST_CASE("exceptions and C++ streams are refused in device code") {
  CHECK(errors_of("__global__ void k(int n) {\n  if (n < 0) throw n;\n}").find("no exceptions") !=
        std::string::npos);
  CHECK(errors_of("__global__ void k(int n) {\n  std::cout << n;\n}").find("use printf") !=
        std::string::npos);
  CHECK(errors_of("void f(int n) { try { throw n; } catch (int) { std::cout << n; } }") == "");
  CHECK(errors_of("__host__ __device__ inline void f(int n) {\n  if (n < 0) throw n;\n}")
            .find("#ifndef __CUDA_ARCH__") != std::string::npos);
  const std::string halves = "__host__ __device__ void f(int n) { if (::__simt_in_kernel()) { ";
  CHECK(errors_of(halves + "n = 1; } else { throw n; } }") == "");
  CHECK(errors_of(halves + "throw n; } else { n = 1; } }") != "");
  CHECK(errors_of("template <class T> __host__ __device__ void never(T t) { throw t; }") == "");
  CHECK(errors_of("template <class T> struct S { __host__ __device__ void never(T t) { throw t; } };") == "");
}

TEST_CASE("types known at run time, thread_local and a main function are not for the device") {
  CHECK(errors_of("__global__ void k(B* b) {\n  dynamic_cast<D*>(b);\n}")
            .find("lab.cu:2: error: device code has no "
                  "dynamic_cast") == 0);
  CHECK(errors_of("__device__ bool d(B* b) { return typeid(*b) == typeid(B); }").find("no typeid") !=
        std::string::npos);
  CHECK(errors_of("__global__ void k() { thread_local int v; }").find("belong to their thread") !=
        std::string::npos);
  CHECK(errors_of("__device__ thread_local int v;").find("one for all threads") != std::string::npos);
  CHECK(errors_of("__device__ int main() { return 0; }").find("main begins the program") !=
        std::string::npos);
  CHECK(errors_of("namespace a { __device__ int main() { return 0; } } thread_local int v; "
                  "bool f(B* b) { return dynamic_cast<D*>(b) != nullptr; }") == "");
}

TEST_CASE("calls that are right on their side, or may be of something else, are no errors") {
  for (const char* source : {
           "__host__ __device__ int b() { return 1; } __device__ int d() { return b(); } int h() { return "
           "b(); }",
           "constexpr int c() { return 1; } __device__ int d() { return c(); }",
           "int f(int); __device__ int f(float); __device__ int d() { return f(1); }",
           "int f(int); __device__ int d() { auto f = [](int i) { return i; }; return f(1); }",
           "int f(int); __device__ int d(int (*f)(int)) { return f(1); }",
           "int f(int); struct s { __device__ int f(int i) { return i; } __device__ int g() { return f(1); } "
           "};",
           "int f(int); __device__ int d(s& v) { return v.f(1) + s::f(2); }",
           "constexpr int f = 1; __device__ int d() { return int(f); }",
           "__device__ int d(int); void h() { each<<<1, 1>>>([] __device__ (int i) { return d(i); }); }",
           "__global__ void k(int); void h() { void (*p)(int) = k; int k(3); p = &k; launch(k); k<<<1, "
           "1>>>(3); }",
           "__device__ int sum(int); int h(int n) { int sum = n; return sum; }",
       })
    CHECK(errors_of(source) == "");
}

TEST_CASE("host functions in device code say what to do there instead") {
  auto in_kernel = [](const std::string& call) {
    return errors_of("__global__ void k() {\n  " + call + ";\n}");
  };
  CHECK(in_kernel("cudaStreamCreate(&s)").find("write cudaStreamCreateWithFlags") != std::string::npos);
  CHECK(in_kernel("cudaMalloc(&p, 4); cudaFree(p)") == "");
  CHECK(in_kernel("cudaMemcpyAsync(a, b, 4)").find("not simulated") != std::string::npos);
  CHECK(in_kernel("cudaEventRecord(e)").find("into one stream") != std::string::npos);
  CHECK(in_kernel("cudaLaunchCooperativeKernel(k, 1, 1, 0)").find("from the host") != std::string::npos);
  CHECK(in_kernel("__brkpt()").find("lab.cu:2: error: __brkpt stops in a debugger") == 0);
  CHECK(errors_of("void f() { cudaMalloc(&p, 4); cudaEventRecord(e); }") == "");
  CHECK(errors_of("void f() { cudaGraph_t g; cudaGraphAddKernelNode(&n, g, 0, 0, &p); cuInit(0); }") == "");
  CHECK(in_kernel("cudaGraphSetConditional(h, 1)") == "");
  CHECK(errors_of("void f() { cuModuleLoad(&m, name); }") == "");
  CHECK(errors_of("void f() {\n  cuIpcGetMemHandle(&h, p);\n}")
            .find("lab.cu:2: error: memory of other processes is not simulated") == 0);
}

namespace {

/// What is said of the bracket without a partner in `source`, which needs no preprocessor but for its comments.
std::string unbalanced(const std::string& source) {
  const Folder folder;
  std::string text = "# 1 \"" + folder.write("lab.cu", source).string() + "\"\n" + source;
  for (std::size_t at = text.find("//", text.find('\n')); at != text.npos; at = text.find("//", at))
    text.erase(at, text.find('\n', at) - at);
  const auto found = simt::compiler::without_partner(simt::compiler::Source(text, {}));
  if (!found) return "";
  const auto& [file, line, column, said] = *found;
  return std::to_string(line) + ":" + std::to_string(column) + " " + said;
}

/// A kernel with this TODO region on the lines from 3 on, and a second one.
std::string with_region(const std::string& lines, const std::string& second = "*p = 1;") {
  return "__global__ void k(int* p, int n) {\n  // TODO(2): write\n" + lines +
         "  // END TODO(2)\n}\n\n__global__ void l(int* p) {\n  // TODO(3): write\n  " + second +
         "\n  // END TODO(3)\n}\n";
}

} // namespace

TEST_CASE("a bracket that a TODO region does not close is named, and not what goes wrong behind it") {
  const std::string brace = " TODO(2) opens a { that nothing in it closes [unbalanced]";
  CHECK(unbalanced(with_region("  if (n) {\n    *p = 1;\n")) == "3:10" + brace);
  CHECK(unbalanced(with_region("  for (;;) {\n    if (n) {\n      *p = 1;\n    }\n")) == "3:12" + brace);
  CHECK(unbalanced(with_region("  for (;;) {\n    if (n) {\n      *p = 1;\n  }\n")) == "4:12" + brace);
  CHECK(unbalanced(with_region("  if (n) {\n    *p = 1;\n  else {\n    *p = 2;\n  }\n")) == "3:10" + brace);
  CHECK(unbalanced(with_region("  if (n && (n > 1) *p = 1;\n")) ==
        "3:6 TODO(2) opens a ( that nothing in it closes [unbalanced]");
  CHECK(unbalanced(with_region("  p[(n] = 1;\n")) ==
        "3:5 TODO(2) opens a ( that nothing in it closes [unbalanced]");
}

TEST_CASE("a bracket too many in a TODO region is named") {
  CHECK(unbalanced(with_region("  if (n)\n    *p = 1;\n  }\n")) ==
        "5:3 this } closes nothing that TODO(2) opens: it is one too many, or a { is missing above it "
        "[unbalanced]");
  CHECK(unbalanced(with_region("  if (n)) *p = 1;\n")) ==
        "3:9 this ) closes nothing that TODO(2) opens: it is one too many, or a ( is missing above it "
        "[unbalanced]");
}

TEST_CASE("without an unbalanced region a body's brace is named that the layout leaves open") {
  const std::string last = "__global__ void l(int* p) {\n  *p = 1;\n}\n";
  CHECK(unbalanced("__global__ void k(int* p) {\n  if (*p) {\n    *p = 1;\n}\n\n" + last) ==
        "2:11 nothing closes this { [unbalanced]");
  CHECK(unbalanced("namespace {\n\n__global__ void k(int* p,\n                  int n) {\n  *p = n;\n\n" +
                   last + "}\n") == "4:26 nothing closes this { [unbalanced]");
}

TEST_CASE("where it is not sure which bracket is wrong, none is named") {
  for (const std::string& source : std::initializer_list<std::string>{
           with_region("  *p = n;\n"),
           with_region("  *p = 1;\n}\n__device__ void f() {\n"),
           with_region("  *p = 1;\n  }\n", "{ { *p = 1;"),
           "namespace {\nvoid f(int* p) {\n  *p = 1;\n}\n",
           "void f(int* p) {\n  g(\"(, *p);\n}\n",
       })
    CHECK(unbalanced(source) == "");
}

TEST_CASE("the bracket's error comes before the compiler's, and only where that fails") {
  const Folder folder;
  folder.write(
      "lab.cu",
      "__global__ void k(int* p) {\n  // TODO(1): write\n  if (*p) {\n    *p = 1;\n  // END TODO(1)\n"
      "}\n\ntemplate <class T>\nvoid f(T* p) {\n  k<<<1, 1>>>(p);\n}\n");
  for (const std::string& compiler : compilers()) {
    const std::string text = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"}).text;
    CAPTURE(text);
    CHECK(text.find("lab.cu:3:11: error: TODO(1) opens a { that nothing in it closes [unbalanced]\n") == 0);
    CHECK(text.find("error: ", text.find('\n')) != std::string::npos);
  }
}

TEST_CASE("a barrier or a fence without parentheses is a warning, and tells the simulator where it stands") {
  const auto in_kernel = [](const std::string& statement) {
    const auto translation =
        simt::compiler::translate("# 1 \"lab.cu\"\n__global__ void k() {\n  " + statement + "\n}\n");
    CHECK(translation.errors.empty());
    std::string warnings;
    for (const auto& warning : translation.warnings) warnings += to_string(warning, "warning") + '\n';
    return std::pair(warnings, translation.text);
  };
  for (const std::string name : {"__syncthreads", "__syncwarp", "__threadfence"}) {
    const auto [warnings, text] = in_kernel(name + ";");
    CHECK(warnings ==
          "lab.cu:2: warning: " + name +
              "; is no call: without parentheses it only names the function, and does nothing; write " +
              name + "()\n");
    CHECK(text.find("::__simt_not_called(\"" + name + "\", \"lab.cu\", 2);") != std::string::npos);
  }
  const auto [of_cluster, text] = in_kernel("if (x) cluster.sync;");
  CHECK(of_cluster.find("write cluster.sync()") != std::string::npos);
  CHECK(text.find("if (x) cluster.sync, ::__simt_not_called(\"cluster.sync\", \"lab.cu\", 2);") !=
        std::string::npos);
  CHECK(in_kernel("cg::this_grid().sync;").first.find("write this_grid().sync()") != std::string::npos);
  for (const char* fine : {"__syncthreads();", "cluster.sync();", "auto f = &__syncthreads;",
                           "int n = a.sync;", "f(__syncwarp);", "return g.sync();"})
    CHECK(in_kernel(fine).first == "");
}

TEST_CASE(
    "a comment that goes on behind its TODO region is named where it begins, and one around regions is not") {
  const Folder folder;
  const auto said = [&](const std::string& first, const std::string& second) {
    folder.write("lab.cu", with_region("  int /* one */ a = 1; // \"/*\n" + first + "  *p = a;\n", second));
    return simtcc(folder, {"lab.cu", "-o", "lab.so"}).text;
  };
  CHECK(said("  /* the bound\n", "*p /* the element */ = 1;")
            .find("lab.cu:4:3: error: the comment that begins here goes on behind the end of TODO(2): its */ "
                  "is missing "
                  "[unbalanced]\n") == 0);
  CHECK(said("  g(\"/*\"); /* unknown */\n", "*p = 1;").find("[unbalanced]") == std::string::npos);
  folder.write("lab.cu", "/*\n" + with_region("") + "*/\nint a = b;\n");
  CHECK(simtcc(folder, {"lab.cu", "-o", "lab.so"}).text.find("[unbalanced]") == std::string::npos);
}
