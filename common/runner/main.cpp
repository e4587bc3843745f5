/// A runner: loads one submission and executes calls on one backend until the channel closes.
///
///   warpbook-runner-sim --channel-fd N [--behind-a-tool]  loads a module and answers calls (started by a grader)
///   warpbook-runner-sim --probe                           says in JSON what the backend has to offer
///   warpbook-runner-sim --confinement                     says how it would confine a submission on this machine
///   warpbook-runner-sim --provenance                      says in JSON what a measurement ran on

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "call/channel.hpp"
#include "call/memory.hpp"
#include "confine/confine.hpp"
#include "runner/backend.hpp"
#include "runner/crash_note.hpp"
#include "runner/execute.hpp"
#include "runner/module.hpp"

namespace warpbook {
namespace {

using nlohmann::json;

constexpr int usage_error = 2;
constexpr int channel_lost = 113; // the grader knows it, see runner_process.cpp

std::string event(const char* name, const char* key, const json& value) {
  return json{{"event", name}, {key, value}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Waits for the module's name, and loads it. Nothing if the channel closes first, or if loading fails, which
/// the grader reads of.
std::optional<Module> load(Channel& channel, const std::optional<LoadedCode>& code, bool behind_a_tool) {
  std::optional<Message> message = channel.receive();
  if (!message) return std::nullopt;
  const std::string path = json::parse(message->text).at("load").get<std::string>();
  if (message->file) backend::show_progress(SharedMemory::open(std::move(message->file), progress_bytes));

  channel.prepare_long_messages();
  prepare_crash_note(channel.file());
  backend::prepare();
  backend::copy_for_runner(true); // but in the submission's functions, and where it begins
  Confinement confinement = backend::confinement(path, behind_a_tool);
  if (!behind_a_tool) confinement.code = code;
  const Confined confined = confine(confinement);
  arm_crash_note();
  std::optional<Module> module;
  try {
    const backend::Copies copies(backend::Copies::of_submission);
    module.emplace(path);
  } catch (const std::exception& error) {
    channel.send(event("load-failed", "reason", error.what()));
    return std::nullopt;
  }
  channel.send(event("loaded", "confined", to_text(confined)));
  return module;
}

int serve(int channel_file, bool behind_a_tool) {
  // Printed text must not be lost in a crash. Kernels print, too, who cannot reach what the submission would allocate for it.
  static char printed[BUFSIZ];
  std::setvbuf(stdout, printed, _IOLBF, sizeof printed);
  const std::optional<LoadedCode> code = loaded_code(); // before anything is mapped beside it
  Channel channel{FileDescriptor(channel_file)};
  // A GPU's context is made here, before there is a submission, and while a grader may still wait for the compiler.
  channel.send(event("hello", "backend", json::parse(backend::probe())));
  const std::optional<Module> module = load(channel, code, behind_a_tool);
  if (!module) return 1;

  SharedMemory memory; // most often that of the call before
  while (std::optional<Message> message = channel.receive()) {
    const Call call = call_from_message(message->text);
    if (!memory.is_of(message->file.get()))
      memory = SharedMemory::open(std::move(message->file), call.memory_bytes);
    const RawReply reply = execute(*module, call, memory.bytes());
    channel.send(to_message(reply));
  }
  return 0;
}

int main(int argc, char** argv) {
  const std::pair<std::string_view, std::function<std::string()>> questions[] = {
      {"--probe", backend::probe},
      {"--confinement", [] { return to_text(confinement_offered()); }},
      {"--provenance", backend::provenance}};
  for (const auto& [question, answer] : questions) {
    if (argc != 2 || argv[1] != question) continue;
    try {
      std::printf("%s\n", answer().c_str());
      return 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
      return 1;
    }
  }
  int channel_file = -1;
  bool behind_a_tool = false;
  bool understood = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--channel-fd") == 0 && i + 1 < argc)
      channel_file = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--behind-a-tool") == 0)
      behind_a_tool = true;
    else
      understood = false;
  }
  if (!understood || channel_file < 0) {
    std::fprintf(stderr,
                 "usage: %s --channel-fd N [--behind-a-tool] | --probe | --confinement | --provenance\n",
                 argv[0]);
    return usage_error;
  }
  try {
    return serve(channel_file, behind_a_tool);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return channel_lost;
  }
}

} // namespace
} // namespace warpbook

int main(int argc, char** argv) { return warpbook::main(argc, argv); }
