#include "simt/program/options.hpp"

#include <charconv>
#include <limits>

namespace simt::program {

namespace {

/// Enough for the sizes of tutorials; a loop that does not end takes minutes to get there.
constexpr std::uint64_t default_steps = 200'000'000;

std::uint64_t number(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError{option + " takes a number, and '" + text + "' is none"};
  return value;
}

Schedule schedule_named(const std::string& name) {
  if (name == "forward") return Schedule::forward;
  if (name == "reverse") return Schedule::reverse;
  if (name == "random") return Schedule::random;
  throw UsageError{"--schedule is forward, reverse or random, and not '" + name + "'"};
}

} // namespace

RunOptions parse_options(const std::vector<std::string>& arguments) {
  RunOptions options;
  options.simulator.step_budget = default_steps;
  options.simulator.work_budget = std::numeric_limits<std::uint64_t>::max(); // a program is no call
  options.simulator.merge_launches = true;
  std::size_t next = 0;
  for (; next < arguments.size() && arguments[next].starts_with("-"); ++next) {
    std::string option = arguments[next];
    std::string joined;
    const std::size_t sign = option.find('=');
    if (sign != option.npos) {
      joined = option.substr(sign + 1);
      option.resize(sign);
    }
    const auto value = [&] {
      if (sign != std::string::npos) return joined;
      if (next + 1 >= arguments.size()) throw UsageError{option + " needs a value"};
      return arguments[++next];
    };
    if (option == "--schedule") {
      options.schedule = value();
      options.simulator.schedule = schedule_named(options.schedule);
    } else if (option == "--seed") {
      options.simulator.seed = number(option, value());
    } else if (option == "--steps") {
      options.simulator.step_budget = number(option, value());
      if (options.simulator.step_budget == 0) throw UsageError{"--steps is at least 1"};
    } else if (option == "--name") {
      options.name = value();
    } else if (option == "--json" && sign == option.npos) {
      options.json = true;
    } else if (option == "--no-counters" && sign == option.npos) {
      options.counters = false;
    } else if (option == "--no-lines" && sign == option.npos) {
      options.lines = false;
    } else if (option == "--help" || option == "-h") {
      options.help = true;
      return options;
    } else {
      throw UsageError{"unknown option " + arguments[next]};
    }
  }
  if (next == arguments.size()) throw UsageError{"no program to run"};
  options.module = arguments[next++];
  if (options.name.empty()) options.name = options.module;
  options.arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(next), arguments.end());
  options.simulator.sites = options.json || (options.counters && options.lines);
  return options;
}

std::string usage() {
  return R"(simtrun [OPTION]... PROGRAM.so [ARGUMENT]...   runs what simtcc --program has built

  --schedule forward|reverse|random   the order of lanes, warps and blocks (default: forward)
  --seed N          of the random schedule (default: 1)
  --steps N         requests and lane switches after which a kernel counts as endless (default: 200,000,000)
  --name NAME       what the program is told it is called
  --json            one JSON document on standard output, with the program's own output in it
  --no-counters     diagnostics only
  --no-lines        counters of kernels, not of source lines

What the simulator has to say comes on standard error when the program has ended.
Exit status: the program's own; 99 if that is 0 and there are diagnostics; 2 if simtrun could not start it.
)";
}

} // namespace simt::program
