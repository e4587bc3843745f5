// Diagnostics about what host code does with the runtime API.
#include "simt/runtime/code_map.hpp"
#include "simt/runtime/diagnose.hpp"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/place.hpp"

#include "cuda_runtime_api.h"

#include <optional>

namespace simt {

namespace {

/// The latest refused launch whose error the submission has not asked for.
struct RefusedLaunch {
  std::string kernel, file;
  int line = 0;
  Refused refused;
  std::uintptr_t site = 0;
};
std::optional<RefusedLaunch> unchecked;

Diagnostic begin(const char* id, std::string message, std::string action, std::uintptr_t site) {
  Diagnostic diagnostic;
  diagnostic.id = id;
  diagnostic.message = std::move(message);
  Participant participant;
  participant.action = std::move(action);
  participant.where = code_address(site);
  diagnostic.participants = {participant};
  return diagnostic;
}

std::string mebibytes(std::size_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

} // namespace

void note_refused_launch(const simt_launch_site& site, Refused refused) {
  unchecked = {site.kernel, site.file, site.line, std::move(refused),
               reinterpret_cast<std::uintptr_t>(site.file) + static_cast<std::uintptr_t>(site.line)};
}

void note_error_query(std::uintptr_t site) {
  if (unchecked && !is_main_program(site)) unchecked.reset();
}

void report_unchecked_launch() {
  if (!unchecked) return;
  RefusedLaunch launch = *std::exchange(unchecked, std::nullopt);
  Diagnostic diagnostic;
  diagnostic.id = "unchecked-launch";
  diagnostic.kernel = launch.kernel;
  diagnostic.message =
      "The launch of " + launch.kernel + " failed with " + launch.refused.error +
      ", and the program went on without asking. A launch returns no error by itself, so on a GPU "
      "nothing would have told you that the kernel did not run.";
  diagnostic.refused = launch.refused;
  Participant participant;
  participant.action = "launches it";
  participant.file = launch.file;
  participant.line = static_cast<unsigned>(launch.line);
  diagnostic.participants = {participant};
  diagnostic.suggestion = "ask right after the launch: `cudaError_t error = cudaGetLastError();`, and report "
                          "it if it is not cudaSuccess.";
  record(std::move(diagnostic), launch.site);
}

void report_invalid_free(void* pointer, std::uintptr_t site) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  if (nearest && !nearest->live && nearest->base == address) {
    const bool reset = nearest->freed_by_reset;
    Diagnostic diagnostic =
        begin("double-free",
              reset ? "cudaFree is given " + describe(*nearest) + ", which cudaDeviceReset has freed before."
                    : "For the second time cudaFree is given " + describe(*nearest) + ".",
              "frees it again", site);
    diagnostic.variable = nearest->name;
    diagnostic.suggestion =
        reset ? "leave out cudaDeviceReset: it frees all device memory of the program, also what other parts "
                "of it "
                "still use."
              : "free every block once, and set the pointer to nullptr afterwards: cudaFree(nullptr) does "
                "nothing.";
    return record(std::move(diagnostic), site);
  }
  std::string what = "an address of the host program, which cudaMalloc has not returned";
  if (nearest && address - nearest->base < nearest->bytes)
    what =
        "an address " + plural(address - nearest->base, "byte") + " after the start of " + describe(*nearest);
  else if (nearest)
    what = "an address in device memory that no allocation starts at";
  Diagnostic diagnostic = begin("invalid-free", "cudaFree is given " + what + ".", "frees it", site);
  if (nearest) diagnostic.variable = nearest->name;
  diagnostic.suggestion =
      "give cudaFree exactly the pointer that cudaMalloc has stored; free host memory with what "
      "belongs to its allocation (free, delete, cudaFreeHost).";
  record(std::move(diagnostic), site);
}

void report_out_of_memory(std::size_t bytes, std::uintptr_t site) {
  Diagnostic diagnostic =
      begin("out-of-memory",
            "cudaMalloc cannot give " + separated(bytes) + " bytes: the simulated device has " +
                mebibytes(device_memory) + ", and " + mebibytes(allocated_bytes()) + " are in use.",
            "asks for " + separated(bytes) + " bytes", site);
  diagnostic.suggestion =
      "check the size (is it in bytes, and not negative before it became a size_t?), free what is "
      "no longer needed, and use the error that cudaMalloc returns.";
  record(std::move(diagnostic), site);
}

void report_grid_too_large(const simt_launch_site& site, std::uint64_t threads) {
  Diagnostic diagnostic;
  diagnostic.id = "grid-too-large";
  diagnostic.kernel = site.kernel;
  diagnostic.message =
      "The grid has " + separated(threads) + " threads. The simulator ends a kernel after " +
      separated(machine.options.step_budget) +
      " steps, and every thread needs at least one, so this kernel would not get to its end.";
  Participant participant;
  participant.action = "launches it";
  participant.file = site.file;
  participant.line = static_cast<unsigned>(site.line);
  diagnostic.participants = {participant};
  diagnostic.suggestion =
      "check how the number of blocks is computed (it should follow from n and the block's size); for "
      "large n let a thread handle several elements.";
  record(std::move(diagnostic),
         reinterpret_cast<std::uintptr_t>(site.file) + static_cast<std::uintptr_t>(site.line));
}

} // namespace simt
