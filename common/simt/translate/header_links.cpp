#include "simt/translate/header_links.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40; // on one way, as for the kernel

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

class Search {
public:
  Search(const std::vector<std::string>& headers, const Trust& trust)
      : headers_(headers.begin(), headers.end()), trust_(trust) {}

  HeaderLinks run() {
    for (const fs::path& folder : headers_) {
      Found found;
      if (follow(folder) == folder) search(folder, found);
      folders_.insert(folder);
      keep(found);
    }
    while (!links_.empty()) {
      const fs::path link = links_.back();
      links_.pop_back();
      take(follow(link));
    }
    return {{targets_.begin(), targets_.end()}, {folders_.begin(), folders_.end()}};
  }

private:
  struct Found {
    std::set<fs::path> folders;
    std::vector<fs::path> links;
  };

  /// False also if it is not there.
  bool is_trusted(const fs::path& path) const {
    if (path != trust_.top && is_within(trust_.top, path)) return true;
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0 || status.st_uid != trust_.owner) return false;
    return S_ISLNK(status.st_mode) || (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  }

  /// Where a path leads; empty if someone else can change that. Notes the folders on which it depends.
  fs::path follow(const fs::path& path) {
    fs::path way = "/";
    std::vector<fs::path> rest; // its last part comes first
    const auto add = [&](const fs::path& parts) {
      const auto begin = static_cast<std::ptrdiff_t>(rest.size());
      rest.insert(rest.end(), parts.begin(), parts.end());
      std::reverse(rest.begin() + begin, rest.end());
    };
    add(path.relative_path());
    for (int links = 0; !rest.empty();) {
      const fs::path part = rest.back();
      rest.pop_back();
      if (part.empty() || part == ".") continue;
      if (!is_trusted(way)) return {};
      const fs::path next = part == ".." ? way.parent_path() : way / part;
      std::error_code none;
      if (is_trusted(next) && !fs::is_symlink(next, none)) {
        way = next;
        continue;
      }
      folders_.insert(way);
      const fs::path target = is_trusted(next) ? fs::read_symlink(next, none) : fs::path();
      if (++links > most_links || target.empty()) return {};
      if (target.is_absolute()) way = "/";
      add(target.relative_path());
    }
    return way;
  }

  /// Finds the links in a folder and in those below. False if someone else can write into one, whose links do not count.
  bool search(const fs::path& top, Found& found) const {
    std::vector<fs::path> waiting = {top};
    bool is_whole = true;
    while (!waiting.empty()) {
      const fs::path folder = waiting.back();
      waiting.pop_back();
      if (!found.folders.insert(folder).second) continue;
      if (!is_trusted(folder)) {
        is_whole = false;
        continue;
      }
      std::error_code none;
      for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        if (entry.is_symlink(none))
          found.links.push_back(entry.path());
        else if (entry.is_directory(none))
          waiting.push_back(entry.path());
      }
    }
    return is_whole;
  }

  void keep(Found& found) {
    folders_.merge(found.folders);
    links_.insert(links_.end(), found.links.begin(), found.links.end());
  }

  void take(const fs::path& target) {
    const auto holds = [&](const fs::path& folder) { return is_within(target, folder); };
    const auto is_held = [&](const fs::path& folder) { return is_within(folder, target); };
    if (target.empty() || std::ranges::any_of(headers_, holds) || std::ranges::any_of(targets_, holds) ||
        std::ranges::any_of(headers_, is_held))
      return;
    std::error_code none;
    if (fs::is_regular_file(target, none)) targets_.insert(target);
    if (Found found; fs::is_directory(target, none) && search(target, found)) {
      targets_.insert(target);
      keep(found);
    }
  }

  std::vector<fs::path> headers_;
  const Trust& trust_;
  std::vector<fs::path> links_;
  std::set<fs::path> targets_, folders_;
};

} // namespace

HeaderLinks header_links(const std::vector<std::string>& headers, const Trust& trust) {
  return Search(headers, trust).run();
}

} // namespace simt::compiler
