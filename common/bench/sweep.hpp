#pragma once
/// What the benches of all labs begin and end with. A lab's Bench is a Sweep: it adds points to the plan, and rows to
/// the table; its main() is run_bench().

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/plan.hpp"

namespace warpbook {

class Sweep {
protected:
  /// `least` is how many timed repetitions a point gets at least.
  Sweep(const BenchOptions& options, Table& table, int least = 5);

  /// Whether the user asked for functions of this precision, or for both.
  bool wanted(Precision precision) const;
  /// How many elements of `bytes` each to sweep over: --size, else `on_sim` on the simulator, else so many that a GPU's
  /// L2 cache is too small for them.
  std::size_t elements(std::size_t on_sim, std::size_t bytes) const;
  /// Measures a yardstick that moves `moved` bytes, and shows its GB/s on the screen. On a GPU only.
  Taken show_yardstick(Yardstick yardstick, std::size_t moved);

  const BenchOptions& options_;
  Table& table_;
  const bool is_sim_;
  Plan plan_;
};

/// Measures into the table of the command line: its own columns, then those of every bench.
using Measure = std::function<void(const BenchOptions&, Table&, const std::vector<Measured>&)>;

/// A bench's main(). Returns the exit status: 1 where something throws, and then nothing is written. Exits with 2
/// where the command line is wrong.
int run_bench(int argc, char** argv, const char* contract, std::vector<std::string> columns,
              const Measure& measure, Input input = Input::none);

} // namespace warpbook
