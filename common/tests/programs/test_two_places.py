"""Host and device are two places: what a GPU has apart, and the simulator has once. The environment is that of test_simtrun.py."""
from __future__ import annotations

import unittest

import test_simtrun

#: Each way by its name: functions that a kernel calls by their addresses.
FUNCTIONS = """\
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
typedef float (*Op)(float);
struct Stage { Op f; float by; };
__host__ __device__ float twice(float x) { return 2 * x; }
__device__ float thrice(float x) { return 3 * x; }
__host__ __device__ inline float square(float x) noexcept { return x * x; }
template <typename T> __host__ __device__ T half(T x) { return x / 2; }
float of_host(float x) { return x + 1; }
bool less(int a, int b) { return a < b; }
int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
void done(void* data) { *(int*)data = 7; }
static const Op host_table[] = {square, &square};
__device__ auto device_address = twice;
__device__ Op device_table[] = {twice, &thrice, half<float>};
__constant__ Op table[2];
struct Twice { __host__ __device__ float operator()(float x) const { return twice(x); } };
__global__ void apply(Op f, float* x) { x[threadIdx.x] = f(x[threadIdx.x]); }  // calls
__global__ void staged(const Stage* s, float* x) { x[threadIdx.x] = s->f(x[threadIdx.x]); }
__global__ void from_table(float* x) { x[threadIdx.x] = table[1](x[threadIdx.x]); }
template <Op F> __global__ void by_template(float* x) { x[threadIdx.x] = F(x[threadIdx.x]); }
template <class F> __global__ void by_functor(F f, float* x) { x[threadIdx.x] = f(x[threadIdx.x]); }
__global__ void picks(float* x) {
  Op f = threadIdx.x % 2 ? twice : thrice;
  x[threadIdx.x] = f(x[threadIdx.x]) + device_table[1](1);
}
__host__ __device__ constexpr float cube(float x) { return x * x * x; }
constexpr Op known = cube;
static_assert(known(2) == 8, "the compiler calls it, too");
__host__ __device__ int first(int n, ...) { return n; }
float on_host(Op f, float x) { return f(x); }
template <class F> float by_reference(F& f, float x) { return f(x); }
float hidden(Op twice) { Op f = twice; return f(1); }
Op chosen(bool first_one) { return first_one ? twice : &square; }
int main(int, char** argv) {
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  float* x;
  cudaMallocManaged(&x, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) x[i] = i;
  if (is("both_sides")) apply<<<1, 32>>>(twice, x);
  if (is("device_alone")) apply<<<1, 32>>>(&thrice, x);
  if (is("of_host")) apply<<<1, 32>>>(of_host, x);
  if (is("instance")) { Op f = half<float>; apply<<<1, 32>>>(f, x); }
  if (is("in_structure")) {
    Stage s = {&thrice, 1}, *d;
    cudaMalloc(&d, sizeof s);
    cudaMemcpy(d, &s, sizeof s, cudaMemcpyHostToDevice);
    staged<<<1, 32>>>(d, x);
  }
  if (is("in_table")) {
    cudaMemcpyToSymbol(table, host_table, sizeof host_table);
    from_table<<<1, 32>>>(x);
  }
  if (is("right")) {
    Op f, all[3];
    cudaMemcpyFromSymbol(&f, device_address, sizeof f);
    cudaMemcpyFromSymbol(all, device_table, sizeof all);
    cudaMemcpyToSymbol(table, all, sizeof(Op) * 2);
    apply<<<1, 32>>>(f, x);
    apply<<<1, 32>>>(all[2], x);
    from_table<<<1, 32>>>(x);
    by_template<twice><<<1, 32>>>(x);
    by_template<half<float>><<<1, 32>>>(x);
    by_functor<<<1, 32>>>(Twice{}, x);
    picks<<<1, 32>>>(x);
  }
  if (is("host_uses_its_own")) {
    int a[] = {3, 1, 2}, flag = 0;
    std::sort(a, a + 3, less);
    qsort(a, 3, sizeof(int), compare);
    cudaLaunchHostFunc(nullptr, done, &flag);
    cudaDeviceSynchronize();
    std::function<float(float)> g = twice;
    Op h = &twice;
    std::printf("%d %d %g %g %g %d ", a[0], flag, g(1), on_host(half<float>, 1), host_table[0](4), h == &twice);
    int (*counted)(int, ...) = first;
    Stage s = {.f = twice, .by = 1};
    auto& same = twice;
    std::printf("%g %g %g %g %d ", by_reference(twice, 1), hidden(square), chosen(true)(1), s.f(1) + same(1), counted(3, 4));
  }
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""

#: Each way by its name: objects with virtual functions, and variables of the device.
OBJECTS = """\
#include <cstdio>
#include <cstring>
#include <new>
namespace geo {
struct Shape {
  float a;
  Shape() = default;
  __host__ __device__ constexpr Shape(float side) : a(side) {}
  __host__ __device__ virtual float area() const { return a; }
};
template <class T> struct Square : Shape {
  Square() = default;
  __host__ __device__ constexpr Square(T side) : Shape(side) {}
  __host__ __device__ float area() const override { return a * a; }
};
struct Cube : Shape {
  Cube() = default;
  __host__ __device__ constexpr Cube(float side) : Shape(side) {}
  __host__ __device__ float area() const override { return 6 * a * a; }
};
struct Line : Shape {
  __host__ __device__ Line(float length) : Shape(length) {}
  __host__ __device__ float area() const override { return 0; }
};
}
using namespace geo;
struct View { float* values; int n; };
__device__ constinit Cube fixed(1);
__device__ Shape* current;
__device__ float values[32];
__device__ int flag;
__device__ float* pointer;
__constant__ float factors[4] = {1, 2, 3, 4};
__managed__ int both;
__device__ const int limit = 32;
__device__ const float weights[3] = {1, 2, 3};  // of both sides
__global__ void area(const Shape* s, float* out) { *out = s->area(); }  // virtual
__device__ __noinline__ float area_of(const Shape& s) { return s.area(); }
__global__ void by_value(Line s, float* out) { *out = area_of(s); }
__global__ void make(Shape** s) { s[0] = new Cube(2); s[1] = new Cube(*static_cast<Cube*>(s[0])); }
__global__ void place(Cube* s) { new (s) Cube(4); }
__global__ void use(Shape** s, float* out) { *out = s[0]->area() + s[1]->area() + current->area(); current = &fixed; }
__global__ void point(Cube* s) { current = s; new (&fixed) Cube(3); }
__global__ void data_alone(const Line* s, float* out) { *out = s->a; }
__global__ void fill(float* p) { p[threadIdx.x] = limit; }
__global__ void view(View v) { v.values[0] += flag + factors[1] + both; }
template <class T> __global__ void set(T* p, int i) { p[i] = 1; }
__global__ void by_name() { pointer = values; values[1] += 1; }
template <class T> void fill_symbol(T& symbol, T value) { cudaMemcpyToSymbol(symbol, &value, sizeof value); }
int main(int, char** argv) {
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  float* out;
  cudaMallocManaged(&out, sizeof *out);
  if (is("copied")) {
    Square<float> s(3), *d;
    cudaMalloc(&d, sizeof s);
    cudaMemcpy(d, &s, sizeof s, cudaMemcpyHostToDevice);
    area<<<1, 1>>>(d, out);
  }
  if (is("managed")) {
    void* p;
    cudaMallocManaged(&p, sizeof(Line));
    area<<<1, 1>>>(new (p) Line(2), out);
  }
  if (is("by_value")) by_value<<<1, 1>>>(Line(2), out);
  if (is("constructed_in_kernels")) {
    Shape** s;
    Cube *d, own(5);
    Shape* const reference = &own;  // the host has such objects, too
    cudaMalloc(&s, 2 * sizeof *s);
    cudaMalloc(&d, sizeof *d);
    make<<<1, 1>>>(s);
    place<<<1, 1>>>(d);
    point<<<1, 1>>>(d);
    use<<<1, 1>>>(s, out);
    use<<<1, 1>>>(s, out);
    Line line(reference->area()), *copy;
    cudaMalloc(&copy, sizeof line);
    cudaMemcpy(copy, &line, sizeof line, cudaMemcpyHostToDevice);
    data_alone<<<1, 1>>>(copy, out);
  }
  if (is("argument")) fill<<<1, 32>>>(values);
  if (is("address")) set<<<1, 1>>>(&flag, 0);
  if (is("part")) set<<<1, 1>>>(&values[2], 3);
  if (is("in_structure")) view<<<1, 1>>>({values, 4});
  if (is("in_variable")) {
    float* p = values;
    View v = {p, 4};
    view<<<1, 1>>>(v);
  }
  if (is("written")) flag = 3;  // writes
  if (is("read")) std::printf("%g ", values[5]);
  if (is("symbols_right")) {
    float *p, *q, *d, h[4] = {1, 2, 3, 4};
    cudaGetSymbolAddress((void**)&p, values);
    fill<<<1, 32>>>(p);
    view<<<1, 1>>>({p, 4});
    by_name<<<1, 1>>>();
    cudaMemcpyFromSymbol(&q, pointer, sizeof q);
    fill<<<1, 32>>>(q);
    fill_symbol(flag, 3);
    cudaMemcpyToSymbol(factors, h, sizeof h);
    cudaMemcpyToSymbol(factors, &h[1], 4, 4);
    cudaMalloc(&d, 128);
    cudaMemcpyToSymbol(pointer, &d, sizeof d);
    cudaDeviceSynchronize();
    both = limit + static_cast<int>(weights[both % 3]);
  }
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""

#: Each kernel by its name: what it passes to a child.
CHILDREN = """\
#include <cstdio>
#include <cstring>
struct Job { int* in; int n; };
struct Pair { Job job; double factor; };
struct alignas(16) Wide { int* in; };
__global__ void child(Job job, int* out) { out[threadIdx.x] = job.in[threadIdx.x]; }
__global__ void child_of_pair(Pair p, int* out) { out[threadIdx.x] = p.job.in[threadIdx.x]; }
__global__ void child_of_wide(Wide w, int* out) { out[threadIdx.x] = w.in[threadIdx.x]; }
__device__ int on_device[4] = {1, 2, 3, 4};
__global__ void local(int* out) {
  int own[4];
  for (int i = 0; i < 4; ++i) own[i] = out[i];
  Job job = {own, 4};
  child<<<1, 4>>>(job, out);
}
__global__ void nested(int* out) {
  int own[4];
  for (int i = 0; i < 4; ++i) own[i] = out[i];
  child_of_pair<<<1, 4>>>({{own, 4}, 0.5}, out);
}
__global__ void shared(int* out) {
  __shared__ int s[4];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) child<<<1, 4>>>({s, 4}, out);
}
__global__ void right(int* out) {
  __shared__ int s[4];
  int own[4], sum = 0;
  for (int i = 0; i < 4; ++i) sum += s[i] = own[i] = i + 1;
  child<<<1, 4>>>({on_device, sum}, out);
  child_of_wide<<<1, 4>>>({on_device}, out);
  int* heap = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) heap[i] = own[3 - i] + s[i];
  Pair p;
  p.job = {heap, s[1]};
  child_of_pair<<<1, 4>>>(p, out);
}
int main(int, char** argv) {
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  int* out;
  cudaMallocManaged(&out, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) out[i] = i;
  if (is("local")) local<<<1, 1>>>(out);
  if (is("nested")) nested<<<1, 1>>>(out);
  if (is("shared")) shared<<<1, 4>>>(out);
  if (is("right")) right<<<1, 1>>>(out);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


class TwoPlaces(test_simtrun.Programs):
    def only(self, way: str, kind: str) -> dict:
        report = self.report("program.so", way)
        self.assertEqual([each["kind"] for each in report["diagnostics"]], [kind], way)
        return report["diagnostics"][0] | {"output": report["output"]}

    def assert_clean(self, way: str, output: str = "cudaSuccess\n") -> None:
        report = self.report("program.so", way)
        self.assertEqual((report["diagnostics"], report["output"]), ([], output), way)

    def test_functions_have_other_addresses_on_the_device(self) -> None:
        self.built_once(FUNCTIONS)
        for way, name in [("both_sides", "twice"), ("device_alone", "thrice"), ("instance", "half<float>"), ("in_structure", "thrice"),
                          ("in_table", "square")]:
            found = self.only(way, "function-address")
            self.assertIn(f"A thread calls {name} by an address that host code has taken.", found["message"])
            self.assertIn(f"`__device__ auto device_address = {name};`", found["suggestion"])
            self.assertEqual(found["output"], "cudaErrorInvalidPc\n")
        self.assertIn("of_host, which is a function of the host alone", self.only("of_host", "host-function")["message"])
        told = self.run_program("both_sides", options=("--no-counters",)).stderr
        self.assertIn(f"program.cu:{FUNCTIONS[:FUNCTIONS.index('// calls')].count(chr(10)) + 1} | ", told)
        self.assert_clean("right")
        self.assert_clean("host_uses_its_own", "1 7 2 0.5 16 1 2 1 2 4 3 cudaSuccess\n")

    def test_objects_of_the_host_have_the_hosts_tables_of_functions(self) -> None:
        self.built_once(OBJECTS)
        for way, name in [("copied", "geo::Square<float>"), ("managed", "geo::Line"), ("by_value", "geo::Line")]:
            found = self.only(way, "virtual-function")
            self.assertIn(f"an object of class {name} that host code has constructed", found["message"])
            self.assertIn("construct the object in a kernel", found["suggestion"])
            self.assertEqual(found["output"], "cudaErrorIllegalAddress\n")
        self.assert_clean("constructed_in_kernels")

    def test_variables_of_the_device_have_other_addresses_on_the_host(self) -> None:
        self.built_once(OBJECTS)
        for way, name in [("argument", "values"), ("address", "flag"), ("part", "values"), ("in_structure", "values"),
                          ("in_variable", "values")]:
            self.assertIn(f"cudaGetSymbolAddress((void**)&p, {name})", self.only(way, "symbol")["suggestion"])
        self.assertIn("writes 4 bytes of flag, which is a variable of the device", self.only("written", "symbol")["message"])
        self.assertIn("cudaMemcpyFromSymbol", self.only("read", "symbol")["suggestion"])
        self.assert_clean("symbols_right")

    def test_a_child_gets_no_memory_of_its_parents_thread_or_block_within_a_structure(self) -> None:
        self.built_once(CHILDREN, "-w")  # a member without a value is what one of them is about
        for way, kind in [("local", ""), ("nested", ""), ("shared", "shared-memory")]:
            found = self.report("program.so", way)["diagnostics"]
            if test_simtrun.CXX.startswith("clang") and not found:
                continue  # it does not tell which bytes of a structure are none of a member's
            self.assertEqual([(each["id"], each.get("kind", "")) for each in found], [("private-pointer-to-child", kind)], way)
        self.assert_clean("right")


if __name__ == "__main__":
    unittest.main()
