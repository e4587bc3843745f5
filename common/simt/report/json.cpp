// What a report is as JSON.
#include "simt/report/report.hpp"

#include "call/named_json.hpp"
#include "simt/report/wording.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>

namespace simt {

void to_json(nlohmann::json& json, const Counters& counters) {
  json = nlohmann::json::object();
#define SIMT_WRITE(name)                                                                                     \
  if (counters.name != 0) json[#name] = static_cast<std::int64_t>(counters.name);
  SIMT_FOR_EACH_COUNTER(SIMT_WRITE)
#undef SIMT_WRITE
}

void from_json(const nlohmann::json& json, Counters& counters) {
#define SIMT_ENTRY(name) {#name, &Counters::name},
  static const std::unordered_map<std::string, std::uint64_t Counters::*> fields = {
      SIMT_FOR_EACH_COUNTER(SIMT_ENTRY)};
#undef SIMT_ENTRY
  counters = {};
  for (const auto& [name, value] : json.get_ref<const nlohmann::json::object_t&>()) {
    // Most counters of most kernels are 0, and not written.
    if (const auto field = fields.find(name); field != fields.end()) value.get_to(counters.*field->second);
  }
}

// As NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE, for what others use as well.
#define SIMT_JSON(type, ...)                                                                                 \
  void to_json(nlohmann::json& nlohmann_json_j, const type& nlohmann_json_t) {                               \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                                 \
  }                                                                                                          \
  void from_json(const nlohmann::json& nlohmann_json_j, type& nlohmann_json_t) {                             \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))                               \
  }
SIMT_JSON(CodeAddress, module, offset)
SIMT_JSON(SiteCounters, where, counters)
SIMT_JSON(ThreadId, block, thread, warp, lane)
SIMT_JSON(Argument, variable, element, value, element_bytes)

void to_json(nlohmann::json& json, const HostLaunch& launch) {
  json = {{"callers", launch.callers}, {"arguments", launch.arguments}};
  if (launch.same_memory) json["same_memory"] = *launch.same_memory;
}
void from_json(const nlohmann::json& json, HostLaunch& launch) {
  json.at("callers").get_to(launch.callers);
  json.at("arguments").get_to(launch.arguments);
  if (const auto same = json.find("same_memory"); same != json.end()) launch.same_memory.emplace(*same);
}

WARPBOOK_NAMED_JSON(Access, "read", "write", "atomic")
WARPBOOK_NAMED_JSON(Kin, "parent", "ancestor", "child", "descendant", "relative", "later relative")
WARPBOOK_NAMED_JSON(Space, "global", "shared")
WARPBOOK_NAMED_JSON(Outside::Side, "before", "across", "past")
WARPBOOK_NAMED_JSON(Severity, "warning", "error")
WARPBOOK_NAMED_JSON(Crossing, "to-host", "to-device", "within-device")
WARPBOOK_NAMED_JSON(Texels::Shape, "linear", "pitched", "1d", "2d", "3d", "1d-layered", "2d-layered",
                    "cubemap", "cubemap-layered")
WARPBOOK_NAMED_JSON(Texels::Kind, "signed", "unsigned", "float")

const char* name_of(Access access) { return warpbook::name_in(names_of(access), access); }
const char* name_of(Space space) { return warpbook::name_in(names_of(space), space); }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outside, side, distance, array_bytes, element_bytes, pitch, width, dynamic)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Spread, elements, indices, lone_writers, writers, pairs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Texels, shape, extents, kind, channels, channel_bits, normalized)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Refused, rule, error, asked, allowed, grid, block, cluster)

namespace fact {
void to_json(nlohmann::json& json, const auto& fact) { json = fact.value; }
void from_json(const nlohmann::json& json, auto& fact) { json.get_to(fact.value); }
} // namespace fact

namespace {

// Facts that are written where they are not as usual.
#define SIMT_PUT(name)                                                                                       \
  if (whole.name != usual.name) json[#name] = whole.name;
#define SIMT_GET(name)                                                                                       \
  if (const auto found = json.find(#name); found != json.end()) found->get_to(whole.name);
#define SIMT_FACTS(type, ...)                                                                                \
  void put_facts(nlohmann::json& json, const type& whole) {                                                  \
    static const type usual;                                                                                 \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(SIMT_PUT, __VA_ARGS__))                                         \
  }                                                                                                          \
  void get_facts(const nlohmann::json& json, type& whole) {                                                  \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(SIMT_GET, __VA_ARGS__))                                         \
  }
SIMT_FACTS(Participant, thread, access, bytes, waits_at, polls, visits, depth, kernel, kin)
SIMT_FACTS(Finding, kind, grid, block, unnamed_bytes, space, element, byte, in_array, owner, address,
           allocated, launch, kernels, cause)
SIMT_FACTS(KernelRecord, launch)
#undef SIMT_FACTS
#undef SIMT_GET
#undef SIMT_PUT

} // namespace

#define SIMT_JSON_AND_FACTS(type, ...)                                                                       \
  void to_json(nlohmann::json& nlohmann_json_j, const type& nlohmann_json_t) {                               \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                                 \
    put_facts(nlohmann_json_j, nlohmann_json_t);                                                             \
  }                                                                                                          \
  void from_json(const nlohmann::json& nlohmann_json_j, type& nlohmann_json_t) {                             \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))                               \
    get_facts(nlohmann_json_j, nlohmann_json_t);                                                             \
  }
SIMT_JSON_AND_FACTS(Participant, where, file, line)
SIMT_JSON_AND_FACTS(KernelRecord, name, grid, block, cluster, shared_bytes, depth, counters, sites)
#undef SIMT_JSON_AND_FACTS

/// With the catalogue's words, for readers: from_json does not look at them.
void to_json(nlohmann::json& json, const Finding& finding) {
  json = {{"id", finding.id},
          {"severity", finding.severity},
          {"kernel", finding.kernel},
          {"message", message_of(finding)},
          {"variable", finding.variable},
          {"index", index_text(finding)},
          {"participants", finding.participants},
          {"notes", notes_of(finding)},
          {"suggestion", cure_of(finding)},
          {"count", finding.count}};
  for (std::size_t i = 0; i < finding.participants.size(); ++i)
    json["participants"][i]["action"] = action_of(finding, i);
  put_facts(json, finding);
  if (!finding.elsewhere.empty()) json["elsewhere"] = finding.elsewhere;
  const auto put = [&](const auto& fact) {
    if (fact != std::remove_cvref_t<decltype(fact)>()) json[fact.name] = fact;
  };
  for (const fact::Any& fact : finding.facts) std::visit(put, fact);
}

void from_json(const nlohmann::json& nlohmann_json_j, Finding& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(
      NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, id, severity, kernel, variable, participants, count))
  get_facts(nlohmann_json_j, nlohmann_json_t);
  Finding& finding = nlohmann_json_t;
  if (!set_blank_facts(finding))
    throw std::runtime_error("the catalogue has no finding " + finding.id + " " + finding.kind);
  const auto get = [&](auto& fact) {
    if (const auto found = nlohmann_json_j.find(fact.name); found != nlohmann_json_j.end())
      found->get_to(fact);
  };
  for (fact::Any& fact : finding.facts) std::visit(get, fact);
  if (const auto found = nlohmann_json_j.find("elsewhere"); found != nlohmann_json_j.end())
    found->get_to(finding.elsewhere);
}

SIMT_JSON(Transfer, direction, by, where, bytes, count)
SIMT_JSON(Report, kernels, diagnostics, transfers)
#undef SIMT_JSON

} // namespace simt
