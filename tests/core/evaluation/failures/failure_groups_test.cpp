#include "evaluation/failures/failure_groups.h"

#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/sparse_domain.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

const Decision chunk = decision_of({DecisionKind::Chunk, {Index::I, Part::Outer}}, Operator::SpMM);
const Decision format_k1 = decision_of({DecisionKind::LevelFormat, {Index::K, Part::Outer}}, Operator::SpMM);
const Decision split_k = decision_of({DecisionKind::Split, {Index::K, Part::Outer}}, Operator::SpMM);
const Decision order = decision_of({DecisionKind::LevelOrder, {Index::I, Part::Outer}}, Operator::SpMM);

const TimeCause& cause_of(TimeTerm term) {
    return time_causes()[static_cast<std::size_t>(term)];
}

FailureCase failing(const std::string& matrix, double lost_ms, PatternFamily family) {
    FailureCase failure{.model_name = "first",
                        .workload = matrix,
                        .signs = {FailureSign{}},
                        .family = workload_family(family)};
    failure.signs[0].chosen.milliseconds = 1 + lost_ms;
    failure.signs[0].against.milliseconds = 1;
    return failure;
}

FailureCase blamed(const std::string& matrix, const Decision& decision, TimeTerm term, double lost_ms = 1,
                   PatternFamily family = PatternFamily::Banded, const std::string& after = "bad") {
    FailureCase failure = failing(matrix, lost_ms, family);
    failure.diagnosis =
        FailureDiagnosis{.decisions = {{decision, "good", after, lost_ms, 2}}, .term = cause_of(term)};
    return failure;
}

const DomainWords& words = sparse_words();

TEST(FailureGroups, WhatWasPlantedByOneDecisionIsOneGroup) {
    std::vector<FailureCase> cases;
    for (int n = 0; n < 10; ++n) {
        const auto family = n % 2 == 0 ? PatternFamily::Banded : PatternFamily::PowerLaw;
        cases.push_back(blamed(fmt::format("a{}", n), format_k1,
                               n < 4 ? TimeTerm::FillIn : TimeTerm::MemoryTraffic, 3, family));
        cases.push_back(blamed(fmt::format("b{}", n), chunk, TimeTerm::Imbalance, 2, family));
        cases.push_back(blamed(fmt::format("c{}", n), split_k, TimeTerm::Compute, 1, family));
    }
    const auto groups = group_failures(cases);
    ASSERT_THAT(groups, SizeIs(3));
    EXPECT_EQ(groups[0].decision, format_k1);
    EXPECT_EQ(groups[1].decision, chunk);
    EXPECT_EQ(groups[2].decision, split_k);
    for (const FailureGroup& group : groups)
        EXPECT_EQ(group.cases.size(), 10);
    EXPECT_EQ(groups[0].term, cause_of(TimeTerm::MemoryTraffic));
    EXPECT_DOUBLE_EQ(groups[0].lost_ms, 30);
}

TEST(FailureGroups, AChunkThatIsTooLargeAndOneThatIsTooSmallAreTwoGroups) {
    std::vector<FailureCase> cases;
    for (int n = 0; n < 3; ++n) {
        cases.push_back(blamed(fmt::format("large{}", n), chunk, TimeTerm::Imbalance, 2));
        cases.push_back(blamed(fmt::format("small{}", n), chunk, TimeTerm::Chunks, 1));
    }
    const auto groups = group_failures(cases);
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[0].term, cause_of(TimeTerm::Imbalance));
    EXPECT_EQ(groups[1].term, cause_of(TimeTerm::Chunks));
}

TEST(FailureGroups, ALargeGroupIsToldApartByFamily) {
    std::vector<FailureCase> cases;
    for (int n = 0; n < 8; ++n) {
        cases.push_back(
            blamed(fmt::format("a{}", n), chunk, TimeTerm::Imbalance, 2, PatternFamily::PowerLaw));
        cases.push_back(blamed(fmt::format("b{}", n), chunk, TimeTerm::Imbalance, 1, PatternFamily::Banded));
    }
    const auto groups = group_failures(cases);
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[0].dominant_family(), workload_family(PatternFamily::PowerLaw));
    EXPECT_EQ(groups[1].dominant_family(), workload_family(PatternFamily::Banded));
}

TEST(FailureGroups, WhatTheSimulatorDoesNotSeeIsToldByFamily) {
    FailureCase unseen = blamed("unseen", chunk, TimeTerm::Imbalance);
    unseen.diagnosis->simulation_agrees = false;
    unseen.diagnosis->simulated_factor = 0.8;
    FailureCase unknown = failing("unknown", 5, PatternFamily::Unknown);
    unknown.undiagnosed = "there is no pattern";
    const auto groups = group_failures(std::vector{unseen, unknown});
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[0].ground, FailureGroupGround::NoDiagnosis);
    EXPECT_THAT(group_sentence(groups[0], words), HasSubstr("not diagnosed: there is no pattern"));
    EXPECT_EQ(groups[1].ground, FailureGroupGround::SimulationDisagrees);
    EXPECT_FALSE(groups[1].decision);
    EXPECT_THAT(group_sentence(groups[1], words), HasSubstr("takes it for 20 % faster"));
}

// What a decision costs is within the doubt: to name it would be to make up a cause.
TEST(FailureGroups, AnEffectWithinTheDoubtIsNoCause) {
    FailureCase doubtful = blamed("doubtful", chunk, TimeTerm::Imbalance);
    doubtful.diagnosis->decisions[0].is_significant = false;
    const auto groups = group_failures(std::vector{doubtful});
    ASSERT_THAT(groups, SizeIs(1));
    EXPECT_FALSE(groups[0].decision);
}

TEST(FailureGroups, ThereAreNoMoreThanAPersonReads) {
    std::vector<FailureCase> cases;
    for (int n = 0; n < 20; ++n)
        cases.push_back(
            blamed(fmt::format("m{}", n),
                   decision_of({DecisionKind::LevelFormat, {n % 2 == 0 ? Index::I : Index::K, Part::Inner}},
                               Operator::SpMM),
                   n % 3 == 0 ? TimeTerm::FillIn : TimeTerm::Chunks, n + 1.0));
    cases.push_back(blamed("o", order, TimeTerm::Latency, 0.1));
    const auto groups = group_failures(cases, {.most_groups = 2});
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[1].ground, FailureGroupGround::Rest);
    std::multiset<std::size_t> told;
    for (const FailureGroup& group : groups)
        told.insert(group.cases.begin(), group.cases.end());
    EXPECT_THAT(told, SizeIs(cases.size()));
    EXPECT_THAT(std::set(told.begin(), told.end()), SizeIs(cases.size()));
}

TEST(FailureGroups, TheGreatestLossOfAGroupComesFirst) {
    const auto groups = group_failures(std::vector{blamed("a", chunk, TimeTerm::Imbalance, 1),
                                                   blamed("b", chunk, TimeTerm::Imbalance, 3),
                                                   blamed("c", chunk, TimeTerm::Imbalance, 2)});
    ASSERT_THAT(groups, SizeIs(1));
    EXPECT_THAT(groups[0].cases, ElementsAre(1, 2, 0));
    EXPECT_EQ(groups[0].workloads, 3);
    EXPECT_NEAR(groups[0].lost_share, std::cbrt(2.0 * 4 * 3) - 1, 1e-12);
}

TEST(FailureGroups, TellTheLossOfThoseThatAreHeldAgainstTheSame) {
    std::vector cases{blamed("a", chunk, TimeTerm::Imbalance, 1), blamed("b", chunk, TimeTerm::Imbalance, 1),
                      blamed("c", chunk, TimeTerm::Imbalance, 8)};
    cases[2].signs[0].held_against = FailureAgainst::BestKnown;
    const auto groups = group_failures(cases);
    ASSERT_THAT(groups, SizeIs(1));
    EXPECT_EQ(groups[0].held_against, 2);
    EXPECT_NEAR(groups[0].lost_share, cases[0].signs[0].lost_share(), 1e-12);
    EXPECT_THAT(group_sentence(groups[0], words), HasSubstr("% slower than fixed CSR in 2 of 3 cases"));
}

TEST(FailureGroups, ASentenceSaysDecisionLossAndReason) {
    auto groups = group_failures(
        std::vector{blamed("a", format_k1, TimeTerm::FillIn, 1, PatternFamily::Banded, "uncompressed"),
                    blamed("b", format_k1, TimeTerm::FillIn, 1, PatternFamily::Banded, "uncompressed")});
    ASSERT_THAT(groups, SizeIs(1));
    EXPECT_EQ(group_sentence(groups[0], words), "2 matrices, banded: format of k1 uncompressed instead of "
                                                "good makes the chosen schedule 100 % slower "
                                                "than fixed CSR, by work on explicit zeros");
    groups[0].basis = DiagnosisBasis::Statistics;
    EXPECT_THAT(group_sentence(groups[0], words), HasSubstr("goes along with being 100 % slower"));
}

TEST(FailureGroups, ASimulatedDifferenceAboveTheLossIsRemarkedOn) {
    FailureCase failure = blamed("a", chunk, TimeTerm::Imbalance, 1);
    const auto sentence = [&] { return group_sentence(group_failures(std::vector{failure}).at(0), words); };
    const char* const remark = "; the simulated difference of 1.5 ms exceeds the measured one of 1 ms";
    EXPECT_THAT(sentence(), Not(HasSubstr("exceeds")));
    failure.diagnosis->decisions[0].milliseconds = 1.5;
    EXPECT_THAT(sentence(), HasSubstr(remark));
    failure.diagnosis->decisions[0].milliseconds = 0.9;
    failure.diagnosis->decisions.push_back({split_k, "1", "4", 0.6, 1.2});
    EXPECT_THAT(sentence(), HasSubstr(remark)) << "that of all decisions together";
    failure.diagnosis->basis = DiagnosisBasis::Recorded;
    EXPECT_THAT(sentence(), Not(HasSubstr("exceeds"))) << "nothing was simulated";
}

// One decision is not to be blamed for what several cost.
TEST(FailureGroups, ASentenceSaysTheShareOfADecisionAndNamesTheOthers) {
    FailureCase failure = blamed("a", chunk, TimeTerm::Imbalance, 0.5);
    failure.diagnosis->basis = DiagnosisBasis::Recorded;
    failure.diagnosis->decisions[0].milliseconds = 0.3;
    failure.diagnosis->decisions.push_back({split_k, "1", "4", 0.25, 1.2});
    failure.diagnosis->decisions.push_back({order, "a", "b", 0.001, 1});
    failure.diagnosis->decisions.push_back({format_k1, "good", "bad", -0.051, 0.9});
    const auto sentence = [&] { return group_sentence(group_failures(std::vector{failure}).at(0), words); };
    EXPECT_THAT(sentence(),
                HasSubstr("chunk bad instead of good costs 0.3 of 0.5 ms: the chosen schedule is 50 % slower "
                          "than fixed CSR"));
    EXPECT_THAT(sentence(),
                HasSubstr(fmt::format("; the loss also depends on {} and {}", split_k.name, format_k1.name)));
    failure.diagnosis->decisions.back().milliseconds = -0.5;
    EXPECT_THAT(sentence(), HasSubstr("costs 0.3 ms, partly won back by others"));
}

TEST(FailureGroups, NothingFailedIsNoGroup) {
    EXPECT_THAT(group_failures({}), SizeIs(0));
}

TEST(FailureGroups, AWordThatHalfOfTheCasesHaveIsNotCalledThatOfMost) {
    std::vector<FailureCase> cases;
    for (int n = 0; n < 4; ++n)
        cases.push_back(blamed(fmt::format("m{}", n), chunk, TimeTerm::Imbalance, 1, PatternFamily::Banded,
                               n < 2 ? "4" : "128"));
    EXPECT_THAT(group_sentence(group_failures(cases).at(0), words), HasSubstr("chunk other than good makes"));
    cases.push_back(blamed("m4", chunk, TimeTerm::Imbalance, 1, PatternFamily::Banded, "128"));
    EXPECT_THAT(group_sentence(group_failures(cases).at(0), words),
                HasSubstr("chunk, mostly 128 instead of good makes"));
}

TEST(FailureGroups, OfChoicesThatAreComparedWithUnlikeValuesNameNone) {
    std::vector<FailureCase> cases;
    for (const char* const before : {"4", "4", "8"}) {
        cases.push_back(blamed(before, split_k, TimeTerm::Compute, 1, PatternFamily::Banded, "128"));
        cases.back().diagnosis->decisions[0].before = before;
    }
    const FailureGroup unlike = group_failures(cases).at(0);
    EXPECT_FALSE(unlike.before);
    EXPECT_THAT(group_sentence(unlike, words), HasSubstr("split of k 128 instead of other values makes"));
    EXPECT_TRUE(failure_group_json(unlike, cases, words)["before"].is_null());
    cases[0].diagnosis->decisions[0].after = "64";
    cases[1].diagnosis->decisions[0].after = "32";
    EXPECT_THAT(group_sentence(group_failures(cases).at(0), words),
                HasSubstr("split of k (various values) makes"));
    cases.pop_back();
    EXPECT_THAT(group_sentence(group_failures(cases).at(0), words),
                HasSubstr("split of k other than 4 makes"));
}

TEST(FailureGroups, TheRestSaysWhereTheSimulationDoesNotAgree) {
    std::vector<FailureCase> cases{blamed("a", chunk, TimeTerm::Imbalance),
                                   blamed("b", split_k, TimeTerm::Imbalance)};
    for (FailureCase& failure : cases) {
        failure.times = TimeSource::Recorded;
        failure.diagnosis->simulation_agrees = false;
    }
    cases[1].family = workload_family(PatternFamily::PowerLaw);
    EXPECT_THAT(group_sentence(group_failures(cases, {.most_groups = 1}).at(0), words),
                HasSubstr("2 matrices: the simulation does not agree with the recorded times, "));
    cases.push_back(blamed("c", order, TimeTerm::Imbalance));
    cases[2].times = TimeSource::Recorded;
    EXPECT_THAT(group_sentence(group_failures(cases, {.most_groups = 1}).at(0), words),
                HasSubstr("; for 2 of them the simulation does not agree with the recorded times"));
}

} // namespace
} // namespace sparsight
