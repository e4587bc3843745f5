#include "bench/sweep.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <utility>

namespace warpbook {

Sweep::Sweep(const BenchOptions& options, Table& table, int least)
    : options_(options), table_(table), is_sim_(options.backend == Backend::sim), plan_(options, least) {}

bool Sweep::wanted(Precision precision) const {
  return options_.precision == Precision::both || options_.precision == precision;
}

std::size_t Sweep::elements(std::size_t on_sim, std::size_t bytes) const {
  if (options_.size != 0) return options_.size;
  return is_sim_ ? on_sim : elements_beyond_cache(submission_options(options_, {}), bytes);
}

Taken Sweep::show_yardstick(Yardstick yardstick, std::size_t moved) {
  Taken taken = plan_.ceilings()->measure(yardstick, moved);
  std::printf("%-42s %-24s %6.0f GB/s\n", "yardstick", name_of(yardstick),
              rate(1e-9 * static_cast<double>(moved), taken.time()).value);
  std::fflush(stdout);
  return taken;
}

int run_bench(int argc, char** argv, const char* contract, std::vector<std::string> columns,
              const Measure& measure, Input input) {
  const BenchOptions options = parse_bench_options(argc, argv, contract, input);
  try {
    Table table = start_table(options, with_common_columns(std::move(columns)));
    measure(options, table, measured_modules(options.modules));
    finish_table(options, table);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", std::filesystem::path(argv[0]).filename().c_str(), error.what());
    return 1;
  }
}

} // namespace warpbook
