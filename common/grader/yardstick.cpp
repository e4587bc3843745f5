#include "grader/yardstick.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>

#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/context.hpp"
#include "grader/places.hpp"
#include "grader/say.hpp"
#include "yardsticks/yardsticks.hpp"

namespace warpbook {
namespace {

constexpr int attempts = 3;
constexpr std::size_t operations_of_a_thread = 8192; ///< of yardstick_fma

SubmissionOptions yardstick_options(const SubmissionOptions& of) {
  SubmissionOptions options;
  options.name = "yardsticks";
  options.kind = "step";
  options.backend = of.backend;
  options.runner_path = of.runner_path;
  options.prefix = of.prefix;
  options.module_path = yardstick_modules() + "/" + (of.backend == Backend::sim ? "sim" : "cuda") + ".so";
  options.contract_path = yardstick_contract();
  options.timeout = std::max(of.timeout, std::chrono::milliseconds(30000));
  return options;
}

SharedYardsticks* shared_yardsticks = nullptr;

std::string decimals(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
std::string rate_text(Yardstick yardstick, double value) {
  return decimals(yardstick == Yardstick::fma ? "%.0f GFLOP/s" : "%.0f GB/s", value);
}
std::string percent_text(double value) { return decimals("%.1f%%", 100 * value); }

/// What `measure` returns. A wrong output is the workbook's own fault.
template <typename Measure>
std::vector<double> checked_seconds(const char* name, const Measure& measure) {
  try {
    return measure();
  } catch (const ItemFailed& failed) {
    throw std::runtime_error(std::string("the yardstick ") + name + " went wrong: " + failed.what());
  }
}

} // namespace

const char* name_of(Yardstick yardstick) {
  constexpr const char* names[] = {"copy", "memcpy", "read", "fma"};
  return names[static_cast<int>(yardstick)];
}

std::vector<double> seconds_of(const Reply& reply) {
  if (reply.times_ms().empty()) throw std::runtime_error("this backend measures no times");
  std::vector<double> seconds = reply.times_ms();
  for (double& time : seconds) time *= 1e-3;
  return seconds;
}

CallOptions timed_call(int least, int most) {
  return {.repetitions = least,
          .most_repetitions = std::max(least, most),
          .uncertainty = 0.005,
          .warm_ups = 2,
          .cold = true};
}

Yardsticks::Yardsticks(const SubmissionOptions& options) : module_(yardstick_options(options)) {}

double Yardsticks::measure(Yardstick yardstick, std::size_t bytes, const CallOptions& timed) {
  const std::size_t unit = yardstick == Yardstick::fma ? operations_of_a_thread : 8;
  const std::size_t moved = bytes / unit * unit;
  return gigabytes_per_second(static_cast<double>(moved), time(yardstick, moved, timed).median);
}

Summary Yardsticks::time(Yardstick yardstick, std::size_t bytes, const CallOptions& timed) {
  return summarise(seconds(yardstick, bytes, timed));
}

std::vector<double> Yardsticks::seconds(Yardstick yardstick, std::size_t bytes, const CallOptions& timed) {
  const std::uint64_t seed = 20;
  const std::size_t n = bytes / (yardstick == Yardstick::read ? 4 : 8);
  return checked_seconds(name_of(yardstick), [&] {
    if (yardstick == Yardstick::read) {
      const std::uint64_t value = 0x9E3779B1;
      const Reply reply = module_.call(
          timed, CONTRACT(yardstick_read), generated<std::uint64_t>(1, constant(0), seed).returned(),
          generated<std::uint32_t>(n, constant(static_cast<double>(value)), seed), n);
      expect_equal(reply, 0, std::vector<std::uint64_t>{value * n});
      return seconds_of(reply);
    }
    if (yardstick == Yardstick::fma) {
      const std::size_t threads = bytes / operations_of_a_thread;
      const Reply reply = module_.call(timed, CONTRACT(yardstick_fma), poisoned<float>(threads).sampled(),
                                       generated<float>(threads, uniform(-1, 1), seed), threads);
      expect_samples<float>(reply, 0, [](std::size_t) { return 16.0F; });
      return seconds_of(reply);
    }
    const auto function =
        yardstick == Yardstick::copy ? CONTRACT(yardstick_copy) : CONTRACT(yardstick_memcpy);
    const Distribution values = uniform(-1, 1);
    const Reply reply =
        module_.call(timed, function, poisoned<float>(n).sampled(), generated<float>(n, values, seed), n);
    expect_samples<float>(reply, 0, [&](std::size_t i) { return generated_element<float>(values, seed, i); });
    return seconds_of(reply);
  });
}

std::vector<double> Yardsticks::seconds_of_sectors(std::size_t n, std::size_t distance,
                                                   const CallOptions& timed) {
  constexpr std::size_t floats_per_sector = 8;
  const std::uint64_t seed = 20;
  const Distribution values = uniform(-1, 1);
  const auto is_copied = [=](std::size_t i) {
    const std::size_t sector = i / floats_per_sector;
    const std::size_t next =
        (sector * floats_per_sector + distance - 1) / distance; // the first element not before it
    return next < n && next * distance / floats_per_sector == sector;
  };
  return checked_seconds("sectors", [&] {
    const Reply reply = module_.call(timed, CONTRACT(yardstick_sectors),
                                     generated<float>(n * distance, constant(2), seed).sampled(),
                                     generated<float>(n * distance, values, seed), n, distance);
    expect_samples<float>(reply, 0, [&](std::size_t i) {
      return is_copied(i) ? generated_element<float>(values, seed, i) : 2.0F;
    });
    return seconds_of(reply);
  });
}

std::vector<double> Yardsticks::seconds_of_tiles(std::size_t side, const CallOptions& timed) {
  constexpr std::size_t tile = 64;
  const std::uint64_t seed = 20;
  const Distribution values = uniform(-1, 1);
  const auto comes_from = [=](std::size_t i) {
    const std::size_t row = i / side, column = i % side;
    return (column / tile * tile + row % tile) * side + row / tile * tile + column % tile;
  };
  return checked_seconds("tiles", [&] {
    const Reply reply = module_.call(timed, CONTRACT(yardstick_tiles), poisoned<float>(side * side).sampled(),
                                     generated<float>(side * side, values, seed), side);
    expect_samples<float>(
        reply, 0, [&](std::size_t i) { return generated_element<float>(values, seed, comes_from(i)); });
    return seconds_of(reply);
  });
}

SharedYardsticks::SharedYardsticks() : outer_(std::exchange(shared_yardsticks, this)) {}

SharedYardsticks::~SharedYardsticks() { shared_yardsticks = outer_; }

Yardsticks& SharedYardsticks::beside(const SubmissionOptions& options) {
  std::vector<std::string> command = options.prefix;
  command.push_back(options.runner_path);
  if (!yardsticks_ || command != command_) {
    yardsticks_.emplace(options);
    command_ = std::move(command);
  }
  return *yardsticks_;
}

Speed measure_speed(Yardsticks& yardsticks, Yardstick yardstick, double useful_bytes,
                    const std::function<Reply(const CallOptions&)>& call) {
  constexpr int turns = 2;
  std::vector<double> seconds;
  std::vector<double> beside;
  const auto yardstick_bytes = static_cast<std::size_t>(useful_bytes);
  beside.push_back(yardsticks.measure(yardstick, yardstick_bytes));
  for (int turn = 0; turn < turns; ++turn) {
    seconds.push_back(median(seconds_of(call(timed_call()))));
    beside.push_back(yardsticks.measure(yardstick, yardstick_bytes));
  }
  return {gigabytes_per_second(useful_bytes, median(seconds)), median(beside)};
}

void judge_speed(const SpeedTarget& target, const std::string& function,
                 const std::function<Speed()>& attempt) {
  const auto reaches = [&target](const Speed& speed) { return speed.ratio() >= target.least_ratio; };
  Speed best;
  for (int i = 0; i < attempts && (i == 0 || !reaches(best)); ++i) {
    const Speed speed = attempt();
    context().speeds.push_back(speed);
    if (i == 0 || speed.ratio() > best.ratio()) best = speed;
  }
  const std::string measured = say(
      "{function} reached {rate}, the yardstick `{yardstick}` {yardstick_rate} in the same run: {percent}",
      function, rate_text(target.yardstick, best.gigabytes_per_second),
      std::string(name_of(target.yardstick)), rate_text(target.yardstick, best.yardstick),
      percent_text(best.ratio()));
  if (reaches(best)) {
    context().notes.push_back(
        say("{measured} (at least {least} is asked for).", measured, percent_text(target.least_ratio)));
    return;
  }
  fail("too-slow",
       say("The result is right, but {measured}. The readable solution stays above {least}.", measured,
           percent_text(target.least_ratio)),
       {target.yardstick == Yardstick::fma
            ? say("A GFLOP is 10^9 floating-point operations; as many are counted as the handout says.")
            : say("A GB is 10^9 bytes; only bytes that the task has to read and write are counted."),
        say("Best of {attempts} attempts, L2 cache cold. No points hang on it: those come from counts, on "
            "the simulator.",
            attempts),
        say("Read on in {page}, and in docs/measuring-well.md.", target.read)});
}

void expect_speed(const SpeedTarget& target, const std::function<Reply(const CallOptions&)>& call) {
  const std::vector<std::string>& prefix = submission().options().prefix;
  // The result first, and the time only where nothing distorts it. That call is measured as well, so that what earlier
  // ones have freed does not disturb the yardstick either.
  const std::string function = call(CallOptions{.cold = true}).function();
  if (!prefix.empty()) {
    context().notes.push_back(
        say("{function} was not timed: {program} runs in front of it.", function, prefix.front()));
    return;
  }
  std::optional<SharedYardsticks> own;
  SharedYardsticks& shared = shared_yardsticks != nullptr ? *shared_yardsticks : own.emplace();
  Yardsticks& yardsticks = shared.beside(submission().options());
  judge_speed(target, function,
              [&] { return measure_speed(yardsticks, target.yardstick, target.useful_bytes, call); });
}

std::size_t elements_beyond_cache(const SubmissionOptions& options, std::size_t element_size) {
  const std::size_t wanted = 8 * std::max(probe(options).l2_bytes, std::size_t{1} << 20);
  std::size_t elements = 1;
  while (elements * element_size < wanted) elements *= 2;
  return elements;
}

} // namespace warpbook
