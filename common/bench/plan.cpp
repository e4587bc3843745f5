#include "bench/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

namespace warpbook {

namespace {

/// Clocks and temperature drift, so a yardstick is measured again after so many points.
constexpr std::size_t points_between = 8;
/// Each open submission is a process with a context of its own on the GPU, which takes up to about so much of its memory.
constexpr std::size_t context_bytes = std::size_t{1} << 30;
constexpr std::size_t most_processes = 32;
/// A call that takes longer is measured in one round.
constexpr double slow = 50e-3; // s
/// Times the steps of an exercise: what is measured has passed its rubric, so its loops end, and a sweep may be as long as the
/// user asks for.
constexpr unsigned simulator_patience = 256;

} // namespace

Value Value::operator/(double divisor) const {
  return {value / divisor, low / divisor, high / divisor, best / divisor, spread};
}

Value exactly(double value) { return {value, value, value, value, 0}; }

Value duration(const Summary& s, double unit) {
  return Value{s.median, s.interval.low, s.interval.high, s.smallest, s.spread / s.median} / unit;
}

Value rate(double amount, const Summary& s) {
  return {amount / s.median, amount / s.interval.high, amount / s.interval.low, amount / s.smallest,
          s.spread / s.median};
}

std::vector<std::string> with_common_columns(std::vector<std::string> own) {
  for (const char* name :
       {"metric", "value", "low", "high", "best", "spread", "repetitions", "unit", "l2", "turn", "least"})
    own.emplace_back(name);
  return own;
}

namespace {

/// A whole number in full: it is a count.
Cell cell_of(double number) {
  constexpr double exact = 0x1p53;
  if (number != std::floor(number) || std::abs(number) > exact) return Cell(number);
  return Cell(static_cast<long long>(number));
}

} // namespace

void add_row(Table& table, std::vector<Cell> own, const char* metric, const Value& value, const char* unit,
             const Taken& taken, std::optional<double> least) {
  const bool is_timed = !taken.seconds.empty();
  const std::size_t repetitions = is_timed ? taken.seconds.size() : 1;
  const char* l2 = !is_timed ? "-" : taken.cold ? "cold" : "warm"; // what is counted does not depend on it
  for (const Cell& cell : {Cell(metric), cell_of(value.value), cell_of(value.low), cell_of(value.high),
                           cell_of(value.best), Cell(value.spread), Cell(repetitions), Cell(unit), Cell(l2),
                           Cell(taken.turn), least ? cell_of(*least) : Cell("")})
    own.push_back(cell);
  table.add(std::move(own));
}

std::vector<std::size_t> shuffled(std::size_t n, std::mt19937_64& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

CallOptions one_round(const CallOptions& all, int rounds) {
  CallOptions one = all;
  one.repetitions = (all.repetitions + rounds - 1) / rounds;
  one.most_repetitions = std::max(one.repetitions, (all.most_repetitions + rounds - 1) / rounds);
  return one;
}

// ---- yardsticks ----------------------------------------------------------------------------------------------

Ceilings::Ceilings(const BenchOptions& options, const CallOptions& timed)
    : timed_(timed), yardsticks_(submission_options(options, {})) {}

Ceilings::Latest& Ceilings::latest(Yardstick yardstick, std::size_t bytes) {
  const long size = std::lround(std::log2(static_cast<double>(bytes)) * 32);
  Latest& found = latest_[{yardstick, size}];
  if (found.bytes == 0) found.bytes = bytes / 8 * 8;
  return found;
}

Taken Ceilings::measure(Yardstick yardstick, std::size_t bytes) {
  Latest& found = latest(yardstick, bytes);
  Taken now;
  now.seconds = yardsticks_.seconds(yardstick, found.bytes, timed_);
  now.cold = timed_.cold;
  found.speed = gigabytes_per_second(static_cast<double>(found.bytes), median(now.seconds));
  found.taken.seconds.insert(found.taken.seconds.end(), now.seconds.begin(), now.seconds.end());
  found.taken.cold = timed_.cold;
  return now;
}

double Ceilings::speed(Yardstick yardstick, std::size_t bytes, std::size_t turn) {
  Latest& found = latest(yardstick, bytes);
  if (found.speed == 0 || turn >= found.turn + points_between) {
    measure(yardstick, bytes);
    found.turn = turn;
  }
  return found.speed;
}

std::vector<std::pair<std::size_t, Taken>> Ceilings::all(Yardstick yardstick) const {
  std::vector<std::pair<std::size_t, Taken>> found;
  for (const auto& [key, latest] : latest_) {
    if (key.first == yardstick && !latest.taken.seconds.empty())
      found.emplace_back(latest.bytes, latest.taken);
  }
  return found;
}

Taken Ceilings::measure(const OwnYardstick& seconds) {
  Taken now;
  now.seconds = seconds(yardsticks_, timed_);
  now.cold = timed_.cold;
  return now;
}

// ---- points --------------------------------------------------------------------------------------------------

struct Plan::Group {
  std::string name;
  std::vector<Point> points;
  std::vector<std::optional<Taken>> taken; ///< none: the submission lacks the function, or declined
};

Plan::Plan(const BenchOptions& options, int least)
    : options_(options), is_sim_(options.backend == Backend::sim),
      rounds_(is_sim_ ? 1 : std::min(options.rounds, options.repetitions)),
      timed_(timed_call(std::min(least, options.repetitions), options.repetitions)), most_open_(8),
      random_(options.seed) {
  if (is_sim_) return;
  const SubmissionOptions any = submission_options(options, {});
  most_open_ = std::clamp<std::size_t>(probe(any).memory_bytes / context_bytes, 2, most_processes);
  ceilings_ = std::make_unique<Ceilings>(options, timed_);
}

Plan::~Plan() = default;

void Plan::add(const std::string& group, Point point) {
  if (!options_.function.empty() && point.function != options_.function) return;
  if (offered_[{point.measured.name, point.line}]++ % options_.thin != 0) return;
  auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.name == group; });
  if (found == groups_.end()) found = groups_.insert(groups_.end(), Group{group, {}, {}});
  found->points.push_back(std::move(point));
}

Submission& Plan::open(const Measured& measured) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const auto& entry) { return entry.first == measured.name; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    if (open_.size() >= most_open_) open_.pop_back();
    open_.emplace_front(measured.name, std::make_unique<Submission>(submission_options(options_, measured)));
  }
  return *open_.front().second;
}

/// Whether there is something to report: the point was measured, now or in an earlier round.
bool Plan::measure(const Point& point, Taken& taken, int round) {
  const Point::How how = point.how ? point.how() : Point::How{timed_, rounds_};
  const int rounds = std::min(how.rounds, rounds_);
  const bool is_done = round >= rounds || (!taken.seconds.empty() && median(taken.seconds) > slow);
  if (is_done) return !taken.seconds.empty();
  Submission& submission = open(point.measured);
  std::optional<Reply> reply = point.call(submission, is_sim_ ? CallOptions{.patience = simulator_patience}
                                                              : one_round(how.options, rounds));
  if (!reply) return false;
  if (is_sim_) {
    taken.reply = std::move(reply);
    return true;
  }
  const std::vector<double> seconds = seconds_of(*reply);
  taken.seconds.insert(taken.seconds.end(), seconds.begin(), seconds.end());
  taken.cold = how.options.cold;
  if (point.beside) {
    const double now = ceilings_->speed(point.beside->first, point.beside->second, turn_);
    taken.ceiling += (now - taken.ceiling) / (round + 1); // the mean so far
  }
  return true;
}

void Plan::visit(Group& group) {
  group.taken.resize(group.points.size());
  for (int round = 0; round < rounds_; ++round) {
    std::vector<std::size_t> order(group.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!is_sim_) order = shuffled(group.points.size(), random_);
    for (const std::size_t place : order) {
      const Point& point = group.points[place];
      if (missing_.contains({point.measured.name, point.function})) continue;
      ++turn_;
      Taken taken = group.taken[place] ? std::move(*group.taken[place]) : Taken{};
      if (taken.turn == 0) taken.turn = turn_;
      group.taken[place].reset();
      try {
        if (measure(point, taken, round)) group.taken[place] = std::move(taken);
      } catch (const ItemFailed& failed) {
        pass_over(options_, point.measured, failed);
        if (!is_missing_function(failed.failure)) // a student's file, with some tasks still open
          std::printf("%-42s %-24s not measured: its result is not right yet\n", point.measured.name.c_str(),
                      point.function.c_str());
        missing_.insert({point.measured.name, point.function});
      }
    }
  }
}

void Plan::report(const Group& group, bool joined) const {
  std::string text;
  for (std::size_t i = 0; i < group.points.size(); ++i) {
    const Point& point = group.points[i];
    if (group.taken[i]) {
      const std::string said = point.report(*group.taken[i]);
      text = joined ? text + said : said;
    }
    const bool last = i + 1 == group.points.size() || group.points[i + 1].line != point.line ||
                      group.points[i + 1].measured.name != point.measured.name;
    if (!last) continue;
    if (!text.empty())
      std::printf("%-42s %-24s %s\n", point.measured.name.c_str(), point.line.c_str(), text.c_str());
    text.clear();
  }
  std::fflush(stdout);
}

void Plan::run(bool joined) {
  if (groups_.empty() && !options_.function.empty())
    throw std::runtime_error("This lab's bench measures no function '" + options_.function + "'.");
  for (Group& group : groups_) {
    visit(group);
    report(group, joined);
    group.taken.clear();
  }
  groups_.clear();
  open_.clear();
}

} // namespace warpbook
