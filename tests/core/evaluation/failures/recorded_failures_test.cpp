#include "domains/sparse/explanation/failures/decision_effects.h"
#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/explanation/failures/recorded_failures.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "support/test_files.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

class RecordedFailures : public ::testing::Test {
protected:
    ~RecordedFailures() override { std::filesystem::remove(file_); }

    Result<RecordedChoices> read(const std::string& text) {
        std::ofstream(file_) << text;
        return read_recorded_choices(file_);
    }
    /// What is wrong with it, behind the name of the file.
    std::string defect(const std::string& text) {
        const auto choices = read(text);
        EXPECT_FALSE(choices.has_value());
        if (choices)
            return "";
        EXPECT_EQ(choices.error().file, file_.string());
        return choices.error().text().substr(file_.string().size());
    }

    static constexpr const char* header = "matrix,waco_schedule,waco_ms,fixedcsr_ms\n";
    static constexpr const char* schedule = "16 4 64 i1 k1 k0 j1 i0 j0 0 0 0 1 i1 48 32";
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() / fmt::format("sparsight-recorded-{}.csv", getpid());
};

TEST_F(RecordedFailures, ReadsAChoiceALineWithItsNumber) {
    const auto choices = read(fmt::format("{}\na,{},0.5,0.4\nb,{},1,2\n", header, schedule, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    ASSERT_EQ(choices->choices.size(), 2);
    EXPECT_EQ(choices->choices[0].matrix, "a");
    EXPECT_EQ(choices->choices[0].chosen_ms, 0.5);
    EXPECT_EQ(choices->choices[0].fixed_csr_ms, 0.4);
    EXPECT_EQ(choices->choices[0].line, 3);
}

TEST_F(RecordedFailures, LeavesOutTimesThatNobodyMeasured) {
    const auto choices =
        read(fmt::format("{}a,{},3e-05,4\nb,{},inf,2\nc,{},1,2\n", header, schedule, schedule, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    EXPECT_EQ(choices->choices.size(), 1);
    EXPECT_EQ(choices->left_out, 2);
}

TEST_F(RecordedFailures, ErrorsNameFileLineAndWhatWasExpected) {
    EXPECT_THAT(defect(""),
                HasSubstr("empty: expected a first line matrix,waco_schedule,waco_ms,fixedcsr_ms"));
    EXPECT_THAT(defect("matrix,schedule,ms\n"), HasSubstr(":1: there is no column waco_schedule: expected"));
    EXPECT_THAT(defect(fmt::format("{}a,16 4,1,2\n", header)), HasSubstr(":2: "));
    EXPECT_THAT(defect(fmt::format("{}a,{},fast,2\n", header, schedule)), HasSubstr(":2: "));
    EXPECT_THAT(defect(fmt::format("{0}a,{1},1,2\na,{1},1,2\n", header, schedule)),
                HasSubstr(":3: a stands in line 2 already: expected each matrix once"));
}

TEST_F(RecordedFailures, WithoutAPatternTheFamilyIsThatOfTheSizes) {
    auto choices = read(fmt::format("{0}a,{1},3,2\nb,{1},3,2\n", header, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    choices->choices[0].rows = 1000;
    choices->choices[0].cols = 100;
    choices->choices[0].nnz = 3000;
    const auto cases = find_failures(*choices, "waco").cases;
    ASSERT_EQ(cases.size(), 2);
    EXPECT_EQ(cases[0].family, workload_family(PatternFamily::TallBySizes));
    EXPECT_EQ(cases[1].family, workload_family(PatternFamily::Unknown));
}

TEST_F(RecordedFailures, AFailureIsALossBeyondTheNoiseThatIsAssumed) {
    const auto choices = read(
        fmt::format("{0}won,{1},1,2\nnoise,{1},1.03,1\nlost,{1},3,2\nworse,{1},30,20\n", header, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    PatternStatistics banded;
    banded.rows = banded.cols = banded.nnz = 10;
    banded.occupied_diagonals = 1;
    const auto cases = find_failures(*choices, "waco", {{"lost", banded}}).cases;
    ASSERT_EQ(cases.size(), 2);
    EXPECT_EQ(cases[0].workload, "worse");
    EXPECT_EQ(cases[0].family, workload_family(PatternFamily::Unknown));
    EXPECT_EQ(cases[1].workload, "lost");
    EXPECT_EQ(cases[1].family, workload_family(PatternFamily::Banded));
    EXPECT_EQ(cases[1].line, 4);
    EXPECT_EQ(cases[1].model_name, "waco");
    EXPECT_DOUBLE_EQ(cases[1].main().lost_ms(), 1);
}

TEST_F(RecordedFailures, WhatComesDownToFixedCsrItselfIsNoCaseButCounted) {
    // All 20 rows are one chunk of 64 as they are one of 32.
    // So is a split of j whose parts stand side by side, on any matrix.
    const auto choices = read(fmt::format("{0}few,{1},3,2\nmany,{1},4,3\nunknown,{1},5,4\nbeside,{2},6,5\n",
                                          header, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 64",
                                          "1 1 64 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32"));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    PatternStatistics few;
    few.rows = few.cols = 20;
    few.nnz = 50;
    PatternStatistics many = few;
    many.rows = many.cols = 1000;
    const auto found = find_failures(*choices, "waco", {{"few", few}, {"many", many}});
    EXPECT_EQ(found.one_program, 2) << "noise alone tells those times apart";
    ASSERT_EQ(found.cases.size(), 2);
    EXPECT_EQ(found.cases[0].workload, "many");
    EXPECT_EQ(found.cases[1].workload, "unknown") << "its size is not known";
}

TEST(SeenLoss, IsOneThatIsNeitherFourTimesAsLargeNorAsSmallAsItWas) {
    EXPECT_TRUE(sees_loss(1.5, 1.5));
    EXPECT_TRUE(sees_loss(2.9, 1.5));
    EXPECT_FALSE(sees_loss(3.1, 1.5)) << "a blame far above what was lost explains something else";
    EXPECT_TRUE(sees_loss(1.15, 1.5));
    EXPECT_FALSE(sees_loss(1.1, 1.5));
    EXPECT_FALSE(sees_loss(1.001, 1.001)) << "it takes both for equally fast";
    EXPECT_FALSE(sees_loss(0.8, 1.5)) << "it takes the other one for the slower one";
}

TEST(SeenLoss, MayBeAnyThatItsNoiseAllows) {
    FailureSign sign{.chosen = {.configuration = "", .milliseconds = 1.5},
                     .against = {.configuration = "", .milliseconds = 1}};
    EXPECT_FALSE(sees_loss(1.1, sign)) << "a fifth of a loss without any noise that is known";
    sign.chosen.spread_ms = sign.against.spread_ms = 0.1;
    EXPECT_TRUE(sees_loss(1.1, sign)) << "it may be 27 % in truth";
    EXPECT_FALSE(sees_loss(1.05, sign)) << "but not four times as little";
    EXPECT_TRUE(sees_loss(3.1, sign)) << "it may be 78 % in truth";
    EXPECT_FALSE(sees_loss(0.8, sign)) << "on the other side is no loss";
    EXPECT_FALSE(sees_loss(1.001, sign));
    sign.chosen.is_at_least = true;
    EXPECT_TRUE(sees_loss(50, sign)) << "a time that was cut off has no upper end";
}

TEST(SeenLoss, GoesByTheTurnsOfBothTimesWhereThereAreSome) {
    FailureSign sign{
        .chosen = {.configuration = "", .milliseconds = 1.5, .turn_ratios = {1.5, 1.5, 1.5, 1.5, 1.5}},
        .against = {.configuration = "", .milliseconds = 1, .turn_ratios = {1, 1, 1, 1, 1}}};
    sign.chosen.spread_ms = sign.against.spread_ms = 0.1;
    EXPECT_FALSE(sees_loss(1.1, sign)) << "what moves both times moves no turn's ratio";
    sign.chosen.turn_ratios = {1.3, 1.4, 1.5, 1.6, 1.7};
    EXPECT_TRUE(sees_loss(1.1, sign));
}

std::optional<Disagreement> contradiction(double against_ms, double other_ms, double spread_ms,
                                          double simulated_factor) {
    return disagreement_beyond_noise({.milliseconds = against_ms, .spread_ms = spread_ms},
                                     {.milliseconds = other_ms, .spread_ms = spread_ms}, simulated_factor);
}

TEST(Disagreement, IsThatOfTheSideOrOfTheSizeBeyondTheNoiseOfTheTimes) {
    const auto side = contradiction(2, 1, 0.05, 1.2);
    ASSERT_TRUE(side) << "measured twice as fast, simulated slower";
    EXPECT_EQ(*side, (Disagreement{0.5, 1.2}));
    EXPECT_TRUE(contradiction(1, 1.5, 0.05, 0.9));
    EXPECT_TRUE(contradiction(2, 1, 0.05, 1.0)) << "simulated as equally fast";
    EXPECT_FALSE(contradiction(2, 1, 0.05, 0.6));
    EXPECT_TRUE(contradiction(2, 1, 0.05, 0.9)) << "a ninth of the gain is another gain";
    EXPECT_TRUE(contradiction(1, 1.1, 0.01, 2)) << "ten times the loss is another loss";
}

TEST(Disagreement, IsNoneThatNoiseExplains) {
    EXPECT_TRUE(contradiction(1, 0.97, 0.001, 1.1));
    EXPECT_FALSE(contradiction(1, 0.97, 0.1, 1.1)) << "it may be slower in truth";
    EXPECT_FALSE(contradiction(1, 1, 0, 1.004)) << "both say that they are equally fast";
    EXPECT_TRUE(contradiction(1, 1, 0.02, 1.5)) << "no noise makes half as long again of it";
}

TEST(Disagreement, OfASignGoesByItsTurnsOrElseByItsSpreads) {
    FailureSign sign{.chosen = {.configuration = "", .milliseconds = 1.05},
                     .against = {.configuration = "", .milliseconds = 1}};
    EXPECT_EQ(disagreement_beyond_noise(sign, 0.97), (Disagreement{1.05, 0.97}));
    sign.chosen.spread_ms = sign.against.spread_ms = 0.05;
    EXPECT_FALSE(disagreement_beyond_noise(sign, 0.97)) << "noise alone may have made this loss";
    sign.chosen.turn_ratios = {1.05, 1.05, 1.05, 1.05, 1.05};
    sign.against.turn_ratios = {1, 1, 1, 1, 1};
    EXPECT_TRUE(disagreement_beyond_noise(sign, 0.97)) << "the turns know better";
}

TEST(Disagreement, KnowsNoUpperEndOfATimeThatWasCutOff) {
    const ClockTime baseline{.milliseconds = 1};
    EXPECT_FALSE(disagreement_beyond_noise(baseline, {.milliseconds = 10, .is_at_least = true}, 500));
    EXPECT_TRUE(disagreement_beyond_noise(baseline, {.milliseconds = 10, .is_at_least = true}, 0.5));
    EXPECT_FALSE(disagreement_beyond_noise(baseline, {.milliseconds = {}}, 0.5)) << "nothing is known";
}

TEST(OriginalWaco, ItsRecordedFailuresCanBeRead) {
    const char* const table = "waco/collected-32-threads/best_vs_csr.csv";
    SPARSIGHT_NEEDS_SHARED(table);
    const auto choices = read_recorded_choices(testing::shared_path(table));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    EXPECT_EQ(choices->choices.size() + static_cast<std::size_t>(choices->left_out), 1793);
    const auto cases = find_failures(*choices, "waco").cases;
    EXPECT_GT(cases.size(), 200);
    EXPECT_LT(cases.size(), 350);
}

using ::testing::IsEmpty;

class RecordedSizes : public ::testing::Test {
protected:
    RecordedSizes() { std::filesystem::create_directory(folder_); }
    ~RecordedSizes() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] Result<SizesByMatrix> beside(const std::string& text) const {
        std::ofstream(folder_ / "matrices.csv") << text;
        return read_sizes_beside(folder_ / "table.csv");
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("sparsight-sizes-{}", getpid());
};

TEST_F(RecordedSizes, AreThoseOfTheTableBeside) {
    const auto sizes =
        beside("nnz,matrix,schedules,rows,cols\n4054,1138_bus,87,1138,1139\n\n0,lp_afiro_lo,1,51,1\n");
    ASSERT_TRUE(sizes.has_value()) << sizes.error().text();
    ASSERT_EQ(sizes->size(), 2);
    EXPECT_EQ(sizes->at("lp_afiro_lo").nnz, 0);
    EXPECT_EQ(sizes->at("1138_bus").rows, 1138);
    EXPECT_EQ(sizes->at("1138_bus").cols, 1139);
    EXPECT_EQ(sizes->at("1138_bus").nnz, 4054);
}

TEST_F(RecordedSizes, AreUnknownWithoutSuchATable) {
    EXPECT_THAT(read_sizes_beside(folder_ / "table.csv").value(), IsEmpty());
    EXPECT_THAT(beside("name,size\nweb,3\n").value(), IsEmpty());
}

TEST_F(RecordedSizes, ErrorsNameFileAndLine) {
    const auto sizes = beside("matrix,rows,cols,nnz\na,1,1,1\nb,many,1,1\n");
    ASSERT_FALSE(sizes.has_value());
    EXPECT_THAT(sizes.error().text(), HasSubstr("matrices.csv:3: "));
}

TEST(FamilyBySizes, IsToldFromDensityShapeAndEntriesARow) {
    EXPECT_EQ(family_by_sizes({0, 0, 0}), PatternFamily::Unknown);
    EXPECT_EQ(family_by_sizes({100, 100, 1000}), PatternFamily::DenseBySizes);
    EXPECT_EQ(family_by_sizes({2000, 1000, 6000}), PatternFamily::TallBySizes);
    EXPECT_EQ(family_by_sizes({1000, 2000, 6000}), PatternFamily::WideBySizes);
    EXPECT_EQ(family_by_sizes({1000, 1000, 3999}), PatternFamily::FewBySizes);
    EXPECT_EQ(family_by_sizes({1000, 1000, 4000}), PatternFamily::ModerateBySizes);
    EXPECT_EQ(family_by_sizes({1000, 1000, 32000}), PatternFamily::ManyBySizes);
}

const Decision chunk_decision = decision_of({DecisionKind::Chunk, {Index::I, Part::Outer}}, Operator::SpMM);

/// Fixed CSR but for its chunk, and for a split of j that does nothing.
RecordedChoice choice(int chunk_size, bool split_j, double chosen_ms, std::int64_t line) {
    RecordedChoice made{.matrix = fmt::format("m{}", line),
                        .schedule = fixed_csr(Operator::SpMM, 48),
                        .chosen_ms = chosen_ms,
                        .fixed_csr_ms = 1,
                        .line = line};
    made.schedule.chunk = chunk_size;
    made.schedule.splits[static_cast<std::size_t>(Index::J)] = split_j ? 64 : 1;
    return made;
}

/// A chunk of 4096 takes three times as long, whatever else is decided.
RecordedChoices table() {
    RecordedChoices recorded;
    for (int n = 0; n < 100; ++n) {
        const bool is_bad = n % 2 == 0;
        recorded.choices.push_back(choice(is_bad ? 4096 : 16, n % 3 == 0, is_bad ? 3 : 1, n + 2));
    }
    return recorded;
}

TEST(Ridge, FindsEffectsThatAddUp) {
    std::vector<std::vector<std::size_t>> rows;
    std::vector<double> values;
    for (std::size_t n = 0; n < 400; ++n) {
        std::vector<std::size_t> row;
        if (n % 2 == 0)
            row.push_back(0);
        if (n % 3 == 0)
            row.push_back(1);
        values.push_back(5 + (n % 2 == 0 ? 2 : 0) - (n % 3 == 0 ? 1 : 0));
        rows.push_back(row);
    }
    const IndicatorFit fit = fit_indicators(rows, values, 2, 1e-6);
    EXPECT_NEAR(fit.level, 5, 1e-6);
    EXPECT_NEAR(fit.effects[0], 2, 1e-6);
    EXPECT_NEAR(fit.effects[1], -1, 1e-6);
    EXPECT_NEAR(fit.explained, 1, 1e-9);
    EXPECT_LT(fit.errors[0], 1e-3);
}

TEST(Ridge, AnErrorIsThatOfAMeanWhereOneIndicatorIsThereOrNot) {
    std::vector<std::vector<std::size_t>> rows;
    std::vector<double> values;
    for (std::size_t n = 0; n < 400; ++n) { // ±1 about 0 without, about 3 with it
        rows.push_back(n < 200 ? std::vector<std::size_t>{} : std::vector<std::size_t>{0});
        values.push_back((n < 200 ? 0 : 3) + (n % 2 == 0 ? 1 : -1));
    }
    const IndicatorFit fit = fit_indicators(rows, values, 1, 1e-6);
    EXPECT_NEAR(fit.effects[0], 3, 1e-6);
    EXPECT_NEAR(fit.errors[0], std::sqrt(1.0 / 200 + 1.0 / 200), 1e-3);
}

TEST(Ridge, OfNoMoreRowsThanUnknownsNoErrorIsKnown) {
    const std::vector<std::vector<std::size_t>> rows{{0}, {}};
    const std::vector<double> values{1, 0};
    EXPECT_TRUE(std::isinf(fit_indicators(rows, values, 1, 1).errors[0]));
}

TEST(Ridge, WhatWasSeenSeldomIsShrunkToNothing) {
    std::vector<std::vector<std::size_t>> rows(100);
    std::vector<double> values(100, 0.0);
    rows[0] = {0};
    values[0] = 10;
    EXPECT_LT(fit_indicators(rows, values, 1, 10).effects[0], 1);
}

TEST(DecisionEffects, TheDecisionThatGoesAlongWithLosingIsBlamed) {
    const RecordedChoices recorded = table();
    const DecisionEffects effects = DecisionEffects::fit(recorded.choices);
    EXPECT_GT(effects.explained(), 0.9);
    EXPECT_GT(effects.factor(chunk_decision, "4096"), 1.3);
    EXPECT_LT(effects.factor(chunk_decision, "16"), 1);
    EXPECT_EQ(effects.factor(chunk_decision, "7"), 1);
    const auto diagnosis = effects.diagnosis(recorded.choices[0]);
    ASSERT_TRUE(diagnosis.has_value());
    EXPECT_EQ(diagnosis->basis, DiagnosisBasis::Statistics);
    EXPECT_EQ(diagnosis->top().decision, chunk_decision);
    EXPECT_EQ(diagnosis->top().before, "32");
    EXPECT_EQ(diagnosis->top().after, "4096");
    EXPECT_FALSE(diagnosis->term);
}

TEST(DecisionEffects, ADiagnosisSharesOutTheWholeLoss) {
    const RecordedChoices recorded = table();
    const auto diagnosis = DecisionEffects::fit(recorded.choices).diagnosis(recorded.choices[0]);
    ASSERT_TRUE(diagnosis.has_value());
    double lost = 0;
    double factor = 1;
    for (const BlamedDecision& blamed : diagnosis->decisions) {
        lost += blamed.milliseconds;
        factor *= blamed.factor;
    }
    EXPECT_NEAR(lost, 2, 1e-12);
    EXPECT_NEAR(factor, 3, 1e-12);
}

TEST(DecisionEffects, WhatMayBeChanceIsBlamedForNothing) {
    RecordedChoices recorded; // a chunk of 4096 loses as often as it wins, and so does one of 16
    for (int n = 0; n < 40; ++n)
        recorded.choices.push_back(
            choice(n % 2 == 0 ? 4096 : 16, false, n % 4 < 2 ? 2 + n % 2 * 0.1 : 0.5, n + 2));
    auto cases = find_failures(recorded, "waco").cases;
    ASSERT_EQ(cases.size(), 20);
    diagnose_by_table(recorded, cases);
    for (const FailureCase& failure : cases) {
        EXPECT_FALSE(failure.diagnosis);
        EXPECT_EQ(failure.undiagnosed, "none of its decisions goes along with losing beyond chance");
    }
}

TEST(DecisionEffects, ABlamedDecisionHasAnErrorAndOneThatCostsNothingIsLeftOut) {
    const RecordedChoices recorded = table();
    const auto diagnosis = DecisionEffects::fit(recorded.choices).diagnosis(recorded.choices[0]);
    ASSERT_TRUE(diagnosis.has_value());
    EXPECT_TRUE(diagnosis->top().is_significant);
    for (const BlamedDecision& blamed : diagnosis->decisions) {
        EXPECT_GT(blamed.milliseconds, 0);
        ASSERT_TRUE(blamed.error_ms);
        EXPECT_EQ(blamed.is_significant, blamed.milliseconds > 2 * *blamed.error_ms);
    }
}

TEST(DecisionEffects, CasesThatAreSimulatedKeepTheirDiagnosis) {
    const RecordedChoices recorded = table();
    auto cases = find_failures(recorded, "waco").cases;
    ASSERT_EQ(cases.size(), 50);
    cases[0].diagnosis = FailureDiagnosis{.basis = DiagnosisBasis::Simulated,
                                          .decisions = {{chunk_decision, "32", "4096", 1, 3}}};
    diagnose_by_table(recorded, cases);
    EXPECT_EQ(cases[0].diagnosis->basis, DiagnosisBasis::Simulated);
    EXPECT_EQ(cases[1].diagnosis->basis, DiagnosisBasis::Statistics);
}

} // namespace
} // namespace sparsight
