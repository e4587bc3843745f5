#pragma once
/// What the benches of all labs share. A bench says what is called with what and checked how (calling()), at which points
/// of the sweep (Spot), and which numbers are taken there (Metric); a Sweep measures every submission, and writes the rows.
/// Its main() is run_bench().

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/plan.hpp"
#include "grader/compare.hpp"
#include "grader/traffic.hpp"

namespace warpbook {

/// A number that is taken of a point: a row of the table, and words on the screen.
struct Metric {
  std::string name;
  std::string unit;
  std::string words; ///< behind the number on the screen; empty: it is not shown there
  std::function<std::optional<Value>(const Taken&)> value; ///< none: no row
  std::function<std::string(double)> shown = {}; ///< the number on the screen; empty: with four digits
  /// The least of it that the task needs; none where it is a matter of choice.
  std::function<std::optional<double>(const Taken&)> least = {};
  /// What the task teaches to reach, where that is more: a student's own file that does is at the least.
  std::function<double(const Taken&)> taught = {};
};

using CounterField = std::uint64_t simt::Counters::*;

/// What a call is found to have counted on the simulator.
Metric count(std::string name, std::string unit, std::string words,
             std::function<double(const Reply&)> count_of);
Metric count(std::string name, std::string unit, std::string words, CounterField field);
/// `cost` of an access per `requests`; none where there were none.
Metric per_request(std::string name, std::string unit, std::string words, CounterField cost,
                   CounterField requests);
Metric per_request(std::string name, std::string unit, std::string words, const Way& way);

/// The metric with the least of it that the task needs.
Metric with_least(Metric metric, double least);
/// The same where it depends on the call: on the requests that it made, for example.
Metric with_least(Metric metric, std::function<std::optional<double>(const Reply&)> least);
/// The same of a cost per request, where all requests together need `least_cost`.
Metric with_least_cost(Metric per_request, const Way& way, std::size_t least_cost);

/// The metric with what the task teaches to reach.
Metric with_taught(Metric metric, std::function<double(const Reply&)> taught);
Metric with_taught(Metric metric, double taught);
/// The same of sectors per request: the lanes on neighbouring elements, which may begin and end inside a sector.
Metric with_taught_neighbours(Metric per_request, const Way& way);

/// `amount` a second, in 10^9 `unit`s.
Metric per_second(std::string name, std::string unit, double amount);
/// That, and its ratio to the yardstick beside the point, which moves `bytes` for each unit.
std::vector<Metric> against(Yardstick yardstick, std::string name, std::string unit, double amount,
                            double bytes = 1);

/// A call that checks its outputs before it returns.
struct Calling {
  std::string function;
  Plan::Call call;
};

/// `function` with these arguments; `check` throws where the reply's outputs are wrong.
template <typename F, typename Check, typename... Args>
Calling calling(F function, Check check, Args... args) {
  return {function.name, [=](Submission& submission, const CallOptions& how) {
            Reply reply = submission.call(how, function, args...);
            check(reply);
            return std::optional<Reply>(std::move(reply));
          }};
}

/// A check that the elements of buffer `k` that came back are expected(place).
template <typename Expected>
auto samples_are(std::size_t k, Expected expected) {
  using T = std::invoke_result_t<Expected, std::size_t>;
  return [=](const Reply& reply) { expect_samples<T>(reply, k, expected); };
}

/// Where a call stands in the sweep, and what is taken of it there.
struct Spot {
  std::vector<Cell> cells;     ///< of the bench's own columns, behind submission and function
  std::vector<Metric> counted; ///< on the simulator
  std::vector<Metric> timed;   ///< on a GPU
  std::optional<std::pair<Yardstick, std::size_t>> beside =
      {};                 ///< the yardstick, and how many bytes it moves
  std::string line = {};  ///< how the screen calls the points of this line; empty: as the function
  std::string group = {}; ///< of points that are compared with each other; empty: those of a function
  std::function<bool(const Measured&)> is_for = {};              ///< whom; empty: every one
  std::function<Plan::Point::How(const Measured&)> how = {};     ///< see Plan::Point
  std::function<void(const Measured&, const Taken&)> heard = {}; ///< is called before the rows are written
};

/// A bench's points, the same ones for each submission.
class Sweep {
public:
  /// `least` is how many timed repetitions a point gets at least.
  Sweep(const BenchOptions& options, Table& table, std::vector<Measured> submissions, int least = 5);

  const BenchOptions& options() const { return options_; }
  bool is_sim() const { return is_sim_; }
  const std::vector<Measured>& submissions() const { return submissions_; }
  Plan& plan() { return plan_; }

  /// Whether the user asked for functions of this precision, or for both.
  bool wanted(Precision precision) const;
  /// How many elements of `bytes` each to sweep over: --size, else `on_sim` on the simulator, else so many that a GPU's
  /// L2 cache is too small for them.
  std::size_t elements(std::size_t on_sim, std::size_t bytes) const;

  /// Adds a point.
  void add(Calling calling, Spot spot);
  /// Measures all points that were added, and writes their rows. `joined`: the screen shows all points of a line.
  void run(bool joined = false);

  /// Measures a yardstick that moves `bytes`, writes its row and shows it, in 10^9 units of so many bytes per second. On a
  /// GPU only.
  void add_yardstick(Yardstick yardstick, std::size_t bytes, std::vector<Cell> cells,
                     const char* metric = "effective_bandwidth", const char* unit = "GB/s",
                     std::size_t bytes_of_a_unit = 1);
  /// The same for a yardstick of the bench's own, in GB/s. `words` go to the screen, behind the number.
  void add_yardstick(const std::string& name, const OwnYardstick& seconds, std::size_t bytes,
                     std::vector<Cell> cells, const std::string& words = "");
  /// Adds a row. `least`: what the task needs of it at least, if that is known.
  void add_row(const std::string& submission, const std::string& function, std::vector<Cell> cells,
               const std::string& metric, const Value& value, const std::string& unit,
               const Taken& taken = {}, std::optional<double> least = {});

  /// Writes the rows of a call, whatever has measured it; returns them in words for the screen.
  std::string write(const Measured& measured, const std::string& function, const Spot& spot,
                    const Taken& taken, bool joined);

private:
  void add_yardstick(const std::string& name, const Taken& taken, double amount, std::vector<Cell> cells,
                     const char* metric, const char* unit, const std::string& words = "");

  const BenchOptions& options_;
  Table& table_;
  std::vector<Measured> submissions_;
  bool is_sim_;
  std::vector<std::pair<Calling, Spot>> points_;
  Plan plan_;
};

/// Adds a bench's points and runs the sweep.
using Measure = std::function<void(Sweep&)>;

/// The path of the lab's lab.hpp, which the build sets.
extern const char* const contract_file;

/// What a bench is, besides its points.
struct Bench {
  const char* contract;             ///< contract_file
  std::vector<std::string> columns; ///< its own, between submission, function and those of every bench
  Input input = Input::none;
  int least = 5; ///< timed repetitions of a point
};

/// A bench's main(). Returns the exit status: 1 where something throws, and then nothing is written. Exits with 2
/// where the command line is wrong.
int run_bench(int argc, char** argv, const Bench& bench, const Measure& measure);

} // namespace warpbook
