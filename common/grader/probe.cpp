#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "grader/submission.hpp"

namespace warpbook {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// What a runner prints for one option, as JSON. Throws std::runtime_error with its words if it fails.
nlohmann::json ask(const std::string& runner, const char* option, std::string& text) {
  FILE* pipe = ::popen((quoted(runner) + " " + option + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + runner);
  char piece[1024];
  while (const std::size_t length = std::fread(piece, 1, sizeof(piece), pipe)) text.append(piece, length);
  const int status = ::pclose(pipe);
  const nlohmann::json found = nlohmann::json::parse(text, nullptr, false);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !found.is_structured()) {
    throw std::runtime_error("the runner " + runner + " does not say what it has to offer: " + text);
  }
  return found;
}

Availability availability_of(const std::string& runner) {
  Availability result;
  const nlohmann::json found = ask(runner, "--probe", result.details_json);
  if (!found.is_object()) throw std::runtime_error("the runner " + runner + " answers with no object");
  result.available = found.value("available", false);
  result.reason = found.value("reason", "");
  result.device = found.value("device", "");
  result.memory_bytes = found.value("memory_bytes", std::size_t{0});
  result.l2_bytes = found.value("l2_bytes", std::size_t{0});
  result.devices = found.value("devices", std::vector<std::string>{});
  result.pci_address = found.value("pci_address", "");
  const auto capability = found.value("compute_capability", std::vector<int>{0, 0});
  if (capability.size() == 2) {
    result.capability_major = capability[0];
    result.capability_minor = capability[1];
  }
  return result;
}

} // namespace

Provenance device_provenance(const SubmissionOptions& options) {
  std::string text;
  const nlohmann::json found = ask(options.runner_path, "--provenance", text);
  try {
    return found.get<Provenance>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error("the runner " + options.runner_path + " gives no provenance: " + error.what());
  }
}

// Rubrics ask at every size that depends on the device, and a GPU takes a third of a second to wake up.
Availability probe(const SubmissionOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, Availability> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(options.runner_path);
  if (found != known.end()) return found->second;
  return known[options.runner_path] = availability_of(options.runner_path);
}

} // namespace warpbook
