#include "grader/call_image.hpp"

#include "grader/say.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "call/generate.hpp"
#include "call/parallel.hpp"

namespace warpbook {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t bytes_at_a_time = std::size_t{1} << 16; ///< a multiple of every value's size

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// Words that are floats of moderate size, and doubles in pairs: adding one to a huge value or a NaN
// would leave it as it is, and the damage unseen.
std::uint32_t guard_word(std::uint64_t seed, std::size_t at) {
  return (static_cast<std::uint32_t>(random_bits(seed, at)) & 0x807FFFFFu) | 0x3F800000u;
}

// Words 0xFFFxxxxx: a NaN as a float and, in pairs, as a double, and a large negative integer.
std::uint32_t poison_word(std::uint64_t seed, std::size_t at) {
  return static_cast<std::uint32_t>(random_bits(seed, at)) | 0xFFF00000u;
}

// Bytes `first` and the following of words of which word(i) begins at byte i.
template <typename Word>
void fill_words(std::span<std::byte> target, std::size_t first, Word word) {
  const auto part = [&](std::size_t done, std::size_t skipped, std::size_t bytes) {
    const std::uint32_t bits = word(first + done - skipped);
    std::memcpy(target.data() + done, reinterpret_cast<const std::byte*>(&bits) + skipped, bytes);
  };
  std::size_t done = std::min((4 - first % 4) % 4, target.size());
  if (done > 0) part(0, first % 4, done);
  for (; done + 4 <= target.size(); done += 4) part(done, 0, 4);
  if (done < target.size()) part(done, 0, target.size() - done);
}

std::vector<std::byte> guard(std::size_t bytes, std::uint64_t seed) {
  std::vector<std::byte> zone(bytes);
  fill_words(zone, 0, [seed](std::size_t at) { return guard_word(seed, at); });
  return zone;
}

// What the runner makes itself, as far as it comes back.
BytesBefore generated_bytes(const BufferArgument& buffer) {
  const std::size_t value_size = size_of(buffer.generator.type);
  if (buffer.returned_count() == buffer.count && !buffer.is_sparse()) {
    return [generator = buffer.generator, value_size](std::size_t first, std::span<std::byte> target) {
      generate(generator, target.data(), first / value_size, target.size() / value_size);
    };
  }
  std::vector<std::byte> samples(buffer.returned_count() * buffer.element_size);
  const std::size_t values = buffer.element_size / value_size; // in an element
  for (std::size_t k = 0; k < buffer.returned_count(); ++k) {
    generate(buffer.generator, samples.data() + k * buffer.element_size, returned_index(buffer, k) * values,
             values);
  }
  return [samples = std::move(samples)](std::size_t first, std::span<std::byte> target) {
    std::ranges::fill(
        target, std::byte{}); // what strayed from a sparse buffer's elements, and stands behind them, was 0
    const std::size_t end = std::min(first + target.size(), samples.size());
    if (first < end) std::copy(samples.begin() + first, samples.begin() + end, target.begin());
  };
}

BytesBefore poison(std::uint64_t seed) {
  return [seed](std::size_t first, std::span<std::byte> target) {
    fill_words(target, first, [seed](std::size_t at) { return poison_word(seed, at); });
  };
}

BytesBefore copied_from(std::span<const std::byte> values) {
  return [values](std::size_t first, std::span<std::byte> target) {
    std::ranges::copy(values.subspan(first, target.size()), target.begin());
  };
}

// As copied_from(), when `values` are gone.
BytesBefore kept(std::span<const std::byte> values) {
  auto copy = std::make_shared<HostMemory>(values.size());
  copy_bytes(copy->bytes(), values);
  return [copy](std::size_t first, std::span<std::byte> target) {
    std::ranges::copy(copy->bytes().subspan(first, target.size()), target.begin());
  };
}

std::optional<std::size_t> first_difference(std::span<const std::byte> before,
                                            std::span<const std::byte> after) {
  if (std::equal(before.begin(), before.end(), after.begin())) return std::nullopt;
  const auto found = std::mismatch(before.begin(), before.end(), after.begin());
  return static_cast<std::size_t>(found.first - before.begin());
}

std::size_t differences(std::span<const std::byte> before, std::span<const std::byte> after) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < before.size(); ++i) count += before[i] != after[i] ? 1 : 0;
  return count;
}

// Memory that an earlier call needed is used again as long as it is not larger than this.
constexpr std::size_t most_waste = 4;
constexpr std::size_t spare_bytes = std::size_t{1} << 20;

} // namespace

CallImage::CallImage(const std::vector<detail::PreparedArgument>& arguments,
                     const std::vector<std::string>& names, std::size_t guard_bytes, std::uint64_t secret,
                     SharedMemory& memory)
    : prepared_(arguments), secret_(secret), memory_(memory) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments_.emplace_back(arguments[i]);
    if (!argument.is_buffer) continue;
    argument.buffer.name = names.at(i);
    argument.buffer.front += guard_bytes;
    argument.buffer.back = guard_bytes;
    argument.buffer.image_offset = total;
    total += rounded_up(argument.buffer.travelling_bytes());
  }

  // The kernel clears each page that is touched for the first time, which costs more than filling it again.
  const std::size_t room = memory_.bytes().size();
  if (memory_.file() < 0 || room < total || room > most_waste * total + spare_bytes)
    memory_ = SharedMemory::create(total);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const BufferArgument& buffer = arguments_[i].buffer;
    if (!arguments_[i].is_buffer) continue;
    const auto image = memory_.bytes().subspan(buffer.image_offset, buffer.travelling_bytes());
    std::ranges::copy(front_guard(i), image.begin());
    std::ranges::copy(back_guard(i), image.last(buffer.back).begin());
    if (buffer.generated) continue; // the runner fills it
    const auto payload = image.subspan(buffer.front, buffer.payload_bytes());
    const BytesBefore write = before(i);
    for_each_piece(
        payload.size(),
        [&](std::size_t, std::size_t first, std::size_t last) {
          write(first, payload.subspan(first, last - first));
        },
        bytes_at_a_time);
  }
}

std::vector<std::byte> CallImage::front_guard(std::size_t i) const {
  return guard(arguments_[i].buffer.front, random_bits(secret_, 3 * i));
}

std::vector<std::byte> CallImage::back_guard(std::size_t i) const {
  return guard(arguments_[i].buffer.back, random_bits(secret_, 3 * i + 2));
}

BytesBefore CallImage::before(std::size_t i) const {
  const BufferArgument& buffer = arguments_[i].buffer;
  if (buffer.generated) return generated_bytes(buffer);
  if (buffer.direction == Direction::out) return poison(random_bits(secret_, 3 * i + 1));
  return copied_from(prepared_[i].values);
}

void CallImage::take_results(const std::vector<Stray>& strays) {
  strays_ = strays;
  std::size_t used = 0;
  for (const Argument& argument : arguments_) {
    if (argument.is_buffer) used = argument.buffer.image_offset + argument.buffer.travelling_bytes();
  }
  after_ = std::make_shared<HostMemory>(used);
  copy_bytes(after_->bytes(), memory_.bytes().first(used));
}

void CallImage::check(const std::string& function) const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const BufferArgument& buffer = arguments_[i].buffer;
    if (!arguments_[i].is_buffer || (!buffer.generated && !buffer.returned)) continue;
    const auto after = after_->bytes().subspan(buffer.image_offset, buffer.travelling_bytes());
    const std::string size =
        say("`{buffer}` has {count:element} of {size:byte}", buffer.name, buffer.count, buffer.element_size);

    const std::vector<std::byte> back_before = back_guard(i);
    if (const auto at = first_difference(back_before, after.last(buffer.back))) {
      const std::size_t index = buffer.count + *at / buffer.element_size;
      fail(
          "guard-damaged",
          say("{function} wrote past the end of `{buffer}`, at index {index}.", function, buffer.name, index),
          {say("{buffer_size}; {changed:byte} behind it changed.", size,
               differences(back_before, after.last(buffer.back)))},
          buffer.name + number(index));
    }
    const std::vector<std::byte> front_before = front_guard(i);
    if (first_difference(front_before, after.first(buffer.front))) {
      std::size_t last = buffer.front - 1;
      while (front_before[last] == after[last]) --last;
      const std::size_t distance = (buffer.front - last + buffer.element_size - 1) / buffer.element_size;
      fail("guard-damaged",
           say("{function} wrote before the start of `{buffer}`, at index -{distance}.", function,
               buffer.name, distance),
           {say("{buffer_size}; {changed:byte} in front of it changed.", size,
                differences(front_before, after.first(buffer.front)))},
           buffer.name + '-' + number(distance));
    }
    if (buffer.direction != Direction::in) continue;
    const auto new_values = after.subspan(buffer.front, after.size() - buffer.front - buffer.back);
    const BytesBefore old_bytes = before(i);
    if (const auto at = first_change(old_bytes, new_values)) {
      const std::size_t start = *at / buffer.element_size * buffer.element_size;
      std::vector<std::byte> old_value(buffer.element_size);
      old_bytes(start, old_value);
      const auto text = prepared_[i].element_text;
      fail("input-modified",
           say("{function} changed its input `{buffer}`, which it may only read.", function, buffer.name),
           {say("{buffer}[{index}] was {old} and is {new} now.", buffer.name,
                returned_index(buffer, *at / buffer.element_size), text(old_value.data()),
                text(new_values.data() + start))},
           buffer.name);
    }
  }
}

// A runner's message is not trusted: an index outside of the buffer would be the submission's words.
void CallImage::add_strays(std::size_t i, Reply::Contents& contents) const {
  const BufferArgument& buffer = arguments_[i].buffer;
  std::vector<Stray> own;
  for (const Stray& stray : strays_)
    if (stray.argument == i && stray.index < buffer.count && own.size() < most_strays) own.push_back(stray);
  if (own.empty() || buffer.element_size > sizeof(Stray::bits)) return;
  auto memory = std::make_shared<HostMemory>(contents.after.size() + own.size() * buffer.element_size);
  std::byte* next = std::ranges::copy(contents.after, memory->bytes().begin()).out.base();
  for (const Stray& stray : own) {
    contents.indices.push_back(stray.index);
    std::memcpy(next, &stray.bits, buffer.element_size);
    next += buffer.element_size;
  }
  contents.memory = memory;
  contents.after = memory->bytes();
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
    contents.direction = buffer.direction;
    if (buffer.returned) {
      contents.memory = after_;
      contents.after = after_->bytes().subspan(buffer.image_offset + buffer.front,
                                               buffer.element_size * buffer.returned_count());
      // Who asks for what an input was has it; the rubric's values may be gone by then.
      if (buffer.direction != Direction::in) {
        const bool is_given = !buffer.generated && buffer.direction == Direction::inout;
        contents.before = is_given ? kept(prepared_[i].values) : before(i);
      }
      if (buffer.returned_count() < buffer.count || buffer.is_sparse()) {
        for (std::size_t k = 0; k < buffer.returned_count(); ++k)
          contents.indices.push_back(returned_index(buffer, k));
      }
      if (buffer.is_sparse()) add_strays(i, contents);
    }
    result.push_back(std::move(contents));
  }
  return result;
}

} // namespace warpbook
