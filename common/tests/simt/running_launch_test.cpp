// What a signal handler learns about the launch that is running.
#include "simt/runtime/machine/running_launch.hpp"

#include "simt/runtime/machine/simt.hpp"

#include <doctest/doctest.h>
#include <string>
#include <utility>

using namespace simt;

TEST_CASE("a launch has its name until it has ended, also when its record has been given away") {
  CHECK(!running_launch());
  const simt_launch_site site{"work", "program.cu", 8};
  for (const std::string name : {"work", "a_kernel_whose_name_is_too_long_for_the_string_itself"}) {
    CAPTURE(name);
    Grid grid;
    grid.record.name = name;
    begin_launch(grid, site);
    const KernelRecord kept = std::exchange(grid.record, {});
    const std::optional<RunningLaunch> running = running_launch();
    REQUIRE(running);
    CHECK(running->kernel == name);
    CHECK(kept.name == name);
    CHECK(!ended_launch());
    end_launch();
    CHECK(!running_launch());
    const std::optional<RunningLaunch> ended = ended_launch();
    REQUIRE(ended);
    CHECK(ended->kernel == name);
  }
}
