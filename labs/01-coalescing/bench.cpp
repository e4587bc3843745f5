// The sweep of lab 01: offset_add at offsets 0 to 32 in both precisions. On the simulator: sectors a request.
// On a GPU: effective bandwidth, in GB/s (10^9 bytes), counting each element once read and once written.

#include <cstdio>
#include <exception>
#include <string>

#include "bench/bench.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
/// 512 MiB of floats, 1 GiB of doubles: many times any L2 cache, which would hide the lesson.
constexpr std::size_t gpu_elements = std::size_t{1} << 27;
constexpr int offsets = 33;

struct Sweep {
  const BenchOptions& options;
  Table& table;
  Submission& submission;
  std::string name;

  template <typename T, typename F>
  void run(F function, const char* function_name, const char* precision) {
    const bool sim = options.backend == Backend::sim;
    const std::size_t n = options.size != 0 ? options.size : sim ? sim_elements : gpu_elements;
    for (std::size_t offset = 0; offset < offsets; ++offset) {
      const auto row = [&](const char* metric, double value, const char* unit) {
        table.add({name, function_name, precision, std::to_string(offset), std::to_string(n), metric,
                   cell(value), unit});
      };
      const CallOptions call{.repetitions = sim ? 1 : options.repetitions + 1};
      const Reply reply =
          submission.call(call, function, generated<T>(offset + n, uniform(-1, 1), 1), n, offset);
      if (sim) {
        const simt::Counters& c = reply.counters();
        row("sectors_per_request_load", ratio(c.global_load_sectors, c.global_load_requests), "sectors");
        row("sectors_per_request_store", ratio(c.global_store_sectors, c.global_store_requests), "sectors");
      } else {
        const double seconds =
            median(std::span(reply.times_ms()).subspan(1)) * 1e-3; // the first one warms up
        row("effective_bandwidth", 2.0 * static_cast<double>(n * sizeof(T)) / seconds * 1e-9, "GB/s");
      }
    }
  }

  static double ratio(std::uint64_t sectors, std::uint64_t requests) {
    if (requests == 0) throw std::runtime_error("a kernel without memory requests cannot be offset_add");
    return static_cast<double>(sectors) / static_cast<double>(requests);
  }
};

} // namespace

int main(int argc, char** argv) {
  const BenchOptions options = parse_bench_options(argc, argv, WARPBOOK_CONTRACT_FILE);
  try {
    Table table = start_table(
        options, {"submission", "function", "precision", "offset", "n", "metric", "value", "unit"});
    for (const Measured& measured : measured_modules(options.modules)) {
      const auto submission = load(options, measured);
      Sweep sweep{options, table, *submission, measured.name};
      sweep.run<float>(CONTRACT(offset_add_f32), "offset_add_f32", "f32");
      sweep.run<double>(CONTRACT(offset_add_f64), "offset_add_f64", "f64");
      std::printf("%s measured\n", measured.name.c_str());
    }
    table.write(options.out);
    std::printf("%zu rows\n", table.rows());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-01: %s\n", error.what());
    return 1;
  }
}
