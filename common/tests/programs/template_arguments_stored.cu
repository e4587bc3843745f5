// Assignments whose right sides have commas that part template arguments, beside functions that return classes.
#include <cstdio>

namespace n {
template <class A, class B>
inline constexpr int same = 3;
template <int A, int B>
struct V {
  static constexpr int value = A + B;
  int v = A;
  __device__ int get() const { return v; }
};
template <class A, class B>
__device__ int call(int x) {
  return x + 1;
}
} // namespace n

struct Pair {
  int x, y;
  __device__ Pair(int a = 0, int b = 0) : x(a), y(b) {}
  __device__ operator int() const { return x; }
};
__device__ Pair twice(int x) { return Pair(x, x); }
__device__ Pair operator+(Pair a, int b) { return Pair(a.x + b, a.y); }

__global__ void store(int* o, Pair* p) {
  o[0] = twice(1) + n::same<int, int>;
  o[1] = n::same<int, int> + twice(1);
  o[2] = twice(1) + n::V<1, 2>::value;
  o[3] = (twice(1), n::same<int, char>);
  o[4] = o[3] > 2 ? twice(1) + n::same<int, int> : twice(2) + n::same<int, char>;
  o[5] = n::call<int, int>(2) + twice(2);
  o[6] = n::V<4, 5>{}.get() + twice(1);
  o[7] = twice(n::same<int, int>) + n::same<int, int> * 2;
  int i, j;
  for (i = twice(1), j = n::same<int, int>; i < 2; ++i) o[8] = i + j;
  o[9] = n::same<int, int>, o[10] = twice(7);
  p[0] = twice(3) + n::same<int, int>;
  o[11] = -n::same<Pair, n::V<1, 2>>;
  o[12] = twice(1) < n::same<int, int>, o[13] = twice(1) > 0;
}

int main() {
  constexpr int expected[] = {4, 4, 4, 3, 4, 5, 5, 9, 4, 3, 7, -3, 1, 1};
  int* o;
  Pair* p;
  cudaMallocManaged(&o, sizeof expected);
  cudaMallocManaged(&p, sizeof *p);
  store<<<1, 1>>>(o, p);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int i = 0;
  for (const int value : expected) {
    if (o[i] != value) printf("%d is %d and should be %d\n", i, o[i], value);
    if (o[i++] != value) return 1;
  }
  return p[0].x == 6 && p[0].y == 3 ? 0 : 1;
}
