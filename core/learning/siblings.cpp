#include "learning/siblings.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// The text without the digits at its end; the same where there is none.
std::string_view without_digits(std::string_view text) {
    while (!text.empty() && text.back() >= '0' && text.back() <= '9')
        text.remove_suffix(1);
    return text;
}

/// Without digits and then the letter before them; empty where they do not stand there.
std::string_view without_number(std::string_view text, char before) {
    const std::string_view rest = without_digits(text);
    if (rest.size() == text.size() || !rest.ends_with(before))
        return {};
    return rest.substr(0, rest.size() - 1);
}

/// "Trec6" of "Trec6_16x16_9"; empty where the name has no such end.
std::string_view without_resizing(std::string_view name) {
    return without_number(without_number(without_number(name, '_'), 'x'), '_');
}

using Side = std::array<double, 6>; ///< an extent and its lengths
using Shape = std::pair<Side, Side>;

Side side(std::int64_t extent, const LengthStatistics& lengths) {
    return {static_cast<double>(extent),      lengths.mean, static_cast<double>(lengths.max),
            lengths.coefficient_of_variation, lengths.gini, static_cast<double>(lengths.empty)};
}

/// The same for a pattern, its transpose, and both with rows and columns in any order.
Shape shape(const PatternStatistics& statistics) {
    Side rows = side(statistics.rows, statistics.row_length);
    Side cols = side(statistics.cols, statistics.column_length);
    if (cols < rows)
        std::swap(rows, cols);
    return {rows, cols};
}

/// Joins what belongs together (Tarjan: Efficiency of a good but not linear set union algorithm, JACM 1975).
class Families {
public:
    explicit Families(std::size_t count)
        : parents_(count) {
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    }

    std::size_t first_member(std::size_t member) {
        while (parents_[member] != member)
            member = parents_[member] = parents_[parents_[member]];
        return member;
    }
    void join(std::size_t one, std::size_t other) {
        const auto [first, second] = std::minmax({first_member(one), first_member(other)});
        parents_[second] = first;
    }

private:
    std::vector<std::size_t> parents_;
};

} // namespace

std::string name_stem(std::string_view name) {
    constexpr std::array<std::string_view, 3> transposed{"_t", "_T", "_transposed"};
    for (;;) {
        std::string_view stem = without_resizing(name);
        for (const std::string_view suffix : transposed)
            if (stem.empty() && name.ends_with(suffix))
                stem = name.substr(0, name.size() - suffix.size());
        if (stem.empty())
            return std::string(name);
        name = stem;
    }
}

std::vector<std::size_t> sibling_families(std::span<const TaskMatrix> matrices) {
    Families families(matrices.size());
    std::map<std::string, std::size_t, std::less<>> by_stem;
    std::map<Shape, std::size_t> by_shape;
    for (std::size_t place = 0; place < matrices.size(); ++place) {
        families.join(by_stem.try_emplace(name_stem(matrices[place].name), place).first->second, place);
        families.join(by_shape.try_emplace(shape(matrices[place].statistics), place).first->second, place);
    }
    std::vector<std::size_t> found(matrices.size());
    for (std::size_t place = 0; place < found.size(); ++place)
        found[place] = families.first_member(place);
    return found;
}

} // namespace sparsight
