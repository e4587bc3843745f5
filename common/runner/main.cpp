/// A runner: loads one submission and executes calls on one backend until the channel closes.
///
///   warpbook-runner-sim --module X.so --channel-fd N     answers calls (started by a grader)
///   warpbook-runner-sim --probe                          says in JSON what the backend has to offer
///   warpbook-runner-sim --provenance                     says in JSON what a measurement ran on

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "call/channel.hpp"
#include "call/memory.hpp"
#include "runner/backend.hpp"
#include "runner/confine.hpp"
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

int serve(const std::string& module_path, int channel_file) {
  // Printed text must not be lost in a crash.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  Channel channel{FileDescriptor(channel_file)};
  channel.send(event("hello", "backend", backend::name()));
  confine(backend::allowance());
  prepare_crash_note(channel.file());
  arm_crash_note();

  std::optional<Module> module;
  try {
    module.emplace(module_path);
  } catch (const std::exception& error) {
    channel.send(event("load-failed", "reason", error.what()));
    return 1;
  }
  channel.send(event("loaded", "pid", ::getpid()));

  while (std::optional<Message> message = channel.receive()) {
    const Call call = call_from_message(message->text);
    SharedMemory memory = SharedMemory::open(std::move(message->file), call.memory_bytes);
    const RawReply reply = execute(*module, call, memory.bytes());
    channel.send(to_message(reply));
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--probe") == 0) {
    std::printf("%s\n", backend::probe().c_str());
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--provenance") == 0) {
    try {
      std::printf("%s\n", backend::provenance().c_str());
      return 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
      return 1;
    }
  }
  std::string module_path;
  int channel_file = -1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--module") == 0)
      module_path = argv[i + 1];
    else if (std::strcmp(argv[i], "--channel-fd") == 0)
      channel_file = std::atoi(argv[i + 1]);
  }
  if (argc != 5 || module_path.empty() || channel_file < 0) {
    std::fprintf(stderr, "usage: %s --module FILE.so --channel-fd N | --probe | --provenance\n", argv[0]);
    return usage_error;
  }
  try {
    return serve(module_path, channel_file);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return channel_lost;
  }
}

} // namespace
} // namespace warpbook

int main(int argc, char** argv) { return warpbook::main(argc, argv); }
