// The driver API's modules, libraries and linker: code that the program loads while it runs.
#include "simt/runtime/driver/module.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/driver/calls.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <cstring>

using namespace simt;

/// What the linker has been given.
struct CUlinkState_st {
  std::string image; ///< empty: nothing yet
};

namespace {

template <class Handle>
Handle handle_of(const LoadedCode* code) {
  return reinterpret_cast<Handle>(const_cast<LoadedCode*>(code));
}
template <class Handle>
Handle handle_of(const simt_kernel_entry& kernel) {
  return reinterpret_cast<Handle>(const_cast<void*>(kernel.kernel));
}

/// The compiler has nothing to say: its logs are empty, and it took no time.
void answer_options(unsigned count, const CUjit_option* options, void** values) {
  for (unsigned i = 0; i < count; ++i) {
    const bool is_log = options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER;
    const bool is_result = options[i] == CU_JIT_WALL_TIME ||
                           options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
                           options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
    if (is_log && values[i]) *static_cast<char*>(values[i]) = '\0';
    if (is_result) values[i] = nullptr;
  }
}

bool has_wrong_options(unsigned count, const CUjit_option* options, void** values) {
  return count > 0 && (!options || !values);
}

CUresult load_module(CUmodule* module, const void* image, std::uintptr_t caller) {
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  LoadedCode* code = nullptr;
  const CUresult result = load_code(code, image, caller);
  if (result == CUDA_SUCCESS) *module = handle_of<CUmodule>(code);
  return result;
}

CUresult add_to_link(CUlinkState state, const void* data, std::uintptr_t caller) {
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!state || !data) return CUDA_ERROR_INVALID_VALUE;
  const std::string image = image_of(data);
  if (image.empty()) return refuse_image(data, caller);
  if (!state->image.empty()) {
    report({"unsupported", "several-images"}, caller);
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  state->image = image;
  return CUDA_SUCCESS;
}

/// What a function about loaded code gives, if its handle is valid.
template <class Answer>
CUresult about(const void* handle, bool is_valid, const Answer& answer) {
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!is_valid) return CUDA_ERROR_INVALID_VALUE;
  const LoadedCode* code = loaded_code(handle);
  return code ? answer(*code) : CUDA_ERROR_INVALID_HANDLE;
}

template <class Handle>
CUresult find_kernel(Handle* found, const void* handle, const char* name) {
  return about(handle, found && name, [&](const LoadedCode& code) {
    const simt_kernel_entry* kernel = code.kernel(name);
    if (kernel) *found = handle_of<Handle>(*kernel);
    return kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}
template <class Handle>
CUresult list_kernels(Handle* found, unsigned room, const void* handle) {
  return about(handle, found != nullptr, [&](const LoadedCode& code) {
    const auto kernels = code.kernels();
    for (std::size_t i = 0; i < std::min<std::size_t>(room, kernels.size()); ++i)
      found[i] = handle_of<Handle>(*kernels[i]);
    return CUDA_SUCCESS;
  });
}
CUresult find_global(CUdeviceptr* pointer, size_t* bytes, const void* handle, const char* name,
                     Variables which) {
  return about(handle, (pointer || bytes) && name, [&](const LoadedCode& code) {
    void* found = nullptr;
    const CUresult result = find_variable(&found, bytes, code, name, which);
    if (result == CUDA_SUCCESS && pointer) *pointer = address_of_pointer(found);
    return result;
  });
}
CUresult count_kernels(unsigned* count, const void* handle) {
  return about(handle, count != nullptr, [&](const LoadedCode& code) {
    *count = static_cast<unsigned>(code.kernels().size());
    return CUDA_SUCCESS;
  });
}

} // namespace

namespace simt {

CUresult load_library(CUlibrary* library, const void* image, const char* file, std::uintptr_t caller) {
  if (!library || (!image && !file)) return CUDA_ERROR_INVALID_VALUE;
  LoadedCode* code = nullptr;
  const CUresult result = image ? load_code(code, image, caller) : load_file(code, file, caller);
  if (result != CUDA_SUCCESS) return result;
  code->is_library = true;
  *library = handle_of<CUlibrary>(code);
  return CUDA_SUCCESS;
}

CUresult find_variable(void** pointer, std::size_t* bytes, const LoadedCode& code, const char* name,
                       Variables which) {
  const LoadedCode::Symbol* variable = code.variable(name);
  constexpr int managed = 2;
  if (!variable || (which == Variables::managed && find_section(variable->address)->kind != managed))
    return CUDA_ERROR_NOT_FOUND;
  if (pointer) *pointer = reinterpret_cast<void*>(variable->address);
  if (bytes) *bytes = variable->bytes;
  return CUDA_SUCCESS;
}

} // namespace simt

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!module || !file) return CUDA_ERROR_INVALID_VALUE;
  LoadedCode* code = nullptr;
  const CUresult result = load_file(code, file, SIMT_SITE);
  if (result == CUDA_SUCCESS) *module = handle_of<CUmodule>(code);
  return result;
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  const HostCall turn;
  return load_module(module, image, SIMT_SITE);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
  const HostCall turn;
  if (has_wrong_options(count, options, values)) return CUDA_ERROR_INVALID_VALUE;
  answer_options(count, options, values);
  return load_module(module, image, SIMT_SITE);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  const HostCall turn;
  return load_module(module, image, SIMT_SITE);
}
CUresult cuModuleUnload(CUmodule module) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  LoadedCode* code = loaded_code(module);
  if (!code) return CUDA_ERROR_INVALID_HANDLE;
  if (code->is_library) return CUDA_ERROR_NOT_PERMITTED;
  unload(code);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!mode) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const HostCall turn;
  return find_kernel(function, module, name);
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  const HostCall turn;
  return count_kernels(count, module);
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned room, CUmodule module) {
  const HostCall turn;
  return list_kernels(functions, room, module);
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  const HostCall turn;
  return find_global(pointer, bytes, module, name, Variables::all);
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* jit_options,
                           void** jit_values, unsigned jit_count, CUlibraryOption*, void**, unsigned) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (has_wrong_options(jit_count, jit_options, jit_values) || !image) return CUDA_ERROR_INVALID_VALUE;
  answer_options(jit_count, jit_options, jit_values);
  return load_library(library, image, nullptr, SIMT_SITE);
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* jit_options,
                               void** jit_values, unsigned jit_count, CUlibraryOption*, void**, unsigned) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (has_wrong_options(jit_count, jit_options, jit_values) || !file) return CUDA_ERROR_INVALID_VALUE;
  answer_options(jit_count, jit_options, jit_values);
  return load_library(library, nullptr, file, SIMT_SITE);
}
CUresult cuLibraryUnload(CUlibrary library) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  LoadedCode* code = loaded_code(library);
  if (!code || !code->is_library) return CUDA_ERROR_INVALID_HANDLE;
  unload(code);
  return CUDA_SUCCESS;
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  const HostCall turn;
  return find_kernel(kernel, library, name);
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  const HostCall turn;
  return count_kernels(count, library);
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned room, CUlibrary library) {
  const HostCall turn;
  return list_kernels(kernels, room, library);
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  const HostCall turn;
  return about(library, module != nullptr, [&](const LoadedCode& code) {
    *module = handle_of<CUmodule>(&code);
    return CUDA_SUCCESS;
  });
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
  const HostCall turn;
  return find_global(pointer, bytes, library, name, Variables::all);
}
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
  const HostCall turn;
  return find_global(pointer, bytes, library, name, Variables::managed);
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!library) return CUDA_ERROR_INVALID_VALUE;
  const LoadedCode* code = code_of_kernel(kernel);
  if (!code) return CUDA_ERROR_INVALID_HANDLE;
  *library = handle_of<CUlibrary>(code);
  return CUDA_SUCCESS;
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  const HostCall turn;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  const HostCall turn;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attribute, value);
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  const HostCall turn;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), config);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  const HostCall turn;
  return cuFuncGetParamInfo(reinterpret_cast<CUfunction>(kernel), index, offset, size);
}

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!state || has_wrong_options(count, options, values)) return CUDA_ERROR_INVALID_VALUE;
  answer_options(count, options, values);
  *state = new CUlinkState_st;
  return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t, const char*, unsigned,
                       CUjit_option*, void**) {
  const HostCall turn;
  return add_to_link(state, data, SIMT_SITE);
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType, const char* file, unsigned, CUjit_option*, void**) {
  const HostCall turn;
  if (!file) return CUDA_ERROR_INVALID_VALUE;
  // What kernels need to launch kernels is part of the simulator.
  if (std::strstr(file, "cudadevrt")) return CUDA_SUCCESS;
  std::string bytes;
  return read_image(bytes, file) ? add_to_link(state, bytes.data(), SIMT_SITE) : CUDA_ERROR_FILE_NOT_FOUND;
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!state || !image || state->image.empty()) return CUDA_ERROR_INVALID_VALUE;
  *image = state->image.data();
  if (bytes) *bytes = state->image.size();
  return CUDA_SUCCESS;
}
CUresult cuLinkDestroy(CUlinkState state) {
  const HostCall turn;
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  delete state;
  return CUDA_SUCCESS;
}
}
