#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace simt::compiler {

/// Whose files and links count: those that no one but `owner` can change. Folders above `top` are not asked.
struct Trust {
  uid_t owner;
  std::string top = "/";
};

struct HeaderLinks {
  std::vector<std::string> targets; ///< real paths of files and folders outside of the folders of headers
  std::vector<std::string> folders; ///< all that were searched, which change when a link comes or goes
};

/// What links in folders of headers, given by their real paths, lead to. Distributions lay headers elsewhere and put links to
/// them into /usr/include. A link counts only if no one else can change it, what it leads to, or anything on the way; and none
/// counts that leads to a folder around one of headers.
HeaderLinks header_links(const std::vector<std::string>& headers, const Trust& trust);

} // namespace simt::compiler
