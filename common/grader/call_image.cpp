#include "grader/call_image.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "call/generate.hpp"

namespace warpbook {
namespace {

constexpr std::size_t alignment = 256;

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// Words that are floats of moderate size, and doubles in pairs: adding one to a huge value or a NaN
// would leave it as it is, and the damage unseen.
void fill_guard(std::span<std::byte> target, std::uint64_t seed) {
  for (std::size_t i = 0; i < target.size(); i += 4) {
    const std::uint32_t bits = (static_cast<std::uint32_t>(random_bits(seed, i)) & 0x807FFFFFu) | 0x3F800000u;
    std::memcpy(target.data() + i, &bits, std::min<std::size_t>(4, target.size() - i));
  }
}

// Words 0xFFFxxxxx: a NaN as a float and, in pairs, as a double, and a large negative integer.
void fill_poison(std::span<std::byte> target, std::uint64_t seed) {
  for (std::size_t i = 0; i < target.size(); i += 4) {
    const auto bits = static_cast<std::uint32_t>(random_bits(seed, i)) | 0xFFF00000u;
    std::memcpy(target.data() + i, &bits, std::min<std::size_t>(4, target.size() - i));
  }
}

// The place in the whole buffer of the k-th element that comes back.
std::size_t index_of(const BufferArgument& buffer, std::size_t k) {
  return buffer.returned_count() == buffer.count
             ? k
             : sampled_index(buffer.generator.seed, k, buffer.samples, buffer.count);
}

// What the runner makes itself, as far as it comes back.
void generate_returned(const BufferArgument& buffer, std::byte* target) {
  const std::size_t values = buffer.element_size / size_of(buffer.generator.type); // in an element
  if (buffer.returned_count() == buffer.count)
    return generate(buffer.generator, target, 0, buffer.count * values);
  for (std::size_t k = 0; k < buffer.returned_count(); ++k) {
    generate(buffer.generator, target + k * buffer.element_size, index_of(buffer, k) * values, values);
  }
}

std::optional<std::size_t> first_difference(std::span<const std::byte> before,
                                            std::span<const std::byte> after) {
  if (std::memcmp(before.data(), after.data(), before.size()) == 0) return std::nullopt;
  const auto found = std::mismatch(before.begin(), before.end(), after.begin());
  return static_cast<std::size_t>(found.first - before.begin());
}

std::size_t differences(std::span<const std::byte> before, std::span<const std::byte> after) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < before.size(); ++i) count += before[i] != after[i] ? 1 : 0;
  return count;
}

} // namespace

CallImage::CallImage(const std::vector<detail::PreparedArgument>& arguments,
                     const std::vector<std::string>& names, std::size_t guard_bytes, std::uint64_t secret)
    : prepared_(arguments) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const detail::PreparedArgument& prepared = arguments[i];
    Argument argument;
    argument.is_buffer = prepared.is_buffer;
    argument.scalar = prepared.scalar;
    if (prepared.is_buffer) {
      BufferArgument& buffer = argument.buffer;
      buffer.direction = prepared.direction;
      buffer.name = names.at(i);
      buffer.element_size = prepared.element_size;
      buffer.count = prepared.count;
      buffer.front = guard_bytes + prepared.shift;
      buffer.back = guard_bytes;
      buffer.generated = prepared.is_generated;
      buffer.generator = prepared.generator;
      buffer.returned = prepared.is_returned;
      buffer.samples = prepared.samples;
      buffer.image_offset = total;
      total += rounded_up(buffer.travelling_bytes());
    }
    arguments_.push_back(std::move(argument));
  }

  before_.resize(total);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const BufferArgument& buffer = arguments_[i].buffer;
    if (!arguments_[i].is_buffer) continue;
    const auto image = std::span(before_).subspan(buffer.image_offset, buffer.travelling_bytes());
    fill_guard(image.first(buffer.front), random_bits(secret, 3 * i));
    const auto payload = image.subspan(buffer.front, image.size() - buffer.front - buffer.back);
    if (buffer.generated)
      generate_returned(buffer, payload.data());
    else if (buffer.direction == Direction::out)
      fill_poison(payload, random_bits(secret, 3 * i + 1));
    else
      std::ranges::copy(prepared_[i].values, payload.begin());
    fill_guard(image.last(buffer.back), random_bits(secret, 3 * i + 2));
  }
  memory_ = SharedMemory::create(total);
  std::ranges::copy(before_, memory_.bytes().begin());
}

void CallImage::take_results() { after_.assign(memory_.bytes().begin(), memory_.bytes().end()); }

void CallImage::check(const std::string& function) const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const BufferArgument& buffer = arguments_[i].buffer;
    if (!arguments_[i].is_buffer || (!buffer.generated && !buffer.returned)) continue;
    const auto before = std::span(before_).subspan(buffer.image_offset, buffer.travelling_bytes());
    const auto after = std::span(after_).subspan(buffer.image_offset, buffer.travelling_bytes());
    const std::string size = "`" + buffer.name + "` has " + counted(buffer.count, "element") + " of " +
                             counted(buffer.element_size, "byte");

    const auto back_before = before.last(buffer.back);
    if (const auto at = first_difference(back_before, after.last(buffer.back))) {
      const std::size_t index = buffer.count + *at / buffer.element_size;
      fail("guard-damaged",
           function + " wrote past the end of `" + buffer.name + "`, at index " + std::to_string(index) + ".",
           {size + "; " + counted(differences(back_before, after.last(buffer.back)), "byte") +
            " behind it changed."});
    }
    const auto front_before = before.first(buffer.front);
    if (first_difference(front_before, after.first(buffer.front))) {
      std::size_t last = buffer.front - 1;
      while (before[last] == after[last]) --last;
      const std::size_t distance = (buffer.front - last + buffer.element_size - 1) / buffer.element_size;
      fail("guard-damaged",
           function + " wrote before the start of `" + buffer.name + "`, at index -" +
               std::to_string(distance) + ".",
           {size + "; " + counted(differences(front_before, after.first(buffer.front)), "byte") +
            " in front of it changed."});
    }
    const std::size_t values_bytes = before.size() - buffer.front - buffer.back;
    if (buffer.direction != Direction::in || values_bytes == 0) continue;
    const auto old_values = before.subspan(buffer.front, values_bytes);
    const auto new_values = after.subspan(buffer.front, values_bytes);
    if (const auto at = first_difference(old_values, new_values)) {
      const std::size_t index = *at / buffer.element_size;
      const std::size_t shown_index = index_of(buffer, index);
      const auto text = prepared_[i].element_text;
      fail("input-modified", function + " changed its input `" + buffer.name + "`, which it may only read.",
           {buffer.name + "[" + std::to_string(shown_index) + "] was " +
            text(old_values.data() + index * buffer.element_size) + " and is " +
            text(new_values.data() + index * buffer.element_size) + " now."});
    }
  }
}

std::vector<Reply::Contents> CallImage::contents() const {
  std::vector<Reply::Contents> result;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const BufferArgument& buffer = arguments_[i].buffer;
    if (!arguments_[i].is_buffer) continue;
    Reply::Contents contents;
    contents.name = buffer.name;
    contents.type = prepared_[i].element_type;
    contents.element_size = buffer.element_size;
    contents.is_returned = buffer.returned;
    contents.is_generated = buffer.generated;
    contents.direction = buffer.direction;
    contents.element_text = prepared_[i].element_text;
    if (buffer.returned) {
      const std::size_t start = buffer.image_offset + buffer.front;
      const std::size_t bytes = buffer.element_size * buffer.returned_count();
      const auto after = std::span(after_).subspan(start, bytes);
      const auto before = std::span(before_).subspan(start, bytes);
      contents.after.assign(after.begin(), after.end());
      contents.before.assign(before.begin(), before.end());
      if (buffer.returned_count() < buffer.count) {
        for (std::size_t k = 0; k < buffer.returned_count(); ++k)
          contents.indices.push_back(index_of(buffer, k));
      }
    }
    result.push_back(std::move(contents));
  }
  return result;
}

} // namespace warpbook
