// The rubric of lab @NUMBER@. docs/adding-a-lab.md says what else a rubric can do.

#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

/// Several whole blocks and a tail first, where a mistake shows its shape.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all = {1000};
  for (const std::size_t n : sizes()) all.push_back(n);
  return all;
}

std::vector<float> doubled(std::vector<float> values) {
  for (float& value : values) value *= 2;
  return values;
}

} // namespace

TEST_CASE("@KERNEL@_f32 doubles every element" * points(2) * tests("@KERNEL@_f32") * todo(1)) {
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : lengths()) {
      const std::vector<float> values = random_floats(n);
      const Reply reply = submission().call(CallOptions{.schedule = schedule}, CONTRACT(@KERNEL@_f32),
                                            out<float>(n), in(values), n);
      expect_equal(reply, 0, doubled(values));
    }
  }
}
