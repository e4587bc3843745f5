#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include <nlohmann/json.hpp>

#include "grader/submission.hpp"
#include "process/process.hpp"

namespace warpbook {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Availability, available, reason, device, compute_capability,
                                                memory_bytes, l2_bytes, devices, pci_address)

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

// By the runner's path. Rubrics ask at every size that depends on the device, and a GPU takes a third of a second to wake
// up.
std::map<std::string, Availability> known_runners;
std::mutex known_runners_guard;

} // namespace

const Availability& remember_probe(const SubmissionOptions& options, const nlohmann::json& said) {
  const std::string& runner = options.runner_path;
  if (!said.is_object()) throw std::runtime_error("the runner " + runner + " answers with no object");
  const std::scoped_lock lock(known_runners_guard);
  return known_runners.insert_or_assign(runner, said.get<Availability>()).first->second;
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
