#include "learning/siblings.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

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
