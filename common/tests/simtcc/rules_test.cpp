#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

namespace {

struct Refused {
  const char* line; ///< of the source
  const char* text; ///< what an error about it says
};

/// Builds one source of all lines with every compiler, and checks what is said of each line.
void check_refused(const std::vector<Refused>& list) {
  for (const std::string& compiler : compilers()) {
    std::string source;
    for (const Refused& one : list) source += std::string(one.line) + '\n';
    const Folder folder;
    folder.write("lab.cu", source);
    const Outcome built = simtcc(folder, {"lab.cu", "-std=c++20", "--cxx", compiler, "-o", "lab.so"});
    INFO(compiler, ":\n", built.text);
    CHECK(built.status == 1);
    for (std::size_t line = 0; line < list.size(); ++line) {
      const std::string place = "lab.cu:" + std::to_string(line + 1) + ":";
      CAPTURE(list[line].line);
      bool is_said = false, is_named = false;
      for (std::size_t at = built.text.find(place); at != std::string::npos;
           at = built.text.find(place, at + 1)) {
        const std::string message = built.text.substr(at, built.text.find('\n', at) - at);
        is_named |= message.find(" error: ") != std::string::npos;
        is_said |= message.find(list[line].text) != std::string::npos;
      }
      CHECK(is_named == (*list[line].text != 0));
      if (*list[line].text != 0) CHECK(is_said);
    }
  }
}

bool contains(const std::string& text, const char* part) { return text.find(part) != text.npos; }

void check_accepted(const std::string& source) {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", source);
    const Outcome built = simtcc(folder, {"lab.cu", "-std=c++20", "--cxx", compiler, "-o", "lab.so"});
    CHECK_MESSAGE(built.text == "", compiler);
    CHECK(built.status == 0);
  }
}

} // namespace

TEST_CASE("the initial value of a variable in device memory is a constant") {
  check_refused(
      {{"int h() { return 1; }", ""},
       {"__device__ int a = 1, b = h();", "the initial value of "},
       {"__constant__ float c[2] = {1, float(h())};", "the initial value of "},
       {"namespace n { __managed__ int d{h()}; }", "the initial value of "},
       {"__device__ const int e = h();", "the initial value of "},
       {"__device__ int f(int n) { static int g = n; return ++g; }", "the initial value of "},
       {"__global__ void k(int* p) { static const int i = *p; *p = i; }", "the initial value of "}});
}

TEST_CASE("no constructor or destructor runs for a variable in device memory") {
  check_refused({{"struct S { int v; __device__ S() { v = 1; } };", ""},
                 {"struct T { int v; __device__ ~T() { v = 1; } };", ""},
                 {"struct U { int v; constexpr U(int x) : v(x) {} };", ""},
                 {"struct V { __device__ virtual int f() { return 1; } };", ""},
                 {"__device__ S a;", "a has a constructor that would have to run before the first kernel"},
                 {"__constant__ S b[3];", "b has a constructor"},
                 {"__device__ T c;", "c has a destructor"},
                 {"__device__ U d(1);", "the class of d has no default constructor"},
                 {"__device__ V e;", "e has a constructor"},
                 {"__global__ void k(int* p) { static S f; *p = f.v; }", "f has a constructor"}});
}

TEST_CASE("what excludes each other among the specifiers of a device variable is named") {
  check_refused({{"__device__ thread_local int a;", "device memory has no variables of host threads"},
                 {"__managed__ __constant__ int b;", "a variable is __managed__ or __constant__, not both"},
                 {"__managed__ const int c = 1;", "a __managed__ variable cannot be const"},
                 {"__managed__ int& d = *new int;", "a __managed__ variable cannot be a reference"}});
}

TEST_CASE("what the translator sees of a kernel that nvcc does not take is named") {
  check_refused(
      {{"__global__ void k1(int* p, ...) { *p = 1; }", "k1 takes a variable number of arguments"},
       {"__global__ auto k2(int* p) { *p = 1; }", "the result of k2 is to be deduced"},
       {"__global__ __host__ void k3(int* p) { *p = 1; }", "a function is __global__ or __host__, not both"},
       {"__device__ __global__ void k4(int* p) { *p = 1; }",
        "a function is __global__ or __device__, not both"},
       {"__global__ void k5(int* p) noexcept { *p = 1; }", "nvcc takes no noexcept on a kernel"},
       {"constexpr __global__ void k11(int* p) { *p = 1; }", "a kernel cannot be constexpr"},
       {"__global__ void k12(int* p) = delete;", "nvcc takes no deleted kernel"},
       {"__host__ __device__ void i(int* p) { __shared__ int a; a = 1; }",
        "i is a function for the host, too"},
       {"template <class... T, class U> __global__ void k6(U* p, T... v) {}",
        "a pack that is not the last one"},
       {"__device__ int f(const __grid_constant__ int n) { return n; }",
        "__grid_constant__ is for parameters of kernels"},
       {"__device__ int __launch_bounds__(128) g(int n) { return n; }",
        "__launch_bounds__ says how a kernel is launched"},
       {"__global__ void __launch_bounds__() k7(int* p) { *p = 1; }", "__launch_bounds__ has 0 numbers"},
       {"__global__ void __launch_bounds__(64) __maxnreg__(32) k8(int* p) { *p = 1; }", "exclude each other"},
       {"void h() { __shared__ int a; a = 1; }", "h is a function of the host"},
       {"__global__ void k9(int* p) { __shared__ int a[]; *p = a[0]; }",
        "the __shared__ array a has no size"},
       {"__global__ k10(int* p) { *p = 1; }", "a kernel returns nothing"}});
}

TEST_CASE("what the compiler knows of a kernel that nvcc does not take is named") {
  check_refused({{"__global__ void k11(int* p) { __shared__ const int a; *p = a; }",
                  "the __shared__ variable a, because it is const"},
                 {"using number = int; struct S { char bytes[20000]; }; int n = 3;", ""},
                 {"__global__ number k1(int* p) { return *p; }", "a kernel returns nothing"},
                 {"__global__ void k2(S s, S t) {}", "the parameters of k2 take more than 32,764 bytes"},
                 {"__global__ void k3(int&& v) { v = 1; }", "v cannot be a kernel's parameter"},
                 {"__global__ void k4(__builtin_va_list list) {}", "list cannot be a kernel's parameter"},
                 {"__global__ void __launch_bounds__(n) k5(int* p) { *p = 1; }",
                  "n in __launch_bounds__ has to be a constant"},
                 {"__global__ void __cluster_dims__(-2, 1, 1) k6(int* p) { *p = 1; }",
                  "-2 in __cluster_dims__ has to be a constant"},
                 {"__global__ void k7(__grid_constant__ S s) {}", "s is not const"},
                 {"template <int N> __global__ void k8(int* p) { __shared__ int a[N]; *p = a[0]; }",
                  "the __shared__ array a takes"},
                 {"template __global__ void k8<20000>(int*);", ""},
                 {"__global__ void k9(int* p) { __shared__ int a[7000]; { __shared__ int b[7000]; *p = b[0]; "
                  "} *p += a[0]; }",
                  "the __shared__ array b and those before it take more than 48 KiB"},
                 {"__global__ void k10(int* p) { __shared__ int a[0]; *p = sizeof(a); }",
                  "the __shared__ array a has no elements"},
                 {"__constant__ int c[10000]; namespace m { namespace { __constant__ int d[10000]; } }",
                  "with d the __constant__ variables of this file take more than 64 KiB"}});
}

TEST_CASE("kernels as nvcc takes them are taken") {
  check_accepted(R"(
    using nothing = void; struct S { char bytes[16000]; }; constexpr int n() { return 64; }
    __global__ nothing k1(S s, S t, int* p) { *p = s.bytes[0]; }
    __global__ auto k2(const __grid_constant__ S s, int (*f)(int), int p[16]) -> nothing { p[0] = s.bytes[0]; }
    template <class... T> __global__ void __launch_bounds__(n() * 2, 2) k3(int* p, T...) { *p = sizeof...(T); }
    template <int N> __global__ void __maxnreg__(N) k4(int* p) { __shared__ int a[N]; *p = a[0]; }
    template __global__ void k4<32>(int*);
    __global__ void k5(int* p) { __shared__ int a[6000]; __shared__ int b[6288]; *p = a[0] + b[0]; }
    __global__ void k6(int* p) { __shared__ int a[6000]; *p = a[0]; }
    __constant__ int c[16384];)");
}

TEST_CASE("a class in shared memory is taken, and a warning says that its constructor does not run") {
  const Folder folder;
  folder.write("lab.cu", "struct S { int v; __device__ S() : v(1) {} };\n"
                         "__global__ void k(int* p) {\n  __shared__ S s;\n  *p = s.v;\n}\n");
  const Outcome built = simtcc(folder, {"lab.cu", "--cxx", compilers().front(), "-o", "lab.so"});
  CHECK(built.status == 0);
  CHECK(built.text.find(
            "lab.cu:3:14: warning: the constructor and the destructor of S do not run for __shared__") == 0);
}

TEST_CASE("what nvcc does not take as a lambda for the device is named") {
  check_refused(
      {{"template <class F> __global__ void k(F f, int* p) { *p = f(1); }", ""},
       {"void f1(int* p, int n) { k<<<1, 1>>>([&] __device__(int x) { return x + n; }, p); }",
        "captures by reference"},
       {"void f2(int* p, int n) { k<<<1, 1>>>([=, &n] __device__(int x) { return x + n; }, p); }",
        "captures by reference"},
       {"void f3(int* p, int n) { k<<<1, 1>>>([m = n] __host__ __device__(int x) { return x + m; }, p); }",
        "no captures with initial values; make m a variable"},
       {"auto f4(int* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); return 1; }",
        "stands in f4, whose result is to be deduced"},
       {"class C { void f5(int* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); } };",
        "stands in f5, which is private"},
       {"struct D { D(int* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); } };",
        "cannot stand in a constructor"},
       {"int f6() { auto g = [] __device__(int x) { return x; }; return g(1); }",
        "g is a lambda for the device"},
       {"void f7(int* p) { k<<<1, 1>>>([](int x) { return x; }, p); }",
        "this lambda is a function of the host"},
       {"void f8(int* p) { auto g = [](int x) { return x; }; k<<<1, 1>>>(g, p); }",
        "g is a function of the host"}});
}

TEST_CASE("lambdas for the device as nvcc takes them are taken") {
  check_accepted(R"(
    template <class F> __global__ void k(F f, int* p) { *p = f(1); }
    auto f1(int* p, int n) -> int { k<<<1, 1>>>([m = n + 1] __device__(int x) { return x + m; }, p); return 1; }
    class C { int v; public: void f2(int* p) { k<<<1, 1>>>([=, *this] __device__(int x) { return x + v; }, p); } };
    int f3(int* p, int a, int b) {
      auto both = [] __host__ __device__(int x) { return x; };
      auto host = [&](int x) { return x + a; };
      auto device = [=] __device__(int x) { return x & b; };
      k<<<1, 1>>>(both, p); k<<<1, 1>>>(device, &p[host(1)]);
      return both(1) + host(2);
    })");
}

TEST_CASE("constants, and classes whose constructors do nothing, may lie in device memory") {
  check_accepted(R"(
    constexpr int square(int x) { return x * x; }
    struct E { int v; __device__ E() {} };
    struct C { int v; constexpr C() : v(3) {} constexpr C(int x) : v(x) {} };
    struct N { E e; };
    __device__ int a = square(3), b[2] = {1, square(2)};
    __device__ int* c = &a;
    __device__ int& r = a;
    __device__ int twice(int x) { return 2 * x; }
    __device__ int (*f)(int) = twice;
    __device__ E d, e[3]; __device__ N n;
    __device__ C g, h(1), i[2] = {1, 2}; __constant__ C j{4};
    __device__ const C l(1);
    template <class T> __device__ T half(T x) { static T two = T(2); return x / two; }
    auto lambda = [] __device__(int x) { return x; };
    __global__ void k(int* p) { static int m; static const int t[2] = {1, 2}; static E o; m = t[*p]; o.v = half(m); })");
}

TEST_CASE("a type that nvcc cannot name is no template argument of a kernel") {
  const std::string before = "template <class T> __global__ void k(T v, int* p) { *p = sizeof(v); }\n"
                             "template <class F> struct Box { F f; };\n"
                             "template <class F> void run(F f, int* p) { k<<<1, 1>>>(Box<F>{f}, p); }\n";
  for (const char* wrong :
       {"class S { struct L { int x; }; public: void f(int* p) { k<<<1, 1>>>(L{1}, p); } };",
        "struct { int x; } u; void f(int* p) { k<<<1, 1>>>(u, p); }",
        "void f(int* p) { run([](int x) { return x; }, p); }"}) {
    for (const std::string& compiler : compilers()) {
      const Folder folder;
      folder.write("lab.cu", before + wrong + '\n');
      const Outcome built = simtcc(folder, {"lab.cu", "-std=c++20", "--cxx", compiler, "-o", "lab.so"});
      INFO(compiler, ":\n", built.text);
      CHECK(built.status == 1);
      CHECK(contains(built.text, "error: the kernel k has "));
      CHECK(contains(built.text, " among its template arguments"));
    }
  }
  check_accepted(before +
                 "class S { public: struct L { int x; }; void f(int* p) { k<<<1, 1>>>(L{1}, p); } };\n"
                 "typedef struct { int x; } T; using U = struct { int x; };\n"
                 "void f(int* p) { k<<<1, 1>>>(T{1}, p); k<<<1, 1>>>(U{1}, p); }\n"
                 "void g(int* p) { run([] __device__(int x) { return x; }, p); }\n"
                 "void h(int* p) { run([] __host__ __device__(int x) { return x; }, p); }\n");
}

TEST_CASE("g++ says which type it is, of which function") {
  const Folder folder;
  folder.write("lab.cu", "template <class T> __global__ void k(T v, int* p) { *p = v.x; }\n"
                         "namespace n { class S { struct L { int x; }; public: static void f(int* p) {\n"
                         "k<<<1, 1>>>(L{1}, p); } }; }\n"
                         "template <class T> void run(T x, int* p) { struct M { T x; };\n"
                         "k<<<1, 1>>>(M{x}, p); }\n"
                         "void g(int* p) { run(1, p); n::S::f(p); }\n"
                         "__global__ void parent(int* p) { struct M { int x; }; k<<<1, 1>>>(M{1}, p); }\n");
  const Outcome built = simtcc(folder, {"lab.cu", "-std=c++20", "--cxx", "g++", "-o", "lab.so"});
  INFO(built.text);
  CHECK(built.status == 1);
  CHECK(contains(
      built.text,
      "lab.cu:3:12: error: the kernel k has n::S::L among its template arguments, which is not public"));
  CHECK(contains(built.text,
                 "lab.cu:5:12: error: the kernel k has M among its template arguments, which is local to the "
                 "function run of the host"));
  CHECK(!contains(built.text, "required from"));
  CHECK(!contains(built.text, "lab.cu:7:"));
}

TEST_CASE("where nvcc takes a lambda for the device") {
  check_refused(
      {{"template <class F> __global__ void k(F f, int* p) { *p = f(1); }", ""},
       {"template <class... T> void a(int* p, T... n) {", ""},
       {"int s = (n + ...); k<<<1, 1>>>([=] __device__(int x) { return x + s + int(sizeof...(n)); }, p);",
        ""},
       {"k<<<1, 1>>>([=] __device__(int x) { return (x + ... + n); }, p); }", "n, which is a parameter pack"},
       {"struct S { void f(int* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); }", ""},
       {"~S() { k<<<1, 1>>>([] __device__(int x) { return x; }, (int*)0); } };",
        "cannot stand in a destructor"},
       {"template <class T, class = int> void b(T* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); "
        "}",
        "a template parameter without a name"},
       {"void c(int* p) { auto g = [=](auto n) { k<<<1, 1>>>([=] __device__(int x) { return x + n; }, p); }; "
        "g(1); }",
        "stands in a generic lambda"},
       {"void d(int* p) { auto g = [=](int n) { k<<<1, 1>>>([=] __device__(int x) { return x + n; }, p); }; "
        "g(1); }",
        ""},
       {"void e(int* p) { k<<<1, 1>>>([](int x) __device__ { return x; }, p); }",
        "directly behind the captures"},
       {"void f(int* p) { k<<<1, 1>>>([] __device__(int x) constexpr { return x; }, p); }",
        "cannot be constexpr"},
       {"void h(int* p, int n) { k<<<1, 1>>>([=] __device__(int x) { if constexpr (sizeof(int) == 4)", ""},
       {"return n; else return x; }, p); }", "captures n in a branch of if constexpr"}});
}

TEST_CASE("arrays that a lambda for the device captures are made of what has a default constructor") {
  check_refused({{"template <class F> __global__ void k(F f, int* p) { *p = f(1); }", ""},
                 {"struct D { D(int); int v; }; void f(int* p) { D a[2] = {1, 2}; int b[2][2] = {};", ""},
                 {"k<<<1, 1>>>([=] __device__(int x) { return b[0][x]; }, p);", ""},
                 {"k<<<1, 1>>>([=] __device__(int x) { return a[x].v; }, p); }", "captures the array a"}});
}

TEST_CASE("what means nothing is taken with a warning") {
  const Folder folder;
  folder.write("lab.cu", "__global__ void k(int* p) { *p = 1; }\n"
                         "void f(int* p) { k<<<4>>>(p); }\n"
                         "struct S { __shared__ int a; };\n"
                         "__device__ int g(__shared__ int* x) { return *x; }\n");
  const Outcome built = simtcc(folder, {"lab.cu", "-std=c++20", "-o", "lab.so"});
  INFO(built.text);
  CHECK(built.status == 0);
  CHECK(contains(
      built.text,
      "lab.cu:2:18: warning: the launch of k gives no block size, and CUDA takes blocks of one thread"));
  CHECK(contains(built.text, "lab.cu:3:12: warning: __shared__ means nothing before a member"));
  CHECK(contains(built.text, "lab.cu:4:18: warning: __shared__ means nothing before a parameter"));
}
