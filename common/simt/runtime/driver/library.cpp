// The runtime API's libraries of code, which are those of the driver API.
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/driver/module.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/machine.hpp"

using namespace simt;

namespace {

/// The driver API's code, which the runtime API has under the same number.
cudaError_t as_runtime_result(CUresult result) { return static_cast<cudaError_t>(result); }

cudaError_t load(cudaLibrary_t* library, const void* image, const char* file, const void* caller) {
  initialise_machine();
  return api_result(
      as_runtime_result(load_library(library, image, file, reinterpret_cast<std::uintptr_t>(caller))));
}

cudaError_t variable_in(cudaLibrary_t library, void** pointer, std::size_t* bytes, const char* name,
                        Variables which) {
  if ((!pointer && !bytes) || !name) return api_result(cudaErrorInvalidValue);
  const LoadedCode* code = loaded_code(library);
  if (!code) return api_result(cudaErrorInvalidResourceHandle);
  return api_result(as_runtime_result(find_variable(pointer, bytes, *code, name, which)));
}

} // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
  const HostCall turn;
  return load(library, code, nullptr, __builtin_return_address(0));
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, cudaJitOption*, void**,
                                    unsigned, cudaLibraryOption*, void**, unsigned) {
  const HostCall turn;
  return load(library, nullptr, file, __builtin_return_address(0));
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  const HostCall turn;
  LoadedCode* code = loaded_code(library);
  if (!code || !code->is_library) return api_result(cudaErrorInvalidResourceHandle);
  unload(code);
  return api_result(cudaSuccess);
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  const HostCall turn;
  if (!kernel || !name) return api_result(cudaErrorInvalidValue);
  const LoadedCode* code = loaded_code(library);
  if (!code) return api_result(cudaErrorInvalidResourceHandle);
  const simt_kernel_entry* found = code->kernel(name);
  if (!found) return api_result(cudaErrorSymbolNotFound);
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(found->kernel));
  return api_result(cudaSuccess);
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  const HostCall turn;
  if (!count) return api_result(cudaErrorInvalidValue);
  const LoadedCode* code = loaded_code(library);
  if (!code) return api_result(cudaErrorInvalidResourceHandle);
  *count = static_cast<unsigned>(code->kernels().size());
  return api_result(cudaSuccess);
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned room, cudaLibrary_t library) {
  const HostCall turn;
  if (!kernels) return api_result(cudaErrorInvalidValue);
  const LoadedCode* code = loaded_code(library);
  if (!code) return api_result(cudaErrorInvalidResourceHandle);
  for (const simt_kernel_entry* entry : code->kernels())
    if (room-- > 0)
      *kernels++ = reinterpret_cast<cudaKernel_t>(const_cast<void*>(entry->kernel));
    else
      break;
  return api_result(cudaSuccess);
}
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  const HostCall turn;
  return variable_in(library, pointer, bytes, name, Variables::all);
}
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  const HostCall turn;
  return variable_in(library, pointer, bytes, name, Variables::managed);
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                            int device) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
}
