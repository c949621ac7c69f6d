#include "domains/sparse/explanation/pattern/pattern_change.h"

#include "domains/sparse/explanation/explanation_text.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

/// Rows of dots and x.
CsrPattern picture(const std::vector<std::string>& rows) {
    CooPattern coordinates;
    coordinates.rows = static_cast<std::int64_t>(rows.size());
    coordinates.cols = static_cast<std::int64_t>(rows.front().size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < rows[row].size(); ++column)
            if (rows[row][column] == 'x') {
                coordinates.row_ids.push_back(static_cast<std::int32_t>(row));
                coordinates.column_ids.push_back(static_cast<std::int32_t>(column));
            }
    return compress(std::move(coordinates), 1).pattern;
}

std::vector<std::string> drawn(const CsrPattern& pattern) {
    std::vector<std::string> rows(static_cast<std::size_t>(pattern.rows),
                                  std::string(static_cast<std::size_t>(pattern.cols), '.'));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (auto at = pattern.row_pointers[row]; at < pattern.row_pointers[row + 1]; ++at)
            rows[row][static_cast<std::size_t>(pattern.column_ids[static_cast<std::size_t>(at)])] = 'x';
    return rows;
}

CsrPattern diagonal(std::int64_t rows) {
    CooPattern coordinates;
    coordinates.rows = coordinates.cols = rows;
    coordinates.row_ids.resize(static_cast<std::size_t>(rows));
    std::iota(coordinates.row_ids.begin(), coordinates.row_ids.end(), 0);
    coordinates.column_ids = coordinates.row_ids;
    return compress(std::move(coordinates), 1).pattern;
}

TEST(PatternEdits, OrderRowsByLengthTheLongestFirst) {
    EXPECT_THAT(drawn(*edited(picture({"x...", "xxx.", "....", "..xx"}), PatternEdit::RowsByLength, 1, {})),
                ElementsAre("xxx.", "..xx", "x...", "...."));
}

TEST(PatternEdits, OrderRowsByTheirColumnsSoThatEqualRowsStandTogetherEmptyOnesLast) {
    EXPECT_THAT(drawn(*edited(picture({"...x", "....", ".xx.", "x..x"}), PatternEdit::RowsByColumn, 1, {})),
                ElementsAre("x..x", ".xx.", "...x", "...."));
    EXPECT_THAT(drawn(*edited(picture({"x..x", "xx..", "x..x"}), PatternEdit::RowsByColumn, 1, {})),
                ElementsAre("xx..", "x..x", "x..x"));
}

TEST(PatternEdits, OrderRowsAndColumnsTowardsTheDiagonal) {
    // A path 0 - 3 - 1 - 4 - 2: in its own order it is tridiagonal.
    const CsrPattern path = picture({"x..x.", ".x.xx", "..x.x", "xx.x.", ".xx.x"});
    EXPECT_THAT(drawn(*edited(path, PatternEdit::BandedOrder, 1, {})),
                ElementsAre("xx...", "xxx..", ".xxx.", "..xxx", "...xx"));
    // One node stands alone, two others know each other in one direction only: all are kept.
    const CsrPattern apart = picture({"...", "..x", "..."});
    EXPECT_EQ(edited(apart, PatternEdit::BandedOrder, 1, {})->nnz(), 1);
}

TEST(PatternEdits, GatherEntriesOfTheEmptiestBlocksInTheFullest) {
    const CsrPattern blocks = picture({"xxx.", "x...", "....", "x..."});
    EXPECT_THAT(drawn(*edited(blocks, PatternEdit::GatheredBlocks, 1, {2, 2})),
                ElementsAre("xx..", "xx..", "....", "x..."))
        << "one entry fits, the next would not";
    EXPECT_EQ(edited(blocks, PatternEdit::GatheredBlocks, 0.5, {2, 2})->nnz(), blocks.nnz());
    EXPECT_EQ(drawn(*edited(blocks, PatternEdit::GatheredBlocks, 0.05, {2, 2})), drawn(blocks));
}

TEST(PatternEdits, AddEntriesNextToTheDiagonal) {
    EXPECT_THAT(drawn(*edited(picture({"x..x", "....", "..x.", "x..x"}), PatternEdit::DenserBand, 0.8, {})),
                ElementsAre("xx.x", ".x..", ".xx.", "x.xx"));
}

TEST(PatternEdits, ScatterEntriesOverTheirRows) {
    const CsrPattern band = *generate_matrix("banded", {{"size", 500}, {"lower", 3}, {"upper", 3}}, 1);
    const CsrPattern scattered = *edited(band, PatternEdit::ScatteredEntries, 0.4, {});
    EXPECT_GT(scattered.nnz(), 0.98 * static_cast<double>(band.nnz()));
    EXPECT_EQ(scattered.rows, band.rows);
    EXPECT_EQ(*edited(band, PatternEdit::ScatteredEntries, 0.4, {}), scattered) << "the same whenever asked";
}

TEST(PatternEdits, EvenTheRowsOut) {
    EXPECT_THAT(drawn(*edited(picture({"xxxx", "....", "xx..", "xx.."}), PatternEdit::EvenRows, 1, {})),
                ElementsAre("xx..", "..xx", "xx..", "xx.."));
    EXPECT_EQ(edited(picture({"xxxx", "...."}), PatternEdit::EvenRows, 0.5, {})->row_pointers[1], 3);
}

TEST(PatternEdits, RepeatTheMatrixAlongTheDiagonal) {
    EXPECT_THAT(drawn(*edited(picture({"xx", "x."}), PatternEdit::Repeated, 2, {})),
                ElementsAre("xx..", "x...", "..xx", "..x."));
    const auto large = edited(diagonal(1'000'000), PatternEdit::Repeated, 16, {});
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().fault, Fault::Limit);
}

TEST(PatternEdits, AreTriedByGrowingStrength) {
    for (const PatternEdit edit : all_pattern_edits) {
        EXPECT_TRUE(std::ranges::is_sorted(strengths(edit))) << name(edit);
        EXPECT_FALSE(name(edit).empty());
        EXPECT_FALSE(describe(edit, strengths(edit).front(), {2, 2}).empty());
    }
}

TEST(PatternEdits, RemoveEntriesFromTheEmptiestBlocksWhole) {
    const CsrPattern blocks = picture({"xxx.", "xx..", "....", "x..."});
    EXPECT_THAT(drawn(*edited(blocks, PatternEdit::EmptierBlocks, 0.34, {2, 2})),
                ElementsAre("xx..", "xx..", "....", "...."));
    EXPECT_THAT(drawn(*edited(blocks, PatternEdit::EmptierBlocks, 0.1, {2, 2})),
                ElementsAre("xx..", "xx..", "....", "x..."))
        << "a tenth of six entries is one, and the first block that holds one goes";
    EXPECT_EQ(edited(blocks, PatternEdit::EmptierBlocks, 0.05, {2, 2})->nnz(), 6)
        << "no block holds less than one";
}

TEST(PatternEdits, FillUpTheFullestBlocksUpToTheEdge) {
    EXPECT_THAT(drawn(*edited(picture({"x....", ".x..x", "....."}), PatternEdit::FullerBlocks, 0.5, {2, 2})),
                ElementsAre("xx...", "xx..x", "....."));
    EXPECT_THAT(drawn(*edited(picture({"....x", ".....", "....."}), PatternEdit::FullerBlocks, 1, {2, 2})),
                ElementsAre("....x", "....x", "....."));
}

// A diagonal in blocks of 64 × 64: each entry would become thousands.
TEST(PatternEdits, FillNoBlocksThatWouldMakeAnotherMatrixOfIt) {
    const CsrPattern scattered = diagonal(100'000);
    const auto filled = edited(scattered, PatternEdit::FullerBlocks, 1, {64, 64});
    ASSERT_FALSE(filled);
    EXPECT_EQ(filled.error().fault, Fault::Limit);
    EXPECT_TRUE(edited(scattered, PatternEdit::FullerBlocks, 1, {2, 2}));
}

TEST(PatternEdits, StopWhenTheyAreAskedTo) {
    std::stop_source source;
    source.request_stop();
    for (const PatternEdit edit : all_pattern_edits) {
        const auto changed = edited(picture({"x.", ".x"}), edit, 1, {2, 2}, source.get_token());
        ASSERT_FALSE(changed) << name(edit);
        EXPECT_EQ(changed.error().fault, Fault::Cancelled) << name(edit);
    }
}

TEST(PatternEdits, MoveEntriesTowardsTheDiagonal) {
    EXPECT_THAT(drawn(*edited(picture({"x...x", ".....", "x...x", ".....", "x...."}),
                              PatternEdit::NarrowerBand, 0.5, {})),
                ElementsAre("x.x..", ".....", ".x.x.", ".....", "..x.."));
    EXPECT_THAT(drawn(*edited(picture({"..x", "x..", "xx."}), PatternEdit::NarrowerBand, 1, {})),
                ElementsAre("x..", ".x.", "..x"));
}

TEST(PatternEdits, SayWhatTheyDo) {
    EXPECT_EQ(describe(PatternEdit::EmptierBlocks, 0.05, {4, 16}),
              "5 % of the entries, those in the emptiest blocks of 4 × 16, are removed");
    EXPECT_EQ(describe(PatternEdit::RowsByLength, 1, {}), "the rows are ordered by length");
}

/// Dense blocks of 8 columns lose on scattered entries for their zeros; full blocks have none.
class PatternChangeTest : public ::testing::Test {
protected:
    CsrPattern pattern = *generate_matrix("uniform", {{"rows", 2048}, {"cols", 2048}}, 1);
    MachineParameters machine = resolve_parameters(find_machine_preset("epyc-7543")->machine).values;
    SuperSchedule csr = canonical(fixed_csr(Operator::SpMV, 64));
    SuperSchedule blocked = *parse_schedule(Operator::SpMV, "1 8 i1 i0 k1 k0 1 1 0 1 i1 64 32");
};

TEST_F(PatternChangeTest, FindsTheLeastFillingThatMakesBlocksPay) {
    const auto changes = pattern_changes(pattern, machine, 1, csr, blocked)->winning;
    ASSERT_FALSE(changes.empty());
    const auto filled = std::ranges::find(changes, PatternEdit::FullerBlocks, &PatternChange::edit);
    ASSERT_NE(filled, changes.end());
    EXPECT_GT(filled->entries, pattern.nnz());
    const CsrPattern changed = *edited(pattern, PatternEdit::FullerBlocks, filled->strength, {1, 8});
    const ProfiledPattern profiled(changed);
    EXPECT_DOUBLE_EQ(simulate(machine, *profiled.profile(csr, 1)).total(), filled->from_ms);
    EXPECT_DOUBLE_EQ(simulate(machine, *profiled.profile(blocked, 1)).total(), filled->to_ms);
    for (const PatternChange& change : changes)
        EXPECT_LT(change.to_ms, 0.995 * change.from_ms)
            << describe(change.edit, change.strength, change.blocks);
    EXPECT_TRUE(std::ranges::is_sorted(changes, {}, &PatternChange::strength));
}

TEST_F(PatternChangeTest, LeavesBlocksAloneWhereNothingIsSplit) {
    SuperSchedule coarse = csr;
    coarse.chunk = 2048;
    const auto changes = *pattern_changes(pattern, machine, 1, csr, coarse);
    for (const auto* found : {&changes.winning, &changes.losing})
        for (const PatternChange& change : *found)
            EXPECT_FALSE(is_of_blocks(change.edit)) << name(change.edit);
}

// On its diagonal alone CSR wins for want of blocks, but that is another matrix: 65 diagonals are what blocks
// are good for.
TEST_F(PatternChangeTest, LeavesNoBandOfADiagonalOrOfFewerThanHalfTheEntries) {
    const CsrPattern band = *generate_matrix("banded", {{"size", 2048}, {"lower", 32}, {"upper", 32}}, 1);
    const CsrPattern narrowest = diagonal(2048);
    const ProfiledPattern of_diagonal(narrowest);
    ASSERT_LT(simulate(machine, *of_diagonal.profile(csr, 1)).total(),
              simulate(machine, *of_diagonal.profile(blocked, 1)).total());
    const auto changes = pattern_changes(band, machine, 1, blocked, csr)->winning;
    for (const PatternChange& change : changes) {
        EXPECT_GE(2 * change.entries, band.nnz()) << describe(change.edit, change.strength, change.blocks);
        EXPECT_FALSE(change.edit == PatternEdit::NarrowerBand && change.strength == 1);
    }
}

// Many copies give each of the threads a part; a few do not.
TEST_F(PatternChangeTest, SaysWhatWasTriedAndHowNearItCameWhereNothingWins) {
    SuperSchedule serial = csr;
    serial.chunk = 1 << 20;
    const auto search = *pattern_changes(pattern, machine, 1, csr, serial);
    ASSERT_TRUE(search.winning.empty()) << name(search.winning.front().edit);
    ASSERT_FALSE(search.losing.empty());
    EXPECT_TRUE(std::ranges::is_sorted(search.losing, {}, &PatternChange::ratio));
    const std::string text = pattern_change_text(search);
    EXPECT_THAT(text, ::testing::HasSubstr("No change of the pattern that was tried makes it win: "));
    EXPECT_THAT(text, ::testing::HasSubstr("reverse Cuthill-McKee"));
    EXPECT_THAT(text, ::testing::HasSubstr("times as long as the other side (simulated "));
}

TEST_F(PatternChangeTest, StopsWhenItIsAskedTo) {
    const std::stop_source source;
    source.request_stop();
    const auto changes = pattern_changes(pattern, machine, 1, csr, blocked, source.get_token());
    ASSERT_FALSE(changes);
    EXPECT_EQ(changes.error().fault, Fault::Cancelled);
}

TEST(PatternVerification, PassesOverWhatDoesNotFitIntoMemory) {
    PatternSearch search;
    search.winning.push_back({.edit = PatternEdit::RowsByLength, .strength = 1, .blocks = {}});
    KernelCompiler compiler = *KernelCompiler::make();
    Team team(1);
    const SuperSchedule csr = canonical(fixed_csr(Operator::SpMM, 1));
    const auto verified = verify_pattern_changes(search, picture({"x.", "xx"}), csr, csr, compiler, team,
                                                 {.dense = std::int64_t{1} << 50});
    EXPECT_TRUE(verified) << "what was found without it is told";
    EXPECT_FALSE(search.winning.front().lead);
}

} // namespace
} // namespace sparsight
