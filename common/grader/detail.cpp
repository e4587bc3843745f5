#include "grader/detail.hpp"

namespace warpbook {

std::vector<std::string> texts_of(const Details& details) {
  std::vector<std::string> texts;
  for (const Detail& detail : details) texts.push_back(detail.text.to_print());
  return texts;
}

Details followed_by(Details lines, const Details& more) {
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

Detail detail_of(const simt::ReportLine& line) {
  switch (line.kind) {
  case simt::ReportLine::Kind::source:
    return {line.text, Detail::Kind::source, line.place};
  case simt::ReportLine::Kind::advice:
    return {line.text, Detail::Kind::advice};
  case simt::ReportLine::Kind::finding:
    break;
  }
  return {line.text, Detail::Kind::finding};
}

} // namespace warpbook
