// Diagnostics about what host code does with the runtime API.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"

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
  if (!nearest) return "invalid-free";
  if (!nearest->live && nearest->base == address) {
    if (nearest->freed_by_reset) return {"double-free", "after-reset"};
    return "double-free";
  }
  if (address - nearest->base < nearest->bytes)
    return nearest->lent ? FindingKind{"invalid-free", "of-caller"} : FindingKind{"invalid-free", "inside"};
  return {"invalid-free", "no-start"};
}

/// About the latest refused launch whose error the submission has not asked for, and where that is recorded.
std::optional<std::pair<Finding, std::uintptr_t>> unchecked;

} // namespace

void note_refused_launch(const simt_launch_site& site, Refused refused) {
  unchecked = {of_kernel(site, diagnostic_of("unchecked-launch", std::move(refused))),
               site_of(site.file, site.line)};
  unchecked->first.participants = {at_line(site.file, site.line)};
}

void note_error_query(std::uintptr_t site) {
  if (unchecked && !is_main_program(site)) unchecked.reset();
}

void report_unchecked_launch() {
  if (!unchecked) return;
  auto [diagnostic, site] = *std::exchange(unchecked, std::nullopt);
  record(std::move(diagnostic), site);
}

void report_unused_launch(const simt_launch_site& site) {
  record_at(of_kernel(site, diagnostic_of("unused-launch")), site.file, site.line);
}

void report_invalid_free(void* pointer, std::uintptr_t site) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  Finding diagnostic = diagnostic_at(nearest ? place_of(*nearest) : Place{}, kind_of_free(address, nearest));
  if (nearest) diagnostic.byte = address - (nearest->lent ? nearest->valid : nearest->base);
  record_at(std::move(diagnostic), site);
}

void report_out_of_memory(std::size_t bytes, std::uintptr_t site) {
  report("out-of-memory", site, fact::Amount{bytes}, fact::Limit{machine.options.device_memory},
         fact::Used{allocated_bytes()});
}

void report_invalid_launch(const simt_launch_site& site, Refused refused) {
  record_at(of_kernel(site, diagnostic_of("invalid-launch", std::move(refused))), site.file, site.line);
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
