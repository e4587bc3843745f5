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
  using enum Detail::Kind;
  constexpr Detail::Kind kinds[] = {finding, source, evidence, advice}; // in the order of ReportLine::Kind
  Detail detail(line.text, kinds[static_cast<int>(line.kind)]);
  if (detail.kind == source) detail.place = line.place;
  return detail;
}

} // namespace warpbook
