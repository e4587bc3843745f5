#include "simt/program/options.hpp"

#include <CLI/CLI.hpp>
#include <limits>
#include <map>

namespace simt::program {

namespace {

/// More than a block of tutorials needs, if one thread computes a whole matrix product; a loop that does not end gets there in
/// a minute.
constexpr std::uint64_t default_steps = 1'000'000'000;
/// A grid that takes about an hour.
constexpr std::uint64_t most_threads = std::uint64_t{1} << 32;
/// As much as large devices have: only what is written to takes memory (watch_for_the_end() keeps it within the computer's).
constexpr std::size_t default_memory_mib = 80 << 10, most_memory_mib = 192 << 10;

} // namespace

RunOptions parse_options(const std::vector<std::string>& arguments) {
  const std::map<std::string, Schedule> schedules = {
      {"forward", Schedule::forward}, {"reverse", Schedule::reverse}, {"random", Schedule::random}};
  RunOptions options;
  options.simulator.step_budget = default_steps;
  options.simulator.work_budget = std::numeric_limits<std::uint64_t>::max(); // a program is no call
  options.simulator.budget_per_block = true;
  options.simulator.most_threads = most_threads;
  options.simulator.merge_launches = true;
  options.simulator.every_launch = false;
  bool no_counters = false, no_lines = false;
  std::size_t memory_mib = default_memory_mib;

  CLI::App app("Runs PROGRAM.so [ARGUMENT]..., which simtcc --program has built.", "simtrun");
  app.option_defaults()->take_last();
  app.footer("What the simulator has to say comes on standard error when the program has ended.\n"
             "Exit status: the program's own; 99 if that is 0 and there are diagnostics; 124 if --limit has "
             "stopped it; 2 if simtrun could not start it.");
  app.prefix_command(); // what follows the options is the program and its arguments
  app.add_option("--schedule", options.schedule, "the order of lanes, warps and blocks (default: forward)")
      ->check(CLI::IsMember(schedules));
  app.add_option("--seed", options.simulator.seed, "of the random schedule (default: 1)")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
         "--steps", options.simulator.step_budget,
         "requests and lane switches that lead no block to its end, after which a kernel counts as endless "
         "(default: 1,000,000,000)")
      ->check(CLI::PositiveNumber);
  app.add_option("--memory", memory_mib, "MiB of device memory (default: 81920)")
      ->check(CLI::Range(std::size_t{1}, most_memory_mib));
  app.add_option("--limit", options.limit,
                 "stops the program after so many seconds and says how far it has come (default: no limit)")
      ->check(CLI::PositiveNumber);
  app.add_option("--name", options.name, "the name that the program sees as its own");
  app.add_flag("--json", options.json,
               "one JSON document on standard output, with the program's own output in it");
  app.add_flag("--no-counters", no_counters, "diagnostics only");
  app.add_flag("--no-lines", no_lines, "counters of kernels, not of source lines");
  app.add_flag("--every-launch", options.simulator.every_launch,
               "runs each launch, also those that would do again what the same launch has done");
  app.add_option("--trace", options.trace, "writes what the kernels did with memory to this file");
  app.add_option("--replay", options.replay,
                 "a JSON file with \"build\", a command, and \"module\", what it makes with simtcc --replay: "
                 "after findings the "
                 "program runs again as that module, without input and output, to tell how they came about");
  app.add_option("--watch", options.watch,
                 "a file with threads as JSON, which gets what they did, where simtcc --replay has built it");
  try {
    app.parse(std::vector(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    options.help = app.help();
    return options;
  } catch (const CLI::ParseError& error) {
    throw UsageError{error.what()};
  }
  const std::vector<std::string> rest = app.remaining();
  if (rest.empty()) throw UsageError{"no program to run"};
  if (rest.front().starts_with("-")) throw UsageError{"unknown option " + rest.front()};
  options.module = rest.front();
  if (options.name.empty()) options.name = options.module;
  options.arguments.assign(rest.begin() + 1, rest.end());
  options.counters = !no_counters;
  options.lines = !no_lines;
  options.simulator.device_memory = memory_mib << 20;
  options.simulator.schedule = schedules.at(options.schedule);
  options.simulator.trace = !options.trace.empty();
  options.simulator.sites = options.json || (options.counters && options.lines);
  return options;
}

} // namespace simt::program
