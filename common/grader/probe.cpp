#include <cstdio>
#include <memory>
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

} // namespace

Availability probe(const SubmissionOptions& options) {
  const std::string command = quoted(options.runner_path) + " --probe 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + options.runner_path);
  std::string text;
  char piece[1024];
  while (const std::size_t length = std::fread(piece, 1, sizeof(piece), pipe)) text.append(piece, length);
  const int status = ::pclose(pipe);

  const nlohmann::json found = nlohmann::json::parse(text, nullptr, false);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !found.is_object()) {
    throw std::runtime_error("the runner " + options.runner_path +
                             " does not say what it has to offer: " + text);
  }
  Availability result;
  result.available = found.value("available", false);
  result.reason = found.value("reason", "");
  result.device = found.value("device", "");
  const auto capability = found.value("compute_capability", std::vector<int>{0, 0});
  if (capability.size() == 2) {
    result.capability_major = capability[0];
    result.capability_minor = capability[1];
  }
  result.details_json = text;
  return result;
}

} // namespace warpbook
