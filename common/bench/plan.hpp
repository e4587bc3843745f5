#pragma once
/// How every bench takes its times, so that no submission and no size is favoured by when it was measured.
///
/// A bench adds its points: a submission's call, and what to write about it. Points that are compared with each other
/// form a group. On a GPU a group is measured in rounds; each round visits all its points in a random order (seeded, and
/// the seed stands in the table), so that a clock that falls, or a neighbour that comes, meets all of them alike; the
/// times of all rounds count together. The yardstick that a point is compared with is measured again whenever some points
/// have gone by. A point whose call takes longer than 50 ms is not visited again after its first round. On the simulator each
/// point is counted once, in the order given.
///
/// A point's `call` checks the outputs before it returns: those of the last timed repetition of that round. What is wrong
/// throws there, and nothing of it is written.

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.hpp"
#include "grader/yardstick.hpp"
#include "timing/statistics.hpp"

namespace warpbook {

/// One number of a row, with how well it is known. For a rate, low, high and best are those of the times the other way round.
struct Value {
  double value = 0;
  double low = 0;    ///< 95% interval of the median, of all rounds together
  double high = 0;   ///< its other end
  double best = 0;   ///< the fastest repetition
  double spread = 0; ///< half the middle half of the times, as a fraction of their median

  Value operator/(double divisor) const;
};

/// A count, which is exact.
Value exactly(double value);
/// Median time in units of `unit` seconds.
Value duration(const Summary& seconds, double unit);
/// `amount` a second.
Value rate(double amount, const Summary& seconds);

/// What measuring a point gave.
struct Taken {
  std::optional<Reply> reply; ///< on the simulator: outputs and counters. Those of a GPU's calls are not kept
  std::vector<double> seconds; ///< of all rounds' repetitions, in their order; empty on the simulator
  double ceiling = 0;          ///< GB/s of the yardstick beside it, the mean of the rounds; 0: it has none
  bool cold = false;           ///< the L2 cache was flushed before each repetition
  std::size_t turn = 0;        ///< which of all points it was, counted from 1 as they were first measured

  Summary time() const { return summarise(seconds); }
};

/// The columns of a table: a bench's own, then those that every bench has.
std::vector<std::string> with_common_columns(std::vector<std::string> own);

/// Adds a row: the bench's own cells, then metric, value and all that is known about it. `least`: what the task needs of
/// it at least; the cell is empty where that is not known.
void add_row(Table& table, std::vector<Cell> own, const char* metric, const Value& value, const char* unit,
             const Taken& taken, std::optional<double> least = {});

/// The times of a yardstick that not every bench needs, such as Yardsticks::seconds_of_sectors.
using OwnYardstick = std::function<std::vector<double>(Yardsticks&, const CallOptions&)>;

/// The yardsticks of a run. On a GPU only.
class Ceilings {
public:
  Ceilings(const BenchOptions& options, const CallOptions& timed);

  /// Times a yardstick that moves about `bytes`, and keeps the result as the latest.
  Taken measure(Yardstick yardstick, std::size_t bytes);
  /// GB/s of the latest such measurement; a new one if more than `points_between` turns have gone by since.
  double speed(Yardstick yardstick, std::size_t bytes, std::size_t turn);
  /// All of it: for each yardstick and number of bytes the times of every measurement together.
  std::vector<std::pair<std::size_t, Taken>> all(Yardstick yardstick) const;
  /// Times another yardstick, whose times in seconds `seconds` gives.
  Taken measure(const OwnYardstick& seconds);

private:
  struct Latest {
    std::size_t bytes = 0;
    Taken taken;
    double speed = 0;
    std::size_t turn = 0;
  };
  Latest& latest(Yardstick yardstick, std::size_t bytes);

  CallOptions timed_;
  Yardsticks yardsticks_;
  std::map<std::pair<Yardstick, long>, Latest> latest_; ///< sizes that differ by 2% share one
};

class Plan {
public:
  /// Makes the call with these options, checks its outputs, and returns the reply; none where the submission declined.
  using Call = std::function<std::optional<Reply>(Submission&, const CallOptions&)>;
  /// Writes rows about a point, and returns it in words for the screen.
  using Report = std::function<std::string(const Taken&)>;

  struct Point {
    Measured measured;
    std::string function; ///< a submission that lacks it is asked once
    std::string line; ///< how the screen calls the line that the point belongs to, e.g. "histogram, skewed"
    Call call;
    Report report;
    std::optional<std::pair<Yardstick, std::size_t>> beside; ///< the yardstick, and how many bytes it moves
    /// Other options than usual for all repetitions together, known only when the point's turn comes. `rounds` 0: it is
    /// left out.
    struct How {
      CallOptions options;
      int rounds;
    };
    std::function<How()> how;
  };

  /// `least` is how many timed repetitions a point gets at least; options.repetitions says how many at most.
  Plan(const BenchOptions& options, int least);
  ~Plan();

  /// How a point is timed: all rounds together.
  const CallOptions& timed() const { return timed_; }
  /// Null on the simulator.
  Ceilings* ceilings() { return ceilings_.get(); }

  /// Adds a point to `group`, unless options.function names another function than the point's or options.thin leaves it
  /// out. Groups are measured in the order in which they begin.
  void add(const std::string& group, Point point);
  /// Measures all points that were added since the last run, and calls their reports in the order in which they were added.
  /// `joined`: the screen shows what all points of a line said, and not the last one alone. Throws std::runtime_error with
  /// the submission's name where a call goes wrong, and where options.function left no point at all.
  void run(bool joined = false);

private:
  struct Group;
  Submission& open(const Measured& measured);
  bool measure(const Point& point, Taken& taken, int round);
  void visit(Group& group);
  void report(const Group& group, bool joined) const;

  const BenchOptions& options_;
  bool is_sim_;
  int rounds_;
  CallOptions timed_;
  std::size_t most_open_;
  std::mt19937_64 random_;
  std::size_t turn_ = 0;
  std::vector<Group> groups_;
  std::map<std::pair<std::string, std::string>, std::size_t> offered_;  ///< submission, line: points so far
  std::set<std::pair<std::string, std::string>> missing_;               ///< submission, function
  std::list<std::pair<std::string, std::unique_ptr<Submission>>> open_; ///< the latest used first
  std::unique_ptr<Ceilings> ceilings_;
};

/// The places 0 to n - 1 in an order that depends on `random` alone, the same with every standard library.
std::vector<std::size_t> shuffled(std::size_t n, std::mt19937_64& random);

/// The options of one round of `rounds`: together they repeat as often as `all` says, at least.
CallOptions one_round(const CallOptions& all, int rounds);

} // namespace warpbook
