#include "simt/report/report.hpp"

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

Counters total(const Report& report) {
  Counters sum;
  for (const KernelRecord& kernel : report.kernels) sum += kernel.counters;
  return sum;
}

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
}

void from_json(const nlohmann::json& json, Participant& participant) {
  json.at("action").get_to(participant.action);
  json.at("where").get_to(participant.where);
  json.at("file").get_to(participant.file);
  json.at("line").get_to(participant.line);
  if (json.contains("thread")) participant.thread = json.at("thread").get<ThreadId>();
}

namespace {

Severity severity_from(const std::string& name) {
  for (Severity severity : {Severity::note, Severity::warning, Severity::error})
    if (name == name_of(severity)) return severity;
  throw std::invalid_argument("unknown severity: " + name);
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
}

void from_json(const nlohmann::json& json, Diagnostic& diagnostic) {
  json.at("id").get_to(diagnostic.id);
  diagnostic.severity = severity_from(json.at("severity").get<std::string>());
  json.at("kernel").get_to(diagnostic.kernel);
  json.at("message").get_to(diagnostic.message);
  json.at("variable").get_to(diagnostic.variable);
  json.at("index").get_to(diagnostic.index);
  json.at("participants").get_to(diagnostic.participants);
  json.at("notes").get_to(diagnostic.notes);
  json.at("suggestion").get_to(diagnostic.suggestion);
  json.at("count").get_to(diagnostic.count);
  diagnostic.cause = json.value("cause", "");
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
