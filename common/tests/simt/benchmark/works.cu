// The works that benchmark.py times. Each is a whole program: it fills its input, runs its kernels once, checks the
// result, and prints the CPU time of the kernels, in seconds, and the most memory that the process has had, in KiB.
//
//   works transpose N        an N x N transpose in shared memory
//   works increment THREADS  one load and one store by each thread
//   works rotate BLOCKS      64 rounds in shared memory, two barriers each
//   works nbody N            gravity between N bodies, tile by tile
//   works scan N             an inclusive sum of N integers, in blocks of 1,024
//   works product N          an N x N matrix product, by tiles of 16 x 16

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr unsigned block = 256;

// Transpose: out = the transpose of in, n x n floats, by tiles of 32 x 32 with a padded column. Blocks of 32 x 8
// threads.
constexpr unsigned tile = 32, rows = 8;

__global__ void transpose(const float* in, float* out, unsigned n) {
  __shared__ float cells[tile][tile + 1];
  unsigned x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (unsigned row = 0; row < tile; row += rows)
    cells[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
  for (unsigned row = 0; row < tile; row += rows)
    out[(y + row) * n + x] = cells[threadIdx.x][threadIdx.y + row];
}

// Increment: two accesses of global memory by each thread.
__global__ void increment(const float* in, float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

// Rotate: two accesses of shared memory by each thread and round, with barriers between.
constexpr unsigned rounds = 64;

__global__ void rotate(float* out) {
  __shared__ float ring[block];
  ring[threadIdx.x] = threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round) {
    __syncthreads();
    float next = ring[(threadIdx.x + 1) % block];
    __syncthreads();
    ring[threadIdx.x] = next;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = ring[0];
}

// N-body: the acceleration of each body by all, softened. A body is x, y, z and mass.
__host__ __device__ float3 pull(float3 sum, float4 on, float4 by) {
  constexpr float softening = 1e-3f;
  float dx = by.x - on.x, dy = by.y - on.y, dz = by.z - on.z;
  float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + softening);
  float strength = by.w * inverse * inverse * inverse;
  return {sum.x + dx * strength, sum.y + dy * strength, sum.z + dz * strength};
}

__global__ void attract(const float4* bodies, float3* accelerations, unsigned n) {
  __shared__ float4 others[block];
  unsigned i = blockIdx.x * block + threadIdx.x;
  float4 own = bodies[i];
  float3 sum = {0, 0, 0};
  for (unsigned first = 0; first < n; first += block) {
    others[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < block; ++j) sum = pull(sum, own, others[j]);
    __syncthreads();
  }
  accelerations[i] = sum;
}

// Scan: each block scans its 1,024 integers by doubling distances and leaves their sum; then the sums are scanned, and
// added to the blocks behind.
constexpr unsigned scanned = 1024;

__global__ void scan_blocks(const int* in, int* out, int* sums) {
  __shared__ int values[scanned];
  unsigned i = blockIdx.x * scanned + threadIdx.x;
  values[threadIdx.x] = in[i];
  for (unsigned distance = 1; distance < scanned; distance *= 2) {
    __syncthreads();
    int before = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += before;
  }
  out[i] = values[threadIdx.x];
  if (threadIdx.x == scanned - 1) sums[blockIdx.x] = values[threadIdx.x];
}

__global__ void add_sums(int* out, const int* sums) {
  if (blockIdx.x > 0) out[blockIdx.x * scanned + threadIdx.x] += sums[blockIdx.x - 1];
}

// Product: c = a b, n x n floats, as in the programming guide. Blocks of 16 x 16 threads.
constexpr unsigned side = 16;

__global__ void product(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float as[side][side], bs[side][side];
  unsigned row = blockIdx.y * side + threadIdx.y, column = blockIdx.x * side + threadIdx.x;
  float sum = 0;
  for (unsigned first = 0; first < n; first += side) {
    as[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (unsigned k = 0; k < side; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "works: %s\n", what);
  std::exit(1);
}

void check(cudaError_t error) { check(error == cudaSuccess, cudaGetErrorString(error)); }

template <class T>
T* allocate(std::size_t count) {
  T* pointer = nullptr;
  check(cudaMalloc(&pointer, count * sizeof(T)));
  return pointer;
}

/// An array on the device whose element i is value(i).
template <class T, class Value>
T* fill(std::size_t count, Value value) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value(i);
  T* device = allocate<T>(count);
  check(cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T>
T element(const T* device, std::size_t i) {
  T value;
  check(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

/// The peak of this program's memory in KiB. getrusage() would count that of the process which started it, too.
std::string peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:" && status >> word) return word;
  return "0";
}

/// Runs the kernels that `launch` launches, and prints what that takes.
template <class Launch>
void time_kernels(Launch launch) {
  const std::clock_t start = std::clock();
  launch();
  check(cudaDeviceSynchronize());
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%.6f %s\n", seconds, peak_memory().c_str());
}

void run_transpose(unsigned n) {
  const std::size_t count = std::size_t{n} * n;
  const float* in = fill<float>(count, [](std::size_t i) { return static_cast<float>(i); });
  float* out = allocate<float>(count);
  time_kernels([=] { transpose<<<dim3(n / tile, n / tile), dim3(tile, rows)>>>(in, out, n); });
  check(element(out, 1) == static_cast<float>(n), "wrong transpose");
}

void run_increment(unsigned threads) {
  const float* in = fill<float>(threads, [](std::size_t i) { return static_cast<float>(i); });
  float* out = allocate<float>(threads);
  time_kernels([=] { increment<<<threads / block, block>>>(in, out); });
  check(element(out, threads - 1) == static_cast<float>(threads), "wrong increment");
}

void run_rotate(unsigned blocks) {
  float* out = allocate<float>(blocks);
  time_kernels([=] { rotate<<<blocks, block>>>(out); });
  check(element(out, 0) == rounds, "wrong rotation");
}

void run_nbody(unsigned n) {
  auto body = [](std::size_t i) {
    auto number = static_cast<float>(i);
    return make_float4(std::sin(number), std::sin(2.7f * number), std::sin(8.1f * number), 1 + number / 1024);
  };
  const float4* bodies = fill<float4>(n, body);
  float3* accelerations = allocate<float3>(n);
  time_kernels([=] { attract<<<n / block, block>>>(bodies, accelerations, n); });
  float3 expected = {0, 0, 0};
  for (unsigned i = 0; i < n; ++i) expected = pull(expected, body(n - 1), body(i));
  const float3 got = element(accelerations, n - 1);
  const float size = std::abs(expected.x) + std::abs(expected.y) + std::abs(expected.z);
  const float error =
      std::abs(got.x - expected.x) + std::abs(got.y - expected.y) + std::abs(got.z - expected.z);
  check(error <= 1e-4f * size, "wrong acceleration");
}

void run_scan(unsigned n) {
  check(n <= scanned * scanned, "scan takes at most 1,048,576 numbers");
  const int* in = fill<int>(n, [](std::size_t i) { return static_cast<int>(i % 7); });
  int* out = allocate<int>(n);
  const unsigned blocks = n / scanned;
  int *sums = fill<int>(scanned, [](std::size_t) { return 0; }), *scanned_sums = allocate<int>(scanned);
  int* total = allocate<int>(1);
  time_kernels([=] {
    scan_blocks<<<blocks, scanned>>>(in, out, sums);
    scan_blocks<<<1, scanned>>>(sums, scanned_sums, total);
    add_sums<<<blocks, scanned>>>(out, scanned_sums);
  });
  int expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += static_cast<int>(i % 7);
  check(element(out, n - 1) == expected && element(out, 1) == 1, "wrong sum");
}

void run_product(unsigned n) {
  const std::size_t count = std::size_t{n} * n;
  auto left = [](std::size_t i) { return static_cast<float>(i % 5); };
  auto right = [](std::size_t i) { return static_cast<float>(i % 3); };
  const float *a = fill<float>(count, left), *b = fill<float>(count, right);
  float* c = allocate<float>(count);
  time_kernels([=] { product<<<dim3(n / side, n / side), dim3(side, side)>>>(a, b, c, n); });
  for (std::size_t place : {std::size_t{0}, count / 2 + 3, count - 1}) {
    float expected = 0; // of whole numbers, so exact
    for (unsigned k = 0; k < n; ++k) expected += left(place / n * n + k) * right(k * n + place % n);
    check(element(c, place) == expected, "wrong product");
  }
}

} // namespace

int main(int count, char** arguments) {
  check(count == 3, "usage: works transpose|increment|rotate|nbody|scan|product SIZE");
  const std::string work = arguments[1];
  const auto size = static_cast<unsigned>(std::stoul(arguments[2]));
  constexpr struct {
    const char* name;
    void (*run)(unsigned);
  } works[] = {{"transpose", run_transpose}, {"increment", run_increment}, {"rotate", run_rotate},
               {"nbody", run_nbody},         {"scan", run_scan},           {"product", run_product}};
  for (const auto& [name, run] : works) {
    if (work != name) continue;
    run(size);
    return 0;
  }
  check(false, "no such work");
}
