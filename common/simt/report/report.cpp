#include "simt/report/report.hpp"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace simt {

Counters& Counters::operator+=(const Counters& other) {
#define SIMT_ADD(name) name += other.name;
  SIMT_FOR_EACH_COUNTER(SIMT_ADD)
#undef SIMT_ADD
  return *this;
}

bool within_warp(const Diagnostic& diagnostic) {
  if (diagnostic.participants.size() != 2) return false;
  const auto &one = diagnostic.participants[0].thread, &other = diagnostic.participants[1].thread;
  return one && other && one->block == other->block && one->warp == other->warp;
}

namespace {

/// Of a finding about two threads of one grid: whether these are of one block.
std::optional<bool> of_one_block(const Diagnostic& diagnostic) {
  if (diagnostic.participants.size() != 2) return {};
  const Participant &one = diagnostic.participants[0], &other = diagnostic.participants[1];
  if (!one.thread || !other.thread || one.depth || other.depth) return {};
  return one.thread->block == other.thread->block;
}

} // namespace

std::string place_text(const Diagnostic& diagnostic) {
  std::string text = diagnostic.variable + diagnostic.index;
  if (const auto& owner = diagnostic.owner)
    text += " of block (" + std::to_string((*owner)[0]) + "," + std::to_string((*owner)[1]) + "," +
            std::to_string((*owner)[2]) + ")";
  return text;
}

bool within_block(const Diagnostic& diagnostic) { return of_one_block(diagnostic).value_or(false); }
bool between_blocks(const Diagnostic& diagnostic) { return !of_one_block(diagnostic).value_or(true); }

Counters total(const Report& report) {
  Counters sum;
  for (const KernelRecord& kernel : report.kernels) sum += kernel.counters;
  return sum;
}

namespace {

const char* name_of(Access access) {
  return access == Access::read ? "read" : access == Access::write ? "write" : "atomic";
}

const char* name_of(Space space) { return space == Space::global ? "global" : "shared"; }

const char* name_of(Outside::Side side) {
  using Side = Outside::Side;
  return side == Side::before ? "before" : side == Side::across ? "across" : "past";
}

/// The one of `values` whose name_of() is `name`.
template <typename T>
T named(const std::string& name, std::initializer_list<T> values) {
  for (const T value : values)
    if (name == name_of(value)) return value;
  throw std::invalid_argument("unknown name: " + name);
}

} // namespace

const char* name_of(Severity severity) {
  switch (severity) {
  case Severity::note:
    return "note";
  case Severity::warning:
    return "warning";
  case Severity::error:
    return "error";
  }
  return "error";
}

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

void to_json(nlohmann::json& json, const CodeAddress& address) {
  json = {{"module", address.module}, {"offset", address.offset}};
}

void from_json(const nlohmann::json& json, CodeAddress& address) {
  json.at("module").get_to(address.module);
  json.at("offset").get_to(address.offset);
}

void to_json(nlohmann::json& json, const SiteCounters& site) {
  json = {{"where", site.where}, {"counters", site.counters}};
}

void from_json(const nlohmann::json& json, SiteCounters& site) {
  json.at("where").get_to(site.where);
  json.at("counters").get_to(site.counters);
}

void to_json(nlohmann::json& json, const ThreadId& thread) {
  json = {{"block", thread.block}, {"thread", thread.thread}, {"warp", thread.warp}, {"lane", thread.lane}};
}

void from_json(const nlohmann::json& json, ThreadId& thread) {
  json.at("block").get_to(thread.block);
  json.at("thread").get_to(thread.thread);
  json.at("warp").get_to(thread.warp);
  json.at("lane").get_to(thread.lane);
}

void to_json(nlohmann::json& json, const Participant& participant) {
  json = {{"action", participant.action},
          {"where", participant.where},
          {"file", participant.file},
          {"line", participant.line}};
  if (participant.thread) json["thread"] = *participant.thread;
  if (participant.access) {
    json["access"] = name_of(*participant.access);
    json["bytes"] = participant.bytes;
  }
  if (participant.depth) json["depth"] = *participant.depth;
}

void from_json(const nlohmann::json& json, Participant& participant) {
  json.at("action").get_to(participant.action);
  json.at("where").get_to(participant.where);
  json.at("file").get_to(participant.file);
  json.at("line").get_to(participant.line);
  if (json.contains("thread")) participant.thread = json.at("thread").get<ThreadId>();
  if (json.contains("access")) {
    participant.access =
        named(json.at("access").get<std::string>(), {Access::read, Access::write, Access::atomic});
    json.at("bytes").get_to(participant.bytes);
  }
  if (json.contains("depth")) participant.depth = json.at("depth").get<unsigned>();
}

namespace {

nlohmann::json json_of(const Outside& outside) {
  return {
      {"side", name_of(outside.side)}, {"distance", outside.distance}, {"array_bytes", outside.array_bytes}};
}

Outside outside_from(const nlohmann::json& json) {
  using Side = Outside::Side;
  return {named(json.at("side").get<std::string>(), {Side::before, Side::across, Side::past}),
          json.at("distance").get<std::uint64_t>(), json.at("array_bytes").get<std::uint64_t>()};
}

nlohmann::json json_of(const Refused& refused) {
  return {{"rule", refused.rule},
          {"error", refused.error},
          {"asked", refused.asked},
          {"allowed", refused.allowed},
          {"cluster_blocks", refused.cluster_blocks}};
}

Refused refused_from(const nlohmann::json& json) {
  return {json.at("rule").get<std::string>(), json.at("error").get<std::string>(),
          json.at("asked").get<std::uint64_t>(), json.at("allowed").get<std::uint64_t>(),
          json.at("cluster_blocks").get<std::uint64_t>()};
}

} // namespace

void to_json(nlohmann::json& json, const Diagnostic& diagnostic) {
  json = {{"id", diagnostic.id},
          {"severity", name_of(diagnostic.severity)},
          {"kernel", diagnostic.kernel},
          {"message", diagnostic.message},
          {"variable", diagnostic.variable},
          {"index", diagnostic.index},
          {"participants", diagnostic.participants},
          {"notes", diagnostic.notes},
          {"suggestion", diagnostic.suggestion},
          {"count", diagnostic.count}};
  if (!diagnostic.cause.empty()) json["cause"] = diagnostic.cause;
  if (diagnostic.space) json["space"] = name_of(*diagnostic.space);
  if (!diagnostic.element.empty()) json["element"] = diagnostic.element;
  if (diagnostic.owner) json["owner"] = *diagnostic.owner;
  if (diagnostic.outside) json["outside"] = json_of(*diagnostic.outside);
  if (diagnostic.written) json["written"] = *diagnostic.written;
  if (diagnostic.alike) json["alike"] = true;
  if (diagnostic.crowded) json["crowded"] = true;
  if (diagnostic.refused) json["refused"] = json_of(*diagnostic.refused);
  if (diagnostic.rank) json["rank"] = *diagnostic.rank;
}

void from_json(const nlohmann::json& json, Diagnostic& diagnostic) {
  json.at("id").get_to(diagnostic.id);
  diagnostic.severity =
      named(json.at("severity").get<std::string>(), {Severity::note, Severity::warning, Severity::error});
  json.at("kernel").get_to(diagnostic.kernel);
  json.at("message").get_to(diagnostic.message);
  json.at("variable").get_to(diagnostic.variable);
  json.at("index").get_to(diagnostic.index);
  json.at("participants").get_to(diagnostic.participants);
  json.at("notes").get_to(diagnostic.notes);
  json.at("suggestion").get_to(diagnostic.suggestion);
  json.at("count").get_to(diagnostic.count);
  diagnostic.cause = json.value("cause", "");
  diagnostic.element = json.value("element", std::vector<std::int64_t>());
  if (json.contains("space"))
    diagnostic.space = named(json.at("space").get<std::string>(), {Space::global, Space::shared});
  if (json.contains("owner")) diagnostic.owner = json.at("owner").get<std::array<unsigned, 3>>();
  if (json.contains("outside")) diagnostic.outside = outside_from(json.at("outside"));
  if (json.contains("written")) diagnostic.written = json.at("written").get<std::array<std::uint64_t, 2>>();
  diagnostic.alike = json.value("alike", false);
  diagnostic.crowded = json.value("crowded", false);
  if (json.contains("refused")) diagnostic.refused = refused_from(json.at("refused"));
  if (json.contains("rank")) diagnostic.rank = json.at("rank").get<std::array<std::uint64_t, 2>>();
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
}

void to_json(nlohmann::json& json, const Report& report) {
  json = {{"kernels", report.kernels}, {"diagnostics", report.diagnostics}};
}

void from_json(const nlohmann::json& json, Report& report) {
  json.at("kernels").get_to(report.kernels);
  json.at("diagnostics").get_to(report.diagnostics);
}

} // namespace simt
