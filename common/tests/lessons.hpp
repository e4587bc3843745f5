#pragma once
/// What the tests of labs' lessons share: findings made by hand, and whether every lesson is shown by a mutant.

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "grader/header.hpp"
#include "simt/report/wording.hpp"

/// A thread that does something with four bytes, in a grid of this depth if the finding is about two grids.
inline simt::Participant party(unsigned block_x, unsigned block_y, unsigned thread, simt::Access access,
                               std::optional<unsigned> depth = {}) {
  simt::Participant made;
  made.access = access;
  made.bytes = 4;
  made.depth = depth;
  made.thread = simt::ThreadId{{block_x, block_y, 0}, {thread, 0, 0}, thread / 32, thread % 32};
  return made;
}

/// What a call fails with that the simulator finds this in; `element` of `array`, or the variable itself if negative.
inline warpbook::Failure found(const std::string& id, const std::string& array, std::int64_t element,
                               const std::vector<simt::Participant>& parties) {
  simt::Finding finding;
  finding.id = id;
  finding.kernel = "some_kernel";
  finding.variable = array;
  if (element >= 0) finding.element = {element};
  finding.participants = parties;
  set_blank_facts(finding);
  warpbook::Failure failure{
      {id}, "the_function: " + message_of(finding), {"In the call the_function(n = 5003)."}};
  failure.findings.push_back({finding, {.message = false}});
  return failure;
}

/// A file is the submission for as long as this lives: its lines tell the tasks.
class Submitted {
public:
  explicit Submitted(const std::string& source_path) : submission_(options(source_path)) {
    warpbook::set_submission(&submission_);
  }
  ~Submitted() { warpbook::set_submission(nullptr); }
  Submitted(const Submitted&) = delete;
  Submitted& operator=(const Submitted&) = delete;
  unsigned line_of(int todo) const {
    return warpbook::todo_line(warpbook::read_text(submission_.options().source_path), todo) + 1;
  }

private:
  static warpbook::SubmissionOptions options(const std::string& source_path) {
    warpbook::SubmissionOptions options;
    options.source_path = source_path;
    return options;
  }
  warpbook::Submission submission_;
};

/// The diagnoses that a lab's mutants promise in their headers.
inline std::set<std::string> promised_by_mutants(const std::string& folder) {
  std::set<std::string> ids;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const warpbook::Header header(warpbook::read_text(file.path().string()));
    for (const warpbook::Backend backend : {warpbook::Backend::sim, warpbook::Backend::cuda})
      ids.insert(header.value("diagnosis", backend));
  }
  return ids;
}
