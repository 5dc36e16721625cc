#include "engine/tensor/fasta.hpp"

#include <cctype>
#include <cstring>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/number_reader.hpp"

namespace trellis::tensor {

namespace {

constexpr std::size_t most_names = 1000;  ///< that are worth remembering for a suggestion

std::string_view name_in(std::string_view header) {
  header.remove_prefix(1);
  return header.substr(0, header.find_first_of(" \t\r"));
}

bool is_sequence_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '*' || c == '-' || c == '.';
}

class Reader {
 public:
  Reader(std::string_view content, const FileRequest& request, text::Diagnostics& diagnostics)
      : lines_(content, ';', request, diagnostics),
        request_(request),
        diagnostics_(diagnostics),
        wanted_(request.record.value_or(RecordChoice{})) {}

  std::optional<ArrayContents> read() {
    bool found = false;
    while (lines_.next_data_line()) {
      if (lines_.line()[0] == '>') {
        if (found) break;
        found = is_wanted(name_in(lines_.line()));
      } else if (records_ == 0) {
        lines_.error("E0403", "this is no FASTA file: its first line must start with '>'");
        return std::nullopt;
      } else if (found && !letters()) {
        return std::nullopt;
      }
    }
    if (records_ == 0) lines_.file_error("E0403", "the file holds no record");
    else if (!found) no_such_record();
    return found ? result() : std::nullopt;
  }

 private:
  bool is_wanted(std::string_view name) {
    ++records_;
    if (names_.size() < most_names) names_.emplace_back(name);
    return wanted_.name.empty() ? records_ == wanted_.number : name == wanted_.name;
  }

  bool letters() {
    starts_.push_back({static_cast<std::int64_t>(letters_.size()), lines_.line_number()});
    std::size_t column = 0;
    for (const char c : lines_.line()) {
      ++column;
      if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
      if (!is_sequence_letter(c))
        return lines_.error("E0405",
                            "column " + std::to_string(column) + " holds " + shown(c) + ", which is no letter");
      letters_ += c;
    }
    return true;
  }

  static std::string shown(char c) {
    const auto code = static_cast<unsigned char>(c);
    return std::isprint(code) != 0 ? std::string("'") + c + "'" : "the byte " + std::to_string(code);
  }

  void no_such_record() {
    const std::string which = wanted_.name.empty() ? std::to_string(wanted_.number) : "\"" + wanted_.name + "\"";
    text::Diagnostic& d = diagnostics_.error("E0420", wanted_.span, "\"" + request_.path + "\" has no record " + which);
    const std::string near = wanted_.name.empty() ? "" : text::did_you_mean(wanted_.name, names_);
    d.notes.push_back({{},
                       near.empty()
                           ? "it holds " + std::to_string(records_) + (records_ == 1 ? " record" : " records") +
                                 "; the first is \"" + names_.front() + "\""
                           : "did you mean \"" + near + "\"?"});
  }

  std::optional<ArrayContents> result() {
    const Index shape{static_cast<std::int64_t>(letters_.size())};
    auto tensor = allocate(format::ScalarType::u8, shape, format::Format::dense(1),
                           format::Value::of_integer(format::ScalarType::u8, 0),
                           {request_.path, request_.span, request_.limit_bytes}, diagnostics_);
    if (!tensor) return std::nullopt;
    std::memcpy(tensor->data(), letters_.data(), letters_.size());
    return ArrayContents{std::move(*tensor), 1, 0, 0, std::move(starts_)};
  }

  NumberReader lines_;
  const FileRequest& request_;
  text::Diagnostics& diagnostics_;
  RecordChoice wanted_;
  std::int64_t records_ = 0;
  std::vector<std::string> names_;
  std::string letters_;
  std::vector<ArrayContents::LineStart> starts_;
};

}  // namespace

std::optional<ArrayContents> parse_fasta(std::string_view content, const FileRequest& request,
                                         text::Diagnostics& diagnostics) {
  return Reader(content, request, diagnostics).read();
}

std::optional<ArrayContents> read_fasta(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_fasta(*content, request, diagnostics) : std::nullopt;
}

}  // namespace trellis::tensor
