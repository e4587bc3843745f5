#pragma once
/// The lab's file as a student gets it, for which a submission's TODOs are compared with it.

#include <string>

namespace warpbook {

/// Whether two versions of a file differ in the region of TODO(number) in more than comments and spaces. False where one of
/// them has no such region.
bool differ_in_todo(const std::string& one, const std::string& other, int number);

/// Whether something has been written into this TODO of the submission's file: it is not what the starter has there. False
/// where the lab keeps no starter.
bool is_begun(int todo);

} // namespace warpbook
