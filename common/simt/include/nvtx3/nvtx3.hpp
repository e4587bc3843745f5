// NVTX for C++: ranges that end with their scope, domains, categories, colours. As nvToolsExt.h: they mean nothing here.
#ifndef SIMT_INCLUDE_NVTX3_NVTX3_HPP
#define SIMT_INCLUDE_NVTX3_NVTX3_HPP

#include "nvToolsExt.h"

#include <cstdint>
#include <string>

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 1

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  using component_type = std::uint8_t;
  constexpr rgb(component_type red_, component_type green_, component_type blue_) noexcept
      : red(red_), green(green_), blue(blue_) {}
  component_type red, green, blue;
};
struct argb : rgb {
  constexpr argb(component_type alpha_, component_type red_, component_type green_,
                 component_type blue_) noexcept
      : rgb(red_, green_, blue_), alpha(alpha_) {}
  component_type alpha;
};
class color {
public:
  using value_type = std::uint32_t;
  constexpr explicit color(value_type hex) noexcept : value_(hex) {}
  constexpr color(argb c) noexcept
      : value_(value_type{c.alpha} << 24 | value_type{c.red} << 16 | value_type{c.green} << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb{0xff, c.red, c.green, c.blue}) {}
  constexpr value_type get_value() const noexcept { return value_; }

private:
  value_type value_;
};

/// A domain is identified by a type with a member `name`.
class domain {
public:
  struct global {};
  template <class D = global>
  static const domain& get() noexcept {
    static const domain only;
    return only;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

class category {
public:
  using id_type = std::uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

private:
  id_type id_;
};
template <class D = domain::global>
class named_category_in : public category {
public:
  named_category_in(id_type id, const char*) noexcept : category(id) {}
  named_category_in(id_type id, const wchar_t*) noexcept : category(id) {}
};
using named_category = named_category_in<domain::global>;

template <class D = domain::global>
class registered_string_in {
public:
  explicit registered_string_in(const char*) noexcept {}
  explicit registered_string_in(const std::string&) noexcept {}
  explicit registered_string_in(const wchar_t*) noexcept {}
  explicit registered_string_in(const std::wstring&) noexcept {}
};
using registered_string = registered_string_in<domain::global>;

class message {
public:
  constexpr message(const char*) noexcept {}
  constexpr message(const wchar_t*) noexcept {}
  message(const std::string&) noexcept {}
  message(const std::wstring&) noexcept {}
  template <class D>
  constexpr message(const registered_string_in<D>&) noexcept {}
};

class payload {
public:
  template <class Number>
  constexpr explicit payload(Number) noexcept {}
};

/// Made of a message, a colour, a category and a payload, any of them and in any order.
class event_attributes {
public:
  template <class... Parts>
  constexpr explicit event_attributes(const Parts&...) noexcept {}
};

template <class D = domain::global>
class scoped_range_in {
public:
  scoped_range_in() noexcept {}
  template <class... Parts>
  explicit scoped_range_in(const Parts&...) noexcept {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() noexcept {} // so that compilers do not call a range unused
};
using scoped_range = scoped_range_in<domain::global>;

template <class D = domain::global>
class unique_range_in {
public:
  unique_range_in() noexcept {}
  template <class... Parts>
  explicit unique_range_in(const Parts&...) noexcept {}
  unique_range_in(unique_range_in&&) noexcept {}
  unique_range_in& operator=(unique_range_in&&) noexcept { return *this; }
  ~unique_range_in() noexcept {}
};
using unique_range = unique_range_in<domain::global>;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id = 0) noexcept : id_(id) {}
  constexpr value_type get_value() const noexcept { return id_; }
  constexpr explicit operator bool() const noexcept { return id_ != 0; }

private:
  value_type id_;
};
template <class D = domain::global, class... Parts>
range_handle start_range_in(const Parts&...) noexcept {
  return range_handle{};
}
template <class... Parts>
range_handle start_range(const Parts&...) noexcept {
  return range_handle{};
}
template <class D = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}

template <class D = domain::global, class... Parts>
void mark_in(const Parts&...) noexcept {}
template <class... Parts>
void mark(const Parts&...) noexcept {}

} // namespace v1
} // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D) ::nvtx3::v1::scoped_range_in<D> nvtx3_func_range__
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, condition) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_V1_FUNC_RANGE_IF(condition) NVTX3_V1_FUNC_RANGE()
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
