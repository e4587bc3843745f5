// The C++ library in device code. nvcc lets device code call what is constexpr in the headers of the host's library
// (--expt-relaxed-constexpr), and refuses the rest. The names here are those of GCC 12's library, by what nvcc 13.0 says.
#include "simt/translate/declared_functions.hpp"

#include <map>
#include <set>

namespace simt::compiler {
namespace {

/// What device code may do with the objects of a class.
enum class LibraryClass {
  none,
  of_host,        ///< nothing: they have constructors or destructors of the host
  host_members,   ///< make them
  constexpr_only, ///< all that takes no memory: of std::vector and std::string
};

LibraryClass kind_of(std::string_view name, bool has_constexpr_library) {
  static const std::set<std::string_view> of_host = {"any",
                                                     "condition_variable",
                                                     "default_random_engine",
                                                     "deque",
                                                     "exception",
                                                     "forward_list",
                                                     "function",
                                                     "list",
                                                     "lock_guard",
                                                     "map",
                                                     "minstd_rand",
                                                     "minstd_rand0",
                                                     "mt19937",
                                                     "mt19937_64",
                                                     "multimap",
                                                     "multiset",
                                                     "normal_distribution",
                                                     "priority_queue",
                                                     "promise",
                                                     "queue",
                                                     "random_device",
                                                     "regex",
                                                     "runtime_error",
                                                     "set",
                                                     "shared_ptr",
                                                     "stack",
                                                     "thread",
                                                     "uniform_int_distribution",
                                                     "uniform_real_distribution",
                                                     "unique_lock",
                                                     "unique_ptr",
                                                     "unordered_map",
                                                     "unordered_multimap",
                                                     "unordered_multiset",
                                                     "unordered_set",
                                                     "valarray",
                                                     "weak_ptr"};
  if (of_host.contains(name)) return LibraryClass::of_host;
  static const std::set<std::string_view> host_members = {
      "atomic",        "atomic_bool", "atomic_flag", "atomic_int", "atomic_long",   "atomic_uint", "fstream",
      "istringstream", "ifstream",    "mutex",       "ofstream",   "ostringstream", "stringstream"};
  if (host_members.contains(name)) return LibraryClass::host_members;
  if (name == "vector" || name == "string")
    return has_constexpr_library ? LibraryClass::constexpr_only : LibraryClass::of_host;
  return LibraryClass::none;
}

/// Functions of namespace std, and of std::this_thread, that are not constexpr.
bool is_host_function(std::string_view name) {
  static const std::set<std::string_view> names = {"any_cast",
                                                   "atomic_fetch_add",
                                                   "atomic_fetch_sub",
                                                   "atomic_load",
                                                   "atomic_store",
                                                   "atomic_signal_fence",
                                                   "atomic_thread_fence",
                                                   "get_id",
                                                   "getline",
                                                   "inplace_merge",
                                                   "make_any",
                                                   "make_shared",
                                                   "make_unique",
                                                   "shuffle",
                                                   "sleep_for",
                                                   "sleep_until",
                                                   "stable_partition",
                                                   "stable_sort",
                                                   "stod",
                                                   "stof",
                                                   "stoi",
                                                   "stol",
                                                   "stoll",
                                                   "stoul",
                                                   "stoull",
                                                   "terminate",
                                                   "to_chars",
                                                   "to_string",
                                                   "uninitialized_fill",
                                                   "yield"};
  return names.contains(name);
}

/// Functions of namespace std that are constexpr since C++20 alone.
bool is_constexpr_since_cpp20(std::string_view name) {
  static constexpr std::string_view names =
      " accumulate adjacent_difference adjacent_find all_of any_of binary_search copy copy_backward "
      "copy_if copy_n count count_if equal equal_range exchange exclusive_scan fill fill_n find "
      "find_end find_first_of find_if find_if_not for_each for_each_n generate generate_n includes "
      "inclusive_scan inner_product iota is_heap is_heap_until is_partitioned is_permutation is_sorted "
      "is_sorted_until iter_swap lexicographical_compare lower_bound make_heap merge mismatch "
      "move_backward next_permutation none_of nth_element partial_sort partial_sort_copy partial_sum "
      "partition partition_copy partition_point pop_heap prev_permutation push_heap reduce remove_copy "
      "remove_copy_if remove_if replace replace_copy replace_copy_if replace_if reverse reverse_copy "
      "rotate rotate_copy search search_n set_difference set_intersection set_symmetric_difference "
      "set_union sort sort_heap swap swap_ranges transform transform_exclusive_scan "
      "transform_inclusive_scan transform_reduce unique unique_copy upper_bound ";
  return names.find(concatenate({" ", name, " "})) != names.npos;
}

/// Members that may need more memory than the object has.
bool may_take_memory(std::string_view name) {
  static const std::set<std::string_view> names = {"append", "assign",    "emplace", "emplace_back",
                                                   "insert", "push_back", "reserve", "resize"};
  return names.contains(name);
}

bool is_assignment(const Source& source, std::size_t i) {
  return source.is_any(i, {"=", "+=", "-=", "&=", "|=", "^="});
}

/// Whether `++`, `--`, `<<` or `>>` begins at token i: signs of one character are tokens of their own.
bool is_doubled(const Source& source, std::size_t i) {
  return source.is_any(i, {"+", "-", "<", ">"}) && source.is(i + 1, source.spelling(i)) &&
         source.touches_previous(i + 1);
}

bool is_counting(const Source& source, std::size_t i) {
  return source.is_any(i, {"+", "-"}) && is_doubled(source, i);
}

/// An object of such a class, a pointer to one or a reference, by what declares it.
struct Object {
  std::string_view class_name;
  LibraryClass kind = LibraryClass::none;
  std::size_t name = none;
  bool is_pointer = false;
  bool is_value = false; ///< no pointer and no reference
};

class LibraryCheck {
public:
  LibraryCheck(Source& source, const DeclaredFunctions& functions, bool has_constexpr_library)
      : source_(source), functions_(functions), has_constexpr_library_(has_constexpr_library) {}

  /// Variables of the device; those of the host are refused as such.
  void add(const Declaration& declaration) {
    if (declaration.is_function || declaration.cuda_keywords.empty() || !source_.is_own(declaration.begin))
      return;
    for (std::size_t i = declaration.begin; i < declaration.end && i < source_.size(); i = source_.behind(i))
      if (const Object object = object_at(i); object.kind == LibraryClass::host_members)
        globals_[source_.spelling(object.name)] = object;
  }

  void run(const Body& body) {
    locals_ = globals_;
    const std::size_t begin = body.function->parameters, end = source_.match(begin);
    for (std::size_t i = begin; i < body.close; ++i) {
      if (!source_.is_name(i)) continue;
      if (const Object object = object_at(i); object.kind != LibraryClass::none) {
        locals_[source_.spelling(object.name)] = object;
        if (i > body.open && object.is_value) declared(i, object);
        continue;
      }
      if (i < end) continue;
      if (source_.is(i, "nothrow") && follows_std(i))
        source_.error(
            i,
            "std::nothrow is of the host's C++ library; in device code write new alone, which gives a null "
            "pointer where the heap is full");
      const auto found = locals_.find(source_.spelling(i));
      if (found != locals_.end() && found->second.name != i && !source_.is_any(i - 1, {"::", ".", "->"}))
        used(i, found->second);
      else if (!has_constexpr_library_ && follows_std(i) && is_constexpr_since_cpp20(source_.spelling(i)) &&
               is_called(source_, i))
        source_.error(
            i, concatenate(
                   {"std::", source_.spelling(i),
                    " is constexpr since C++20 alone, and device code can call no other function of the "
                    "library; build with -std=c++20, or write what it does as a function with __device__"}));
      else if (is_function_of_std(i) && is_host_function(source_.spelling(i)) && is_called(source_, i))
        source_.error(i,
                      concatenate({"std::", source_.spelling(i),
                                   " is a function of the host's C++ library and not constexpr, and device "
                                   "code cannot call it; write what it does as a function with __device__"}));
    }
  }

private:
  /// Whether `std::` stands in front of token i, and is not the end of another namespace's name, as of cuda::std.
  bool follows_std(std::size_t i) const {
    return source_.is(i - 1, "::") && source_.is(i - 2, "std") &&
           !(source_.is(i - 3, "::") && source_.is_name(i - 4));
  }
  bool is_function_of_std(std::size_t i) const {
    return follows_std(i) ||
           (source_.is(i - 1, "::") && source_.is(i - 2, "this_thread") && follows_std(i - 2));
  }

  /// What is declared by the class whose name is token i, as in `std::atomic<int>* n`; of no kind if nothing is.
  Object object_at(std::size_t i) const {
    if (!source_.is_name(i)) return {};
    const std::string_view name = source_.spelling(i);
    const LibraryClass kind = kind_of(name, has_constexpr_library_);
    if (kind == LibraryClass::none) return {};
    const bool is_std = follows_std(i);
    const bool is_plain = !source_.is_any(i - 1, {"::", ".", "->"});
    if (!is_std && !(is_plain && functions_.uses_std_before(i) && !functions_.has_class(name))) return {};
    const std::size_t close = source_.is(i + 1, "<") ? source_.closing_angle(i + 1) : none;
    Object object{name, kind, close == none ? i + 1 : close + 1, false, true};
    for (; source_.is_any(object.name, {"&", "*", "const", "__restrict__"}); ++object.name) {
      object.is_pointer |= source_.is(object.name, "*");
      object.is_value &= source_.is(object.name, "const");
    }
    const bool is_declared = source_.is_name(object.name) &&
                             source_.is_any(object.name + 1, {";", "(", "{", "=", "[", ",", ")", ":"});
    return is_declared ? object : Object{};
  }

  void refuse(std::size_t i, const Object& object) {
    const bool is_atomic = object.class_name.starts_with("atomic");
    source_.error(
        i, concatenate({"std::", object.class_name,
                        " is a class of the host, and its functions do not exist in device code; use ",
                        is_atomic
                            ? "atomicAdd and the like, or cuda::atomic of <cuda/atomic>"
                            : "an array of a constant size there, or a pointer to memory from cudaMalloc"}));
  }

  void declared(std::size_t i, const Object& object) {
    const std::size_t behind = object.name + 1;
    if (object.kind == LibraryClass::of_host && source_.is_any(behind, {";", "(", "{", "=", "["}))
      refuse(i, object);
    const bool is_empty =
        source_.is_any(behind, {";", ","}) ||
        (source_.opens(behind) && (source_.match(behind) == behind + 1 ||
                                   (source_.is(behind + 1, "0") && source_.match(behind) == behind + 2)));
    if (object.kind != LibraryClass::constexpr_only || is_empty || !source_.is_any(behind, {"(", "{", "="}))
      return;
    std::size_t begin = i;
    if (source_.is(begin - 1, "::")) begin -= 2;
    if (source_.is(begin - 1, "::")) --begin;
    while (source_.is_any(begin - 1, {"const", "volatile"})) --begin;
    warn(i, object);
    if (source_.is_any(begin - 1, {";", "{", "}"})) source_.insert_before(begin, "::__trap(); ");
  }

  void used(std::size_t i, const Object& object) {
    if (object.kind == LibraryClass::of_host) {
      if (source_.is_any(i + 1, {"[", ".", "->"})) refuse(i, object);
    } else if (object.kind == LibraryClass::host_members) {
      if (is_member_called(i, object)) refuse(i, object);
    } else if (object.is_value && is_local_value(object)) {
      const bool grows = (source_.is(i + 1, ".") && may_take_memory(source_.spelling(i + 2))) ||
                         (object.class_name == "string" && source_.is_any(i + 1, {"=", "+="}));
      if (!grows) return;
      warn(i, object);
      source_.insert_before(i, "(::__trap(), ");
      source_.insert_behind(i, ")");
    }
  }

  /// Whether the object is no parameter, which may have room already.
  bool is_local_value(const Object& object) const { return !source_.is_any(object.name + 1, {",", ")"}); }

  /// Whether a function of the object at token i is called, by its name or as an operator.
  bool is_member_called(std::size_t i, const Object& object) const {
    std::size_t begin = i, behind = i + 1;
    bool is_object = !object.is_pointer;
    if (source_.opens(behind) && source_.is(behind, "[")) {
      behind = source_.behind(behind);
      is_object = true;
    } else if (object.is_pointer && source_.is(behind, "->")) {
      return true;
    } else if (object.is_pointer && source_.is(begin - 1, "*") &&
               (is_counting(source_, begin - 3) ||
                source_.is_any(begin - 2, {";", "{", "}", "(", "=", ",", "return", "!"}))) {
      --begin;
      is_object = true;
      if (source_.is(begin - 1, "(") && source_.is(behind, ")")) --begin, ++behind;
    }
    if (!is_object) return false;
    return source_.is(behind, ".") || is_doubled(source_, behind) || is_assignment(source_, behind) ||
           is_counting(source_, begin - 2);
  }

  void warn(std::size_t i, const Object& object) {
    source_.warning(
        i, concatenate({"std::", object.class_name,
                        " takes memory from the host's library here, which device code cannot: nvcc "
                        "makes a trap of it, and the kernel fails; use an array of a constant size, or "
                        "a pointer to memory from cudaMalloc"}));
  }

  Source& source_;
  const DeclaredFunctions& functions_;
  bool has_constexpr_library_;
  std::map<std::string_view, Object> globals_, locals_; ///< by their names
};

} // namespace

void check_library(Source& source, const DeclaredFunctions& functions,
                   const std::vector<Declaration>& declarations, const std::vector<Body>& bodies,
                   bool has_constexpr_library) {
  LibraryCheck check(source, functions, has_constexpr_library);
  for (const Declaration& declaration : declarations) check.add(declaration);
  for (const Body& body : bodies)
    if (body.on_device && !body.on_host && source.is_own(body.open) && body.function->name != none &&
        functions.is_surely_used(*body.function))
      check.run(body);
}

} // namespace simt::compiler
