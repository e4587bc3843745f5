#pragma once
/// Limits of what a process may take, for good.

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace warpbook {

/// Whether this is a build with the address sanitizer, whose shadow memory is beyond any limit of memory.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized_build = true;
#else
constexpr bool is_sanitized_build = false;
#endif

/// Lowers a limit of this process, and of those that it starts; one that is lower stays. False if the kernel refuses.
inline bool lower_limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  rlimit now = {};
  if (::getrlimit(resource, &now) != 0) return false;
  now.rlim_max = std::min(now.rlim_max, hard);
  now.rlim_cur = std::min(now.rlim_max, soft);
  return ::setrlimit(resource, &now) == 0;
}
inline bool lower_limit(__rlimit_resource resource, rlim_t most) { return lower_limit(resource, most, most); }

/// Has the kernel end by SIGSYS whatever asks for so much memory at once, here and in what is started: how a program ends
/// that is refused memory is its own matter, and does not tell why. False if the kernel has no such filter.
bool end_at_requests_of(std::uint64_t bytes);

} // namespace warpbook
