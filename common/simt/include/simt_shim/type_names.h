// Types that nvcc cannot name: it writes the template arguments of a kernel into code of its own, so those cannot be types that
// code outside of a host function or of a class does not see. The compiler's own text of the arguments tells them.
#ifndef SIMT_INCLUDE_SIMT_SHIM_TYPE_NAMES_H
#define SIMT_INCLUDE_SIMT_SHIM_TYPE_NAMES_H

#include <initializer_list>
#include <type_traits>

namespace simt {

/// A lambda for the device in host code. Its type tells it from the host's lambdas, as with nvcc, which has a class of its own
/// for it. The host gets no pointer to a function of it.
template <class Lambda>
struct DeviceLambda : private Lambda {
  constexpr DeviceLambda(Lambda lambda) : Lambda(static_cast<Lambda&&>(lambda)) {}
  using Lambda::operator();
};
/// One that says what its result is.
template <class Lambda>
struct DeviceLambdaWithResult : DeviceLambda<Lambda> {
  constexpr DeviceLambdaWithResult(Lambda lambda) : DeviceLambda<Lambda>(static_cast<Lambda&&>(lambda)) {}
};
/// One for both sides.
template <class Lambda>
struct HostDeviceLambda : Lambda {
  constexpr HostDeviceLambda(Lambda lambda) : Lambda(static_cast<Lambda&&>(lambda)) {}
};

enum class Unnameable { none, local, of_lambda, unnamed, not_public };

/// A type in a text that nvcc cannot name: the characters [begin, end), and those of the function that it is local to.
struct UnnameableType {
  Unnameable why = Unnameable::none;
  unsigned begin = 0, end = 0;
  unsigned function_begin = 0, function_end = 0;
};

namespace detail {

/// Looks for such a type in "void k(T) [with T = f(int*)::L]", as g++ says it, or "[T = (lambda at a.cu:1:2)]", as clang++ does,
/// which does not say what function a local class belongs to: those it lets pass.
class TypeText {
public:
  /// `device_functions` are names with a blank between them, and `not_public` are qualified names of types.
  constexpr TypeText(const char* text, const char* device_functions, const char* not_public)
      : text_(text), device_functions_(device_functions), not_public_(not_public) {}

  constexpr UnnameableType find() const {
    unsigned i = 0;
    while (text_[i] && !(text_[i] == ' ' && text_[i + 1] == '[')) ++i;
    bool is_of_device = false; // what follows is local to a function of the device
    for (; text_[i]; ++i) {
      const bool begins = i > 0 && !is_word(text_[i - 1]);
      if (begins && (has(i, "simt::DeviceLambda") || has(i, "simt::HostDeviceLambda<"))) {
        while (text_[i] != '<') ++i;
        i = behind_angles(i) - 1;
        continue;
      }
      const Unnameable why = without_name(i);
      if (why != Unnameable::none && !is_of_device) return {why, i, i, 0, 0};
      if (is_of_device && text_[i] == '<') i = behind_angles(i) - 1;
      is_of_device = false;
      if (text_[i] == ')') {
        const unsigned inside = behind_qualifiers(i + 1);
        if (has(inside, "::") &&
            (is_word(text_[inside + 2]) || without_name(inside + 2) != Unnameable::none)) {
          is_of_device = is_device_function(i);
          if (!is_of_device) return local(i, inside + 2);
          i = inside + 1;
        }
      } else if (begins && is_word(text_[i])) {
        if (const unsigned end = end_of_not_public(i)) return {Unnameable::not_public, i, end, 0, 0};
      }
    }
    return {};
  }

private:
  static constexpr bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  constexpr bool has(unsigned i, const char* words) const {
    for (; *words; ++i, ++words)
      if (text_[i] != *words) return false;
    return true;
  }

  constexpr Unnameable without_name(unsigned i) const {
    if (has(i, "<lambda") || has(i, "(lambda at ")) return Unnameable::of_lambda;
    if (has(i, "<unnamed ") || has(i, "(unnamed ") || has(i, "(anonymous struct at ") ||
        has(i, "(anonymous union at "))
      return Unnameable::unnamed;
    return Unnameable::none;
  }

  /// The index behind the `>` that belongs to the `<` at i.
  constexpr unsigned behind_angles(unsigned i) const {
    int open = 0;
    for (; text_[i]; ++i) {
      if (text_[i] == '<') ++open;
      if (text_[i] == '>' && text_[i - 1] != '-' && --open == 0) return i + 1;
    }
    return i;
  }

  /// The index behind the `const` and the like of a member function.
  constexpr unsigned behind_qualifiers(unsigned i) const {
    for (bool again = true; again;) {
      again = false;
      for (const char* word : {" const", " volatile", " noexcept", " &&", " &"}) {
        if (!has(i, word)) continue;
        while (*word) ++i, ++word;
        again = true;
      }
    }
    return i;
  }

  /// The `(` that belongs to the `)` at i.
  constexpr unsigned opening(unsigned i) const {
    for (int open = 0; i > 0; --i) {
      if (text_[i] == ')') ++open;
      if (text_[i] == '(' && --open == 0) return i;
    }
    return i;
  }

  /// The name of the function whose parameters end at i.
  constexpr UnnameableType function_before(unsigned i) const {
    unsigned end = opening(i);
    if (end > 0 && text_[end - 1] == '>') {
      int open = 0;
      while (end > 0) {
        --end;
        if (text_[end] == '>' && text_[end - 1] != '-') ++open;
        if (text_[end] == '<' && --open == 0) break;
      }
    }
    if (end > 1 && text_[end - 1] == ')') end = opening(end - 1); // operator()
    unsigned begin = end;
    while (begin > 0 && is_word(text_[begin - 1])) --begin;
    return {Unnameable::none, 0, 0, begin, end};
  }

  constexpr bool is_device_function(unsigned i) const {
    const UnnameableType function = function_before(i);
    for (const char* name = device_functions_; *name;) {
      unsigned k = function.function_begin;
      while (*name && *name != ' ' && k < function.function_end && *name == text_[k]) ++name, ++k;
      const bool is_same = k == function.function_end && (*name == 0 || *name == ' ');
      if (is_same && function.function_begin != function.function_end) return true;
      while (*name && *name != ' ') ++name;
      while (*name == ' ') ++name;
    }
    return false;
  }

  constexpr UnnameableType local(unsigned function_end, unsigned begin) const {
    UnnameableType found = function_before(function_end);
    found.why = without_name(begin) == Unnameable::none ? Unnameable::local : without_name(begin);
    found.begin = found.end = begin;
    while (is_word(text_[found.end])) ++found.end;
    return found;
  }

  /// The end of the type that begins at i, if it is one of the names that are not public or lies in such a one; else 0.
  constexpr unsigned end_of_not_public(unsigned begin) const {
    if (begin > 1 && text_[begin - 1] == ':' && !(begin > 2 && text_[begin - 3] == '}')) return 0;
    for (const char* name = not_public_; *name;) {
      unsigned i = begin;
      while (*name && *name != ' ') {
        if (*name == ':' && text_[i] == '<') i = behind_angles(i);
        if (*name != text_[i]) break;
        ++name, ++i;
      }
      if ((*name == 0 || *name == ' ') && !is_word(text_[i])) return i;
      while (*name && *name != ' ') ++name;
      while (*name == ' ') ++name;
    }
    return 0;
  }

  const char* text_;
  const char* device_functions_;
  const char* not_public_;
};

} // namespace detail

/// The first type in the text of a kernel's template arguments that nvcc cannot name.
constexpr UnnameableType find_unnameable(const char* text, const char* device_functions,
                                         const char* not_public) {
  return detail::TypeText(text, device_functions, not_public).find();
}

/// Whether nvcc can name all of them.
constexpr bool are_nameable(const char* text, const char* device_functions, const char* not_public) {
  return find_unnameable(text, device_functions, not_public).why == Unnameable::none;
}

} // namespace simt

// The program sees these, in which no namespace can have the simulator's name.
template <class>
inline constexpr bool simt_is_device_lambda = false;
template <class Lambda>
inline constexpr bool simt_is_device_lambda<simt::DeviceLambda<Lambda>> = true;
template <class Lambda>
inline constexpr bool simt_is_device_lambda<simt::DeviceLambdaWithResult<Lambda>> = true;
template <class>
inline constexpr bool simt_is_device_lambda_with_result = false;
template <class Lambda>
inline constexpr bool simt_is_device_lambda_with_result<simt::DeviceLambdaWithResult<Lambda>> = true;
template <class>
inline constexpr bool simt_is_host_device_lambda = false;
template <class Lambda>
inline constexpr bool simt_is_host_device_lambda<simt::HostDeviceLambda<Lambda>> = true;

#define __nv_is_extended_device_lambda_closure_type(...)                                                     \
  (::simt_is_device_lambda<std::remove_cv_t<__VA_ARGS__>>)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)                                       \
  (::simt_is_device_lambda_with_result<std::remove_cv_t<__VA_ARGS__>>)
#define __nv_is_extended_host_device_lambda_closure_type(...)                                                \
  (::simt_is_host_device_lambda<std::remove_cv_t<__VA_ARGS__>>)

#endif
