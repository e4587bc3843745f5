#pragma once
/// A table of results that says where its numbers come from, as CSV and as JSON. Plain C++17.

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "timing/provenance.hpp"

namespace warpbook {

/// One cell: a text, or a number (six significant digits; whole numbers in full).
class Cell {
public:
  Cell(std::string text) : text_(std::move(text)) {}
  Cell(const char* text) : text_(text) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Cell(T number) : is_number_(true) {
    if constexpr (std::is_integral_v<T>) {
      text_ = std::to_string(number);
    } else {
      // Not every reader of a file knows NaN, and no measurement is one.
      if (!std::isfinite(number)) throw std::invalid_argument("a cell holds no infinity and no NaN");
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.6g", static_cast<double>(number));
      text_ = digits;
    }
  }
  const std::string& text() const { return text_; }
  bool is_number() const { return is_number_; }

private:
  std::string text_;
  bool is_number_ = false;
};

/// Rows, kept until they are written.
class Table {
public:
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// One line of where the numbers come from; line breaks become spaces.
  void provenance(const std::string& key, std::string value) {
    for (char& c : value) c = c == '\n' || c == '\r' ? ' ' : c;
    provenance_.emplace_back(key, std::move(value));
  }
  void provenance(const Provenance& entries) {
    for (const auto& [key, value] : entries) provenance(key, value);
  }
  /// One row; std::logic_error unless it has as many cells as there are columns and no line break in them.
  void add(std::vector<Cell> cells) {
    if (cells.size() != columns_.size()) throw std::logic_error("a row needs one cell for each column");
    for (const Cell& cell : cells) {
      if (cell.text().find_first_of("\r\n") != std::string::npos)
        throw std::logic_error("a cell cannot hold a line break: " + cell.text());
    }
    rows_.push_back(std::move(cells));
  }
  std::size_t rows() const { return rows_.size(); }

  /// `# key: value` lines, a line of column names, and the rows; quoted where a comma or a quote asks for it.
  std::string csv() const {
    std::string text;
    for (const auto& [key, value] : provenance_) text += "# " + key + ": " + value + "\n";
    for (std::size_t i = 0; i < columns_.size(); ++i)
      text.append(i == 0 ? "" : ",").append(csv_quoted(columns_[i]));
    text += "\n";
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i)
        text.append(i == 0 ? "" : ",").append(csv_quoted(row[i].text()));
      text += "\n";
    }
    return text;
  }

  /// {"provenance": {...}, "rows": [{column: value, ...}, ...]}, one row a line.
  std::string json() const {
    std::string text = "{\n\"provenance\": {";
    for (std::size_t i = 0; i < provenance_.size(); ++i) {
      text += (i == 0 ? "\n  " : ",\n  ") + json_quoted(provenance_[i].first) + ": " +
              json_quoted(provenance_[i].second);
    }
    text += "\n},\n\"rows\": [";
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      text += r == 0 ? "\n  {" : ",\n  {";
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Cell& cell = rows_[r][i];
        text += (i == 0 ? "" : ", ") + json_quoted(columns_[i]) + ": " +
                (cell.is_number() ? cell.text() : json_quoted(cell.text()));
      }
      text += "}";
    }
    return text + "\n]\n}\n";
  }

  /// Writes the CSV to `path` and the JSON beside it, with .json in place of the ending. Both are written
  /// under other names first and then renamed, so that there are two whole files or none. Throws
  /// std::runtime_error with the system's reason, for example that the disk is full.
  void write(const std::filesystem::path& path) const {
    std::filesystem::path json_path = path;
    json_path.replace_extension(".json");
    if (json_path == path)
      throw std::invalid_argument("a table is named after its CSV file, not " + path.string());
    if (path.has_parent_path()) {
      std::error_code error;
      std::filesystem::create_directories(path.parent_path(), error);
      if (error)
        throw std::runtime_error("cannot create " + path.parent_path().string() + ": " + error.message());
    }
    const Part csv_part(path, csv());
    const Part json_part(json_path, json());
    csv_part.move_into_place();
    json_part.move_into_place();
  }

private:
  /// A file on the way; removed unless it was moved into its place.
  class Part {
  public:
    Part(const std::filesystem::path& place, const std::string& text) : place_(place), part_(place) {
      part_ += ".part";
      std::FILE* file = std::fopen(part_.c_str(), "wb");
      if (file == nullptr) fail(errno);
      const bool written =
          std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
      const int reason = errno;
      const bool closed = std::fclose(file) == 0;
      if (!written || !closed) {
        const int error = written ? errno : reason;
        remove();
        fail(error);
      }
    }
    ~Part() { remove(); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    void move_into_place() const {
      std::error_code error;
      std::filesystem::rename(part_, place_, error);
      if (error) fail(error.value());
    }

  private:
    void remove() const {
      std::error_code ignored;
      std::filesystem::remove(part_, ignored);
    }
    [[noreturn]] void fail(int error) const {
      throw std::runtime_error("cannot write " + place_.string() + ": " + std::strerror(error));
    }

    std::filesystem::path place_;
    std::filesystem::path part_;
  };

  static std::string csv_quoted(const std::string& cell) {
    // A cell that begins with # would read as provenance, and one with spaces around it would lose them.
    if (cell.find_first_of(",\"#") == std::string::npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
  }

  static std::string json_quoted(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') {
        text += std::string("\\") + c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
        text += escape;
      } else {
        text += c;
      }
    }
    return text + "\"";
  }

  std::vector<std::string> columns_;
  Provenance provenance_;
  std::vector<std::vector<Cell>> rows_;
};

} // namespace warpbook
