// Times a kernel of one's own; docs/measuring-well.md explains every number that it prints.
//
//   nvcc -O3 -Icommon docs/examples/time_my_kernel.cu -o time_my_kernel && ./time_my_kernel

#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <vector>

#include "timing/timing.cuh"

using namespace warpbook;

constexpr unsigned threads = 256;

// The kernel to measure: y[i] = a * x[i] + y[i], one element a thread.
__global__ void saxpy(float a, const float* x, float* y, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void fill(float* data, float value, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value;
}

__global__ void nothing() {}

unsigned blocks(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

/// Every element of y must be 3 * 2 + 1.
void validate(const float* y, std::size_t n) {
  std::vector<float> result(n);
  WARPBOOK_CUDA(cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < n; ++i) {
    if (!(result[i] == 7))
      throw std::runtime_error("y[" + std::to_string(i) + "] is wrong"); // !(==): NaN is wrong
  }
}

/// Prints one line and adds one row; returns the bandwidth.
double report(Table& table, const char* what, std::size_t n, double useful_bytes, const Summary& time) {
  const double speed = gigabytes_per_second(useful_bytes, time.median);
  std::printf("%-22s %8.2f us  [%.2f, %.2f]  spread %.2f  %3zu times  %6.0f GB/s\n", what, 1e6 * time.median,
              1e6 * time.interval.low, 1e6 * time.interval.high, 1e6 * time.spread, time.count, speed);
  table.add(
      {what, n, 1e6 * time.median, 1e6 * time.interval.low, 1e6 * time.interval.high, time.count, speed});
  return speed;
}

void measure(std::size_t n, Table& table) {
  const std::size_t bytes = n * sizeof(float);
  float* x = nullptr;
  float* y = nullptr;
  WARPBOOK_CUDA(cudaMalloc(&x, bytes));
  WARPBOOK_CUDA(cudaMalloc(&y, bytes));
  fill<<<blocks(n), threads>>>(x, 2, n);
  WARPBOOK_CUDA(cudaGetLastError());

  BenchmarkOptions options;
  options.set_up = [&] {
    fill<<<blocks(n), threads>>>(y, 1, n);
  }; // saxpy changes y: every repetition gets the same
  options.validate = [&] { validate(y, n); };
  const auto work = [&] { saxpy<<<blocks(n), threads>>>(3, x, y, n); };
  const double useful_bytes = 3.0 * static_cast<double>(bytes); // x and y are read, y is written

  std::printf("\n%zu elements\n", n);
  DeviceStopwatch cold(L2::cold);
  DeviceStopwatch warm(L2::warm);
  const double own = report(table, "saxpy, cold L2", n, useful_bytes, benchmark(cold, work, options));
  report(table, "saxpy, warm L2", n, useful_bytes, benchmark(warm, work, options));

  // The yardstick, right after it: what the driver's own copy does with two of the three bytes.
  BenchmarkOptions plain;
  const double copy = report(
      table, "cudaMemcpy, cold L2", n, 2.0 * static_cast<double>(bytes),
      benchmark(
          cold, [&] { WARPBOOK_CUDA(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice)); }, plain));
  std::printf("saxpy at %.1f%% of cudaMemcpy's bandwidth\n", 100 * own / copy);
  WARPBOOK_CUDA(cudaFree(x));
  WARPBOOK_CUDA(cudaFree(y));
}

int main(int argc, char** argv) {
  try {
    Table table({"what", "n", "median_us", "low_us", "high_us", "repetitions", "gigabytes_per_second"});
    const Provenance provenance = device_provenance();
    for (const auto& [key, value] : provenance) std::printf("%s: %s\n", key.c_str(), value.c_str());
    table.provenance(provenance);
    table.provenance("command", command_text(argc, argv));

    measure(std::size_t{1} << 27, table); // 1 GiB in two arrays: far beyond the L2 cache
    measure(std::size_t{1} << 20, table); // 8 MiB: fits into it

    // The same empty kernel seen by the host and by the device.
    HostStopwatch host;
    DeviceStopwatch warm(L2::warm);
    DeviceStopwatch cold(L2::cold);
    const Summary launch = benchmark(host, [] { nothing<<<1, 1>>>(); });
    const Summary round_trip = benchmark(host, [] {
      nothing<<<1, 1>>>();
      WARPBOOK_CUDA(cudaDeviceSynchronize());
    });
    const Summary events = benchmark(warm, [] { nothing<<<1, 1>>>(); });
    const Summary hidden = benchmark(cold, [] { nothing<<<1, 1>>>(); });
    std::printf("\nempty kernel\n"
                "seen by the host: launched after %.2f us, done after %.2f us\n"
                "between two events: %.2f us; behind a flush that is still running: %.2f us\n",
                1e6 * launch.median, 1e6 * round_trip.median, 1e6 * events.median, 1e6 * hidden.median);
    table.write("time_my_kernel.csv");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
