// What is known about kernels: attributes from the source and from cudaFuncSetAttribute.
#pragma once

#include "simt/runtime/machine/limits.hpp"

#include <string>

namespace simt {

struct KernelTraits {
  int max_threads = 0; ///< of __launch_bounds__; 0: not given
  int min_blocks = 0;
  int cluster[3] = {0, 0, 0};    ///< zeros: not given
  bool fixed_cluster = false;    ///< `cluster` is that of __cluster_dims__
  std::size_t static_shared = 0; ///< bytes, as far as blocks that ran have used them
  std::size_t max_dynamic_shared = default_shared_limit;
  bool opted_in = false; ///< `max_dynamic_shared` was asked for; static arrays then come on top of it
  bool non_portable_cluster = false;
};

/// Traits of a kernel by address, made on first use.
KernelTraits& traits_of(const void* kernel);

/// As traits_of; a launch whose template arguments are deduced has no address, so there the kernel is identified by
/// its name among those that have traits (null if none has).
const KernelTraits* find_traits(const void* kernel, const std::string& name);

/// True if `kernel` is code of a loaded module.
bool is_function(const void* kernel);

} // namespace simt
