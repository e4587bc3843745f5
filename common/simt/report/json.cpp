// What a report is as JSON.
#include "simt/report/report.hpp"

#include "simt/report/wording.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>

namespace simt {

void to_json(nlohmann::json& json, const Counters& counters) {
  json = nlohmann::json::object();
#define SIMT_WRITE(name)                                                                                     \
  if (counters.name != 0) json[#name] = counters.name;
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
SIMT_JSON(Argument, variable, element, value)
SIMT_JSON(HostLaunch, callers, arguments)

/// The values of an enumeration by name, in their order.
template <typename T>
const std::vector<const char*> names;

template <typename T>
static T named(const std::string& name) {
  const auto found = std::ranges::find(names<T>, name);
  if (found == names<T>.end()) throw std::invalid_argument("unknown name: " + name);
  return static_cast<T>(found - names<T>.begin());
}

#define SIMT_NAMED(type, ...)                                                                                \
  template <>                                                                                                \
  const std::vector<const char*> names<type> = {__VA_ARGS__};                                                \
  static void to_json(nlohmann::json& json, type value) {                                                    \
    json = names<type>[static_cast<std::size_t>(value)];                                                     \
  }                                                                                                          \
  static void from_json(const nlohmann::json& json, type& value) { value = named<type>(json); }
SIMT_NAMED(Access, "read", "write", "atomic")
SIMT_NAMED(Kin, "parent", "ancestor", "child", "descendant", "relative", "later relative")
SIMT_NAMED(Space, "global", "shared")
SIMT_NAMED(Outside::Side, "before", "across", "past")
SIMT_NAMED(Severity, "warning", "error")
SIMT_NAMED(Crossing, "to-host", "to-device")
SIMT_NAMED(Texels::Shape, "linear", "pitched", "1d", "2d", "3d", "1d-layered", "2d-layered", "cubemap",
           "cubemap-layered")
SIMT_NAMED(Texels::Kind, "signed", "unsigned", "float")
#undef SIMT_NAMED

const char* name_of(Severity severity) { return names<Severity>[static_cast<std::size_t>(severity)]; }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outside, side, distance, array_bytes, element_bytes, dynamic)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Texels, shape, extents, kind, channels, channel_bits, normalized)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Refused, rule, error, asked, allowed, cluster_blocks, grid, block, cluster)

namespace {

// Facts that are written where they are not as usual.
template <typename Visit>
void visit_facts(const Participant*, const Visit& visit) {
  visit("thread", &Participant::thread);
  visit("access", &Participant::access);
  visit("bytes", &Participant::bytes);
  visit("waits_at", &Participant::waits_at);
  visit("polls", &Participant::polls);
  visit("visits", &Participant::visits);
  visit("depth", &Participant::depth);
  visit("kernel", &Participant::kernel);
  visit("kin", &Participant::kin);
}

template <typename Visit>
void visit_facts(const Finding*, const Visit& visit) {
  visit("kind", &Finding::kind);
  visit("grid", &Finding::grid);
  visit("block", &Finding::block);
  visit("unnamed_bytes", &Finding::unnamed_bytes);
  visit("space", &Finding::space);
  visit("element", &Finding::element);
  visit("byte", &Finding::byte);
  visit("in_array", &Finding::in_array);
  visit("owner", &Finding::owner);
  visit("outside", &Finding::outside);
  visit("index_bits", &Finding::index_bits);
  visit("address", &Finding::address);
  visit("written", &Finding::written);
  visit("alike", &Finding::alike);
  visit("crowded", &Finding::crowded);
  visit("lanes", &Finding::lanes);
  visit("group", &Finding::group);
  visit("refused", &Finding::refused);
  visit("rank", &Finding::rank);
  visit("amount", &Finding::amount);
  visit("limit", &Finding::limit);
  visit("used", &Finding::used);
  visit("texels", &Finding::texels);
  visit("subject", &Finding::subject);
  visit("error", &Finding::error);
  visit("launch", &Finding::launch);
  visit("cause", &Finding::cause);
}

template <typename T>
void put(nlohmann::json& json, const char* name, const T& value, const T& usual) {
  if (value != usual) json[name] = value;
}
template <typename T>
void put(nlohmann::json& json, const char* name, const std::optional<T>& value, const std::optional<T>&) {
  if (value) json[name] = *value;
}

template <typename T>
void get(const nlohmann::json& json, T& value) {
  json.get_to(value);
}
template <typename T>
void get(const nlohmann::json& json, std::optional<T>& value) {
  value = json.get<T>();
}

template <typename T>
void put_facts(nlohmann::json& json, const T& whole) {
  static const T usual;
  visit_facts(&whole, [&](const char* name, auto fact) { put(json, name, whole.*fact, usual.*fact); });
}

template <typename T>
void get_facts(const nlohmann::json& json, T& whole) {
  visit_facts(&whole, [&](const char* name, auto fact) {
    if (const auto found = json.find(name); found != json.end()) get(*found, whole.*fact);
  });
}

} // namespace

void to_json(nlohmann::json& json, const Participant& participant) {
  json = {{"where", participant.where}, {"file", participant.file}, {"line", participant.line}};
  put_facts(json, participant);
}

void from_json(const nlohmann::json& json, Participant& participant) {
  json.at("where").get_to(participant.where);
  json.at("file").get_to(participant.file);
  json.at("line").get_to(participant.line);
  get_facts(json, participant);
}

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
}

void from_json(const nlohmann::json& json, Finding& finding) {
  json.at("id").get_to(finding.id);
  json.at("severity").get_to(finding.severity);
  json.at("kernel").get_to(finding.kernel);
  json.at("variable").get_to(finding.variable);
  json.at("participants").get_to(finding.participants);
  json.at("count").get_to(finding.count);
  get_facts(json, finding);
  if (!is_known(finding))
    throw std::invalid_argument("the catalogue has no finding " + finding.id + " " + finding.kind);
}

void to_json(nlohmann::json& json, const KernelRecord& kernel) {
  json = {{"name", kernel.name},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"cluster", kernel.cluster},
          {"shared_bytes", kernel.shared_bytes},
          {"depth", kernel.depth},
          {"counters", kernel.counters},
          {"sites", kernel.sites}};
  put(json, "launch", kernel.launch, {});
}

void from_json(const nlohmann::json& json, KernelRecord& kernel) {
  json.at("name").get_to(kernel.name);
  json.at("grid").get_to(kernel.grid);
  json.at("block").get_to(kernel.block);
  json.at("cluster").get_to(kernel.cluster);
  json.at("shared_bytes").get_to(kernel.shared_bytes);
  json.at("depth").get_to(kernel.depth);
  json.at("counters").get_to(kernel.counters);
  json.at("sites").get_to(kernel.sites);
  if (const auto found = json.find("launch"); found != json.end()) get(*found, kernel.launch);
}

SIMT_JSON(Transfer, direction, by, where, bytes, count)
SIMT_JSON(Report, kernels, diagnostics, transfers)
#undef SIMT_JSON

} // namespace simt
