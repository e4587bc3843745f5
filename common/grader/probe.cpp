#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include <nlohmann/json.hpp>

#include "grader/submission.hpp"
#include "process/process.hpp"

namespace warpbook {
namespace {

/// What a runner prints for one option, as JSON. Throws std::runtime_error with its words if it fails.
nlohmann::json ask(const std::string& runner, const char* option) {
  Output output;
  try {
    output = output_of({runner, option}, true);
  } catch (const std::system_error& error) {
    throw std::runtime_error("cannot start " + runner + ": " + error.code().message());
  }
  nlohmann::json found = nlohmann::json::parse(output.text, nullptr, false);
  if (output.status != 0 || !found.is_structured())
    throw std::runtime_error("the runner " + runner + " does not say what it has to offer: " + output.text);
  return found;
}

} // namespace

Provenance device_provenance(const SubmissionOptions& options) {
  const nlohmann::json found = ask(options.runner_path, "--provenance");
  try {
    return found.get<Provenance>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error("the runner " + options.runner_path + " gives no provenance: " + error.what());
  }
}

namespace {

Availability availability(const std::string& runner, const nlohmann::json& found) {
  if (!found.is_object()) throw std::runtime_error("the runner " + runner + " answers with no object");
  Availability result;
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

// By the runner's path. Rubrics ask at every size that depends on the device, and a GPU takes a third of a second to wake
// up.
std::map<std::string, Availability> known_runners;
std::mutex known_runners_guard;

} // namespace

const Availability& remember_probe(const SubmissionOptions& options, const nlohmann::json& said) {
  const std::string& runner = options.runner_path;
  const std::scoped_lock lock(known_runners_guard);
  return known_runners.insert_or_assign(runner, availability(runner, said)).first->second;
}

const Availability& probe(const SubmissionOptions& options) {
  {
    const std::scoped_lock lock(known_runners_guard);
    const auto known = known_runners.find(options.runner_path);
    if (known != known_runners.end()) return known->second;
  }
  return remember_probe(options, ask(options.runner_path, "--probe"));
}

} // namespace warpbook
