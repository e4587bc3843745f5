// Diagnostics about what host code does with the runtime API.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/texture/cuda_array.hpp"

#include "cuda_runtime_api.h"

#include <optional>
#include <utility>

namespace simt {

namespace {

/// About a kernel that does not run.
Finding of_kernel(const simt_launch_site& site, Finding diagnostic) {
  diagnostic.kernel = site.kernel;
  return diagnostic;
}

/// Of a pointer that cudaFree does not take, and the allocation that is nearest to it, if there is one.
FindingKind<> kind_of_free(std::uintptr_t address, const Allocation* nearest) {
  if (!nearest) {
    if (find_array(reinterpret_cast<cudaArray_const_t>(address))) return {"invalid-free", "cuda-array"};
    const HostRange range = classify_host_address(address);
    if (range == HostRange::stack) return {"invalid-free", "local-variable"};
    return range == HostRange::writable ? FindingKind{"invalid-free", "global-variable"} : "invalid-free";
  }
  if (nearest->live && nearest->page_locked) return {"invalid-free", "page-locked"};
  if (!nearest->live && nearest->base == address) {
    if (nearest->freed_by_reset) return {"double-free", "after-reset"};
    return "double-free";
  }
  if (address - nearest->base < nearest->bytes)
    return nearest->lent ? FindingKind{"invalid-free", "of-caller"} : FindingKind{"invalid-free", "inside"};
  return {"invalid-free", "no-start"};
}

/// About what has failed and no code has asked about yet, and where that is recorded: the first call of the API, and the latest launch.
struct Unasked {
  Finding finding;
  std::uintptr_t site = 0;
};
std::optional<Unasked> unheard_call, unchecked_launch;
struct Reason {
  UnheardFinding finding; ///< empty: all that there is to say is said
  std::uint64_t call = 0;
} reason;

} // namespace

void note_refused_launch(const simt_launch_site& site, Refused refused) {
  unchecked_launch = {of_kernel(site, diagnostic_of("unchecked-launch", std::move(refused))),
                      site_of(site.file, site.line)};
  unchecked_launch->finding.participants = {at_line(site.file, site.line)};
}

void note_reason(UnheardFinding finding) { reason = {std::move(finding), calls_of_runtime()}; }

void note_reason(FindingKind<fact::Subject, fact::Error> kind) {
  note_reason([kind](fact::Subject function, fact::Error error) {
    return diagnostic_of<fact::Subject, fact::Error>(kind, std::move(function), std::move(error));
  });
}

void note_reason(FindingKind<fact::Subject, fact::Error> kind, std::uintptr_t earlier_site) {
  note_reason([kind, earlier = host_at(earlier_site)](fact::Subject function, fact::Error error) {
    Finding finding = diagnostic_of<fact::Subject, fact::Error>(kind, std::move(function), std::move(error));
    finding.participants = {earlier};
    return finding;
  });
}

void note_error_query(std::uintptr_t site) {
  if (is_main_program(site)) return;
  unchecked_launch.reset();
  unheard_call.reset();
}

void report_unasked() {
  for (std::optional<Unasked>* unasked : {&unheard_call, &unchecked_launch})
    if (*unasked) {
      auto [finding, site] = *std::exchange(*unasked, std::nullopt);
      record(std::move(finding), site);
    }
}

void report_invalid_free(void* pointer, std::uintptr_t site, bool by_library) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  const bool is_other_way = by_library && nearest && nearest->live && nearest->base == address;
  Finding diagnostic = diagnostic_at(nearest ? place_of(*nearest) : Place{},
                                     is_other_way ? FindingKind{"invalid-free", "by-library"}
                                                  : kind_of_free(address, nearest));
  if (nearest) diagnostic.byte = address - (nearest->lent ? nearest->valid : nearest->base);
  diagnostic.participants = {running_thread(site)};
  if (diagnostic.id == "double-free" && nearest->freed_at != 0)
    diagnostic.participants.push_back(host_at(nearest->freed_at));
  record(std::move(diagnostic), site);
  note_reason({});
}

void note_not_page_locked(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  if (!nearest || address - nearest->base >= nearest->bytes)
    return note_reason({"unheard-error", "not-page-locked"});
  const bool is_inside = nearest->page_locked && address != nearest->base;
  const bool is_again = !nearest->live && nearest->page_locked && !is_inside;
  using Kind = FindingKind<fact::Subject, fact::Error>;
  const Kind kind = is_inside       ? Kind{"unheard-error", "page-locked-inside"}
                    : is_again      ? Kind{"unheard-error", "page-locked-twice"}
                    : nearest->live ? Kind{"unheard-error", "of-device"}
                                    : Kind{"unheard-error", "not-page-locked"};
  Place place = place_of(*nearest);
  place.byte = address - nearest->base;
  note_reason([=, freed_at = is_again ? nearest->freed_at : 0](fact::Subject function, fact::Error error) {
    Finding finding =
        diagnostic_at<fact::Subject, fact::Error>(place, kind, std::move(function), std::move(error));
    if (freed_at != 0) finding.participants = {host_at(freed_at)};
    return finding;
  });
}

void report_out_of_memory(std::size_t bytes, std::uintptr_t site) {
  const auto finding = [amount = fact::Amount{bytes}, limit = fact::Limit{machine.options.device_memory},
                        used = fact::Used{allocated_bytes()}](const auto&...) {
    return diagnostic_of("out-of-memory", amount, limit, used);
  };
  // A program may try how much there is.
  if (machine.options.most_threads) return note_reason(finding);
  if (!already_recorded("out-of-memory", site)) record_at(finding(), site);
  note_reason({});
}

void report_invalid_launch(const simt_launch_site& site, Refused refused, std::uintptr_t destroyed_at) {
  Finding finding = of_kernel(site, diagnostic_of("invalid-launch", std::move(refused)));
  finding.participants = {at_line(site.file, site.line)};
  if (destroyed_at != 0) finding.participants.push_back(host_at(destroyed_at));
  record(std::move(finding), site_of(site.file, site.line));
}

void report_grid_too_large(const simt_launch_site& site, std::uint64_t threads) {
  const std::optional<std::uint64_t> most = machine.options.most_threads;
  const fact::Amount asked{threads};
  record_at(of_kernel(site, most ? diagnostic_of({"grid-too-large", "program"}, asked, fact::Limit{*most})
                                 : diagnostic_of("grid-too-large", asked,
                                                 fact::Limit{machine.options.step_budget})),
            site.file, site.line);
}

} // namespace simt

using namespace simt;

/// No code looks at what a call of the API has returned (mark_unheard_calls), which has failed.
extern "C" void __simt_unheard(const char* function, cudaError_t error) {
  const HostCall turn;
  const bool is_known = reason.call + 1 == calls_of_runtime();
  // What has broken the device was found, and now every call fails.
  if (machine.lane || sticky_error() != cudaSuccess || unheard_call || (is_known && !reason.finding)) return;
  const fact::Subject subject{function};
  const fact::Error name{cudaGetErrorName(error)};
  Finding finding = is_known ? reason.finding(subject, name) : diagnostic_of("unheard-error", subject, name);
  finding.participants.insert(finding.participants.begin(), running_thread(SIMT_SITE));
  unheard_call = {std::move(finding), SIMT_SITE};
}

/// Where one of the types is a number with a fraction.
extern "C" void __simt_copied_types(const char* function, std::size_t target, std::size_t source) {
  const HostCall turn;
  report("copied-types", SIMT_SITE, fact::Subject{function}, fact::Amount{target}, fact::Limit{source});
}
