#include "grader/reply.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "call/parallel.hpp"

namespace warpbook {

std::optional<std::size_t> first_change(const BytesBefore& before, std::span<const std::byte> after) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  constexpr std::size_t at_a_time = std::size_t{1} << 16; // a multiple of every value's size
  std::atomic<std::size_t> first_place = none;
  for_each_piece(
      after.size(),
      [&](std::size_t, std::size_t first, std::size_t last) {
        if (first >= first_place) return;
        std::vector<std::byte> old_bytes(last - first);
        before(first, old_bytes);
        if (std::memcmp(old_bytes.data(), after.data() + first, last - first) == 0) return;
        const auto place = std::mismatch(old_bytes.begin(), old_bytes.end(), after.data() + first).first;
        const std::size_t found = first + static_cast<std::size_t>(place - old_bytes.begin());
        std::size_t known = first_place;
        while (found < known && !first_place.compare_exchange_weak(known, found)) {
        }
      },
      at_a_time);
  if (first_place == none) return std::nullopt;
  return first_place;
}

const Reply::Contents& Reply::contents(std::size_t k, const std::type_info& type) const {
  if (k >= buffers_.size()) {
    throw std::logic_error(function_ + " has " + std::to_string(buffers_.size()) +
                           " buffers; there is no number " + std::to_string(k));
  }
  const Contents& buffer = buffers_[k];
  if (*buffer.type != type) {
    throw std::logic_error("buffer " + std::to_string(k) + " of " + function_ + " (" + buffer.name +
                           ") holds another type than the rubric asks for");
  }
  if (!buffer.is_returned) {
    throw std::logic_error("buffer " + std::to_string(k) + " of " + function_ + " (" + buffer.name +
                           ") was not returned; ask for it with .returned()");
  }
  return buffer;
}

void Reply::check_returned(std::size_t size) const {
  if (returned_size_ != size)
    throw std::logic_error(function_ + " does not return a value of the type asked for");
}

namespace {

/// Whether the trace has a write to the array of this name between two of its bytes.
bool is_written(const simt::Trace& trace, const std::string& name, std::uint64_t first, std::uint64_t last) {
  return std::ranges::any_of(trace.steps, [&](const simt::TracedStep& step) {
    if (!step.is_by_host() && (!step.is_inside() || step.access == simt::Access::read)) return false;
    const simt::TracedArray& array = trace.arrays[step.array];
    if (array.space != simt::Space::global || array.name != name) return false;
    if (step.is_by_host()) return step.offsets[0] < last && first < step.offsets[1];
    return std::ranges::any_of(
        step.offsets, [&](std::uint64_t offset) { return offset < last && first < offset + step.bytes; });
  });
}

} // namespace

bool Reply::untouched() const {
  bool any = false;
  for (const Contents& buffer : buffers_) {
    if (buffer.direction == Direction::in || buffer.after.empty()) continue;
    any = true;
    if (first_change(buffer.before, buffer.after)) return false;
    if (trace_ && is_written(*trace_, buffer.name, 0, buffer.after.size())) return false;
  }
  return any;
}

namespace {

bool is_integer(const std::type_info& type) {
  const auto is_one_of = [&]<typename... T>(std::type_identity<T>...) {
    return ((type == typeid(T)) || ...);
  };
  return is_one_of(std::type_identity<bool>(), std::type_identity<std::int8_t>(),
                   std::type_identity<std::uint8_t>(), std::type_identity<std::int16_t>(),
                   std::type_identity<std::uint16_t>(), std::type_identity<std::int32_t>(),
                   std::type_identity<std::uint32_t>(), std::type_identity<std::int64_t>(),
                   std::type_identity<std::uint64_t>());
}

/// Whether elements are the same, or the same sum in another order.
template <typename T>
bool are_near(std::span<const std::byte> first, std::span<const std::byte> second) {
  constexpr T rounding = 256 * std::numeric_limits<T>::epsilon();
  for (std::size_t at = 0; at < first.size(); at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, &first[at], sizeof a);
    std::memcpy(&b, &second[at], sizeof b);
    const bool is_near = std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
    if (!is_near && std::memcmp(&first[at], &second[at], sizeof(T)) != 0) return false;
  }
  return true;
}

} // namespace

bool Reply::has_made_the_same(const Reply& other) const {
  if (other.buffers_.empty())
    return call_text_ == other.call_text_ && kernels_.size() == other.kernels_.size();
  if (call_text_ != other.call_text_ || buffers_.size() != other.buffers_.size() ||
      returned_bits_ != other.returned_bits_)
    return false;
  for (std::size_t k = 0; k < buffers_.size(); ++k) {
    const std::span<const std::byte> own = buffers_[k].after, others = other.buffers_[k].after;
    if (buffers_[k].direction == Direction::in) continue;
    if (own.size() != others.size()) return false;
    const std::type_info& type = *buffers_[k].type;
    if (type == typeid(double) ? !are_near<double>(own, others)
        : is_integer(type) || own.size() % sizeof(float) != 0
            ? !std::ranges::equal(own, others)
            : !are_near<float>(own, others)) // or vectors of them
      return false;
  }
  return true;
}

bool Reply::seen_written(std::size_t k, std::size_t index) const {
  const Contents& buffer = buffers_.at(k);
  const std::size_t start = index * buffer.element_size;
  return trace_ && is_written(*trace_, buffer.name, start, start + buffer.element_size);
}

bool Reply::unwritten(std::size_t k, std::size_t index) const {
  const Contents& buffer = buffers_.at(k);
  if (!buffer.indices.empty()) {
    const auto place = std::ranges::find(buffer.indices, index);
    if (place == buffer.indices.end()) return false;
    index = static_cast<std::size_t>(place - buffer.indices.begin());
  }
  const std::size_t start = index * buffer.element_size;
  if (start + buffer.element_size > buffer.after.size()) return false;
  if (buffer.direction == Direction::in) return true;
  std::vector<std::byte> old_value(buffer.element_size);
  buffer.before(start, old_value);
  return std::memcmp(old_value.data(), buffer.after.data() + start, old_value.size()) == 0;
}

bool Reply::was(std::size_t k, std::size_t index, std::span<const std::byte> bytes) const {
  const Contents& buffer = buffers_.at(k);
  if (buffer.direction != Direction::inout || !buffer.indices.empty()) return false;
  std::vector<std::byte> old_value(buffer.element_size);
  buffer.before(index * buffer.element_size, old_value);
  return std::ranges::equal(old_value, bytes);
}

Sources same_element_of(std::size_t k) {
  return [k](BufferElement e) { return std::vector<BufferElement>{{k, e.index}}; };
}

Sources range_of(std::vector<std::size_t> buffers, std::function<std::size_t(std::size_t)> first,
                 std::function<std::size_t(std::size_t)> last) {
  return [buffers = std::move(buffers), first = std::move(first), last = std::move(last)](BufferElement e) {
    std::vector<BufferElement> elements;
    for (const std::size_t k : buffers)
      for (std::size_t i = first(e.index); i < last(e.index); ++i) elements.push_back({k, i});
    return elements;
  };
}

Sources all_of(std::vector<std::size_t> buffers, std::size_t count) {
  return range_of(
      std::move(buffers), [](std::size_t) { return 0; }, [count](std::size_t) { return count; });
}

const std::string& Reply::buffer_name(std::size_t k) const { return buffers_.at(k).name; }

} // namespace warpbook
