#include "learning/matrix_split.h"

#include "base/plural.h"
#include "base/random.h"
#include "learning/siblings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace sparsight {

namespace {

constexpr std::array all_sides{SplitSide::Train, SplitSide::Validation, SplitSide::Test};

using Family = std::vector<std::size_t>;

struct FilledSide {
    double share = 0;  ///< of 1
    double target = 0; ///< matrices
    std::vector<Family> families;

    [[nodiscard]] double lacking() const {
        double lacking = target;
        for (const Family& family : families)
            lacking -= static_cast<double>(family.size());
        return lacking;
    }
};
using Sides = std::array<FilledSide, all_sides.size()>;

Result<Sides> empty_sides(const SplitShares& shares, std::size_t matrices) {
    const std::array weights{shares.train, shares.validation, shares.test};
    double sum = 0;
    for (const double weight : weights) {
        if (!std::isfinite(weight) || weight < 0)
            return fail(Fault::Input,
                        fmt::format("a share of the matrices is {}, expected 0 or more", weight));
        sum += weight;
    }
    if (sum == 0)
        return fail(Fault::Input, "all shares of the matrices are 0, expected one above 0");
    Sides sides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        sides[i].share = weights[i] / sum;
        sides[i].target = sides[i].share * static_cast<double>(matrices);
    }
    return sides;
}

/// The largest first, those of a size in an order of the seed: small ones then even out what large ones miss.
std::vector<Family> ordered_families(std::span<const TaskMatrix> matrices, std::uint64_t seed) {
    const auto family_of = sibling_families(matrices);
    std::map<std::size_t, Family> members;
    for (std::size_t place = 0; place < matrices.size(); ++place)
        members[family_of[place]].push_back(place);
    std::vector<Family> families;
    for (auto& [first, family] : members)
        families.push_back(std::move(family));
    Random(seed).shuffle(families);
    std::ranges::stable_sort(families, std::greater{}, &Family::size);
    return families;
}

/// A side that a few large families have left without any takes the smallest of the side with most.
void fill_empty_sides(Sides& sides) {
    for (FilledSide& side : sides) {
        if (side.share == 0 || !side.families.empty())
            continue;
        auto& giver = *std::ranges::max_element(
            sides, {}, [](const FilledSide& other) { return other.families.size(); });
        side.families.push_back(std::move(giver.families.back()));
        giver.families.pop_back();
    }
}

std::vector<std::size_t> members(const FilledSide& side) {
    std::vector<std::size_t> all;
    for (const Family& family : side.families)
        all.insert(all.end(), family.begin(), family.end());
    std::ranges::sort(all);
    return all;
}

const std::vector<std::size_t>& of_side(const MatrixSplit& split, SplitSide side) {
    switch (side) {
    case SplitSide::Validation:
        return split.validation;
    case SplitSide::Test:
        return split.test;
    case SplitSide::Train:
        break;
    }
    return split.train;
}

} // namespace

std::string_view name(SplitSide side) {
    constexpr std::array<std::string_view, all_sides.size()> names{"training", "validation", "test"};
    return names[static_cast<std::size_t>(side)];
}

Result<MatrixSplit> split_matrices(std::span<const TaskMatrix> matrices, const SplitShares& shares,
                                   std::uint64_t seed) {
    auto sides = empty_sides(shares, matrices.size());
    if (!sides)
        return std::unexpected(std::move(sides).error());
    auto families = ordered_families(matrices, seed);
    const auto wanted = std::ranges::count_if(*sides, [](const FilledSide& side) { return side.share > 0; });
    if (std::ssize(families) < wanted)
        return fail(Fault::Input,
                    fmt::format("{} can't be split into {} parts: a matrix with its resized and transposed "
                                "forms stays in one, and here are {} such families",
                                counted(matrices.size(), "matrix", "matrices"), wanted, families.size()));
    for (Family& family : families)
        std::ranges::max_element(*sides, {}, &FilledSide::lacking)->families.push_back(std::move(family));
    fill_empty_sides(*sides);
    return MatrixSplit{members((*sides)[0]), members((*sides)[1]), members((*sides)[2])};
}

std::vector<Leak> leaks(const MatrixSplit& split, std::span<const TaskMatrix> matrices) {
    const auto family_of = sibling_families(matrices);
    struct Place {
        std::size_t matrix;
        SplitSide side;
    };
    std::map<std::size_t, std::vector<Place>> families;
    for (const SplitSide side : all_sides)
        for (const std::size_t matrix : of_side(split, side))
            families[family_of[matrix]].push_back({matrix, side});
    std::vector<Leak> found;
    for (const auto& [first, places] : families)
        for (std::size_t one = 0; one < places.size(); ++one)
            for (std::size_t other = one + 1; other < places.size(); ++other)
                if (places[one].side != places[other].side)
                    found.push_back(
                        {places[one].matrix, places[one].side, places[other].matrix, places[other].side});
    return found;
}

std::vector<std::size_t> training_subset(const MatrixSplit& split, std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> order = split.train;
    Random(seed).shuffle(order);
    order.resize(std::min(count, order.size()));
    return order;
}

} // namespace sparsight
