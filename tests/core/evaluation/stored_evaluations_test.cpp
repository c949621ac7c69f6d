#include "core/evaluation/model_evaluation_fixture.h"
#include "evaluation/stored_evaluations.h"
#include "evaluation/stored_turns.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace sparsight {
namespace {

/// Evaluations of a recorded machine that are stored with their parameters.
class StoredEvaluationTest : public ModelEvaluationTest {
protected:
    using InTurns = std::map<RunId, std::optional<RunId>>;

    /// From now on models choose in this one.
    RunId begin(const std::vector<ModelId>& models, int seed, const std::string& machine = "recorded:here",
                const nlohmann::json& others = nlohmann::json::object()) {
        nlohmann::json ids = nlohmann::json::array();
        nlohmann::json names = nlohmann::json::array();
        for (const ModelId id : models) {
            ids.push_back(static_cast<std::int64_t>(id));
            names.push_back(fmt::format("model {}", static_cast<std::int64_t>(id)));
        }
        nlohmann::json parameters{
            {"models", names},        {"model_ids", ids},   {"matrices", {"a"}},  {"k", 2},
            {"machine", machine},     {"domain", "sparse"}, {"operator", "spmm"}, {"dense", 256},
            {"protocol", "recorded"}, {"threads", nullptr}, {"seed", seed}};
        parameters.update(others);
        run_ = *start_run(*workspace_, "evaluate", parameters.dump());
        return run_;
    }
    void finish() { ASSERT_TRUE(end_run(*workspace_, run_, RunState::Finished)); }
    /// How many turns the current one has after it looked some up.
    int turns_looked_up(const std::vector<ModelId>& models) {
        EXPECT_TRUE(look_up_turns(*workspace_, *make_sparse_domain(), scope(models)));
        return evaluate(models).models.front().workloads.front().turns;
    }
};

TEST_F(StoredEvaluationTest, TakesTheTurnsOfAnotherOneWithTheSameChoices) {
    const WorkloadId a = timed_matrix("a");
    const ModelId first = model("first");
    const ModelId second = model("second");
    begin({first, second}, 1);
    choose(first, a, {blocked, slow});
    choose(second, a, {slow, blocked});
    rematch(a, {{csr, 6}, {blocked, 4}, {slow, 12}, {tall, 2}});
    finish();
    begin({second}, 2);
    choose(second, a, {slow, blocked});
    EXPECT_EQ(turns_looked_up({second}), 5);
    EXPECT_DOUBLE_EQ(evaluate({second}).models.front().workloads.front().times.speedup(), 1.5)
        << "as told in turns, not 6 / 3";
    time(a, unknown, 2.5);
    begin({second}, 3);
    choose(second, a, {slow, unknown});
    EXPECT_EQ(turns_looked_up({second}), 0) << "its fastest choice took no turns";
    begin({second}, 4, "recorded:elsewhere");
    choose(second, a, {slow, blocked});
    EvaluationScope elsewhere = scope({second});
    elsewhere.machine = **find_machine(*workspace_, "here");
    elsewhere.machine.fingerprint = "recorded:elsewhere";
    ASSERT_TRUE(look_up_turns(*workspace_, *make_sparse_domain(), elsewhere));
    EXPECT_EQ(evaluate({second}).models.front().workloads.front().turns, 0) << "they are of another machine";
}

TEST_F(StoredEvaluationTest, TakesOlderTurnsWhereNewerOnesHaveNoTimeOfTheBaselineOrOfAChoice) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    const auto evaluated = [&](int seed, const std::vector<std::pair<const char*, double>>& medians) {
        begin({m}, seed);
        choose(m, a, {blocked, slow});
        rematch(a, medians);
        finish();
    };
    evaluated(1, {{csr, 6}, {blocked, 4}, {slow, 12}});
    evaluated(2, {{csr, 0}, {blocked, 5}, {slow, 12}});
    evaluated(3, {{csr, 6}, {blocked, 0}, {slow, 0}, {tall, 2}});
    begin({m}, 4);
    choose(m, a, {blocked, slow});
    EXPECT_EQ(turns_looked_up({m}), 5);
    EXPECT_DOUBLE_EQ(evaluate({m}).models.front().workloads.front().times.best_ms, 4);
}

TEST_F(StoredEvaluationTest, TakesNoTurnsFromBeforeANewerEngineMeasured) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    begin({m}, 1);
    choose(m, a, {blocked, slow});
    rematch(a, {{csr, 6}, {blocked, 4}, {slow, 12}});
    finish();
    begin({m}, 2);
    choose(m, a, {blocked, slow});
    EXPECT_EQ(turns_looked_up({m}), 5);
    finish();
    for (const char* schedule : {csr, blocked, slow}) { // of an older one stays the time of the tall block
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(3);
        measurement.engine = "newer";
        ASSERT_TRUE(record_measurement(*workspace_, {a, machine_, 256, "recorded"},
                                       *parse_schedule(Operator::SpMM, schedule), measurement, std::nullopt,
                                       "2999-01-01T00:00:00.000Z"));
    }
    begin({m}, 3);
    choose(m, a, {blocked, slow});
    EXPECT_EQ(turns_looked_up({m}), 0);
}

TEST_F(StoredEvaluationTest, TellsTheFastestOfTheNewestTurnsBesideACollectedTime) {
    const WorkloadId a = timed_matrix("a");
    const WorkloadId b = timed_matrix("b");
    const ModelId m = model("m");
    const auto fastest = [&](const std::string& machine = "recorded:here") {
        auto rows = *list_results(*workspace_, {.domain = "sparse", .machine = "here"});
        std::erase_if(rows, [](const ResultRecord& row) { return !row.configuration.starts_with("32 1"); });
        for (ResultRecord& row : rows)
            row.machine_fingerprint = machine;
        const auto found = fastest_in_turns(*workspace_, *make_sparse_domain(), rows);
        EXPECT_TRUE(found) << found.error().text();
        return found.value_or(std::vector<std::optional<FastestInTurns>>{});
    };
    EXPECT_THAT(fastest(), ::testing::Each(::testing::Eq(std::nullopt)));
    for (const double median : {5.0, 4.0}) {
        begin({m}, static_cast<int>(median));
        choose(m, a, {blocked, slow});
        rematch(a, {{csr, 6}, {blocked, median}, {slow, 12}, {tall, 5}});
        finish();
    }
    const auto found = fastest();
    ASSERT_EQ(found.size(), 2U);
    ASSERT_TRUE(found[0]);
    EXPECT_DOUBLE_EQ(found[0]->speedup, 1.5) << "as in the newest evaluation; collected it was 6 / 2";
    EXPECT_EQ(found[0]->configuration, blocked) << "in turns another schedule is the fastest";
    EXPECT_DOUBLE_EQ(found[0]->speedup, evaluate({m}).models.front().workloads.front().times.speedup());
    EXPECT_EQ(found[0]->verdict(), Verdict::Faster);
    EXPECT_FALSE(found[1]) << "there are none on " << static_cast<std::int64_t>(b);
    begin({m}, 6);
    choose(m, a, {blocked, slow});
    ASSERT_TRUE(record_rematch(
        *workspace_, run_, a,
        std::vector<RematchTime>{{*parse_schedule(Operator::SpMM, csr), {6, 6, 6, 6, 6}},
                                 {*parse_schedule(Operator::SpMM, blocked), {5.7, 6.1, 5.8, 6.2, 5.7}}}));
    finish();
    EXPECT_EQ(fastest()[0]->verdict(), Verdict::WithinNoise) << "a lead of 2 % and a margin of 6 %";
    EXPECT_FALSE(fastest("recorded:elsewhere").front());
}

TEST_F(StoredEvaluationTest, TakesNoTurnsOfWhatOnlyOtherModelsChose) {
    const WorkloadId a = timed_matrix("a");
    const ModelId first = model("first");
    const ModelId second = model("second");
    begin({first, second}, 1);
    choose(first, a, {blocked, slow});
    choose(second, a, {unknown, tall});
    rematch(a, {{csr, 6}, {blocked, 4}, {slow, 12}, {tall, 2}, {unknown, 0}});
    finish();
    EXPECT_EQ(evaluate({first, second}).missed_turns.size(), 1U);
    begin({first}, 2);
    choose(first, a, {blocked, slow});
    EXPECT_EQ(turns_looked_up({first}), 5);
    EXPECT_TRUE(evaluate({first}).missed_turns.empty()) << "it chose another one";
    EXPECT_EQ(list_turn_times(*workspace_, run_, a)->size(), 4U) << "with the best known";
}

TEST_F(StoredEvaluationTest, WithoutTurnsStandsBehindOneThatHasThemOfTheSame) {
    const WorkloadId a = timed_matrix("a");
    const ModelId first = model("first");
    const ModelId second = model("second");
    const RunId in_turns = begin({first, second}, 1);
    choose(first, a, {blocked, slow});
    choose(second, a, {slow, blocked});
    rematch(a, {{csr, 6}, {blocked, 4}, {slow, 12}, {tall, 2}});
    finish();
    const RunId newer = begin({first}, 2);
    choose(first, a, {blocked, slow});
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, newer) << "it is under way";
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, in_turns);
    EXPECT_EQ((*newest_evaluation(*workspace_))->passed_over, newer);
    const auto of_second =
        newest_evaluation(*workspace_, {.model = fmt::format("model {}", static_cast<std::int64_t>(second))});
    EXPECT_EQ((*of_second)->run, in_turns);
    EXPECT_FALSE((*of_second)->passed_over) << "the newer one is of another model";
    EXPECT_EQ(*evaluations_in_turns(*workspace_), (InTurns{{newer, in_turns}}));
    const RunId elsewhere = begin({first}, 2, "recorded:elsewhere");
    choose(first, a, {blocked, slow});
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, elsewhere) << "another machine is another question";
    const ModelId third = model("third");
    const RunId of_a_third = begin({third}, 2);
    choose(third, a, {blocked, slow});
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, of_a_third);
}

TEST_F(StoredEvaluationTest, IsNoneWhereItWasStoppedBeforeItsFirstChoice) {
    const WorkloadId a = timed_matrix("a");
    const ModelId first = model("first");
    const RunId whole = begin({first}, 1);
    choose(first, a, {blocked, slow});
    finish();
    begin({first}, 2);
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, whole);
}

TEST_F(StoredEvaluationTest, WithoutTurnsIsShownWhereItChoseOtherwiseThanOneThatHasThem) {
    const WorkloadId a = timed_matrix("a");
    const ModelId first = model("first");
    begin({first}, 1);
    choose(first, a, {blocked, slow});
    rematch(a, {{csr, 6}, {blocked, 4}, {slow, 12}, {tall, 2}});
    finish();
    const RunId of_others = begin({first}, 2);
    choose(first, a, {blocked, tall});
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, of_others);
    const RunId in_another_order = begin({first}, 3);
    choose(first, a, {slow, blocked});
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, in_another_order);
    EXPECT_TRUE((*newest_evaluation(*workspace_))->lacks_turns);
    const RunId by_another_method = begin({first}, 1, "recorded:here", {{"method", "annealing"}});
    choose(first, a, {blocked, slow});
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, by_another_method) << "it is another question";
    EXPECT_FALSE((*newest_evaluation(*workspace_))->lacks_turns);
    EXPECT_EQ(*evaluations_in_turns(*workspace_),
              (InTurns{{of_others, std::nullopt}, {in_another_order, std::nullopt}}));
}

TEST_F(StoredEvaluationTest, WithoutTurnsIsShownWhereTheOtherOneHasNoneOnAllOfItsWorkloads) {
    const WorkloadId a = timed_matrix("a");
    const WorkloadId b = timed_matrix("b");
    const ModelId first = model("first");
    const nlohmann::json both{{"matrices", {"a", "b"}}};
    const auto choose_on_both = [&] {
        for (const WorkloadId each : {a, b})
            choose(first, each, {blocked, slow});
    };
    const RunId in_turns = begin({first}, 1, "recorded:here", both);
    choose_on_both();
    rematch(a, {{csr, 6}, {blocked, 4}, {slow, 12}});
    rematch(b, {{csr, 0}, {blocked, 4}, {slow, 12}});
    finish();
    const RunId newer = begin({first}, 2, "recorded:here", both);
    choose_on_both();
    finish();
    EXPECT_EQ((*newest_evaluation(*workspace_))->run, newer) << "on b fixed CSR has no time in turns";
    const RunId of_a = begin({first}, 2);
    choose(first, a, {blocked, slow});
    finish();
    EXPECT_EQ(*evaluations_in_turns(*workspace_), (InTurns{{newer, std::nullopt}, {of_a, in_turns}}));
}

} // namespace
} // namespace sparsight
