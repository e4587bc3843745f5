#include "simt/trace/trace_file.hpp"

#include "simt/report/symbolizer.hpp"
#include "simt/report/wording.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <tuple>

namespace simt {

namespace {

using nlohmann::json;
using Kind = TracedStep::Kind;

constexpr int version = 1;

const char* name_of(TracedStep::Scope scope) {
  constexpr const char* names[] = {"block", "cluster", "grid"};
  return names[static_cast<int>(scope)];
}

std::uint32_t linear(const Extent& index, const Extent& extent) {
  return (index[2] * extent[1] + index[1]) * extent[0] + index[0];
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Writer {
public:
  Writer(std::ostream& out, const Trace& trace) : out_(out), trace_(trace) {
    for (const CodeAddress& site : trace.sites) places_.push_back(symbolizer_.locate(site));
    for (const SourcePlace& place : trace.barriers) places_.push_back(SourceLine{place.file, place.line});
  }

  void write(const TraceTitle& title, const std::vector<WordedFinding>& findings) {
    write_title(title);
    for (const auto& place : places_)
      if (place) number_of(place->file);
    for (const WordedFinding& finding : findings)
      for (const Participant& party : finding.finding.participants)
        if (const auto place = source_of(party, symbolizer_)) number_of(place->file);
    for (const std::string& path : paths_)
      put("file", {{"path", std::filesystem::path(path).filename().string()}, {"text", text_of(path)}});
    for (const TracedLaunch& launch : trace_.launches) write_launch(launch);
    for (const TracedArray& array : trace_.arrays) write_array(array);
    write_sites();
    for (const TracedStep& step : trace_.steps) write_step(step);
    write_lines();
    for (const WordedFinding& finding : findings) write_finding(finding);
    put("end", {{"steps", trace_.steps.size()}, {"left_out", trace_.left_out}});
  }

private:
  void put(const char* what, json record) {
    out_ << json{{what, std::move(record)}}.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  }

  /// Of the source file in the order of first use.
  std::size_t number_of(const std::string& path) {
    const auto [known, is_new] = files_.try_emplace(path, paths_.size());
    if (is_new) paths_.push_back(path);
    return known->second;
  }

  void write_title(const TraceTitle& title) {
    json record = {{"version", version},
                   {"title", title.title},
                   {"file", title.file},
                   {"made", title.made},
                   {"schedule", title.schedule}};
    for (const auto& [key, value] :
         {std::pair{"call", title.call}, {"submission", title.submission}, {"verdict", title.verdict}})
      if (!value.empty()) record[key] = value;
    for (const auto& [name, number] : title.numbers) record["numbers"][name] = number;
    put("trace", std::move(record));
  }

  void write_launch(const TracedLaunch& launch) {
    json record = {{"kernel", launch.kernel}, {"grid", launch.grid},
                   {"block", launch.block},   {"cluster", launch.cluster},
                   {"depth", launch.depth},   {"shared_bytes", launch.shared_bytes}};
    if (launch.depth > 0)
      record["parent"] = {
          {"launch", launch.parent}, {"block", launch.parent_block}, {"thread", launch.parent_thread}};
    put("launch", std::move(record));
  }

  void write_array(const TracedArray& array) {
    json record = {{"name", array.name},
                   {"space", name_of(array.space)},
                   {"bytes", array.bytes},
                   {"element_bytes", array.element_bytes},
                   {"address", array.address}};
    if (!array.extents.empty()) record["extents"] = array.extents;
    put("array", std::move(record));
  }

  /// Where the step's access or barrier stands among all sites of the file.
  std::size_t site_of(const TracedStep& step) const {
    return step.kind == Kind::barrier ? trace_.sites.size() + step.site : step.site;
  }

  void write_sites() {
    std::vector<std::string> kernels(places_.size());
    for (const TracedStep& step : trace_.steps)
      if (step.kind == Kind::access || step.kind == Kind::barrier)
        if (std::string& kernel = kernels[site_of(step)]; kernel.empty())
          kernel = trace_.launches[step.launch].kernel;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      json record = {{"kernel", kernels[i]}};
      if (places_[i]) {
        record["file"] = number_of(places_[i]->file);
        record["line"] = places_[i]->line;
      }
      put("site", std::move(record));
    }
  }

  void write_step(const TracedStep& step) {
    if (step.is_by_host())
      return put("step", {{"kind", "host"},
                          {"launch", step.launch},
                          {"array", step.array},
                          {"first", step.offsets[0]},
                          {"last", step.offsets[1]}});
    json record = {
        {"launch", step.launch}, {"block", step.block}, {"thread", step.first_thread}, {"lanes", step.lanes}};
    switch (step.kind) {
    case Kind::access:
      record["kind"] = name_of(step.access);
      add_access(record, step);
      break;
    case Kind::barrier:
      record["kind"] = "barrier";
      record["site"] = site_of(step);
      record["scope"] = name_of(step.scope);
      record["phase"] = step.phase;
      if (!step.ended) record["ended"] = false;
      break;
    case Kind::launch:
      record["kind"] = "launch";
      record["child"] = step.child;
      break;
    default:
      record["kind"] = "exchange";
    }
    put("step", std::move(record));
  }

  void add_access(json& record, const TracedStep& step) {
    record["site"] = step.site;
    record["bytes"] = step.bytes;
    if (step.joined) {
      record["joined"] = true;
    } else {
      record["cost"] = step.cost;
      record["least"] = step.least;
    }
    if (step.array == TracedStep::no_array) return;
    record["array"] = step.array;
    if (trace_.arrays[step.array].space == Space::shared && step.owner != step.block)
      record["owner"] = step.owner;
    std::vector<std::int64_t> at(step.offsets.begin(), step.offsets.end()); // negative before the array
    const std::int64_t distance = at.size() < 2 ? 0 : at[1] - at[0];
    bool is_even = true;
    for (std::size_t i = 1; i < at.size(); ++i) is_even = is_even && at[i] - at[i - 1] == distance;
    if (is_even) {
      record["from"] = at[0];
      record["by"] = distance;
    } else {
      record["at"] = at;
    }
  }

  void write_lines() {
    std::map<std::tuple<std::size_t, unsigned, Space, Access, bool>, TracedTotal> lines;
    for (const TracedTotal& total : trace_.totals) {
      const auto& place = places_[total.site];
      if (!place) continue;
      TracedTotal& line =
          lines[{number_of(place->file), place->line, total.space, total.access, total.remote}];
      line.requests += total.requests;
      line.cost += total.cost;
      line.least += total.least;
      line.lanes += total.lanes;
      line.bytes += total.bytes;
    }
    for (const auto& [key, line] : lines) {
      const auto& [file, number, space, access, remote] = key;
      json record = {{"file", file},
                     {"line", number},
                     {"space", name_of(space)},
                     {"access", name_of(access)},
                     {"requests", line.requests},
                     {"cost", line.cost},
                     {"least", line.least},
                     {"lanes", line.lanes},
                     {"bytes", line.bytes}};
      if (remote) record["remote"] = true;
      put("line", std::move(record));
    }
  }

  void write_finding(const WordedFinding& worded) {
    const Finding& finding = worded.finding;
    json places = json::array();
    for (const Participant& party : finding.participants) {
      json place = json::object();
      if (const auto where = source_of(party, symbolizer_)) {
        place["file"] = number_of(where->file);
        place["line"] = where->line;
      }
      if (party.access) place["access"] = name_of(*party.access);
      if (party.thread) {
        place["block"] = linear(party.thread->block, finding.grid);
        place["thread"] = linear(party.thread->thread, finding.block);
        for (std::size_t i = 0; i < trace_.launches.size(); ++i) {
          const TracedLaunch& launch = trace_.launches[i];
          const std::string& kernel = party.kernel.empty() ? finding.kernel : party.kernel;
          if (launch.kernel == kernel && launch.grid == finding.grid && launch.block == finding.block)
            place["launch"] = i; // the last one of them: what is found ends the grid's part of the trace
        }
      }
      places.push_back(std::move(place));
    }
    put("finding", {{"id", finding.id},
                    {"sentence", worded.sentence},
                    {"details", worded.details},
                    {"places", std::move(places)}});
  }

  std::ostream& out_;
  const Trace& trace_;
  Symbolizer symbolizer_;
  std::vector<std::optional<SourceLine>> places_; ///< of sites, and behind them of barriers
  std::map<std::string, std::size_t> files_;
  std::vector<std::string> paths_;
};

} // namespace

WordedFinding told(const Finding& finding) {
  Symbolizer symbolizer;
  WordedFinding result{finding, message_of(finding)};
  for (ReportLine& line : report_lines(finding, symbolizer, {.message = false}))
    result.details.push_back(std::move(line.text));
  return result;
}

std::string current_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%FT%TZ", &parts);
  return text;
}

void write_trace_file(std::ostream& out, const TraceTitle& title, const Trace& trace,
                      const std::vector<WordedFinding>& findings) {
  Writer(out, trace).write(title, findings);
}

} // namespace simt
