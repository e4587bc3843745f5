#pragma once
/// Takes from a process, for good, what a submission or its compiler has no need of.

#include <optional>
#include <string>
#include <vector>

#include "confine/confinement.hpp"

namespace warpbook {

/// The code that is loaded by now, with the gap before its libraries. What is mapped later can be changed. Nothing if
/// the address space is laid out in another way.
std::optional<LoadedCode> loaded_code();

/// What the kernel gave.
struct Confined {
  int landlock =
      0; ///< the version of Landlock that limits files, network and signals; 0: the kernel has none
  bool filter = false; ///< whether system calls are filtered
  bool limits = false; ///< whether memory and files are limited
};

/// Applies to this process for good. Never fails: what the kernel refuses stays open, and the result says so.
/// With WARPBOOK_UNCONFINED in the environment, and in a build with the address sanitizer, nothing is limited: for
/// debuggers and profilers.
Confined confine(const Confinement& confinement);

/// What confine() would get from this kernel; changes nothing.
Confined confinement_offered();

/// Folders that hold the system's programs and what they read, and those of the libraries that this process has loaded.
std::vector<std::string> system_folders();
/// The same for shared libraries alone.
std::vector<std::string> library_folders();

/// The same in words, as part of a sentence: "Landlock 7, system-call filter, hard limits"; "nothing" if it is nothing.
std::string to_text(const Confined& confined);

} // namespace warpbook
