#include "simt/trace/formula.hpp"

#include "simt/report/say.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace simt {

namespace {

/// Where one lane was, and which element it took.
struct Sample {
  std::array<std::int64_t, variables> at{};
  std::int64_t element = 0;
};

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Access>; // launch, site, array, access

/// The accesses of one key. `seen` are samples enough to find a formula with; what it says of the others is asked of the
/// trace again.
struct Group {
  Key key;
  unsigned bytes = 0;
  std::vector<Sample> seen;
  std::uint64_t count = 0;
  std::array<std::int64_t, variables> least{}, most{};
};

constexpr std::uint64_t seen_whole = 1 << 15; ///< so many accesses, and then every ...
constexpr std::uint64_t seen_after = 61;

constexpr const char* variable_names[variables] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "turn",
                                                   "blockIdx.x",  "blockIdx.y",  "blockIdx.z"};

void place(Sample& sample, Variable x, std::uint64_t linear, const Extent& extent) {
  sample.at[x] = static_cast<std::int64_t>(linear % extent[0]);
  sample.at[x + 1] = static_cast<std::int64_t>(linear / extent[0] % extent[1]);
  sample.at[x + 2] = static_cast<std::int64_t>(linear / extent[0] / extent[1]);
}

/// Calls visit(key, step, sample) for every access by a lane.
template <class Visit>
void for_each_sample(const Trace& trace, Visit visit) {
  std::map<Key, std::vector<std::uint32_t>> times; // how often each thread of the grid has come there
  for (const TracedStep& step : trace.steps) {
    if (!step.is_inside()) continue;
    const Key key{step.launch, step.site, step.array, step.access};
    const TracedLaunch& launch = trace.launches[step.launch];
    const TracedArray& array = trace.arrays[step.array];
    const unsigned unit = array.element_bytes != 0 ? array.element_bytes : step.bytes;
    std::vector<std::uint32_t>& before = times[key];
    if (before.empty()) before.resize(std::size_t{volume(launch.grid)} * volume(launch.block));
    std::size_t k = 0;
    for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1, ++k) {
      const std::uint32_t thread = step.first_thread + static_cast<unsigned>(std::countr_zero(rest));
      Sample sample;
      place(sample, thread_x, thread, launch.block);
      place(sample, block_x, step.block, launch.grid);
      sample.at[iteration] = before[std::size_t{step.block} * volume(launch.block) + thread]++;
      sample.element = static_cast<std::int64_t>(step.offsets[k] / unit);
      visit(key, step, sample);
    }
  }
}

std::vector<Group> groups_of(const Trace& trace, bool first_only) {
  std::vector<Group> groups;
  std::map<Key, std::size_t> place_of;
  for_each_sample(trace, [&](const Key& key, const TracedStep& step, const Sample& sample) {
    if (first_only && sample.at[iteration] != 0) return;
    const auto [found, is_new] = place_of.try_emplace(key, groups.size());
    if (is_new)
      groups.push_back({.key = key, .bytes = step.bytes, .seen = {}, .least = sample.at, .most = sample.at});
    Group& group = groups[found->second];
    for (int v = 0; v < variables; ++v) {
      group.least[v] = std::min(group.least[v], sample.at[v]);
      group.most[v] = std::max(group.most[v], sample.at[v]);
    }
    if (group.count < seen_whole || group.count % seen_after == 0) group.seen.push_back(sample);
    ++group.count;
  });
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

std::int64_t element_of(const AccessFormula& formula, const Sample& sample) {
  std::int64_t sum = formula.constant;
  for (int v = 0; v < variables; ++v) sum += formula.coefficient[v] * sample.at[v];
  return sum;
}

/// The only formula that can hold for all of the group, or nothing.
std::optional<AccessFormula> fit(const Group& group) {
  AccessFormula formula;
  formula.count = group.count;
  formula.least = group.least;
  formula.most = group.most;
  std::vector<Variable> open;
  for (int v = 0; v < variables; ++v)
    if (formula.least[v] != formula.most[v]) open.push_back(static_cast<Variable>(v));
  // A variable may only be seen alone once the others are known.
  for (bool found = true; found && !open.empty();) {
    found = false;
    for (const Variable v : open) {
      const auto coefficient = coefficient_of(v, group.seen, open, formula.coefficient);
      if (!coefficient) continue;
      formula.coefficient[v] = *coefficient;
      std::erase(open, v);
      found = true;
      break;
    }
  }
  if (!open.empty()) return std::nullopt;
  formula.constant = group.seen.front().element - element_of(formula, group.seen.front());
  return formula;
}

/// The formulas that hold for all accesses, or for all first ones.
std::map<Key, AccessFormula> exact_formulas(const Trace& trace, bool first_only) {
  std::map<Key, AccessFormula> formulas;
  for (const Group& group : groups_of(trace, first_only)) {
    std::optional<AccessFormula> formula = fit(group);
    if (!formula) continue;
    formula->bytes = group.bytes;
    formula->first_only = first_only;
    formulas.emplace(group.key, *formula);
  }
  for_each_sample(trace, [&](const Key& key, const TracedStep&, const Sample& sample) {
    const auto found = formulas.find(key);
    if (found == formulas.end() || (first_only && sample.at[iteration] != 0)) return;
    if (element_of(found->second, sample) != sample.element) formulas.erase(found);
  });
  return formulas;
}

} // namespace

std::vector<AccessFormula> formulas_of(const Trace& trace) {
  std::map<Key, AccessFormula> found = exact_formulas(trace, false);
  found.merge(exact_formulas(trace, true)); // where there is none for all
  std::vector<AccessFormula> formulas;
  for (auto& [key, formula] : found) {
    std::uint32_t site = 0;
    std::tie(formula.launch, site, formula.array, formula.access) = key;
    const TracedLaunch& launch = trace.launches[formula.launch];
    const TracedArray& array = trace.arrays[formula.array];
    formula.kernel = launch.kernel;
    formula.block = launch.block;
    formula.name = array.name;
    formula.space = array.space;
    formula.where = trace.sites[site];
    formula.element_bytes = array.element_bytes != 0 ? array.element_bytes : formula.bytes;
    formulas.push_back(formula);
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
    text += text.empty() ? "" : ", ";
    text += formula.least[v] == formula.most[v]
                ? variable_names[v] + (" " + std::to_string(formula.least[v]))
                : say("{variable} {least} to {most}", std::string(variable_names[v]), formula.least[v],
                      formula.most[v]);
  }
  return text;
}

#define SIMT_FIELDS(each)                                                                                    \
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(each, kernel, block, where, bytes, element_bytes, constant,       \
                                           coefficient, least, most, count, first_only))

void to_json(nlohmann::json& nlohmann_json_j, const AccessFormula& nlohmann_json_t) {
  SIMT_FIELDS(NLOHMANN_JSON_TO)
  nlohmann_json_j["array"] = nlohmann_json_t.name;
  nlohmann_json_j["shared"] = nlohmann_json_t.space == Space::shared;
  nlohmann_json_j["access"] = static_cast<int>(nlohmann_json_t.access);
  nlohmann_json_j["index"] = index_text(nlohmann_json_t);
}

void from_json(const nlohmann::json& nlohmann_json_j, AccessFormula& nlohmann_json_t) {
  SIMT_FIELDS(NLOHMANN_JSON_FROM)
  nlohmann_json_j.at("array").get_to(nlohmann_json_t.name);
  nlohmann_json_t.space = nlohmann_json_j.at("shared").get<bool>() ? Space::shared : Space::global;
  nlohmann_json_t.access = static_cast<Access>(nlohmann_json_j.at("access").get<int>());
}

} // namespace simt
