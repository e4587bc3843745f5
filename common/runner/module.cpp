#include "runner/module.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace warpbook {

Module::Module(const std::string& path) {
  // RTLD_NOW: an unresolved symbol is an error of loading, not a crash in the middle of a call.
  handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* reason = ::dlerror();
    throw std::runtime_error(reason != nullptr ? reason : "the loader gave no reason");
  }
}

void* Module::find(const std::string& function) const { return ::dlsym(handle_, function.c_str()); }

} // namespace warpbook
