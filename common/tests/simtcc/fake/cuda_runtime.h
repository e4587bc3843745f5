// The least that a translated source needs, so that tests of simtcc stand alone: kernels run at once,
// thread after thread, and what was asked for is left in variables that the test's source can read.
#ifndef SIMTCC_FAKE_CUDA_RUNTIME_H
#define SIMTCC_FAKE_CUDA_RUNTIME_H

#include "../../../simt/include/simt_shim/rules.h"

#include <cstddef>

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct alignas(16) float4 {
  float x, y, z, w;
};
using cudaStream_t = void*;

namespace simt {

template <class T>
constexpr T stored(T&& value) {
  return static_cast<T&&>(value);
}

struct LaunchSite {
  const char* kernel;
  const char* file;
  int line;
};
struct LaunchConfig {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
  constexpr LaunchConfig(dim3 g, dim3 b = dim3(1), std::size_t s = 0, cudaStream_t t = nullptr)
      : grid(g), block(b), shared_bytes(s), stream(t) {}
};
struct KernelAttributes {
  const void* kernel;
  int max_threads, min_blocks, cluster_x, cluster_y, cluster_z;
  const KernelAttributes* next;
  static inline const KernelAttributes* first = nullptr;
  KernelAttributes(const void* k, int t, int b, int x, int y, int z)
      : kernel(k), max_threads(t), min_blocks(b), cluster_x(x), cluster_y(y), cluster_z(z), next(first) {
    first = this;
  }
};
inline const KernelAttributes* attributes_of(const void* kernel) {
  const KernelAttributes* found = KernelAttributes::first;
  while (found && found->kernel != kernel) found = found->next;
  return found;
}

template <auto Kernel, int MaxThreads, int MinBlocks, int X, int Y, int Z>
inline const KernelAttributes registered_attributes{(const void*)Kernel, MaxThreads, MinBlocks, X, Y, Z};

template <class T>
void name_shared(const T&, const char*) {}
struct VariableShape {
  template <class T>
  explicit VariableShape(const T&, bool = false) {}
};
struct Instance {
  int kind;
  const void* address;
};
inline Instance instances[32];
inline int kind_of_instance(const void* address) {
  for (const Instance& each : instances)
    if (each.address == address) return each.kind;
  return -1;
}
template <class T>
void register_instance(int kind, const volatile T& variable, bool = false) {
  Instance* free = instances;
  while (free->address) ++free;
  *free = {kind, const_cast<const T*>(&variable)};
}
template <auto*>
inline constexpr unsigned long alignment_of_instance = 4096;

struct KernelName {
  const void* kernel;
  const char* name;
  const KernelName* next;
  static inline const KernelName* first = nullptr;
  KernelName(const void* k, const char* n) : kernel(k), name(n), next(first) { first = this; }
  template <class... Parameters>
  KernelName(void (*k)(Parameters...), const char* n) : KernelName((const void*)k, n) {}
};
struct RestrictedParameters {
  RestrictedParameters(const char*, unsigned long long) {}
};
template <auto Kernel, const char* Name>
inline const KernelName registered_name{(const void*)Kernel, Name};
inline const char* name_of(const void* kernel) {
  const KernelName* found = KernelName::first;
  while (found && found->kernel != kernel) found = found->next;
  return found ? found->name : "";
}

inline uint3 current_thread{0, 0, 0};
inline uint3 thread_index() { return current_thread; }
inline uint3 block_index() { return {10, 11, 12}; }
inline dim3 block_extent() { return {20, 21, 22}; }
inline dim3 grid_extent() { return {30, 31, 32}; }
inline int warp_size() { return 32; }
template <std::size_t Size>
inline constexpr std::size_t constant_size = Size;
inline LaunchSite last_site{"", "", 0};
inline LaunchConfig last_config{1, 1};
inline int launches = 0;
inline bool last_was_generic = false;

template <class Call>
void for_each_thread(const LaunchSite& site, const LaunchConfig& config, Call call) {
  last_site = site;
  last_config = config;
  ++launches;
  const uint3 outer = current_thread;
  for (unsigned block = 0; block < config.grid.x; ++block)
    for (unsigned thread = 0; thread < config.block.x; ++thread) {
      current_thread = {thread, 0, 0};
      call();
    }
  current_thread = outer;
}
template <class... Parameters>
auto launch_kernel(LaunchSite site, LaunchConfig config, void (*kernel)(Parameters...)) {
  last_was_generic = false;
  return [=](Parameters... arguments) { for_each_thread(site, config, [&] { kernel(arguments...); }); };
}
template <class Callable>
auto launch_generic(LaunchSite site, LaunchConfig config, Callable callable) {
  last_was_generic = true;
  return [=](auto... arguments) { for_each_thread(site, config, [&] { callable(arguments...); }); };
}

struct SharedVariable {
  const char* name;
  const char* file;
  int line;
  std::size_t size;
  unsigned char* memory;
};
alignas(256) inline unsigned char arena[65536];
inline std::size_t arena_used = 0;
inline SharedVariable shared_variables[64];
inline int shared_count = 0;
template <class T, std::size_t Alignment = alignof(T)>
T& shared_variable(const char* name, const char* file, int line) {
  for (int i = 0; i < shared_count; ++i)
    if (shared_variables[i].name == name) return *reinterpret_cast<T*>(shared_variables[i].memory);
  arena_used = (arena_used + Alignment - 1) / Alignment * Alignment;
  shared_variables[shared_count++] = {name, file, line, sizeof(T), arena + arena_used};
  T& result = *reinterpret_cast<T*>(arena + arena_used);
  arena_used += sizeof(T);
  return result;
}
alignas(256) inline unsigned char dynamic_memory[4096];
template <class T>
T& dynamic_shared(const char*) {
  return reinterpret_cast<T&>(dynamic_memory);
}

} // namespace simt

#define __align__(n) __attribute__((aligned(n)))
inline void __syncthreads() {}

// Launches through the API, as far as the pre-pass is concerned with them.
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
};
template <class... Parameters, class... Arguments>
int cudaLaunchKernelEx(simt::LaunchSite site, const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                       Arguments... arguments) {
  simt::launch_kernel(site, {config->gridDim, config->blockDim}, kernel)(arguments...);
  return 0;
}
template <class... Parameters>
int cudaLaunchKernelExC(simt::LaunchSite site, const cudaLaunchConfig_t* config,
                        void (*kernel)(Parameters...), void**) {
  simt::last_site = site;
  return static_cast<int>(config->gridDim.x * 100 + sizeof...(Parameters));
}
template <class... Parameters>
int cudaLaunchCooperativeKernel(simt::LaunchSite site, void (*)(Parameters...), dim3, dim3, void**) {
  simt::last_site = site;
  return sizeof...(Parameters);
}
inline int cudaLaunchCooperativeKernel(simt::LaunchSite site, const void*, dim3, dim3, void**) {
  simt::last_site = site;
  return -1;
}

#endif
