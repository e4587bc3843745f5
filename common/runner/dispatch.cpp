#include "runner/dispatch.hpp"

#include <ffi.h>

#include <array>
#include <stdexcept>

namespace warpbook {
namespace {

ffi_type* ffi_type_of(ScalarType type) {
  static const std::array types = {// in the order of ScalarType
                                   &ffi_type_uint8,  &ffi_type_sint8,  &ffi_type_uint8,  &ffi_type_sint16,
                                   &ffi_type_uint16, &ffi_type_sint32, &ffi_type_uint32, &ffi_type_sint64,
                                   &ffi_type_uint64, &ffi_type_float,  &ffi_type_double};
  return types.at(static_cast<std::size_t>(type));
}

} // namespace

Dispatch::Dispatch(void* function, const Call& call, const std::vector<void*>& buffers)
    : function_(function), returns_value_(call.returns_value), return_type_(call.return_type) {
  std::size_t next = 0;
  for (const Argument& argument : call.arguments) {
    is_pointer_.push_back(argument.is_buffer);
    types_.push_back(argument.scalar.type);
    values_.push_back(argument.is_buffer ? reinterpret_cast<std::uint64_t>(buffers.at(next++))
                                         : argument.scalar.bits);
  }
}

std::uint64_t Dispatch::operator()() const {
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  std::vector<std::uint64_t> storage = values_; // x86-64 is little-endian: low bytes are the value
  for (std::size_t i = 0; i < storage.size(); ++i) {
    types.push_back(is_pointer_[i] ? &ffi_type_pointer : ffi_type_of(types_[i]));
    values.push_back(&storage[i]);
  }
  ffi_type* result_type = returns_value_ ? ffi_type_of(return_type_) : &ffi_type_void;
  ffi_cif interface;
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()), result_type,
                   types.data()) != FFI_OK) {
    throw std::runtime_error("libffi refuses the call");
  }
  std::uint64_t result = 0; // libffi widens small integers to a whole ffi_arg
  ffi_call(&interface, FFI_FN(function_), &result, values.data());
  if (!returns_value_) return 0;
  const std::size_t bits = 8 * size_of(return_type_);
  return bits == 64 ? result : result & ((std::uint64_t{1} << bits) - 1);
}

} // namespace warpbook
