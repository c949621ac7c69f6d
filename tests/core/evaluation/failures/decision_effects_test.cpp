#include "evaluation/failures/decision_effects.h"

#include "evaluation/failures/ridge.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

constexpr Decision chunk{DecisionKind::Chunk, {Index::I, Part::Outer}};

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
    EXPECT_GT(effects.factor(chunk, "4096"), 1.3);
    EXPECT_LT(effects.factor(chunk, "16"), 1);
    EXPECT_EQ(effects.factor(chunk, "7"), 1);
    const auto diagnosis = effects.diagnosis(recorded.choices[0]);
    ASSERT_TRUE(diagnosis.has_value());
    EXPECT_EQ(diagnosis->basis, DiagnosisBasis::Statistics);
    EXPECT_EQ(diagnosis->top().decision, chunk);
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
    cases[0].diagnosis =
        FailureDiagnosis{.basis = DiagnosisBasis::Simulated, .decisions = {{chunk, "32", "4096", 1, 3}}};
    diagnose_by_table(recorded, cases);
    EXPECT_EQ(cases[0].diagnosis->basis, DiagnosisBasis::Simulated);
    EXPECT_EQ(cases[1].diagnosis->basis, DiagnosisBasis::Statistics);
}

} // namespace
} // namespace sparsight
