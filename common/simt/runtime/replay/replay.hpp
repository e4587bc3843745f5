// Keeps diaries of threads (diary.hpp). Only modules that `simtcc --replay` has built call what is here, so that nothing of it costs
// another one anything.
#pragma once

#include "simt/report/diary.hpp"

namespace simt {

/// From now on these threads keep diaries; none by default.
void watch(std::vector<WatchedThread> threads);

/// Of the watched threads that have run since the last call, at most the last few grids of each.
Diaries take_diaries();

} // namespace simt
