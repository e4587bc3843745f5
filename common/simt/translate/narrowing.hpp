#pragma once

#include "simt/translate/passes.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace simt::compiler {

/// `int4`, `uchar2`, `float3`, ...: structs without constructors.
bool is_vector_type(std::string_view name);

/// Whether nvcc refuses a conversion that narrows within the braces that open at token `brace`, as far as the text tells.
/// nvcc takes one in declarations, in `return {...}` and in the arguments of constructors; it refuses one where an aggregate is
/// made in an expression (`P{x}`), or a number or an aggregate is assigned (`p = {x}`) or passed (`f({x})`). nvcc 13.0.
bool refuses_narrowing(const Source& source, const std::vector<Declaration>& declarations, std::size_t brace);

/// The same for the innermost braces around token i.
bool refuses_narrowing_at(const Source& source, const std::vector<Declaration>& declarations, std::size_t i);

/// Whether there are such braces in the program's own files.
bool may_narrow(const Source& source, const std::vector<Declaration>& declarations);

} // namespace simt::compiler
