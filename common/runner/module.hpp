#pragma once

#include <string>

namespace warpbook {

/// A submission's module, loaded for the rest of the process.
class Module {
public:
  /// Loads `path`; throws std::runtime_error with the loader's words.
  explicit Module(const std::string& path);
  /// The address of an exported function, or null.
  void* find(const std::string& function) const;

private:
  void* handle_ = nullptr;
};

} // namespace warpbook
