#include "grader/header.hpp"

#include <sstream>
#include <stdexcept>

namespace warpbook {
namespace {

std::string with_backend(const std::string& name, Backend backend) {
  return name + "[" + name_of(backend) + "]";
}

} // namespace

Header::Header(const std::string& source_text) {
  std::istringstream lines(source_text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("// ")) continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string value = line.substr(colon + 2);
    value.erase(value.find_last_not_of(" \t\r") + 1);
    if (!value.empty()) fields_[line.substr(3, colon - 3)].push_back(value);
  }
}

const std::vector<std::string>& Header::all(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto found = fields_.find(name);
  return found == fields_.end() ? none : found->second;
}

std::string Header::value(const std::string& name, Backend backend) const {
  for (const std::string& field : {with_backend(name, backend), name}) {
    if (const std::vector<std::string>& values = all(field); !values.empty()) return values.front();
  }
  return {};
}

ExpectedFailure mutant_failure(const Header& header, Backend backend) {
  const std::vector<std::string>& items = header.all("item");
  if (items.empty()) throw std::invalid_argument("the mutant's header has no line '// item: NAME'");
  if (items.size() > 1) throw std::invalid_argument("the mutant's header names more than one item");
  ExpectedFailure expected{items.front(), header.value("diagnosis", backend), {}};
  if (expected.diagnosis.empty())
    throw std::invalid_argument("the mutant's header has no line '// diagnosis: ID'");
  std::istringstream todos(header.value("todo", backend));
  for (std::string todo; todos >> todo;) {
    if (todo.find_first_not_of("0123456789") != std::string::npos || todo.size() > 3)
      throw std::invalid_argument("the mutant's header has a TODO that is no number: " + todo);
    expected.todos.push_back(std::stoi(todo));
  }
  return expected;
}

std::vector<ExpectedFailure> step_failures(const Header& header, Backend backend) {
  std::vector<ExpectedFailure> expected;
  for (const std::string& name : {std::string("fails"), with_backend("fails", backend)}) {
    for (const std::string& value : header.all(name)) {
      const std::size_t colon = value.rfind(": ");
      if (colon == std::string::npos)
        throw std::invalid_argument("'// fails: " + value + "' in the header names no diagnosis");
      expected.push_back({value.substr(0, colon), value.substr(colon + 2)});
    }
  }
  return expected;
}

bool is_for(const Header& header, Backend backend) {
  const std::vector<std::string>& lines = header.all("backends");
  if (lines.empty()) return true;
  std::istringstream backends(lines.front());
  for (std::string word; backends >> word;) {
    if (word == name_of(backend)) return true;
  }
  return false;
}

} // namespace warpbook
