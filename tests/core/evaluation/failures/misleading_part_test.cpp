#include "core/evaluation/failures/invented_evaluation.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

/// A pair whose choice takes `known` times as long, and is simulated and expected to take so many times as
/// long.
std::optional<MisleadingPart> part(double known, double simulated, double corrected) {
    const PredictedTime against{.score = 0, .simulated_ms = 2};
    const PredictedTime chosen{.score = std::log(corrected), .simulated_ms = 2 * simulated};
    return misleading_part(chosen, against, known);
}

TEST(MisleadingPart, IsTheCorrectionWhereTheSimulatorHasTheOrderRight) {
    EXPECT_EQ(part(1.5, 1.2, 0.9)->by(), MisledBy::Correction);
    EXPECT_EQ(
        misled_sentence(*part(1.5, 1.2, 0.9), "gray"),
        "The correction misled gray: the simulator says 1.20×, and the correction turned that into 0.900× "
        "(known: 1.50×).");
}

TEST(MisleadingPart, IsTheSimulatorWhereTheCorrectionMendedAPartOfIt) {
    const MisleadingPart half = *part(2.0, 0.5, 1.0);
    EXPECT_EQ(half.by(), MisledBy::Simulator);
    EXPECT_DOUBLE_EQ(*half.mended(), 0.5);
    EXPECT_EQ(misled_sentence(half, "gray"),
              "The simulator misled gray: it says 0.500× instead of 2.00×. The "
              "correction mended 50.0 % of that, to 1.00×.");
}

TEST(MisleadingPart, IsBothWhereTheCorrectionMendedNothing) {
    EXPECT_EQ(part(1.5, 0.8, 0.8)->by(), MisledBy::Both);
    EXPECT_EQ(part(1.5, 0.8, 0.7)->by(), MisledBy::Both);
    EXPECT_LT(*part(1.5, 0.8, 0.7)->mended(), 0);
}

TEST(MisleadingPart, IsNeitherWhereTheModelKnewBetter) {
    EXPECT_EQ(part(1.5, 0.8, 1.1)->by(), MisledBy::Neither);
    EXPECT_EQ(part(1.5, 1.5, 1.5)->mended(), std::nullopt) << "there was nothing to mend";
}

TEST(MisleadingPart, IsOfSlowerChoicesThatCanRun) {
    EXPECT_FALSE(part(1.0, 0.8, 0.8));
    EXPECT_FALSE(misleading_part({.score = 0}, {.score = 0, .simulated_ms = 1}, 1.5));
}

TEST(MisleadingPart, NamesTheParameterThatTheCorrectionChangesMost) {
    PredictedTime against{.score = 0, .simulated_ms = 1};
    PredictedTime chosen = against;
    against.corrections = {{"chunk_us", 0.1}, {"clock_ghz", 0.2}, {"learned", 0}};
    chosen.corrections = {{"chunk_us", 0.4}, {"clock_ghz", 0.15}, {"learned", -2}};
    const auto found = misleading_part(chosen, against, 1.5);
    EXPECT_THAT(misled_sentence(*found, "gray"),
                HasSubstr("The correction changes most by chunk_us: 1.35×."));
    EXPECT_EQ(found->distrusted, "chunk_us");
    EXPECT_NEAR(found->distrusted_factor, std::exp(0.3), 1e-12);
    EXPECT_FALSE(misleading_part(chosen, chosen, 1.5)->distrusted);
}

TEST(MisleadingPart, IsToldWithItsCase) {
    auto cases = find_failures(testing::invented_evaluation({testing::invented_matrix("a", 1, {{2}})}), {});
    ASSERT_EQ(cases.size(), 1);
    const DomainWords words = sparse_words();
    EXPECT_FALSE(failure_case_json(cases[0], words).contains("misled"));
    EXPECT_EQ(reasons_text(cases[0], words), "");
    cases[0].misleading = part(2, 0.5, 1);
    const auto told = failure_case_json(cases[0], words)["misled"];
    EXPECT_EQ(told["by"], "simulator");
    EXPECT_EQ(told["mended"], 0.5);
    EXPECT_EQ(told["distrusted"], nullptr);
    EXPECT_THAT(reasons_text(cases[0], words), HasSubstr("The simulator misled first"));
}

} // namespace
} // namespace sparsight
