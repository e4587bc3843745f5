// Which memory an address is in, and addresses within one memory: the queries and conversions of CUDA's address spaces.
#ifndef SIMT_INCLUDE_SIMT_SHIM_ADDRESS_SPACE_H
#define SIMT_INCLUDE_SIMT_SHIM_ADDRESS_SPACE_H

#include "simt_shim/entry_points.h"

// Global memory is what lies in no window of another one; the parameters of kernels are in it.
SIMT_INLINE unsigned __isGlobal(const void* address) {
  const int space = __simt_space_of(address);
  return space == simt_space_global || space == simt_space_grid_constant;
}
SIMT_INLINE unsigned __isShared(const void* address) { return __simt_space_of(address) == simt_space_shared; }
SIMT_INLINE unsigned __isClusterShared(const void* address) {
  const int space = __simt_space_of(address);
  return space == simt_space_shared || space == simt_space_other_shared;
}
SIMT_INLINE unsigned __isConstant(const void* address) {
  return __simt_space_of(address) == simt_space_constant;
}
SIMT_INLINE unsigned __isLocal(const void* address) { return __simt_space_of(address) == simt_space_local; }
SIMT_INLINE unsigned __isGridConstant(const void* address) {
  return __simt_space_of(address) == simt_space_grid_constant;
}

// Shared memory begins at 0 in each block. The other windows begin where the memory does.
SIMT_INLINE size_t __cvta_generic_to_global(const void* address) { return reinterpret_cast<size_t>(address); }
SIMT_INLINE size_t __cvta_generic_to_shared(const void* address) {
  return reinterpret_cast<size_t>(address) - __simt_shared_base();
}
SIMT_INLINE size_t __cvta_generic_to_constant(const void* address) {
  return reinterpret_cast<size_t>(address);
}
SIMT_INLINE size_t __cvta_generic_to_local(const void* address) { return reinterpret_cast<size_t>(address); }
SIMT_INLINE size_t __cvta_generic_to_grid_constant(const void* address) {
  return reinterpret_cast<size_t>(address);
}
SIMT_INLINE void* __cvta_global_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
SIMT_INLINE void* __cvta_shared_to_generic(size_t address) {
  return reinterpret_cast<void*>(address + __simt_shared_base());
}
SIMT_INLINE void* __cvta_constant_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
SIMT_INLINE void* __cvta_local_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
SIMT_INLINE void* __cvta_grid_constant_to_generic(size_t address) { return reinterpret_cast<void*>(address); }

namespace simt {

/// Lives as long as a thread of a kernel and lets the simulator know of its __grid_constant__ parameter.
class GridConstant {
public:
  template <class T>
  explicit GridConstant(const T& parameter) : parameter_(__builtin_addressof(parameter)) {
    __simt_grid_constant(parameter_, sizeof parameter);
  }
  ~GridConstant() { __simt_grid_constant(parameter_, 0); }
  GridConstant(const GridConstant&) = delete;
  GridConstant& operator=(const GridConstant&) = delete;

private:
  const void* parameter_;
};

} // namespace simt

#endif
