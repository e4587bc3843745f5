#include "simt/trace/formula.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace simt {

namespace {

/// Where one lane was, and which element it took.
struct Sample {
  std::array<std::int64_t, variables> at{};
  std::int64_t element = 0;
};

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Access>; // launch, site, array, access

struct Group {
  Key key;
  unsigned bytes = 0;
  std::vector<Sample> samples;
};

constexpr const char* variable_names[variables] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "k",
                                                   "blockIdx.x",  "blockIdx.y",  "blockIdx.z"};

void place(Sample& sample, Variable x, std::uint64_t linear, const std::array<unsigned, 3>& extent) {
  sample.at[x] = static_cast<std::int64_t>(linear % extent[0]);
  sample.at[x + 1] = static_cast<std::int64_t>(linear / extent[0] % extent[1]);
  sample.at[x + 2] = static_cast<std::int64_t>(linear / extent[0] / extent[1]);
}

std::vector<Group> groups_of(const Trace& trace) {
  std::vector<Group> groups;
  std::map<Key, std::size_t> place_of;
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::int64_t>
      times; // by group, block and thread
  for (const TracedStep& step : trace.steps) {
    if (step.kind != TracedStep::Kind::access) continue;
    const Key key{step.launch, step.site, step.array, step.access};
    const auto [found, is_new] = place_of.try_emplace(key, groups.size());
    if (is_new) groups.push_back({key, step.bytes, {}});
    const TracedLaunch& launch = trace.launches[step.launch];
    const TracedArray& array = trace.arrays[step.array];
    const unsigned unit = array.element_bytes != 0 ? array.element_bytes : step.bytes;
    std::size_t k = 0;
    for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1, ++k) {
      const std::uint32_t thread = step.first_thread + static_cast<unsigned>(std::countr_zero(rest));
      Sample sample;
      place(sample, thread_x, thread, launch.block);
      place(sample, block_x, step.block, launch.grid);
      sample.at[iteration] = times[{found->second, step.block, thread}]++;
      sample.element = static_cast<std::int64_t>(step.offsets[k] / unit);
      groups[found->second].samples.push_back(sample);
    }
  }
  return groups;
}

/// How the element changes with `v`: from two samples that differ in it and in none of `open`; the coefficients of the
/// others are known. Nothing if there are none, or the quotient is no whole number.
std::optional<std::int64_t> coefficient_of(Variable v, const std::vector<Sample>& samples,
                                           const std::vector<Variable>& open,
                                           const std::array<std::int64_t, variables>& known) {
  struct First {
    std::int64_t at, rest;
  };
  std::map<std::vector<std::int64_t>, First> first;
  for (const Sample& sample : samples) {
    std::vector<std::int64_t> others;
    for (const Variable other : open)
      if (other != v) others.push_back(sample.at[other]);
    std::int64_t rest = sample.element;
    for (int other = 0; other < variables; ++other) rest -= known[other] * sample.at[other];
    const auto [place, is_new] = first.try_emplace(std::move(others), First{sample.at[v], rest});
    if (is_new || place->second.at == sample.at[v]) continue;
    const std::int64_t by = sample.at[v] - place->second.at, change = rest - place->second.rest;
    if (change % by != 0) return std::nullopt;
    return change / by;
  }
  return std::nullopt;
}

/// Exact, or nothing.
std::optional<AccessFormula> fit(const std::vector<Sample>& samples) {
  AccessFormula formula;
  formula.count = samples.size();
  formula.least = formula.most = samples.front().at;
  for (const Sample& sample : samples) {
    for (int v = 0; v < variables; ++v) {
      formula.least[v] = std::min(formula.least[v], sample.at[v]);
      formula.most[v] = std::max(formula.most[v], sample.at[v]);
    }
  }
  std::vector<Variable> open;
  for (int v = 0; v < variables; ++v)
    if (formula.least[v] != formula.most[v]) open.push_back(static_cast<Variable>(v));
  // A variable may only be seen alone once the others are known.
  for (bool found = true; found && !open.empty();) {
    found = false;
    for (const Variable v : open) {
      const auto coefficient = coefficient_of(v, samples, open, formula.coefficient);
      if (!coefficient) continue;
      formula.coefficient[v] = *coefficient;
      std::erase(open, v);
      found = true;
      break;
    }
  }
  if (!open.empty()) return std::nullopt;
  const auto value = [&](const Sample& sample) {
    std::int64_t sum = 0;
    for (int v = 0; v < variables; ++v) sum += formula.coefficient[v] * sample.at[v];
    return sum;
  };
  formula.constant = samples.front().element - value(samples.front());
  for (const Sample& sample : samples)
    if (formula.constant + value(sample) != sample.element) return std::nullopt;
  return formula;
}

} // namespace

std::vector<AccessFormula> formulas_of(const Trace& trace) {
  std::vector<AccessFormula> formulas;
  for (Group& group : groups_of(trace)) {
    std::optional<AccessFormula> formula = fit(group.samples);
    if (!formula) {
      std::erase_if(group.samples, [](const Sample& sample) { return sample.at[iteration] != 0; });
      formula = fit(group.samples);
      if (!formula) continue;
      formula->first_only = true;
    }
    std::uint32_t site = 0;
    std::tie(formula->launch, site, formula->array, formula->access) = group.key;
    const TracedLaunch& launch = trace.launches[formula->launch];
    const TracedArray& array = trace.arrays[formula->array];
    formula->kernel = launch.kernel;
    formula->block = launch.block;
    formula->name = array.name;
    formula->space = array.space;
    formula->where = trace.sites[site];
    formula->bytes = group.bytes;
    formula->element_bytes = array.element_bytes != 0 ? array.element_bytes : group.bytes;
    formulas.push_back(*formula);
  }
  return formulas;
}

std::string index_text(const AccessFormula& formula) {
  std::string text;
  const auto add = [&](std::int64_t value, const std::string& name) {
    if (value == 0) return;
    if (!text.empty())
      text += value < 0 ? " - " : " + ";
    else if (value < 0)
      text += "-";
    const std::string size = std::to_string(value < 0 ? -value : value);
    text += name.empty() ? size : size == "1" ? name : size + " * " + name;
  };
  for (const Variable v : {block_z, block_y, block_x, iteration, thread_z, thread_y, thread_x})
    add(formula.coefficient[v], variable_names[v]);
  add(formula.constant, "");
  return text.empty() ? "0" : text;
}

std::string range_text(const AccessFormula& formula) {
  std::string text;
  for (const Variable v : {block_x, block_y, block_z, thread_x, thread_y, thread_z, iteration}) {
    if (formula.least[v] == formula.most[v] && (formula.most[v] == 0 || v == iteration)) continue;
    if (v == iteration && formula.first_only) continue;
    text +=
        (text.empty() ? "" : ", ") + std::string(variable_names[v]) + " " + std::to_string(formula.least[v]);
    if (formula.least[v] != formula.most[v]) text += " to " + std::to_string(formula.most[v]);
  }
  return text;
}

void to_json(nlohmann::json& json, const AccessFormula& formula) {
  json = {{"kernel", formula.kernel},     {"block", formula.block},
          {"array", formula.name},        {"shared", formula.space == Space::shared},
          {"where", formula.where},       {"access", static_cast<int>(formula.access)},
          {"bytes", formula.bytes},       {"element_bytes", formula.element_bytes},
          {"constant", formula.constant}, {"coefficient", formula.coefficient},
          {"least", formula.least},       {"most", formula.most},
          {"count", formula.count},       {"first_only", formula.first_only},
          {"index", index_text(formula)}};
}

void from_json(const nlohmann::json& json, AccessFormula& formula) {
  json.at("kernel").get_to(formula.kernel);
  json.at("block").get_to(formula.block);
  json.at("array").get_to(formula.name);
  formula.space = json.at("shared").get<bool>() ? Space::shared : Space::global;
  json.at("where").get_to(formula.where);
  formula.access = static_cast<Access>(json.at("access").get<int>());
  json.at("bytes").get_to(formula.bytes);
  json.at("element_bytes").get_to(formula.element_bytes);
  json.at("constant").get_to(formula.constant);
  json.at("coefficient").get_to(formula.coefficient);
  json.at("least").get_to(formula.least);
  json.at("most").get_to(formula.most);
  json.at("count").get_to(formula.count);
  json.at("first_only").get_to(formula.first_only);
}

} // namespace simt
