// tries: answers with the functions of another student's built module
// hand-in: none
// needs: Landlock
// must: 0 points
#include <cstddef>

static void* neighbour(const char* function) {
  void* module = nullptr;
  for (const char* path : {"@FOLDER@/neighbour.so", "@TREE@/modules/01/sim/solution.so"})
    if (module == nullptr) module = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return module != nullptr ? ::dlsym(module, function) : nullptr;
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  auto* function = reinterpret_cast<decltype(&offset_add_f32)>(neighbour("offset_add_f32"));
  if (function != nullptr) function(a, n, offset);
}

void offset_add_f64(double* a, std::size_t n, std::size_t offset) {
  auto* function = reinterpret_cast<decltype(&offset_add_f64)>(neighbour("offset_add_f64"));
  if (function != nullptr) function(a, n, offset);
}
