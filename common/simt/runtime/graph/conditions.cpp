#include "simt/runtime/graph/conditions.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/digest.hpp"
#include "simt/runtime/schedule/control.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>

namespace simt {

namespace {

struct Condition {
  std::uint64_t graph = 0; ///< the number of that for which it was made
  std::optional<unsigned> first_value{};
  std::optional<unsigned> value{};
  std::uint64_t changes = 0;
  bool is_used = false;
};

cudaGraphConditionalHandle last_handle = 0;
// In a function, because objects of a program at namespace scope may outlive it otherwise.
std::map<cudaGraphConditionalHandle, Condition>& conditions() {
  static auto* const all = new std::map<cudaGraphConditionalHandle, Condition>;
  return *all;
}
const OnReset forget_conditions([] { conditions().clear(); });
// A launch that sets one is no repetition.
const InDigest conditions_in_digest([](Digest& digest) {
  for (const auto& [handle, condition] : conditions()) digest.add(condition.changes);
});

/// Calls `with` for the handle of each conditional node, those within other graphs included.
template <class With>
void for_each_handle(const CUgraph_st& graph, const With& with) {
  for (const auto& node : graph.nodes) {
    if (const auto* condition = std::get_if<ConditionalWork>(&node->work)) with(condition->handle);
    for (const auto& inner : graphs_within(node->work)) for_each_handle(*inner, with);
  }
}

} // namespace

cudaGraphConditionalHandle make_condition(const CUgraph_st& graph, unsigned first_value,
                                          bool has_first_value) {
  Condition& made = conditions()[++last_handle];
  made.graph = graph.number;
  if (has_first_value) made.first_value = first_value;
  return last_handle;
}

bool use_condition(cudaGraphConditionalHandle handle) {
  const auto found = conditions().find(handle);
  if (found == conditions().end() || found->second.is_used) return false;
  found->second.is_used = true;
  return true;
}

bool all_conditions_are_used(const CUgraph_st& graph) {
  std::map<cudaGraphConditionalHandle, bool> used;
  for_each_handle(graph, [&](cudaGraphConditionalHandle handle) { used[handle] = true; });
  return std::ranges::all_of(conditions(), [&](const auto& entry) {
    return entry.second.graph != graph.number || used[entry.first];
  });
}

void begin_conditions(const CUgraph_st& graph) {
  for_each_handle(graph, [](cudaGraphConditionalHandle handle) {
    if (const auto found = conditions().find(handle); found != conditions().end())
      found->second.value = found->second.first_value;
  });
}

std::optional<unsigned> value_of_condition(cudaGraphConditionalHandle handle) {
  const auto found = conditions().find(handle);
  return found == conditions().end() ? std::nullopt : found->second.value;
}

std::uint64_t changes_of_condition(cudaGraphConditionalHandle handle) {
  const auto found = conditions().find(handle);
  return found == conditions().end() ? 0 : found->second.changes;
}

} // namespace simt

using namespace simt;

extern "C" void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  require_kernel("cudaGraphSetConditional");
  const auto found = conditions().find(handle);
  if (found == conditions().end()) return report({"graph-condition", "no-handle"}, SIMT_SITE);
  found->second.value = value;
  ++found->second.changes;
}
