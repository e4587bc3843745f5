#pragma once
/// What CTest is to know: which tests there are of a lab's submissions. Written when the grader is built, so that CTest
/// itself computes nothing when it starts (common/cmake/lab_tests.cmake).

#include <string>
#include <vector>

namespace warpbook {

/// A CMake script of calls that name the tests: warpbook_submission(NAME KIND BACKEND SOURCE MODULE), and after it
/// warpbook_item(ITEM) for each item that has a test of its own, or warpbook_whole(WHAT) for one test of the file.
/// `submissions` has a line `NAME|KIND|BACKEND|SOURCE|MODULE` for each. Throws std::runtime_error on another line.
std::string test_list(const std::string& submissions);

/// The header of each file as a JSON object on a line: {"file": PATH, "fields": {NAME: [VALUE...]}}. Throws
/// std::runtime_error if one cannot be read.
std::string headers_json(const std::vector<std::string>& files);

} // namespace warpbook
