// What an assignment stores, where a call returns it.
#ifndef SIMT_INCLUDE_SIMT_SHIM_STORED_H
#define SIMT_INCLUDE_SIMT_SHIM_STORED_H

#include <type_traits>

namespace simt {

template <class T>
using StoredBare = std::remove_cv_t<std::remove_reference_t<T>>;

/// Whether a value is copied as its bytes. A class that is not copied so is stored by its own functions, and a reference stays one.
template <class T>
using Stored =
    std::conditional_t<std::is_lvalue_reference_v<T> || !std::is_trivially_copyable_v<StoredBare<T>>, T&&,
                       StoredBare<T>>;

/// The right side of an assignment, unchanged. `*p = f()` with a class is a call that writes to *p for g++, which -fsanitize=thread
/// does not report; `*p = stored(f())` is a call and a store, which it does. The translator puts it there.
template <class T>
[[gnu::always_inline]] constexpr Stored<T> stored(T&& value) {
  return static_cast<T&&>(value);
}

} // namespace simt

#endif
