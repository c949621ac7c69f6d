#include "domains/sparse/simulator/loop_counts.h"

#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <set>

namespace sparsight {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr std::int64_t all_entries = std::numeric_limits<std::int64_t>::max();

CsrPattern with_row_lengths(const std::vector<std::int64_t>& lengths, std::int64_t cols) {
    CsrPattern pattern;
    pattern.rows = static_cast<std::int64_t>(lengths.size());
    pattern.cols = cols;
    for (const std::int64_t length : lengths) {
        for (std::int64_t column = 0; column < length; ++column)
            pattern.column_ids.push_back(static_cast<std::int32_t>(column));
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

StorageFormat stored_as(const std::string& spmv, const CsrPattern& pattern) {
    const auto schedule = parse_schedule(Operator::SpMV, spmv);
    EXPECT_TRUE(schedule) << spmv;
    return storage_format(*schedule, pattern.rows, pattern.cols);
}

const std::string csr_text = "1 1 i1 i0 k1 k0 1 1 0 1 i1 4 8";

TEST(LoopIrregularity, OfCsrIsTheShareOfRowsThatAreNotAsLongAsTheRowBefore) {
    const CsrPattern pattern = with_row_lengths({3, 3, 5, 0, 0, 0, 2, 2}, 8);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, pattern), pattern), ElementsAre(0, 3.0 / 8));
    const CsrPattern empty_at_the_ends = with_row_lengths({0, 0, 4, 4, 0}, 8);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, empty_at_the_ends), empty_at_the_ends),
                ElementsAre(0, 2.0 / 5));
}

TEST(LoopIrregularity, OfAMeshIsLowAndOfAGraphHigh) {
    const CsrPattern regular = with_row_lengths(std::vector<std::int64_t>(200, 5), 8);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, regular), regular), ElementsAre(0, 0));
    const CsrPattern skewed =
        *generate_matrix("row-skewed", {{"rows", 500}, {"cols", 500}, {"mean-length", 8}}, 1);
    EXPECT_GT(loop_irregularity(stored_as(csr_text, skewed), skewed).back(), 0.7);
}

/// By walking the nest: every loop over a compressed level as it is entered.
std::vector<double> walked(const CsrPattern& pattern, const StorageFormat& format) {
    std::set<std::vector<std::int64_t>> stored; // every prefix of every entry
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto at = pattern.row_pointers[static_cast<std::size_t>(row)];
             at < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++at) {
            std::vector<std::int64_t> path;
            for (const StorageLevel& level : format.levels) {
                const std::int64_t id = level.is_row ? row : pattern.column_ids[static_cast<std::size_t>(at)];
                path.push_back(level.loop.part == Part::Outer ? id / level.split : id % level.split);
                stored.insert(path);
            }
        }
    std::vector<std::vector<std::int64_t>> iterations(format.levels.size());
    std::vector<std::int64_t> path;
    const std::function<void()> enter = [&] {
        const std::size_t l = path.size();
        if (l == format.levels.size())
            return;
        std::int64_t ran = 0;
        for (std::int64_t x = 0; x < format.levels[l].extent; ++x) {
            path.push_back(x);
            if (format.levels[l].format == LevelFormat::Uncompressed || stored.contains(path)) {
                ++ran;
                enter();
            }
            path.pop_back();
        }
        iterations[l].push_back(ran);
    };
    enter();
    std::vector<double> shares;
    for (const std::vector<std::int64_t>& of_level : iterations) {
        double unlike = 0;
        for (std::size_t at = 1; at < of_level.size(); ++at)
            unlike += of_level[at] != of_level[at - 1] ? 1 : 0;
        shares.push_back(unlike / static_cast<double>(of_level.size()));
    }
    return shares;
}

TEST(LoopIrregularity, IsThatOfTheLoopsAsTheyAreWalkedInEveryFormat) {
    Random random(4);
    const CsrPattern pattern =
        *generate_matrix("row-skewed", {{"rows", 37}, {"cols", 29}, {"mean-length", 3}}, 2);
    const Extents extents = sparsight::extents(Operator::SpMV, pattern.rows, pattern.cols, 1);
    for (const SuperSchedule& schedule : sample_waco(Operator::SpMV, extents, 300, 4, random)) {
        const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
        const std::vector<double> expected = walked(pattern, format);
        const std::vector<double> counted = loop_irregularity(format, pattern, all_entries);
        ASSERT_EQ(counted.size(), expected.size());
        for (std::size_t l = 0; l < expected.size(); ++l)
            EXPECT_NEAR(counted[l], expected[l], 1e-12) << describe(format) << ", level " << l;
    }
}

TEST(LoopIrregularity, OfALargePatternIsToldBySomeOfItsEntries) {
    const CsrPattern pattern =
        *generate_matrix("row-skewed", {{"rows", 20000}, {"cols", 20000}, {"mean-length", 8}}, 3);
    for (const char* text : {
             "1 1 i1 i0 k1 k0 1 1 0 1 i1 4 8",       // by rows
             "1 1 k1 k0 i1 i0 0 1 1 1 i1 4 8",       // by columns
             "4 4 i1 k1 i0 k0 1 0 1 0 i1 4 8",       // rows of blocks
             "16 8 k1 i1 k0 i0 1 0 0 0 i1 4 8",      // a block after the other, all stored
             "8192 1 i1 k1 i0 k0 1 1 0 1 i1 4 1",    // few iterations outside, each with very many inside
             "4096 4096 k1 i1 k0 i0 1 0 0 1 i1 4 1", // large blocks
         }) {
        const StorageFormat format = stored_as(text, pattern);
        const std::vector<double> of_all = loop_irregularity(format, pattern, all_entries);
        const std::vector<double> of_some = loop_irregularity(format, pattern);
        for (std::size_t l = 2; l < of_all.size(); ++l)
            EXPECT_NEAR(of_some[l], of_all[l], 0.06) << describe(format) << ", level " << l;
    }
}

TEST(LoopIrregularity, OfAnEmptyPatternIsNone) {
    const CsrPattern pattern = with_row_lengths({0, 0, 0}, 4);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, pattern), pattern), ElementsAre(0, 0));
}

} // namespace
} // namespace sparsight
