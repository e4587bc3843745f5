#pragma once

#include "simt/translate/declarations.hpp"

#include <map>
#include <set>

namespace simt::compiler {

/// What is known of the kernels that share one name.
struct Kernel {
  bool has_plain = false;
  bool has_template = false;
  unsigned required_template_arguments = 0; ///< the most that any of its templates requires
  bool has_template_pack = false;
  bool has_default_argument = false; ///< which only a call supplies, and no pointer to the kernel
  bool shares_name = false;          ///< with a function that is no kernel
  std::set<std::vector<std::string>> signatures;

  /// Whether the name alone does not tell which function is meant.
  bool is_overloaded() const { return has_template || shares_name || signatures.size() > 1; }
};
using Kernels = std::map<std::string, Kernel, std::less<>>;

/// The body of a function, and what it runs on.
struct Body {
  std::size_t open = none;
  std::size_t close = none;
  const Declaration* function = nullptr;
  bool on_device = false; ///< __global__ or __device__
  bool on_host = true;    ///< not __global__, and not __device__ alone
};

/// A name that stands for shared memory, and the braces within which it does.
struct SharedName {
  std::string name;
  std::size_t from = none;
  std::size_t to = none;
  bool is_dynamic = false; ///< extern __shared__
};

std::vector<Body> find_bodies(const Source& source, const std::vector<Declaration>& declarations);

/// What nvcc takes as a kernel: its result, parameters, qualifiers and attributes.
void check_kernels(Source& source, const std::vector<Declaration>& declarations);

/// Memory spaces where nvcc takes them and they mean nothing: of parameters, of types that a typedef names, and of members
/// of local classes.
void drop_memory_spaces(Source& source);

/// The same of a member that is not static. True if the declaration is one.
bool drop_memory_space_of_member(Source& source, const Declaration& member);

/// Kernels and functions of the device that are declared by a name for their type, as in `__global__ work k;`. Their definition
/// says all that has to be known of them.
void drop_keywords_of_typed_functions(Source& source, const std::vector<Declaration>& declarations);

/// Has the compiler refuse a member function whose qualifiers are not those of the virtual function that it overrides.
void check_overrides(Source& source, const std::vector<Declaration>& declarations);

/// What nvcc takes as a lambda for the device, and which lambdas a kernel can be given.
void check_lambdas(Source& source, const std::vector<Declaration>& declarations,
                   const std::vector<Body>& bodies);

/// The innermost `{` around token i, behind token `from`; `none` if there is none.
std::size_t brace_around(const Source& source, std::size_t i, std::size_t from);

/// The keyword of the class whose body opens at `brace`; `none` if it is no class's.
std::size_t class_of_body(const Source& source, std::size_t brace);

/// Who may use a member of a class that is declared at token i: "public", "protected" or "private".
std::string_view access_of(const Source& source, std::size_t i);

/// What nvcc takes as a template argument of a kernel.
void check_template_arguments(Source& source, const std::vector<Declaration>& declarations,
                              const std::vector<Body>& bodies);

/// `__global__` and its attributes; registers launch bounds and cluster sizes behind the kernel.
Kernels rewrite_kernels(Source& source, const std::vector<Declaration>& declarations);

/// What the launches of a source are like.
struct Launches {
  bool by_variable = false; ///< one launches what is no kernel's name
  bool deduced = false;     ///< one leaves template arguments to be deduced
};

/// `kernel<<<...>>>(...)`, wherever it stands.
Launches rewrite_launches(Source& source, const Kernels& kernels);

/// Launches through the API: cudaLaunchKernelEx and the like learn their kernel's name and their place. True
/// if one launches what is no kernel's name.
bool rewrite_launch_calls(Source& source, const Kernels& kernels);

/// Calls of the API by host code that stand alone as statements say so: if they fail, no code looks at what they return.
void mark_unheard_calls(Source& source, const std::vector<Declaration>& declarations,
                        const std::vector<Body>& bodies);

/// The address of a function that host code takes is not the one that the device has: what host code gets is told apart, and a
/// kernel that calls it, or a function of the host alone, says so.
void mark_function_addresses(Source& source, const std::vector<Declaration>& declarations,
                             const std::vector<Body>& bodies);

/// A variable in device memory of which host code takes the address by its name says so: kernels cannot use that.
void mark_host_symbols(Source& source, const std::vector<Declaration>& declarations,
                       const std::vector<Body>& bodies);

/// cudaMalloc and the like learn what the pointer is called, in a function that allocates for its caller by the caller.
void rewrite_allocations(Source& source, const std::vector<Body>& bodies);

/// Lets the runner know the names of all kernels, for where they are launched through a variable, or where the
/// name is all that a launch tells. Kernel templates whose parameters have no names stay unknown.
void register_names(Source& source, const std::vector<Declaration>& declarations);

/// threadIdx and the like. They are no macros, because members and variables of host code may have their
/// names.
void rewrite_builtin_variables(Source& source);

/// `__shared__`, in functions and at namespace scope.
/// `filled` are the classes whose constructor or destructor does something.
std::vector<SharedName> rewrite_shared_variables(Source& source, const std::vector<Declaration>& declarations,
                                                 const std::vector<Body>& bodies,
                                                 const std::set<std::string>& filled);

/// A pointer that a kernel sets up in dynamic shared memory: `NAME = VALUE` at [name, behind), valid until `to`.
struct CarvedPointer {
  std::string spelling;
  std::size_t name = none, behind = none, to = none;
};

/// Finds them: messages call what lies there by their names.
std::vector<CarvedPointer> name_pointers_into_shared(Source& source, const std::vector<Body>& bodies,
                                                     const std::vector<SharedName>& shared);

/// Kernels with several arrays in dynamic shared memory, which all begin at one address or are set up by hand, tell the simulator by
/// which name they use an element; those that use one by anything else do not.
void mark_uses_of_shared_names(Source& source, const std::vector<Body>& bodies,
                               const std::vector<SharedName>& shared,
                               const std::vector<CarvedPointer>& carved);

/// Marks classes whose default constructor or whose destructor does something, which device memory cannot hold. Returns
/// the names of all that have such a one.
std::set<std::string> mark_constructors(Source& source, const std::vector<Declaration>& declarations);

/// Lets lambdas reach shared variables without a copy: on the device those are no local variables.
void capture_shared_variables(Source& source, const std::vector<SharedName>& names);

/// `__device__`, `__constant__` and `__managed__` on variables.
void rewrite_device_variables(Source& source, const std::vector<Declaration>& declarations,
                              const std::vector<Body>& bodies);

/// The index behind the statement that begins at i; `none` where it cannot be known.
std::size_t behind_statement(const Source& source, std::size_t i, std::size_t end, unsigned nesting = 0);

/// Conditions of an `if`, `for` or `while` with a barrier of the block or of a group in it tell the simulator which threads enter
/// and which stay.
void mark_branches_around_barriers(Source& source, const std::vector<Body>& bodies);

/// A `return` of a kernel tells the simulator where its thread ends.
void mark_returns(Source& source, const std::vector<Body>& bodies);

/// A `return` of a device function tells the simulator which barriers and exchanges behind it its thread misses.
void mark_early_returns(Source& source, const std::vector<Body>& bodies);

/// A class that a call returns is stored by an assignment that the compiler reports: g++ reports no store that is part of a call.
void mark_stored_results(Source& source, const std::vector<Declaration>& declarations,
                         const std::vector<Body>& bodies);

/// Of branches whose arms assign to one place, of which compilers make one store, the lines are left in the module's
/// section simt_arms: a line "8 10 file.cu" for each.
void record_arms(Source& source, const std::vector<Body>& bodies);

/// What compiles as C++ and would be an error, or something else, on the device.
bool check_device_code(Source& source, const std::vector<Declaration>& declarations,
                       const std::vector<Body>& bodies, const TranslationOptions& options);

/// Ways by which memory could be used unseen: attributes, textures and surfaces, and assembly outside of functions. That within device code is
/// check_device_code()'s.
void refuse_hidden_accesses(Source& source, const std::vector<Declaration>& declarations);

/// What compiles and cannot be meant gets a warning: `1 / 2 * x`, `min(x, y);`, `for (...);` with a body, `i != 0 || i != n - 1`, and a
/// `case` that the next one undoes.
void warn_of_slips(Source& source, const std::vector<Declaration>& declarations,
                   const std::vector<Body>& bodies);

/// Whether a statement begins at i, as far as the token before it says.
bool begins_statement(const Source& source, std::size_t i);

/// Plain reads that only feed a compare-and-swap of the same word are no races with atomics, and say so.
void mark_expected_values(Source& source, const std::vector<Body>& bodies);

/// Calls and launches of functions that the calling side does not have, or that are no kernels.
void check_calls(Source& source, const std::vector<Declaration>& declarations,
                 const std::vector<Body>& bodies, const TranslationOptions& options);

} // namespace simt::compiler
