// A program may load NVIDIA's libraries by itself, with dlopen and dlsym, so that it also starts where there are none.
// Here their functions are the simulator's own, which this executable exports.
#include <dlfcn.h>

#include <string_view>

namespace {

/// libcuda.so.1 and the like: the name with a version or without one, in any folder.
bool is_simulated(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
  for (const std::string_view library : {"libcuda.so", "libcudart.so", "libnvrtc.so"}) {
    if (name.substr(0, library.size()) == library &&
        (name.size() == library.size() || name[library.size()] == '.'))
      return true;
  }
  return false;
}

} // namespace

/// dlopen as programs find it, since an executable's symbols come first: the C library's, but for the simulated
/// libraries, for which it answers with this executable.
extern "C" void* dlopen(const char* path, int mode) noexcept {
  using Open = void* (*)(const char*, int);
  static const auto open = reinterpret_cast<Open>(::dlsym(RTLD_NEXT, "dlopen"));
  return open(path && is_simulated(path) ? nullptr : path, mode);
}
