#include "domains/sparse/explanation/explanation.h"

#include "core/evaluation/diagnosis/invented_clocks.h"
#include "domains/sparse/explanation/explanation_text.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_presets.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using testing::InventedClock;

/// One thread gets all rows, and the columns come in dense blocks.
class ExplanationTest : public ::testing::Test {
protected:
    CsrPattern pattern = *generate_matrix("row-skewed", {{"rows", 2048}, {"cols", 2048}}, 1);
    ProfiledPattern profiled{pattern};
    ExplanationRequest request{
        .from = fixed_csr(Operator::SpMM, 64),
        .to = *parse_schedule(Operator::SpMM, "1 4 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096"),
        .dense = 64,
        .machine = find_machine_preset("epyc-7543")->machine};
    SimulatedClock evaluator{profiled, 64, resolve_parameters(request.machine).values};
};

TEST_F(ExplanationTest, TellsTheMechanismOfBothSides) {
    const auto explanation = *explain(profiled, evaluator, request);
    EXPECT_DOUBLE_EQ(explanation.from.parts.total(), *explanation.blame.from.milliseconds);
    EXPECT_DOUBLE_EQ(explanation.to.parts.total(), *explanation.blame.to.milliseconds);
    EXPECT_EQ(explanation.from.fill_in, 0);
    EXPECT_GT(explanation.to.fill_in, 0.1);
    EXPECT_EQ(explanation.to.chunks, 1);
    EXPECT_GT(explanation.to.positions, static_cast<double>(pattern.nnz()));
    EXPECT_TRUE(explanation.simulation_agrees);
}

// Shapley values are linear: those of the parts of a time add up to those of the time.
TEST_F(ExplanationTest, ADecisionsPartsAddUpToItsShare) {
    const auto explanation = *explain(profiled, evaluator, request);
    ASSERT_EQ(explanation.blame.shares.size(), 2U);
    for (const DecisionShare& share : explanation.blame.shares) {
        ASSERT_FALSE(share.terms.empty());
        EXPECT_NEAR(simulated_time_of(share.terms).total(), share.milliseconds, 1e-9);
    }
    const DecisionShare& chunk = explanation.blame.shares.front();
    EXPECT_EQ(chunk.decision.key, "chunk");
    EXPECT_GT(simulated_time_of(chunk.terms)[TimeTerm::Imbalance], 0.5 * chunk.milliseconds)
        << "it is one thread's work that costs";
}

TEST_F(ExplanationTest, SaysNothingOfMachinesWhereTheScheduleIsTheFasterOne) {
    std::swap(request.from, request.to);
    const auto explanation = *explain(profiled, evaluator, request);
    EXPECT_LT(explanation.blame.difference_ms(), 0);
    EXPECT_FALSE(explanation.schedule_change);
    EXPECT_TRUE(explanation.machine_changes.empty());
    EXPECT_TRUE(explanation.pattern_changes.winning.empty());
    EXPECT_TRUE(explanation.pattern_changes.losing.empty());
}

TEST_F(ExplanationTest, IsWrittenAsJsonWithoutARest) {
    const auto explanation = *explain(profiled, evaluator, request);
    const auto json = explanation_json(explanation);
    EXPECT_EQ(json["difference_ms"], explanation.blame.difference_ms());
    EXPECT_EQ(json["waterfall"].size(), 2U);
    EXPECT_EQ(json["waterfall"][0]["begin_ms"], json["against"]["ms"]);
    EXPECT_EQ(json["waterfall"][1]["end_ms"], json["schedule"]["ms"]);
    EXPECT_EQ(json["waterfall"][0]["alone"]["schedule"], "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096");
    EXPECT_EQ(json["hybrids"]["all"], 4);
    EXPECT_EQ(json["counterfactual"]["schedule"]["decisions"].back()["decision"], "chunk");
    EXPECT_TRUE(json["schedule"]["counted"].is_null());
    EXPECT_FALSE(json["no_counters"].is_null());
}

// Measured times are of as many threads as ran, and so must be what explains them.
TEST_F(ExplanationTest, TheSimulatorContradictsMeasuredTimesOnlyBeyondTheirNoise) {
    auto explanation = *explain(profiled, evaluator, request);
    explanation.blame.from = {.milliseconds = 1, .spread_ms = 0.001};
    explanation.blame.to = {.milliseconds = 0.97, .spread_ms = 0.001};
    ASSERT_GT(explanation.to.parts.total(), explanation.from.parts.total());
    EXPECT_TRUE(disagreement_of(explanation));
    explanation.blame.from.spread_ms = explanation.blame.to.spread_ms = 0.96;
    EXPECT_FALSE(disagreement_of(explanation)) << "it may take longer in truth";
}

TEST_F(ExplanationTest, SimulatesTheThreadsThatTheKernelsRunOn) {
    InventedClock measured([&](const SuperSchedule& schedule) {
        return ClockTime{.milliseconds = schedule.chunk == 4096 ? 2.0 : 1.0};
    });
    const auto on_all = *explain(profiled, measured, request);
    request.kernel_threads = 1;
    const auto on_one = *explain(profiled, measured, request);
    EXPECT_GT(on_all.to.parts[TimeTerm::Imbalance], 0);
    EXPECT_EQ(on_one.to.parts[TimeTerm::Imbalance], 0) << "nobody waits for one thread";
    EXPECT_GT(on_one.from.parts.total(), 2 * on_all.from.parts.total());
}

// The budget is that of all that is measured, not of the hybrids alone.
TEST_F(ExplanationTest, TriesNoSmallerChangesWhenTheBudgetIsOver) {
    InventedClock measured([&](const SuperSchedule& schedule) {
        return ClockTime{.milliseconds = schedule.chunk == 4096 ? 2.0 : schedule.chunk == 2048 ? 0.5 : 1.0};
    });
    Milliseconds now{0};
    request.blame.clock = [&] { return now += Seconds(1); };
    request.blame.budget = Seconds(1);
    const auto in_time = *explain(profiled, measured, request);
    EXPECT_LE(measured.asked.size(), 4U) << "hybrids alone";
    ASSERT_TRUE(in_time.schedule_change);
    EXPECT_NE(testing::unpacked(in_time.schedule_change->configuration).chunk, 2048);
    request.blame.budget.reset();
    EXPECT_EQ(testing::unpacked(explain(profiled, measured, request)->schedule_change->configuration).chunk,
              2048);
}

TEST_F(ExplanationTest, StopsWhenItIsAskedTo) {
    std::stop_source source;
    source.request_stop();
    request.blame.stop = source.get_token();
    const auto explanation = explain(profiled, evaluator, request);
    ASSERT_FALSE(explanation);
    EXPECT_EQ(explanation.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
