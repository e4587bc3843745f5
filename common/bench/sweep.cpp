#include "bench/sweep.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <utility>

namespace warpbook {

Metric count(std::string name, std::string unit, std::string words,
             std::function<double(const Reply&)> count_of) {
  return {std::move(name), std::move(unit), std::move(words),
          [=](const Taken& taken) { return exactly(count_of(*taken.reply)); }};
}

Metric count(std::string name, std::string unit, std::string words, CounterField field) {
  return count(std::move(name), std::move(unit), std::move(words),
               [=](const Reply& reply) { return static_cast<double>(reply.counters().*field); });
}

Metric per_request(std::string name, std::string unit, std::string words, CounterField cost,
                   CounterField requests) {
  return {std::move(name), std::move(unit), std::move(words),
          [=](const Taken& taken) -> std::optional<Value> {
            const simt::Counters& c = taken.reply->counters();
            if (c.*requests == 0) return std::nullopt;
            return exactly(per(c.*cost, c.*requests));
          }};
}

Metric per_request(std::string name, std::string unit, std::string words, const Way& way) {
  return per_request(std::move(name), std::move(unit), std::move(words), way.cost, way.requests);
}

Metric with_least(Metric metric, double least) {
  metric.least = [=](const Taken&) { return least; };
  return metric;
}

Metric with_least(Metric metric, std::function<std::optional<double>(const Reply&)> least) {
  metric.least = [=](const Taken& taken) { return least(*taken.reply); };
  return metric;
}

Metric with_least_cost(Metric per_request, const Way& way, std::size_t least_cost) {
  return with_least(std::move(per_request), [=](const Reply& reply) -> std::optional<double> {
    return per(least_cost, reply.counters().*way.requests);
  });
}

Metric with_taught(Metric metric, std::function<double(const Reply&)> taught) {
  metric.taught = [=](const Taken& taken) { return taught(*taken.reply); };
  return metric;
}

Metric with_taught(Metric metric, double taught) {
  return with_taught(std::move(metric), [=](const Reply&) { return taught; });
}

Metric with_taught_neighbours(Metric per_request, const Way& way) {
  return with_taught(std::move(per_request), [=](const Reply& reply) {
    const simt::Counters& c = reply.counters();
    return per(c.*way.bytes / 32 + 2 * c.*way.requests, c.*way.requests);
  });
}

Metric per_second(std::string name, std::string unit, double amount) {
  return {std::move(name), unit, " " + unit,
          [=](const Taken& taken) { return rate(1e-9 * amount, taken.time()); }};
}

std::vector<Metric> against(Yardstick yardstick, std::string name, std::string unit, double amount,
                            double bytes) {
  const std::string other = name_of(yardstick);
  const auto ratio = [=](const Taken& taken) {
    return rate(1e-9 * amount, taken.time()) / (taken.ceiling / bytes);
  };
  return {per_second(std::move(name), std::move(unit), amount),
          {"ratio_to_" + other, "ratio", " of a " + other, ratio}};
}

Sweep::Sweep(const BenchOptions& options, Table& table, std::vector<Measured> submissions, int least)
    : options_(options), table_(table), submissions_(std::move(submissions)),
      is_sim_(options.backend == Backend::sim), plan_(options, least) {}

bool Sweep::wanted(Precision precision) const {
  return options_.precision == Precision::both || options_.precision == precision;
}

std::size_t Sweep::elements(std::size_t on_sim, std::size_t bytes) const {
  if (options_.size != 0) return options_.size;
  return is_sim_ ? on_sim : elements_beyond_cache(submission_options(options_, {}), bytes);
}

void Sweep::add(Calling calling, Spot spot) {
  if (spot.line.empty()) spot.line = calling.function;
  if (spot.group.empty()) spot.group = calling.function;
  points_.emplace_back(std::move(calling), std::move(spot));
}

void Sweep::run(bool joined) {
  for (const Measured& measured : submissions_) {
    for (const auto& point : points_) {
      const Calling& calling = point.first;
      const Spot& spot = point.second;
      if (spot.is_for && !spot.is_for(measured)) continue;
      const auto report = [&, joined](const Taken& taken) {
        return write(measured, calling.function, spot, taken, joined);
      };
      std::function<Plan::Point::How()> how;
      if (spot.how) how = [&] { return spot.how(measured); };
      plan_.add(spot.group, {measured, calling.function, spot.line, calling.call, report, spot.beside, how});
    }
  }
  plan_.run(joined);
  points_.clear();
}

std::string Sweep::write(const Measured& measured, const std::string& function, const Spot& spot,
                         const Taken& taken, bool joined) {
  if (spot.heard) spot.heard(measured, taken);
  std::string text;
  for (const Metric& metric : is_sim_ ? spot.counted : spot.timed) {
    const std::optional<Value> value = metric.value(taken);
    if (!value) continue;
    std::optional<double> least = metric.least ? metric.least(taken) : std::nullopt;
    if (metric.taught && !options_.own.empty())
      least = std::max(least.value_or(0), std::min(value->value, metric.taught(taken)));
    add_row(measured.name, function, spot.cells, metric.name, *value, metric.unit, taken, least);
    if (metric.words.empty()) continue;
    const auto shown = [&](double number) {
      return metric.shown ? metric.shown(number) : significant(number, 4);
    };
    text += (text.empty() || joined ? "" : ", ") + shown(value->value);
    if (least) text += (joined ? "(" : " (least ") + shown(*least) + ")";
    text += metric.words;
  }
  return text;
}

void Sweep::add_yardstick(Yardstick yardstick, std::size_t bytes, std::vector<Cell> cells, const char* metric,
                          const char* unit, std::size_t bytes_of_a_unit) {
  if (is_sim_) return;
  const double amount = 1e-9 * static_cast<double>(bytes) / static_cast<double>(bytes_of_a_unit);
  add_yardstick(name_of(yardstick), plan_.ceilings()->measure(yardstick, bytes), amount, std::move(cells),
                metric, unit);
}

void Sweep::add_yardstick(const std::string& name, const OwnYardstick& seconds, std::size_t bytes,
                          std::vector<Cell> cells, const std::string& words) {
  if (is_sim_) return;
  add_yardstick(name, plan_.ceilings()->measure(seconds), 1e-9 * static_cast<double>(bytes), std::move(cells),
                "effective_bandwidth", "GB/s", words);
}

void Sweep::add_yardstick(const std::string& name, const Taken& taken, double amount, std::vector<Cell> cells,
                          const char* metric, const char* unit, const std::string& words) {
  const Value speed = rate(amount, taken.time());
  add_row("yardstick", name, std::move(cells), metric, speed, unit, taken);
  std::printf("%-42s %-24s %6.0f %s%s\n", "yardstick", name.c_str(), speed.value, unit, words.c_str());
  std::fflush(stdout);
}

void Sweep::add_row(const std::string& submission, const std::string& function, std::vector<Cell> cells,
                    const std::string& metric, const Value& value, const std::string& unit,
                    const Taken& taken, std::optional<double> least) {
  cells.insert(cells.begin(), {submission, function});
  warpbook::add_row(table_, std::move(cells), metric.c_str(), value, unit.c_str(), taken, least);
}

int run_bench(int argc, char** argv, const Bench& bench, const Measure& measure) {
  const BenchOptions options = parse_bench_options(argc, argv, bench.contract, bench.input);
  try {
    std::vector<std::string> columns = {"submission", "function"};
    columns.insert(columns.end(), bench.columns.begin(), bench.columns.end());
    Table table = start_table(options, with_common_columns(std::move(columns)));
    Sweep sweep(options, table, measured_modules(options.modules, options.own), bench.least);
    measure(sweep);
    finish_table(options, table);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", std::filesystem::path(argv[0]).filename().c_str(), error.what());
    return 1;
  }
}

} // namespace warpbook
