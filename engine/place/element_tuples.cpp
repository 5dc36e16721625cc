#include "engine/place/element_tuples.hpp"

#include <algorithm>

#include "engine/lang/index_map_of.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {

using math::Affine;
using math::Constraint;
using math::Index;
using math::Relation;

namespace {

bool is_written(const Fragments& fragments, const std::string& tensor) {
  return std::ranges::any_of(fragments.fragments, [&](const Fragment& f) { return f.write.tensor == tensor; });
}

/// Is there an index that only digits can say?
bool asks_for_digits(const Fragments& fragments) {
  for (const Fragment& f : fragments.fragments) {
    const auto spans = lang::spans_of(f.domain);
    for (const Read& read : f.reads)
      for (const Expr& index : read.access.indices)
        if (is_written(fragments, read.access.tensor) && !lang::affine(index) && lang::index_map_of(index, spans))
          return true;
  }
  return false;
}

std::string digit_name(const std::string& variable, std::size_t number) {
  return variable + "." + std::to_string(number);
}

}  // namespace

ElementTuples::ElementTuples(const Fragments& fragments) {
  any_ = asks_for_digits(fragments);
  if (!any_) return;
  for (const Fragment& f : fragments.fragments) {
    of_.push_back(lang::spans_of(f.domain));
    for (const auto& [variable, span] : of_.back()) {
      add_once(spans_[variable], span);
      cuts_.add_variable(key(f, variable), span);
    }
  }
  for (const Fragment& f : fragments.fragments) {
    writes_.push_back(add(f, f.write));
    reads_.emplace_back();
    for (const Read& read : f.reads)
      reads_.back().push_back(is_written(fragments, read.access.tensor) ? add(f, read.access) : std::vector<int>{});
  }
  cuts_.solve();
}

/// Variables of one name and one range are cut alike, in whichever equations they stand.
std::string ElementTuples::key(const Fragment& fragment, const std::string& variable) const {
  const auto& own = of_[static_cast<std::size_t>(fragment.id)];
  const auto& all = spans_.at(variable);
  return variable + "." + std::to_string(std::ranges::find(all, own.at(variable)) - all.begin());
}

std::vector<int> ElementTuples::add(const Fragment& fragment, const lang::Access& access) {
  const auto& spans = of_[static_cast<std::size_t>(fragment.id)];
  std::map<std::string, Affine> keyed;
  std::map<std::string, Index> renamed;
  for (const auto& [variable, span] : spans) {
    keyed.emplace(key(fragment, variable), span);
    renamed.emplace(variable, Index::name(key(fragment, variable)));
  }
  const math::IndexMaps maps(keyed);
  std::vector<int> accesses;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const auto written = lang::index_map_of(access.indices[d], spans);
    const auto index = written ? maps.substitute(*written, renamed) : std::nullopt;
    accesses.push_back(index ? cuts_.add(access.tensor + " " + std::to_string(d), *index) : -1);
  }
  return accesses;
}

ElementTuples::Tuples ElementTuples::tuples(const std::vector<int>& accesses) const {
  Tuples all;
  for (const int access : accesses) all.push_back(access < 0 ? std::nullopt : cuts_.tuple(access));
  return all;
}

std::vector<ElementTuples::Digit> ElementTuples::digits(const Fragment& fragment, const std::string& variable,
                                                        const std::string& mark) const {
  if (!any_ || !of_[static_cast<std::size_t>(fragment.id)].contains(variable)) return {};
  const std::string own = key(fragment, variable);
  const std::vector<Affine> spans = cuts_.spans(own), weights = cuts_.weights(own);
  if (spans.size() < 2) return {};
  // The range is in the name as well: those of two that are cut alike differ in the mark alone.
  const std::string name = own.substr(0, variable.size()) + mark + own.substr(variable.size());
  std::vector<Digit> result;
  for (std::size_t d = 0; d < spans.size(); ++d) result.push_back({digit_name(name, d), spans[d], weights[d]});
  return result;
}

std::vector<Constraint> ElementTuples::equal(const Tuples& one, const Fragment& f, const std::string& mark,
                                             const Tuples& other, const Fragment& g,
                                             const std::string& other_mark) const {
  // A digit of a variable that stays whole is that variable.
  const auto named = [&](const std::optional<math::DigitTuples::Coordinate>& at, const Fragment& of,
                         const std::string& marked) {
    if (!at) return Affine(0);
    const std::string variable = at->variable.substr(0, at->variable.rfind('.'));
    const std::vector<Digit> all = digits(of, variable, marked);
    return Affine::name(all.empty() ? variable + marked : all[static_cast<std::size_t>(at->number)].name);
  };
  std::vector<Constraint> result;
  for (std::size_t d = 0; d < one.size() && d < other.size(); ++d) {
    if (!one[d] || !other[d]) continue;
    for (std::size_t k = 0; k < one[d]->size(); ++k)
      result.push_back({named((*one[d])[k], f, mark), Relation::equal, named((*other[d])[k], g, other_mark)});
  }
  return result;
}

std::vector<Constraint> ElementTuples::same_element(const Fragment& writer, const std::string& writer_mark,
                                                    const Fragment& reader, int read,
                                                    const std::string& reader_mark) const {
  if (!any_) return {};
  const auto& reads = reads_[static_cast<std::size_t>(reader.id)];
  return equal(tuples(writes_[static_cast<std::size_t>(writer.id)]), writer, writer_mark,
               tuples(reads[static_cast<std::size_t>(read)]), reader, reader_mark);
}

std::vector<Constraint> ElementTuples::same_written(const Fragment& one, const std::string& mark, const Fragment& other,
                                                    const std::string& other_mark) const {
  if (!any_) return {};
  return equal(tuples(writes_[static_cast<std::size_t>(one.id)]), one, mark,
               tuples(writes_[static_cast<std::size_t>(other.id)]), other, other_mark);
}

std::vector<std::pair<int, int>> ElementTuples::alike(const std::vector<std::string>& dimensions, int one, int other) {
  const auto unmarked = [](std::string name) {
    std::erase(name, '\'');
    return name;
  };
  const auto digits_of = [&](int dimension) {
    std::vector<int> digits;
    const std::string begin = dimensions[static_cast<std::size_t>(dimension)] + ".";
    for (std::size_t k = 0; k < dimensions.size(); ++k)
      if (dimensions[k].starts_with(begin)) digits.push_back(static_cast<int>(k));
    return digits;
  };
  const std::vector<int> first = digits_of(one), second = digits_of(other);
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t k = 0; k < first.size() && k < second.size(); ++k) {
    const auto rest = [&](int digit, int of) {
      return unmarked(dimensions[static_cast<std::size_t>(digit)])
          .substr(unmarked(dimensions[static_cast<std::size_t>(of)]).size());
    };
    if (first.size() != second.size() || rest(first[k], one) != rest(second[k], other)) return {};
    pairs.emplace_back(first[k], second[k]);
  }
  return pairs;
}

}  // namespace trellis::place
