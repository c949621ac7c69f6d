#include "core/evaluation/diagnosis/invented_clocks.h"
#include "core/evaluation/diagnosis/planted_failures.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/hybrid_times.h"
#include "machine/machine_presets.h"
#include "support/spmm_schedule.h"
#include "support/test_files.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::InventedClock;
using testing::spmm;
using ::testing::UnorderedElementsAre;

/// A clock that moves by hand, so that no test waits.
struct HandClock {
    Milliseconds now{0};
    MillisecondClock clock() {
        return [this] { return now; };
    }
};

const SuperSchedule csr = canonical(fixed_csr(Operator::SpMM, 4));
/// Differs from CSR in the split of j, the format of i1 and the chunk.
const SuperSchedule slow = spmm("1 1 8 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 4 256");
const std::shared_ptr<const ScheduleHybrids> hybrids = *ScheduleHybrids::make(csr, slow);

constexpr double base_ms = 2;

/// The chunk costs 5 ms, the split gains 1.5, the format nothing; chunk and split together cost 2 more.
ClockTime additive(const SuperSchedule& schedule) {
    const bool has_chunk = schedule.chunk == 256;
    const bool has_split = schedule.split(Index::J) == 8;
    return {.milliseconds =
                base_ms + (has_chunk ? 5 : 0) - (has_split ? 1.5 : 0) + (has_chunk && has_split ? 2 : 0),
            .spread_ms = 0.1};
}

std::vector<std::string> keys(const Blame& blame) {
    std::vector<std::string> result;
    result.reserve(blame.shares.size());
    for (const DecisionShare& share : blame.shares)
        result.push_back(share.decision.key);
    return result;
}

TEST(Blame, SharesTheDifferenceOutTheLargestCostFirst) {
    InventedClock evaluator(&additive);
    const auto blame = *find_blame(hybrids, evaluator);
    ASSERT_THAT(keys(blame), ElementsAre("chunk", "format_i1", "split_j"));
    EXPECT_NEAR(blame.shares[0].milliseconds, 6, 1e-12);
    EXPECT_NEAR(blame.shares[1].milliseconds, 0, 1e-12);
    EXPECT_NEAR(blame.shares[2].milliseconds, -0.5, 1e-12);
    EXPECT_TRUE(blame.is_exact);
    EXPECT_EQ(blame.shares[0].sampling_error_ms, 0);
}

TEST(Blame, FactorsMultiplyToTheRatioOfBothTimes) {
    InventedClock evaluator(&additive);
    const auto blame = *find_blame(hybrids, evaluator);
    double product = 1;
    for (const DecisionShare& share : blame.shares)
        product *= share.factor;
    EXPECT_NEAR(product, *blame.to.milliseconds / *blame.from.milliseconds, 1e-12);
}

TEST(Blame, MarksWhatIsMoreThanNoise) {
    InventedClock evaluator(&additive);
    const auto blame = *find_blame(hybrids, evaluator);
    EXPECT_GT(blame.shares[0].noise_ms, 0.05);
    EXPECT_LT(blame.shares[0].noise_ms, 0.1) << "four pairs of times are known better than one";
    EXPECT_TRUE(blame.shares[0].is_significant);
    EXPECT_FALSE(blame.shares[1].is_significant);
}

TEST(Blame, OfOneDecisionIsSignificantByTheRuleForAnyTwoTimes) {
    const auto only_chunk = *ScheduleHybrids::make(csr, spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 256"));
    const auto blame_with = [&](double spread) {
        InventedClock evaluator([spread](const SuperSchedule& schedule) {
            return ClockTime{.milliseconds = schedule.chunk == 256 ? 3.0 : 2.0, .spread_ms = spread};
        });
        return *find_blame(only_chunk, evaluator);
    };
    for (const double spread : {0.1, 0.7, 0.8, 0.9, 5.0}) {
        const Blame blame = blame_with(spread);
        EXPECT_EQ(blame.shares.front().is_significant, blame.is_significant()) << spread;
        EXPECT_EQ(blame.is_significant(), spread < 0.8) << spread;
    }
}

// Spreads of several times the times themselves, as few disturbed runs have them.
TEST(Blame, OfHundredsOfTimesAsLongIsNeverWithinTheNoise) {
    InventedClock evaluator([](const SuperSchedule& schedule) {
        const double milliseconds = schedule.chunk == 256 ? 232 * 0.05 : 0.05;
        return ClockTime{.milliseconds = milliseconds, .spread_ms = 4 * milliseconds};
    });
    const auto blame = *find_blame(hybrids, evaluator);
    EXPECT_TRUE(blame.is_significant());
    EXPECT_EQ(blame.shares.front().decision.key, "chunk");
    EXPECT_TRUE(blame.shares.front().is_significant);
}

TEST(Blame, OfTwoSchedulesOfOneProgramIsNeverSignificant) {
    InventedClock evaluator(&additive);
    evaluator.programs = [](const SuperSchedule&) { return "one"; };
    EXPECT_FALSE(find_blame(hybrids, evaluator)->is_significant());
}

/// The true times of `additive`, measured with noise; 50 ms each.
struct NoisyBlame {
    explicit NoisyBlame(std::uint64_t seed, double noise = 0.2)
        : evaluator([](const SuperSchedule& schedule) { return *additive(schedule).milliseconds; }, noise,
                    seed) {
        evaluator.takes = Milliseconds(50);
    }
    testing::NoisyClock evaluator;
};

BlameOptions within(testing::NoisyClock& evaluator, Seconds budget) {
    BlameOptions options;
    options.budget = budget;
    options.clock = evaluator.clock();
    return options;
}

TEST(Blame, SpendsTheBudgetOnWhatTheErrorsRestOn) {
    NoisyBlame noisy(1);
    auto& evaluator = noisy.evaluator;
    const auto blame = *find_blame(hybrids, evaluator, within(evaluator, Seconds(60)));
    EXPECT_GT(blame.counts.repeated, 20U);
    EXPECT_LE(evaluator.now, Seconds(60));
    const double small = 0.05 * blame.difference_ms();
    for (const DecisionShare& share : blame.shares)
        EXPECT_TRUE(share.uncertainty_ms() <= 1.01 * std::max(small, 0.2 * std::abs(share.milliseconds)) ||
                    evaluator.now >= Seconds(42))
            << share.decision.key;
    double sum = 0;
    for (const DecisionShare& share : blame.shares)
        sum += share.milliseconds;
    EXPECT_NEAR(sum, blame.difference_ms(), 1e-9) << "of the times as they are known in the end";
    EXPECT_EQ(blame.to.turns, static_cast<int>(evaluator.turns_of(slow)));
}

TEST(Blame, StopsEarlyWhereEverythingIsKnownWellEnough) {
    NoisyBlame noisy(1, 0.001);
    auto& evaluator = noisy.evaluator;
    const auto blame = *find_blame(hybrids, evaluator, within(evaluator, Seconds(60)));
    EXPECT_EQ(blame.counts.repeated, 0U);
    EXPECT_EQ(evaluator.measurements, 8U);
}

TEST(Blame, RepeatsNothingWithoutABudgetNorWhatDoesNotVary) {
    NoisyBlame noisy(1);
    auto& evaluator = noisy.evaluator;
    EXPECT_EQ(find_blame(hybrids, evaluator)->counts.repeated, 0U);
    InventedClock certain(&additive);
    BlameOptions options;
    options.budget = Seconds(60);
    EXPECT_EQ(find_blame(hybrids, certain, options)->counts.repeated, 0U);
}

TEST(Blame, ErrorsHoldTheTrueSharesAsOftenAsTheySay) {
    int held = 0;
    int all = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        NoisyBlame noisy(seed);
        auto& evaluator = noisy.evaluator;
        const auto blame = *find_blame(hybrids, evaluator, within(evaluator, Seconds(20)));
        for (const auto& [decision, truth] :
             {std::pair{"chunk", 6.0}, {"format_i1", 0.0}, {"split_j", -0.5}}) {
            const auto& share = *std::ranges::find(
                blame.shares, decision, [](const DecisionShare& each) { return each.decision.key; });
            ++all;
            held += std::abs(share.milliseconds - truth) <= share.uncertainty_ms() ? 1 : 0;
        }
    }
    EXPECT_GT(held, 0.85 * all);
}

TEST(Blame, StopsAtOnceWhileItMeasuresAgain) {
    NoisyBlame noisy(1);
    auto& evaluator = noisy.evaluator;
    std::stop_source source;
    evaluator.at_each = [&] {
        if (evaluator.measurements == 12)
            source.request_stop();
    };
    BlameOptions options = within(evaluator, Seconds(60));
    options.stop = source.get_token();
    const auto blame = find_blame(hybrids, evaluator, options);
    ASSERT_FALSE(blame);
    EXPECT_EQ(blame.error().fault, Fault::Cancelled);
    EXPECT_EQ(evaluator.measurements, 12U);
}

TEST(Blame, TellsHowMuchOfTheTimeForRepeatsIsOver) {
    NoisyBlame noisy(1);
    auto& evaluator = noisy.evaluator;
    BlameOptions options = within(evaluator, Seconds(10));
    std::uint64_t last = 0;
    options.progress = [&](const Progress& progress) {
        EXPECT_LE(progress.done, progress.total);
        if (progress.stage == "comparing")
            return;
        EXPECT_EQ(progress.total, 7000U) << "milliseconds";
        EXPECT_GE(progress.done, last);
        last = progress.done;
    };
    ASSERT_TRUE(find_blame(hybrids, evaluator, options));
    EXPECT_GT(last, 0U);
}

TEST(Blame, WaterfallLeadsFromTheOneTimeToTheOtherWithoutAGap) {
    InventedClock evaluator([](const SuperSchedule& schedule) {
        return ClockTime{.milliseconds = 0.1 + static_cast<double>(hash_value(schedule) % 1000) / 3.0};
    });
    const auto blame = *find_blame(hybrids, evaluator);
    const auto steps = waterfall(blame);
    ASSERT_EQ(steps.size(), blame.shares.size());
    EXPECT_EQ(steps.front().begin_ms, *blame.from.milliseconds);
    EXPECT_EQ(steps.back().end_ms, *blame.to.milliseconds);
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (step > 0) {
            EXPECT_EQ(steps[step].begin_ms, steps[step - 1].end_ms);
        }
        EXPECT_NEAR(steps[step].end_ms - steps[step].begin_ms, blame.shares[steps[step].share].milliseconds,
                    1e-10);
    }
}

TEST(Blame, LeavesOutHybridsThatCannotBeBuiltAndCountsThem) {
    // The format alone, without the chunk, explodes.
    InventedClock evaluator([](const SuperSchedule& schedule) {
        if (schedule.formats[0] == LevelFormat::Compressed && schedule.chunk == 32)
            return ClockTime{.milliseconds = {}, .reason = "too large"};
        return additive(schedule);
    });
    const auto blame = *find_blame(hybrids, evaluator);
    EXPECT_EQ(blame.counts.all, 8U);
    EXPECT_EQ(blame.counts.asked, 8U);
    EXPECT_EQ(blame.counts.without_time, 2U);
    EXPECT_NEAR(blame.walked_orders, 0.5, 1e-12);
    double sum = 0;
    for (const DecisionShare& share : blame.shares)
        sum += share.milliseconds;
    EXPECT_NEAR(sum, blame.difference_ms(), 1e-12);
}

TEST(Blame, SaysWhichEndHasNoTimeAndWhichDecisionIsInTheWay) {
    InventedClock evaluator([](const SuperSchedule& schedule) {
        return schedule.formats[0] == LevelFormat::Uncompressed
                   ? additive(schedule)
                   : ClockTime{.milliseconds = {}, .reason = "9 TiB"};
    });
    const auto blame = find_blame(hybrids, evaluator);
    ASSERT_FALSE(blame);
    EXPECT_EQ(blame.error().fault, Fault::Limit);
    EXPECT_THAT(blame.error().message, HasSubstr(to_text(slow)));
    EXPECT_THAT(blame.error().message, EndsWith("9 TiB; it would have one with format of i1 uncompressed"));
}

// On this matrix the split of j changes nothing: its loops are one again in the code.
TEST(Blame, GivesNothingToADecisionThatDoesNotChangeTheProgram) {
    const CsrPattern pattern = *generate_matrix("uniform", {{"rows", 2000}, {"cols", 2000}}, 1);
    const ProfiledPattern profiled(pattern);
    SimulatedClock evaluator(profiled, 256,
                             resolve_parameters(find_machine_preset("laptop")->machine).values);
    const auto split = spmm("1 1 64 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 1024");
    const auto blame = *find_blame(*ScheduleHybrids::make(csr, split), evaluator);
    ASSERT_THAT(keys(blame), UnorderedElementsAre("split_j", "chunk"));
    const auto& of_split = *std::ranges::find(blame.shares, "split_j",
                                              [](const DecisionShare& each) { return each.decision.key; });
    EXPECT_EQ(of_split.milliseconds, 0);
    EXPECT_EQ(of_split.noise_ms, 0);
    EXPECT_TRUE(of_split.is_same_program);
    EXPECT_FALSE(of_split.is_significant);
    EXPECT_FALSE(blame.is_same_program);
    EXPECT_EQ(blame.counts.configurations, 4U);
    EXPECT_EQ(blame.counts.programs, 2U);
}

TEST(Blame, SaysThatBothEndsAreOneProgram) {
    InventedClock evaluator(&additive);
    evaluator.programs = [](const SuperSchedule&) { return "one"; };
    const auto blame = *find_blame(hybrids, evaluator);
    EXPECT_TRUE(blame.is_same_program);
    EXPECT_TRUE(std::ranges::all_of(blame.shares, &DecisionShare::is_same_program));
}

TEST(Blame, MarksSharesThatRestOnTimesThatWereCutOff) {
    InventedClock evaluator([](const SuperSchedule& schedule) {
        ClockTime time = additive(schedule);
        time.is_at_least = schedule.chunk == 256 && schedule.split(Index::J) == 8;
        return time;
    });
    const auto blame = *find_blame(hybrids, evaluator);
    EXPECT_EQ(blame.counts.at_least, 2U);
    EXPECT_TRUE(blame.share_of(0).is_bounded);
}

TEST(Blame, OfOneScheduleWithItselfIsEmpty) {
    InventedClock evaluator(&additive);
    const auto blame = *find_blame(*ScheduleHybrids::make(csr, csr), evaluator);
    EXPECT_TRUE(blame.shares.empty());
    EXPECT_TRUE(waterfall(blame).empty());
    EXPECT_EQ(blame.difference_ms(), 0);
}

/// Ten decisions; each costs its own milliseconds, whatever the others are.
const std::shared_ptr<const ScheduleHybrids> wide = *ScheduleHybrids::make(
    spmm("2 2 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32"), spmm("4 4 4 k1 j1 i1 k0 i0 j0 0 0 1 0 i1 4 1"));
ClockTime by_decision(const SuperSchedule& schedule) {
    double total = 1;
    for (const ScheduleDecision& decision : differing_decisions(wide->from_schedule(), schedule))
        for (std::size_t bit = 0; bit < wide->decisions().size(); ++bit)
            if (decision == wide->schedule_decisions()[bit])
                total += static_cast<double>(bit);
    return {.milliseconds = total};
}

TEST(Blame, DrawsOrdersBeyondEightDecisions) {
    InventedClock evaluator(&by_decision);
    BlameOptions options;
    options.draws = 8;
    const auto blame = *find_blame(wide, evaluator, options);
    ASSERT_EQ(blame.shares.size(), 10U);
    EXPECT_FALSE(blame.is_exact);
    EXPECT_EQ(blame.draws, 8U);
    EXPECT_LT(evaluator.asked.size(), wide->size() / 4);
    for (const DecisionShare& share : blame.shares)
        EXPECT_NEAR(share.milliseconds, static_cast<double>(share.bit), 1e-9) << share.decision.key;
}

TEST(Blame, DrawnOrdersAgreeWithAllWithinTheirErrors) {
    const auto rule = [](const SuperSchedule& schedule) {
        return ClockTime{.milliseconds = 1 + static_cast<double>(hash_value(schedule) % 1000)};
    };
    InventedClock evaluator(rule);
    BlameOptions exactly;
    exactly.exact_up_to = 10;
    const auto exact = *find_blame(wide, evaluator, exactly);
    const auto drawn = *find_blame(wide, evaluator);
    EXPECT_TRUE(exact.is_exact);
    EXPECT_FALSE(drawn.is_exact);
    for (std::size_t bit = 0; bit < 10; ++bit)
        EXPECT_NEAR(drawn.share_of(bit).milliseconds, exact.share_of(bit).milliseconds,
                    4 * drawn.share_of(bit).sampling_error_ms);
}

TEST(Blame, IsContentWithTheDrawsMadeWhenTimeIsUp) {
    HandClock hand;
    InventedClock evaluator([&](const SuperSchedule& schedule) {
        hand.now += Milliseconds(100);
        return by_decision(schedule);
    });
    BlameOptions options;
    options.exact_up_to = 10;
    options.budget = Seconds(5);
    options.clock = hand.clock();
    const auto blame = *find_blame(wide, evaluator, options);
    EXPECT_FALSE(blame.is_exact);
    EXPECT_GE(blame.draws, 2U);
    EXPECT_LE(hand.now, Milliseconds(5100));
    for (const DecisionShare& share : blame.shares)
        EXPECT_NEAR(share.milliseconds, static_cast<double>(share.bit), 1e-9);
}

TEST(Blame, MakesOneDrawHoweverShortTheTimeIs) {
    HandClock hand;
    InventedClock evaluator([&](const SuperSchedule& schedule) {
        hand.now += Seconds(60);
        return by_decision(schedule);
    });
    BlameOptions options;
    options.budget = Seconds(1);
    options.clock = hand.clock();
    const auto blame = *find_blame(wide, evaluator, options);
    EXPECT_EQ(blame.draws, 1U);
    EXPECT_EQ(evaluator.asked.size(), 20U) << "both ends, and nine hybrids of each order";
}

TEST(Blame, StopsWhenItIsAskedTo) {
    std::stop_source source;
    InventedClock evaluator([&](const SuperSchedule& schedule) {
        source.request_stop();
        return by_decision(schedule);
    });
    BlameOptions options;
    options.stop = source.get_token();
    const auto blame = find_blame(wide, evaluator, options);
    ASSERT_FALSE(blame);
    EXPECT_EQ(blame.error().fault, Fault::Cancelled);
    EXPECT_EQ(evaluator.asked.size(), 1U);
}

TEST(Blame, CallsWhatTakesTwiceTheSlowerEndHopeless) {
    InventedClock evaluator(&additive);
    const auto blame = *find_blame(hybrids, evaluator);
    EXPECT_EQ(evaluator.limit, 2 * *blame.to.milliseconds);
}

TEST(Blame, TellsHowFarItIs) {
    InventedClock evaluator(&additive);
    BlameOptions options;
    std::vector<std::uint64_t> done;
    options.progress = [&](const Progress& progress) {
        done.push_back(progress.done);
        EXPECT_LE(progress.done, progress.total);
    };
    ASSERT_TRUE(find_blame(hybrids, evaluator, options));
    EXPECT_THAT(done, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

// It halves the short time and adds a little more than that to the long one.
TEST(DecisionShare, WhoseCostAndFactorPointToDifferentSidesHasNoSign) {
    DecisionShare share;
    share.milliseconds = 0.004;
    share.factor = 0.967;
    EXPECT_FALSE(share.is_sign_decided());
    share.factor = 1.01;
    EXPECT_TRUE(share.is_sign_decided());
    share.milliseconds = -0.0025;
    EXPECT_FALSE(share.is_sign_decided());
    share.milliseconds = 0;
    share.factor = 1;
    EXPECT_TRUE(share.is_sign_decided());
}

using ::testing::IsEmpty;

/// The difference of the second time and the first.
const ErrorBar whole{.milliseconds = 4, .weights = {-1, 1}};
const std::vector<double> times{1, 5};

TEST(Refinement, TheErrorIsThatOfIndependentTimes) {
    EXPECT_NEAR(whole.error(times, std::vector{0.03, 0.04}), 0.05, 1e-3);
    EXPECT_EQ(whole.error(times, std::vector{0.0, 0.0}), 0);
}

TEST(Refinement, WhatIsDisturbedOutOfAllProportionKeepsItsSign) {
    EXPECT_LT(whole.error(times, std::vector{0.1, 15.0}), 4) << "5 ms may be a quarter, not -10";
}

TEST(Refinement, IsSettledByATwentiethOfTheDifferenceOrAFifthOfItself) {
    EXPECT_TRUE(is_settled(whole, 0.79, 4));
    EXPECT_FALSE(is_settled(whole, 0.81, 4));
    const ErrorBar little{.milliseconds = 0.01, .weights = {-1, 1}};
    EXPECT_TRUE(is_settled(little, 0.19, 4));
    EXPECT_FALSE(is_settled(little, 0.21, 4));
}

TEST(Refinement, RepeatsTheTimesThatMakeTheErrorUp) {
    const std::vector<double> three{1, 5, 5};
    const std::vector<ErrorBar> bars{{.milliseconds = 4, .weights = {-1, 0.5, 0.5}}};
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{0.1, 3.0, 2.5}, 4), ElementsAre(1, 2));
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{1.5, 0.1, 0.1}, 4), ElementsAre(0));
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{0.1, 0.1, 0.1}, 4), IsEmpty());
}

TEST(Refinement, LooksOnlyAtBarsThatAreNotSettled) {
    const std::vector<double> three{1, 5, 5};
    const std::vector<ErrorBar> bars{{.milliseconds = 4, .weights = {-1, 1, 0}},
                                     {.milliseconds = 0, .weights = {0, -1, 1}}};
    // The first may be off by a fifth of itself; beside it 0.7 ms of the second are much.
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{0.3, 0.02, 0.7}, 4), ElementsAre(2));
}

using testing::all_plants;
using testing::Plant;
using testing::plant_failure;
using testing::PlantedFailure;

constexpr std::int64_t dense = 64;

struct Tally {
    int planted = 0;
    int found = 0;
};

/// Every failure that can be planted on a pattern, on two machines.
void examine(const std::string& matrix, const CsrPattern& pattern, std::map<Plant, Tally>& tallies) {
    const ProfiledPattern profiled(pattern);
    for (const std::string machine : {"epyc-7543", "laptop"}) {
        const auto preset = find_machine_preset(machine);
        ASSERT_TRUE(preset) << machine;
        const MachineParameters parameters = resolve_parameters(preset->machine).values;
        Random random(1);
        for (const Operator op : all_operators) {
            SimulatedClock evaluator(profiled, dense, parameters);
            for (const Plant plant : all_plants) {
                const auto failure = *plant_failure(plant, op, pattern, 4, evaluator, random);
                if (!failure)
                    continue;
                const auto blame =
                    *find_blame(*ScheduleHybrids::make(failure->good, failure->bad), evaluator);
                Tally& tally = tallies[plant];
                ++tally.planted;
                const bool is_found = blame.shares.front().decision.key == key(failure->planted);
                tally.found += is_found ? 1 : 0;
                if (!is_found)
                    GTEST_LOG_(INFO) << matrix << " on " << machine << ", " << name(plant) << ": blamed "
                                     << blame.shares.front().decision.key << " of '" << to_text(failure->bad)
                                     << "' against '" << to_text(failure->good) << "', " << failure->slower
                                     << " times slower";
                const double sum = std::accumulate(
                    blame.shares.begin(), blame.shares.end(), 0.0,
                    [](double all, const DecisionShare& each) { return all + each.milliseconds; });
                EXPECT_NEAR(sum, blame.difference_ms(), 1e-9 * *blame.to.milliseconds);
            }
        }
    }
}

void expect_nearly_all_found(const std::map<Plant, Tally>& tallies) {
    for (const Plant plant : all_plants) {
        const auto tally = tallies.find(plant);
        ASSERT_NE(tally, tallies.end()) << name(plant) << " could be planted nowhere";
        EXPECT_GE(tally->second.planted, 4) << name(plant);
        EXPECT_GE(tally->second.found, 0.9 * tally->second.planted)
            << name(plant) << ": " << tally->second.found << " of " << tally->second.planted;
    }
}

TEST(PlantedFailures, AreBlamedOnTheirDecisionOnGeneratedMatrices) {
    std::map<Plant, Tally> tallies;
    for (const char* family : {"uniform", "row-skewed", "scattered-blocks", "banded"}) {
        SCOPED_TRACE(family);
        const auto pattern = generate_matrix(family, {}, 1);
        ASSERT_TRUE(pattern) << pattern.error().message;
        examine(family, *pattern, tallies);
    }
    expect_nearly_all_found(tallies);
}

TEST(PlantedFailures, AreBlamedOnTheirDecisionOnRealMatrices) {
    SPARSIGHT_NEEDS_SHARED("matrices");
    std::map<Plant, Tally> tallies;
    for (const char* name : {"cage8", "bcsstk19", "can_1072", "lp_pilot87", "bcspwr09", "3elt"}) {
        SCOPED_TRACE(name);
        const auto matrix = read_matrix(testing::shared_path("matrices") / (std::string(name) + ".mtx.gz"));
        ASSERT_TRUE(matrix) << matrix.error().text();
        examine(name, matrix->pattern, tallies);
    }
    expect_nearly_all_found(tallies);
}

} // namespace
} // namespace sparsight
