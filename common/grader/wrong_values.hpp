#pragma once
/// Why elements of an output are wrong, as far as it can be said without knowing the task: from the values, and from what
/// the simulator has seen kernels do with memory.

#include <cstddef>
#include <vector>

#include "grader/failure.hpp"
#include "grader/reply.hpp"

namespace warpbook {

/// What a function has done to a wrong element.
enum class Did { computed, wrote };

/// A failure because an element of the k-th buffer argument is not what is right; `did` is what the function has done that
/// wrote it.
Failure wrong_element(const Reply& reply, std::size_t k, std::size_t index, Did did,
                      const std::string& actual, const std::string& right);

/// Whether all of these values are whole numbers and none should be one. False where they are too few or too much alike
/// to show it.
bool have_no_fractions(const std::vector<WrongElement>& wrong);

/// The id of the cause that says who has written a wrong element, and what that thread had read.
inline constexpr const char* written_by = "written-by";

/// While it exists, failures that tell no wrong elements are about those of the k-th buffer argument for which is_right(i) does not hold,
/// if there are any.
Rule about_wrong(const Reply& reply, std::size_t k, std::function<bool(std::size_t)> is_right);

/// Adds to `why`, a failure because of `wrong` elements of the k-th buffer argument, the causes and diagnoses that can be
/// reported. With a trace (Reply::trace) these are, for the first of them that shows something:
///   output-unwritten       no thread has written it
///   other-element-written  it should have stayed as it was, and a thread has written it
///   source-not-read        it depends on an element that the thread which wrote it never got (sources)
///   wrong-arithmetic       the thread had got everything that it depends on (sources)
/// where `sources` may be empty; and, whatever it is, the formulas by which kernels have taken elements of the buffer.
void explain_wrong(Failure& why, const Reply& reply, std::size_t k, const std::vector<WrongElement>& wrong,
                   const Sources& sources);

/// The same where it is not known which elements are wrong: what is looked at is whether all outputs have been written, and
/// whether their writers had got what they depend on (Sources).
void explain_call(Failure& why, const Reply& reply);

} // namespace warpbook
