#include "simt/runtime/machine/device_limits.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/machine/reset.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <unordered_map>
#include <utility>

namespace simt {

DeviceLimits device_limits;

namespace {

const OnReset reset_limits([] { device_limits = {}; });

/// Frames are not as large as on a GPU: what is so many times the limit is beyond it there, too.
constexpr std::size_t stack_factor = 16;
/// A return address that is on the stack as often is of a function that calls itself.
constexpr unsigned least_calls = 16;

struct DeepStack {
  Finding finding;
  std::uintptr_t site = 0;
};
std::optional<DeepStack> found_deep;

std::uint64_t printed = 0; ///< bytes in this launch, at least
constexpr std::uint64_t record_bytes = 8;

/// What printf leaves in the device's buffer: at least the format and the arguments.
void count_printed(std::uint64_t values, std::uintptr_t site) {
  const std::uint64_t before = printed;
  printed += record_bytes * (1 + values);
  if (before <= device_limits.printed && printed > device_limits.printed)
    report("printf-overflow", site, fact::Limit{device_limits.printed});
}

std::uint64_t values_in(const char* format) {
  std::uint64_t values = 0;
  for (; *format != 0; ++format) {
    if (*format != '%') continue;
    if (format[1] == '%')
      ++format;
    else
      ++values;
  }
  return values;
}

} // namespace

void watch_limits() {
  printed = 0;
  found_deep.reset();
  machine.deep_stack = stack_stride - std::min(stack_factor * device_limits.stack, stack_bytes);
}

void note_deep_stack(std::uintptr_t site) {
  machine.deep_stack = 0;
  struct Seen {
    unsigned times = 0;
    std::uintptr_t lowest = 0, highest = 0;
  };
  std::unordered_map<std::uintptr_t, Seen> seen;
  const std::uintptr_t top = machine.own_stack + stack_stride;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (std::uintptr_t at = (here + 7) / 8 * 8; at < top; at += 8) {
    Seen& value = seen[*reinterpret_cast<const std::uintptr_t*>(at)];
    if (value.times++ == 0) value.lowest = at;
    value.highest = at;
  }
  for (const auto& [value, where] : seen) {
    if (where.times >= least_calls &&
        where.highest - where.lowest >= stack_factor / 2 * device_limits.stack &&
        classify_host_address(value) == HostRange::read_only) {
      Finding finding = diagnostic_of({"stack-overflow", "recursion"}, fact::Amount{where.times},
                                      fact::Limit{device_limits.stack});
      finding.participants = {running_thread(site)};
      found_deep = {std::move(finding), site};
      return;
    }
  }
}

void forget_deep_stack() { found_deep.reset(); }

void report_deep_stack() {
  if (const auto deep = std::exchange(found_deep, std::nullopt)) record(deep->finding, deep->site);
}

} // namespace simt

// A module's calls of printf, and what compilers make of these.
extern "C" {

int __wrap_printf(const char* format, ...) {
  if (simt::machine.lane) simt::count_printed(simt::values_in(format), SIMT_SITE);
  std::va_list values;
  va_start(values, format);
  const int written = std::vprintf(format, values);
  va_end(values);
  return written;
}
int __wrap_puts(const char* text) {
  if (simt::machine.lane) simt::count_printed(0, SIMT_SITE);
  return std::puts(text);
}
int __wrap_putchar(int character) {
  if (simt::machine.lane) simt::count_printed(0, SIMT_SITE);
  return std::putchar(character);
}

} // extern "C"
