#include "grader/reply.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpbook {

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

bool Reply::untouched() const {
  bool any = false;
  for (const Contents& buffer : buffers_) {
    if (buffer.direction == Direction::in || buffer.before.empty()) continue;
    any = true;
    if (buffer.before != buffer.after) return false;
  }
  return any;
}

bool Reply::unwritten(std::size_t k, std::size_t index) const {
  const Contents& buffer = buffers_.at(k);
  if (!buffer.indices.empty()) {
    const auto place = std::ranges::find(buffer.indices, index);
    if (place == buffer.indices.end()) return false;
    index = static_cast<std::size_t>(place - buffer.indices.begin());
  }
  const std::size_t start = index * buffer.element_size;
  if (start + buffer.element_size > buffer.before.size()) return false;
  return std::equal(buffer.before.begin() + static_cast<std::ptrdiff_t>(start),
                    buffer.before.begin() + static_cast<std::ptrdiff_t>(start + buffer.element_size),
                    buffer.after.begin() + static_cast<std::ptrdiff_t>(start));
}

const std::string& Reply::buffer_name(std::size_t k) const { return buffers_.at(k).name; }

} // namespace warpbook
