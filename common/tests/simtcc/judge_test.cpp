// What code of one side uses of the other, as the compiler behind simtcc reports it.
#include "module.hpp"

#include <doctest/doctest.h>

#include "simt/translate/judge.hpp"

#include <algorithm>

using namespace simtcc_test;

namespace {

/// Messages whose places have no columns: g++ points at a call's parenthesis or operator, clang++ where the call begins.
std::string without_columns(const std::string& said) {
  std::string result;
  for (std::size_t begin = 0; begin < said.size();) {
    const std::size_t end = std::min(said.find('\n', begin), said.size() - 1) + 1;
    std::string line = said.substr(begin, end - begin);
    const std::size_t error = line.find(": error: ");
    if (error != line.npos) line.erase(line.rfind(':', error - 1), error - line.rfind(':', error - 1));
    result += line;
    begin = end;
  }
  return result;
}

/// What simtcc says of `source`, without columns, with each compiler; "" where it takes it. Fails the test case if they disagree.
std::string said_of(const std::string& source, const std::vector<std::string>& options = {}) {
  std::string first;
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", source);
    std::vector<std::string> arguments = {"--cxx", compiler, "-O0", "lab.cu", "-o", "lab.so"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome built = simtcc(folder, arguments);
    INFO(compiler);
    CHECK((built.status == 0) == (built.text.find("error:") == std::string::npos));
    const std::string text = without_columns(built.text);
    if (compiler != compilers().front()) CHECK(text == first);
    first = text;
  }
  return first;
}

/// With columns.
std::string said_by_first_compiler(const std::string& source) {
  const Folder folder;
  folder.write("lab.cu", source);
  return simtcc(folder, {"--cxx", compilers().front(), "-O0", "lab.cu", "-o", "lab.so"}).text;
}

struct Refused {
  std::string declared, calling, said;
};

/// Builds all cases as one file, each in a namespace and on two lines of its own: one error for each is to come.
void check_all_refused(const std::vector<Refused>& cases) {
  std::string source, expected;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    source +=
        "namespace n" + std::to_string(i) + " { " + cases[i].declared + "\n" + cases[i].calling + " }\n";
    std::string said = cases[i].said;
    for (std::size_t at = said.find("$"); at != said.npos; at = said.find("$"))
      said.replace(at, 1, "n" + std::to_string(i));
    const auto lines = std::count(source.begin(), source.end(), '\n');
    expected += "lab.cu:" + std::to_string(lines) + ": " + said + "\n";
  }
  CHECK(said_of(source) == expected);
}

std::string host(const std::string& name) {
  return "error: the host function $::" + name +
         " is called from device code; write __device__ before its declaration, or __host__ __device__ if "
         "both call it";
}

std::string device(const std::string& name) {
  return "error: the device function $::" + name +
         " is called from host code; call it in a kernel, or write __host__ __device__ before its "
         "declaration";
}

std::string made(const std::string& name) {
  return "error: the host function $::" + name +
         " is called from device code, by a function that the compiler makes for the class of this object; "
         "write "
         "__device__ before its declaration, or __host__ __device__ if both call it";
}

} // namespace

TEST_CASE("a host function that device code calls is named, with its place") {
  CHECK(said_by_first_compiler("int h(int i) { return i; }\n__device__ int d() {\n  return h(1);\n}") ==
        "lab.cu:3:10: error: the host function h is called from device code; write __device__ before its "
        "declaration, or "
        "__host__ __device__ if both call it\n");
}

TEST_CASE("a device function that host code calls is named, with its place") {
  CHECK(said_by_first_compiler("__device__ int d(int i) { return i; }\nint h() {\n  return d(1);\n}") ==
        "lab.cu:3:10: error: the device function d is called from host code; call it in a kernel, or write "
        "__host__ "
        "__device__ before its declaration\n");
}

TEST_CASE("an assignment to a constant variable is reported, and one by a pointer is not") {
  CHECK(said_by_first_compiler(
            "__constant__ int limit, *place;\n__global__ void k() {\n  *place = 1;\n  ++limit;\n}") ==
        "lab.cu:4:5: error: limit is in constant memory, and an assignment cannot change it; the host writes "
        "it before "
        "the launch, with cudaMemcpyToSymbol(limit, &value, sizeof(value)), and kernels that write want a "
        "__device__ "
        "variable\n");
}

TEST_CASE("a function that overrides one of the other side is named, with both classes") {
  CHECK(said_of("struct Shape { __device__ virtual float area() const; };\n"
                "struct Circle : Shape { float area() const override; float area() { return 1; } };")
            .starts_with("lab.cu:2: error: area of Circle runs on the host alone, and overrides a function "
                         "of Shape that "
                         "runs on the device alone; a virtual function and what overrides it run on the same "
                         "side: write "
                         "__device__ before it\n"));
}

TEST_CASE("functions of the host are found in device code however they are called") {
  check_all_refused({
      {"struct S { int f() const; };", "__global__ void k(S s, int* p) { *p = s.f(); }", host("S::f")},
      {"struct S { int f() const; };", "__global__ void k(const S* s, int* p) { *p = s->f(); }",
       host("S::f")},
      {"struct S { int f(); };", "__global__ void k(S* s, int* p) { *p = s[3].f(); }", host("S::f")},
      {"struct S { int f(); }; struct D : S {};", "__global__ void k(D* s, int* p) { *p = s->f(); }",
       host("S::f")},
      {"struct S { virtual int f(); };", "__global__ void k(S* s, int* p) { *p = s->f(); }", host("S::f")},
      {"namespace a { struct S { int f(); }; }", "__device__ int g() { a::S s; return s.f(); }",
       host("a::S::f")},
      {"template <class T> struct S { T f() { return T(); } };",
       "template <class T> __global__ void k(S<T> s) { s.f(); } void h(S<int> s) { k<<<1, 1>>>(s); }",
       host("S::f")},
      {"struct S { S() {} };", "__global__ void k() { S s; }", host("S::S")},
      {"struct S { int v; S(int i) : v(i) {} }; __device__ int d(S s) { return s.v; }",
       "__global__ void k() { d(3); }", host("S::S")},
      {"struct S { ~S() {} };", "__global__ void k(S* p) { delete p; }", host("S::~S")},
      {"struct S { operator int() const { return 1; } };", "__global__ void k(S* s, int* p) { *p = *s; }",
       host("S::operator int")},
      {"struct S { int operator()(int) const { return 1; } }; template <class F> __device__ int d(F f) {",
       "return f(1); } __global__ void k(S s, int* p) { *p = d(s); }", host("S::operator()")},
      {"struct S { int v; }; S operator+(S a, S b) { return {a.v + b.v}; }",
       "__global__ void k(S* s) { *s = *s + *s; }", host("operator+")},
      {"struct S { int a[3]; int* begin() { return a; } __device__ int* end() { return a + 3; } };",
       "__global__ void k(S* s) { for (int& i : *s) i = 0; }", host("S::begin")},
      {"struct A { A() {} }; struct S { A a; };", "__global__ void k() { S s; }", made("A::A")},
      {"int f(double) { return 1; } __device__ int f(int) { return 2; }",
       "__global__ void k(int* p) { *p = f(1.0); }", host("f")},
      {"namespace a::b { int f(int); }", "__device__ int g() { return a::b::f(1); }", host("a::b::f")},
      {"namespace a { inline int f(int) { return 1; } } namespace c = a;",
       "__device__ int g() { return c::f(1); }", host("a::f")},
  });
  check_all_refused({
      {"int h() { return 1; } struct S { int v; __device__ S();", "}; __device__ S::S() : v(h()) {}",
       host("h")},
      {"int h() { return 1; } template <class F> __global__ void k(F f) { f(); }",
       "void g() { k<<<1, 1>>>([] __device__ { h(); }); }", host("h")},
      {"", "__global__ void k(int* p) { struct L { int v; int get() { return v; } }; L l{1}; *p = l.get(); }",
       "error: the host function L::get is called from device code; write __device__ before its declaration, "
       "or __host__ "
       "__device__ if both call it"},
      {"int f(int);", "__global__ void k(int (**q)(int)) { *q = f; }",
       "error: device code takes the address of the host function $::f; write __device__ before its "
       "declaration, or "
       "__host__ __device__ if both call it"},
      {"[[deprecated(\"old\")]] int h() { return 1; }", "__global__ void k(int* p) { *p = h(); }", host("h")},
      {"int h() { return 1; } __global__ void k(int* p) {\n#pragma GCC diagnostic ignored "
       "\"-Wdeprecated-declarations\"",
       "*p = h(); }", host("h")},
  });
}

TEST_CASE("the branch of an if constexpr that an instance takes is device code") {
  if (compilers().front() != "g++") return; // clang++ tells it of the template alone, of both branches
  CHECK(said_by_first_compiler("int h() { return 1; }\ntemplate <class T> __device__ void f(T* p) {\n"
                               "if constexpr (sizeof(T) == 4)\n*p = h();\nelse\n*p = h(); }\n"
                               "__global__ void k(int* p) { f(p); }") ==
        "lab.cu:4:6: " + host("h").replace(host("h").find("$::"), 3, "") + "\n");
}

TEST_CASE("functions of the device are found in host code") {
  check_all_refused({
      {"struct S { __device__ int f(); };", "int g(S s) { return s.f(); }", device("S::f")},
      {"namespace a { __device__ int f(int); }", "int g() { return a::f(1); }", device("a::f")},
      {"struct S { __device__ S() {} };", "void g() { S s; }", device("S::S")},
      {"struct S { __device__ int operator+(int) { return 1; } };", "int g(S s) { return s + 1; }",
       device("S::operator+")},
      {"__device__ int d() { return 1; }", "inline int g() { auto f = [] { return d(); }; return f(); }",
       device("d")},
      {"__device__ int d() { return 1; }", "__host__ __device__ inline int g() { return d(); }",
       "error: the device function $::d is called from g, which runs on the host too; write __host__ "
       "__device__ before the "
       "declaration of $::d, or __device__ alone before that of g"},
  });
}

TEST_CASE("variables of the host are found in device code") {
  const auto variable = [](const std::string& name, const std::string& remedy) {
    return "error: " + name + " is a variable of the host, and device code does not have it; " + remedy;
  };
  const std::string pass = "pass it as an argument, or make it constexpr if it never changes";
  const std::string copy =
      "write __device__ before its declaration, or copy it to the device and pass a pointer";
  const std::string constant = "write __constant__ before its declaration";
  check_all_refused({
      {"int v = 3;", "__global__ void k(int* p) { *p = v; }", variable("v", pass)},
      {"static int a, v = 3;", "__global__ void k(int* p, int i) { *p = i * v + 1; }", variable("v", pass)},
      {"const int* v;", "__global__ void k(int* p) { *p = *v; }", variable("v", pass)},
      {"const char* const v = \"a\";", "__global__ void k(char* p) { *p = v[0]; }", variable("v", pass)},
      {"int a; int& v = a;", "__global__ void k(int* p) { *p = v; }", variable("v", pass)},
      {"extern int v;", "__device__ int d() { return v; }", variable("v", pass)},
      {"const int v[2] = {1, 2};", "__global__ void k(int* p, int i) { *p = v[i]; }",
       variable("v", constant)},
      {"constexpr int v[2] = {1, 2};", "__global__ void k(int* p) { *p = v[0]; }", variable("v", constant)},
      {"namespace { int v[2]; }", "__global__ void k(int* p) { for (int x : v) *p += x; }",
       variable("v", copy)},
      {"namespace a { int v; }", "__global__ void k(int* p) { *p = a::v; }", variable("a::v", pass)},
      {"struct S { static int v; }; int S::v = 1;", "__global__ void k(int* p) { *p = S::v; }",
       variable("S::v", pass)},
      {"struct S { static inline int v = 1; __device__ int d();", "}; __device__ int S::d() { return v; }",
       variable("v", pass)},
      {"template <class T> T v = 3;", "__global__ void k(int* p) { *p = v<int>; }", variable("v", pass)},
      {"int v; template <class F> __global__ void k(F f) { f(); }",
       "void g() { k<<<1, 1>>>([] __device__ { return v; }); }", variable("v", pass)},
      {"int v;", "__host__ __device__ int f() { return v; }", variable("v", pass)},
  });
}

TEST_CASE("constants of the host have a value in device code, and no place in memory") {
  const auto address = [](const std::string& name) {
    return "error: " + name +
           " is a constant of the host, of which device code has the value alone, and here its address is "
           "needed; copy it into a local variable first, or write __constant__ before its declaration";
  };
  check_all_refused({
      {"const int v = 1;", "__global__ void k(const int** p) { *p = &v; }", address("v")},
      {"namespace a { constexpr int v = 1; }", "__device__ int d() { const int& r = a::v; return r; }",
       address("a::v")},
      {"constexpr int v = 3; __device__ int by_reference(int, const int& x) { return x; }",
       "__global__ void k(int* p) { *p = by_reference(v, v); }", address("v")},
      {"} namespace std { template <class T> constexpr const T& min(const T& a, const T& b) { return a < b ? "
       "a : b; } } "
       "namespace m { constexpr int v = 3;",
       "__global__ void k(int* p) { *p = std::min(v, *p) + (*p & v); }", address("v")},
  });
  CHECK(said_of("constexpr int v = 3, w = 4; __device__ int by_value(int x) { return x; }\n"
                "__device__ int one(const int& x) { return x; } struct S { __device__ static int one(int x) "
                "{ return x; } };\n"
                "__global__ void k(int* p) { const int n = v; *p = by_value(v) + (p[0] & v) + one(v + 1) + "
                "S::one(w); "
                "const int* q = &p[v]; *p = *q; }\n"
                "const int* h() { return &v; }") == "");
  CHECK(said_of("namespace std { template <class T> constexpr const T& min(const T& a, const T& b) { return "
                "a < b ? a : b; } }\n"
                "constexpr int v = 3, w = 4;\n"
                "__global__ void k(int* p) { constexpr int m = std::min(v, 5); int a[std::min(v, w)]; *p = "
                "std::min(v, w) + m; "
                "a[0] = 1; *p += a[0]; }") == "");
}

TEST_CASE("functions of the C library that the device does not have are named") {
  const std::string headers = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n";
  const auto error = [&](const std::string& code) { return said_of(headers + code); };
  CHECK(error("namespace a { template <class T>\n__global__ void k(T* p) { *p = strlen(\"a\"); }\ntemplate "
              "__global__ void k<int>(int*); }") ==
        "lab.cu:5: error: strlen is a function of the C library that "
        "the host alone has; write what it does as a function "
        "with __device__\n");
  CHECK(
      error(
          "struct S { int v; __device__ S();\n};\n__device__ S::S() : v{rand()} { puts(\"a\"); exit(1); }") ==
      "lab.cu:6: error: rand is a function of the C library that the host alone has; use cuRAND's device "
      "functions, or a "
      "generator that keeps its state in a variable of the thread\n"
      "lab.cu:6: error: puts is a function of the C library that the host alone has; use printf, whose text "
      "comes when "
      "the kernel has ended\n"
      "lab.cu:6: error: exit is a function of the C library that the host alone has; to end a thread write "
      "return, to "
      "end with an error __trap() or assert\n");
  CHECK(error("__device__ int rand(int* p) { return *p; }\nnamespace a { __device__ int strlen(const char*) "
              "{ return 1; }\n"
              "__global__ void k(int* p) { *p = rand(p) + strlen(\"a\"); printf(\"a\"); "
              "free(malloc(abs(*p))); memcpy(p, "
              "p + 1, 4); int time = sizeof(strcmp(\"a\", \"b\")); *p = time; } }\n"
              "int f() { std::puts(\"a\"); exit(std::strlen(\"a\") + rand()); }") == "");
}

TEST_CASE("what each side may use is taken") {
  std::string source;
  unsigned number = 0;
  for (const char* one : {
           "struct S { int f(); __device__ int f() const { return 1; } }; __global__ void k(const S s) { "
           "s.f(); }",
           "struct S { int f(); }; struct D { __device__ int f() { return 1; } }; __global__ void k(D s) { "
           "s.f(); }",
           "struct S { constexpr int f() { return 1; } }; __global__ void k(S s) { s.f(); }",
           "struct S { S() = default; S(int); }; __global__ void k() { S s; }",
           "struct S { int f() { return 1; } __device__ int never() { return f(); } };",
           "struct S { int f() { return 1; } }; __host__ __device__ int g(S s) { return s.f(); }",
           "int f(int) { return 1; } template <class T> __device__ int unused(T t) { return f(t); }",
           "inline int f(int) { return 1; } inline __device__ int idle() { return f(1); }",
           "__device__ int f(); int f() { return 1; } __global__ void k() { f(); }",
           "struct S { __device__ int f(); }; int S::f() { return 1; } __global__ void k(S s) { s.f(); }",
           "struct S { int f(); }; __device__ int S::f() { return 1; } __global__ void k(S s) { s.f(); }",
           "template <class T> __device__ int f(T) { return 1; } template <> int f<int>(int) { return 2; } "
           "__global__ void k() { f(1); }",
           "long h(int); __global__ void k(int* p) { *p = sizeof(h(1)); decltype(h(1)) x = 2; *p += x + "
           "noexcept(h(1)); }",
           "int h(int); __device__ auto f(int x) -> decltype(h(x)) { return x; } __global__ void k() { f(1); "
           "}",
           "int h() { return 1; } __global__ void k(int* p) { int h = 3; *p = h; }",
           "__device__ void swap(float& a, float& b) {} namespace a { struct V {}; void swap(V&, V&) {} } "
           "void h() { a::V v, w; swap(v, w); } __global__ void k() { float x = 1, y = 2; swap(x, y); }",
           "__device__ int d() { return 1; } int (*g())() { return d; } int s() { return sizeof(d()); }",
           "__device__ int d() { return 1; } template <class T> __host__ __device__ T f(T) { return d(); } "
           "__global__ void k() { f(1); }",
           "struct V { virtual ~V() {} }; __global__ void k(V* v) { delete v; }",
           "struct S { int operator()() const { return 1; } }; template <class F> int c(F f) { return f(); } "
           "int g() { return c(S{}); } __global__ void k() {}",
           "struct S { S(int) {} }; S make() { return S(1); } __global__ void k(S* s) {}",
           "int h() { return 1; } template <int (*f)()> struct W { static const int n = 3; }; "
           "__global__ void k(int* p) { *p = W<h>::n; }",
           "int h() { return 1; } template <class T> __device__ void f(T* p) { if constexpr (sizeof(T) == 1) "
           "*p = h(); } "
           "__global__ void k(int* p) { f(p); }",
           "const int v = 3; __global__ void k(int* p) { *p = v; }",
           "constexpr int v = 3; __global__ void k(int* p) { *p = v; }",
           "__device__ int v; __global__ void k(int* p) { *p = v; }",
           "int v; __global__ void k(int* p) { int a = 1, v = 3; *p = v + a; for (int v = 0; v < 3; ++v) *p "
           "= v; }",
           "int v; struct s { int v; }; __global__ void k(int* p) { s a{1}; *p = a.v + sizeof(v); }",
           "constexpr int v[2] = {1, 2}; __global__ void k(int* p) { constexpr int first = v[0]; *p = first; "
           "}",
           "int v; template <int v> __global__ void k(int* p) { *p = v; }",
           "int v; __global__ void k(int* p, int v) { *p = v; }",
           "int v; void h(int* p) { *p = v; } __global__ void k(int* v) { *v = 1; }",
           "struct S { static const int n = 3; static constexpr float f = 2; }; "
           "__global__ void k(float* p) { *p = S::n + S::f; }",
           "auto f = [](int x) { return x; }; __global__ void k(int* p) { *p = f(1); }",
           "struct V { virtual ~V() {} }; struct W : V { __device__ W() {} }; __global__ void k() { W w; }",
           "int v; inline __device__ int lonely() { return v; }",
           "int h() { return 1; } __device__ int f(int x = h()) { return x; } __global__ void k() { f(1); }",
       })
    source += "namespace n" + std::to_string(number++) + " { " + one + " }\n";
  CHECK(said_of(source) == "");
}

TEST_CASE("options about warnings do not hide what the compiler tells of the sides") {
  const std::string source = "int h() { int unused; return 1; }\n__global__ void k(int* p) { *p = h(); }";
  const std::string said = said_of(source);
  CHECK(said.find("lab.cu:2: error: the host function h") == 0);
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-w"},
                                                  {"-Wno-deprecated-declarations"},
                                                  {"-Wno-deprecated"},
                                                  {"-Werror"},
                                                  {"-Wfatal-errors"}})
    CHECK(said_of(source, options) == said);
}

TEST_CASE("what is deprecated in the program itself is reported as ever") {
  const std::string old = "[[deprecated(\"old\")]] int f() { return 1; } int g() {\nreturn f(); }\n";
  const std::string marked =
      "int h() { return 1; } int i() { return h(); } __global__ void k(int* p) { *p = sizeof(h()); }";
  for (const std::string& rest : {std::string(), marked}) {
    CHECK(said_of(old + rest, {"-w"}) == "");
    CHECK(said_of(old + rest, {"-Wno-deprecated-declarations"}) == "");
  }
}

TEST_CASE("messages about other things are left as they are") {
  const std::string said = "lab.cu: In function 'void f()':\n"
                           "lab.cu:1:2: warning: 'int h()' is deprecated: simt side: host-function h "
                           "[-Wdeprecated-declarations]\n"
                           "lab.cu:1:1: note: declared here\n"
                           "lab.cu:3:2: warning: unused variable 'x' [-Wunused-variable]\n"
                           "lab.cu: In function 'void g()':\n"
                           "lab.cu:5:2: error: 'y' was not declared in this scope\n"
                           "lab.cu:5:2: note: suggested alternative: 'z'\n"
                           "compilation terminated.\n";
  const std::string rest = "lab.cu: In function 'void f()':\n" + said.substr(said.find("lab.cu:3:2"));
  CHECK(simt::compiler::judge(said, "", {}, {}, {}).said == rest);
  const std::string errors = said.substr(said.find("lab.cu: In function 'void g()'"));
  CHECK(simt::compiler::judge(said, "", {}, {}, {.drops_warnings = true}).said == errors);
}
