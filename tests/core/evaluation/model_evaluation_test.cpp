#include "evaluation/model_evaluation.h"

#include "base/random.h"
#include "collection/collector.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"
#include "evaluation/rematch_times.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/stored_evaluations.h"
#include "evaluation/stored_turns.h"
#include "evaluation/time_differences.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <unistd.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

class ModelEvaluationTest : public ::testing::Test {
protected:
    ModelEvaluationTest() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
        machine_ = *recorded_machine(*workspace_, "here");
        run_ = *start_run(*workspace_, "evaluate", "{}");
    }
    ~ModelEvaluationTest() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }

    WorkloadId matrix(const char* name) {
        matrices_.push_back(*add_matrix_name(*workspace_, name, "generated"));
        return matrices_.back();
    }
    ModelId model(const char* name, std::optional<RunId> run = {}, std::optional<ModelId> parent = {}) {
        return *add_model(*workspace_, {name, run, parent, "{}"}, {});
    }
    void time(WorkloadId matrix, const char* schedule, double median,
              MeasurementStatus status = MeasurementStatus::Measured) {
        Measurement measurement;
        measurement.status = status;
        measurement.median = Milliseconds(median);
        ASSERT_TRUE(record_measurement(*workspace_, {matrix, machine_, 256, "recorded"},
                                       *parse_schedule(Operator::SpMM, schedule), measurement)
                        .has_value());
    }
    void choose(ModelId model, WorkloadId matrix, const std::vector<const char*>& schedules) {
        std::vector<ChosenSchedule> chosen;
        for (const char* schedule : schedules)
            chosen.push_back({*parse_schedule(Operator::SpMM, schedule), static_cast<double>(chosen.size())});
        ASSERT_TRUE(record_choices(*workspace_, run_, model, matrix, chosen).has_value());
    }
    void rematch(WorkloadId matrix, const std::vector<std::pair<const char*, double>>& medians) {
        std::vector<RematchTime> times;
        for (const auto& [schedule, median] : medians)
            if (median > 0)
                times.push_back({*parse_schedule(Operator::SpMM, schedule), std::vector(5, median)});
            else
                times.push_back({*parse_schedule(Operator::SpMM, schedule), {}, "no memory"});
        ASSERT_TRUE(record_rematch(*workspace_, run_, matrix, times).has_value());
    }
    EvaluationScope scope(const std::vector<ModelId>& models, int k = 2) {
        return {.run = run_,
                .models = models,
                .workloads = matrices_,
                .machine = **find_machine(*workspace_, "here"),
                .setting = setting_of(Operator::SpMM, 256),
                .protocol = "recorded",
                .k = k,
                .bootstrap = {.resamples = 200}};
    }
    std::vector<SuperSchedule> contenders_of(const std::vector<ModelId>& models, WorkloadId matrix) {
        const auto matrices = *list_matrices(*workspace_);
        const auto record = *std::ranges::find(matrices, matrix, &MatrixRecord::id);
        const auto found =
            contenders(*workspace_, *make_sparse_domain(), scope(models), record.id, record.name);
        EXPECT_TRUE(found.has_value()) << found.error().text();
        return found ? schedules_of(found->configurations, 1) : std::vector<SuperSchedule>{};
    }
    /// Canonical, with one thread.
    static SuperSchedule meaning(const char* text) {
        SuperSchedule schedule = *parse_schedule(Operator::SpMM, text);
        schedule.threads = 1;
        return canonical(schedule);
    }
    Result<ModelEvaluation> try_evaluating(const std::vector<ModelId>& models, int k = 2) {
        return evaluate_models(*workspace_, *make_sparse_domain(), scope(models, k));
    }
    ModelEvaluation evaluate(const std::vector<ModelId>& models, int k = 2) {
        auto evaluation = try_evaluating(models, k);
        EXPECT_TRUE(evaluation.has_value()) << evaluation.error().text();
        return evaluation ? *evaluation : ModelEvaluation{};
    }
    /// Fixed CSR 6 ms, blocked 3 ms, tall 2 ms, slow 12 ms.
    WorkloadId timed_matrix(const char* name) {
        const WorkloadId id = matrix(name);
        time(id, csr, 6);
        time(id, blocked, 3);
        time(id, tall, 2);
        time(id, slow, 12);
        return id;
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32";
    static constexpr const char* blocked = "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";
    static constexpr const char* tall = "32 1 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";
    static constexpr const char* slow = "1 8 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";
    static constexpr const char* unknown = "2 2 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";

    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-evaluation-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
    MachineId machine_{};
    RunId run_{};
    std::vector<WorkloadId> matrices_;
};

TEST_F(ModelEvaluationTest, TakesTheFastestOfTheModelsKAndComparesItWithFixedCsrAndTheBestKnown) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked, tall});
    const ModelEvaluation evaluation = evaluate({m});
    const EvaluatedWorkload& found = evaluation.models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 6, 3, 2})) << "the third choice is not among two";
    EXPECT_EQ(found.best_configuration, blocked);
    EXPECT_EQ(found.best_known_configuration, tall);
    EXPECT_DOUBLE_EQ(evaluation.models[0].summary->mean_relative.value, 1);
    EXPECT_DOUBLE_EQ(evaluation.models[0].summary->regret.value, 0.5);
}

TEST_F(ModelEvaluationTest, TimesTakenInTurnsCountInThePlaceOfEarlierOnes) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked, csr});
    rematch(a, {{csr, 9}, {blocked, 4}, {tall, 3.5}}); // a third slower now than it was
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 9, 4, 3.5, 4}));
    EXPECT_EQ(found.turns, 5);
    EXPECT_FALSE(found.has_faster_since);
    EXPECT_EQ(found.best_known_configuration, tall);
    EXPECT_DOUBLE_EQ(*found.candidates[1].turns_ms, 4);
    EXPECT_DOUBLE_EQ(*found.candidates[1].median_ms, 3) << "comparable with what was not";
    EXPECT_FALSE(found.candidates[0].turns_ms) << "it was not measured in turns";
    EXPECT_DOUBLE_EQ(*found.candidates[0].median_ms, 12);
}

TEST_F(ModelEvaluationTest, ARematchWithoutFixedCsrOrAnyOfTheModelsChangesNothing) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    rematch(a, {{blocked, 4}, {tall, 3.5}});
    EXPECT_EQ(evaluate({m}).models.at(0).workloads.at(0).times, (WorkloadSpeedup{"a", 6, 3, 2}));
    rematch(a, {{csr, 9}, {tall, 3.5}, {blocked, 0}}); // could not be measured in every turn
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 6, 3, 2}));
    EXPECT_EQ(found.turns, 0);
}

TEST_F(ModelEvaluationTest, SaysWhatCouldNotBeMeasuredInTurnsAndWhy) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    rematch(a, {{csr, 9}, {blocked, 4}, {tall, 0}});
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_EQ(evaluation.models.at(0).workloads.at(0).times.best_known_ms, 4);
    ASSERT_EQ(evaluation.missed_turns.size(), 1U);
    EXPECT_EQ(evaluation.missed_turns[0].configuration, tall);
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("could not be measured in turns on a, and is compared "
                                                       "with nothing there: no memory."));
    EXPECT_THAT(evaluation_json(evaluation)["missed_turns"].dump(), HasSubstr("no memory"));
}

TEST_F(ModelEvaluationTest, OfAnOlderWorkspaceHasOneTurnAndNoReason) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    const auto spmm = [](const char* line) { return *parse_schedule(Operator::SpMM, line); };
    const std::vector<RematchTime> times{{spmm(csr), {9}}, {spmm(blocked), {4}}, {spmm(tall)}};
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times));
    const std::string text = evaluation_text(evaluate({m}));
    EXPECT_THAT(text, HasSubstr("once more, in 1 turn"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("1 turns")));
    EXPECT_THAT(text, HasSubstr("compared with nothing there. Evaluate"));
}

TEST_F(ModelEvaluationTest, TellsTheFastestByTurnsThatDidNotChooseItRelativeToFixedCsr) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    // All of the second turn took twice as long; tall had luck once in a turn.
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {8, 16, 8}},
        {*parse_schedule(Operator::SpMM, blocked), {4, 8, 4}},
        {*parse_schedule(Operator::SpMM, tall), {1, 9, 4.5}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times.speedup(), 2);
    EXPECT_EQ(found.speedup_error, 0) << "what slows a whole turn down is no error of a ratio";
    EXPECT_EQ(found.candidates[0].turns_spread_ms, 0);
    EXPECT_EQ(found.best_known_configuration, blocked);
    EXPECT_GT(found.times.best_known_ms, 4) << "the turns that chose tall say so; the others know better";
}

TEST_F(ModelEvaluationTest, TheLossOfAFailureIsThatOfTheSpeedup) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, tall, slow});
    // By turns blocked and tall change places: the turns that choose the one are those where it had luck.
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {2, 2, 2, 2, 2}},
        {*parse_schedule(Operator::SpMM, blocked), {4, 8, 8, 8, 4}},
        {*parse_schedule(Operator::SpMM, tall), {8, 4, 4, 8, 8}},
        {*parse_schedule(Operator::SpMM, slow), {20, 20, 20, 20, 20}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const ModelEvaluation evaluation = evaluate({m}, 3);
    const EvaluatedWorkload& found = evaluation.models.at(0).workloads.at(0);
    EXPECT_DOUBLE_EQ(found.times.speedup(), 0.25);
    const auto cases = find_failures(evaluation);
    ASSERT_EQ(cases.size(), 1U);
    const FailureSign& sign = cases[0].main();
    EXPECT_EQ(sign.kind, FailureKind::SlowerThanBaseline);
    EXPECT_DOUBLE_EQ(found.times.speedup(), 1 / (1 + sign.lost_share()));
    EXPECT_EQ(sign.chosen.configuration, found.best_configuration);
    ASSERT_TRUE(sign.chosen.raw_ms && found.best_told);
    EXPECT_EQ(*sign.chosen.raw_ms, found.best_told->raw_ms);
    EXPECT_LT(*sign.chosen.raw_ms, 7) << "of its own turns, by luck; the others tell 8 ms";
    EXPECT_THAT(failure_case_json(cases[0], sparse_words()).dump(), HasSubstr("\"raw_ms\""));
}

TEST_F(ModelEvaluationTest, ResultsAndFailuresTellTheSameOfEveryCase) {
    const ModelId m = model("m");
    Random random(5);
    for (int place = 0; place < 24; ++place) {
        const std::string name = fmt::format("matrix{}", place);
        const WorkloadId matrix = timed_matrix(name.c_str());
        choose(m, matrix, {blocked, tall, slow});
        std::vector<RematchTime> times{{*parse_schedule(Operator::SpMM, csr)},
                                       {*parse_schedule(Operator::SpMM, blocked)},
                                       {*parse_schedule(Operator::SpMM, tall)},
                                       {*parse_schedule(Operator::SpMM, slow)}};
        for (int turn = 0; turn < 5; ++turn) {
            const double slowed = 1 + random.uniform();
            for (std::size_t each = 0; each < times.size(); ++each)
                times[each].turns_ms.push_back((each == 0 ? 1 : 1.6) * slowed *
                                               std::exp(0.06 * random.normal()));
        }
        ASSERT_TRUE(record_rematch(*workspace_, run_, matrix, times).has_value());
    }
    const ModelEvaluation evaluation = evaluate({m}, 3);
    const auto results = evaluation_json(evaluation);
    int told = 0;
    for (const FailureCase& each : find_failures(evaluation)) {
        const auto failure = failure_case_json(each, sparse_words());
        const auto& matrices = results["models"][0]["matrices"];
        const auto result = std::ranges::find_if(
            matrices, [&](const auto& one) { return one["matrix"] == failure["matrix"]; });
        ASSERT_NE(result, matrices.end());
        for (const auto& sign : failure["signs"])
            if (sign["kind"] == "slower_than_csr") {
                ++told;
                EXPECT_NEAR((*result)["speedup"].get<double>(), 1 / (1 + sign["lost_share"].get<double>()),
                            1e-12);
                EXPECT_EQ(sign["chosen"]["ms"], (*result)["best_ms"]);
                EXPECT_EQ(sign["chosen"]["schedule"], (*result)["best_schedule"]);
            }
    }
    EXPECT_GT(told, 10) << "of 24 that lose, although turns scatter by 6 %";
}

TEST_F(ModelEvaluationTest, FormsOfOneMatrixAreOneFamilyAndTurnsAreInTheInterval) {
    const ModelId m = model("m");
    std::vector<WorkloadId> matrices;
    for (const char* name : {"a", "a_t", "b", "c"}) {
        matrices.push_back(timed_matrix(name));
        choose(m, matrices.back(), {blocked, slow});
    }
    const EvaluatedModel before = evaluate({m}).models.at(0);
    EXPECT_EQ(before.summary->workloads, 4U);
    EXPECT_EQ(before.summary->families, 3U) << "a transpose is a form of its matrix";
    const Interval equal = *before.summary->geometric_mean.interval;
    EXPECT_EQ(equal.low, equal.high) << "twice as fast on each";
    for (const WorkloadId matrix : matrices)
        ASSERT_TRUE(record_rematch(*workspace_, run_, matrix,
                                   std::vector<RematchTime>{
                                       {*parse_schedule(Operator::SpMM, csr), {8, 8, 8, 8, 8}},
                                       {*parse_schedule(Operator::SpMM, blocked), {3.5, 4, 4.5, 3.8, 4.2}}})
                        .has_value());
    const Interval noisy = *evaluate({m}).models.at(0).summary->geometric_mean.interval;
    EXPECT_GT(noisy.high, 1.1 * noisy.low) << "that all agree is luck";
}

TEST_F(ModelEvaluationTest, EqualMatricesOfOtherNamesAreOneFamily) {
    const ModelId m = model("m");
    const auto pattern = generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", 0.1}}, 1);
    ASSERT_TRUE(pattern.has_value());
    for (const char* name : {"one", "copy", "other"}) {
        choose(m, timed_matrix(name), {blocked, slow});
        if (std::string_view(name) != "other") {
            ASSERT_TRUE(add_matrix(*workspace_, {name, "generated", {}}, *pattern).has_value());
        }
    }
    const SpeedupSummary summary = *evaluate({m}).models.at(0).summary;
    EXPECT_EQ(summary.workloads, 3U);
    EXPECT_EQ(summary.families, 2U);
}

TEST_F(ModelEvaluationTest, ASpeedupIsMarkedWhereTurnsLieFarApart) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {8, 8, 8, 8, 8}},
        {*parse_schedule(Operator::SpMM, blocked), {3, 4, 5, 3.5, 4.5}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_TRUE(evaluation.models.at(0).workloads.at(0).is_uncertain());
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("~: on a a speedup may be off by more than 6 %"));
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("~+101.1 %"));
    EXPECT_EQ(evaluation_json(evaluation)["models"][0]["matrices"][0]["uncertain"], true);
}

TEST_F(ModelEvaluationTest, MoreTurnsAreWantedUntilTheFastestOfEachModelIsKnown) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const auto found = contenders(*workspace_, *make_sparse_domain(), scope({m}), a, "a");
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->of_models.size(), 1U);
    EXPECT_EQ(found->of_models[0], (std::vector<std::size_t>{1, 2}));
    std::vector<ConfigurationTurns> times(found->configurations.size());
    EXPECT_TRUE(found->are_precise(times)) << "without a time of fixed CSR no turn helps";
    for (std::size_t place = 0; place < times.size(); ++place)
        times[place].turns_ms.assign(5, static_cast<double>(place + 1));
    EXPECT_TRUE(found->are_precise(times));
    times[3].turns_ms = {1, 9, 2, 8, 4};
    EXPECT_TRUE(found->are_precise(times)) << "tall is not the model's";
    times[1].turns_ms = {1.5, 2, 2.5, 1.7, 2.3};
    EXPECT_FALSE(found->are_precise(times));
}

/// Tells planted times of configurations, in the order in which they are given, with so much noise.
class PlantedClock : public WorkloadMeasurer {
public:
    PlantedClock(std::span<const WrittenConfiguration> configurations, double noise)
        : configurations_(configurations)
        , noise_(noise) {}

    Result<Measurement> measure(const WrittenConfiguration& configuration) override {
        const auto place = std::ranges::find(configurations_, configuration) - configurations_.begin();
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median =
            Milliseconds(static_cast<double>(place + 1) * std::exp(noise_ * random_.normal()));
        return measurement;
    }

private:
    std::span<const WrittenConfiguration> configurations_;
    double noise_;
    Random random_{11};
};

TEST_F(ModelEvaluationTest, ANoisyPairHasFifteenTurnsAndAQuietOneFive) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const auto domain = make_sparse_domain();
    const EvaluationScope of_m = scope({m});
    const auto found = contenders(*workspace_, *domain, of_m, a, "a");
    ASSERT_TRUE(found.has_value());
    std::vector<WrittenConfiguration> written;
    for (const char* text : {csr, blocked, slow, tall})
        written.push_back(*domain->written(of_m.setting, text));
    ASSERT_EQ(written.size(), found->configurations.size());
    const auto turns = [&](double noise) {
        PlantedClock clock(written, noise);
        const auto times = measure_in_turns(
            clock, written, rematch_turns, {}, {},
            [&](std::span<const ConfigurationTurns> so_far) { return !found->are_precise(so_far); });
        return times ? static_cast<int>(times->front().turns_ms.size()) : 0;
    };
    EXPECT_EQ(turns(0.3), most_rematch_turns);
    EXPECT_EQ(turns(0.005), rematch_turns);
}

/// 18 schedules by chunk and dense split.
std::vector<std::string> many_schedules() {
    std::vector<std::string> texts;
    for (const int dense : {8, 16})
        for (const int chunk : {1, 2, 4, 8, 16, 32, 64, 128, 256})
            texts.push_back(fmt::format("1 1 {} i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 {}", dense, chunk));
    return texts;
}

TEST_F(ModelEvaluationTest, TheFastestByHalvingGoOn) {
    const auto domain = make_sparse_domain();
    std::vector<WrittenConfiguration> written;
    for (const std::string& text : many_schedules())
        written.push_back(*domain->written(setting_of(Operator::SpMM, 256), text));
    std::ranges::reverse(written); // the clock's fastest is its first, the halving's last
    PlantedClock clock(written, 0.01);
    const std::vector<WrittenConfiguration> turned(written.rbegin(), written.rend());
    const auto twelve = std::span(turned).last(12);
    std::vector<std::uint64_t> told;
    const auto fastest = fastest_by_halving(clock, twelve, 3, {}, [&](const Progress& progress) {
        EXPECT_EQ(progress.total, 36U) << "twelve and six, two turns each";
        told.push_back(progress.done);
    });
    ASSERT_TRUE(fastest.has_value());
    EXPECT_EQ(*fastest, (std::vector<std::size_t>{9, 10, 11}));
    ASSERT_EQ(told.size(), 36U);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(measurements_of_halving(12, 3), 36U);
    EXPECT_EQ(measurements_of_halving(3, 3), 0U) << "without a heat";
    EXPECT_EQ(*fastest_by_halving(clock, twelve.first(2), 3), (std::vector<std::size_t>{0, 1}));
}

TEST_F(ModelEvaluationTest, OfTheSixteenFastestKnownFourAreInAllTurnsAndTheOthersContendForThree) {
    const WorkloadId a = matrix("a");
    const ModelId m = model("m");
    time(a, csr, 6);
    const std::vector<std::string> texts = many_schedules();
    for (std::size_t place = 0; place < texts.size(); ++place)
        time(a, texts[place].c_str(), 1 + 0.1 * static_cast<double>(place));
    choose(m, a, {texts[17].c_str(), texts[10].c_str()});
    const auto found = contenders(*workspace_, *make_sparse_domain(), scope({m}), a, "a");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->configurations.size(), 7U) << "fixed CSR, the model's two, the four fastest";
    EXPECT_EQ(found->challengers.size(), 11U) << "of sixteen, without four and the one that the model chose";
    const auto is_done = [&](std::size_t challengers) {
        std::vector<RematchTime> times{{*parse_schedule(Operator::SpMM, csr), std::vector(5, 6.0)}};
        std::vector<std::size_t> places{17, 10, 0, 1, 2, 3};
        for (std::size_t place = 4; place < 4 + challengers; ++place)
            places.push_back(place);
        for (const std::size_t place : places)
            times.push_back({*parse_schedule(Operator::SpMM, texts[place]), std::vector(5, 1.0)});
        EXPECT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
        const auto codec = *make_sparse_domain()->codec(scope({m}).setting);
        return RematchTimes::read(*workspace_, codec, run_, a)->are_of(*found, rematch_turns);
    };
    EXPECT_FALSE(is_done(2));
    EXPECT_TRUE(is_done(3));
    Contenders with_challenger = *found;
    with_challenger.choices[0].push_back(found->challengers[0]);
    with_challenger.add(found->challengers[0]);
    EXPECT_EQ(with_challenger.of_models[0].back(), 7U) << "a challenger that a model chose is its own, too";
}

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
    EXPECT_FALSE(found[1]) << "there are none on " << static_cast<std::int64_t>(b);
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

TEST_F(ModelEvaluationTest, AChoiceAndTheBestKnownAreComparedTurnByTurn) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    // What disturbs both in a turn, against fixed CSR, is in neither's lead over the other.
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {20, 20, 20, 20, 20}},
        {*parse_schedule(Operator::SpMM, blocked), {5.2, 8.1, 4.1, 9.1, 6.2}},
        {*parse_schedule(Operator::SpMM, tall), {4, 6.2, 3.2, 7, 4.7}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const ModelEvaluation evaluation = evaluate({m});
    const EvaluatedWorkload& found = evaluation.models.at(0).workloads.at(0);
    EXPECT_TRUE(found.is_uncertain()) << "over fixed CSR";
    ASSERT_TRUE(found.regret_error);
    EXPECT_LT(*found.regret_error, 0.02);
    EXPECT_FALSE(found.is_regret_uncertain());
    const auto cases = find_failures(evaluation);
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(cases[0].main().kind, FailureKind::HighRegret);
    EXPECT_EQ(cases[0].main().significance, Significance::BeyondNoise)
        << "as independent errors both would be within the noise";
}

TEST_F(ModelEvaluationTest, TheErrorOfARegretIsWiderWhereTheTurnsDisagreeOnTheBestKnown) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {20, 20, 20, 20, 20}},
        {*parse_schedule(Operator::SpMM, blocked), {4, 8, 8, 8, 4}},
        {*parse_schedule(Operator::SpMM, tall), {8, 4, 4, 8, 8}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    ASSERT_TRUE(found.best_told && found.best_known_told && found.regret_error);
    EXPECT_TRUE(found.best_told->turns_agree) << "of its choices one alone took turns";
    EXPECT_FALSE(found.best_known_told->turns_agree);
    const TurnRatio regret = ratio_by_turn(found.best_told->turn_ratios, found.best_known_told->turn_ratios);
    EXPECT_GT(*regret.error, 0);
    EXPECT_NEAR(*found.regret_error, 1.5 * *regret.error, 1e-12) << "the root of 1 + 5 / 4";
}

TEST_F(ModelEvaluationTest, SaysWhereSomethingFasterWasMeasuredSince) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    rematch(a, {{csr, 9}, {blocked, 4}, {tall, 3.5}});
    time(a, unknown, 1);
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 9, 4, 3.5, 4}))
        << "the time of another hour is compared with none";
    EXPECT_TRUE(found.has_faster_since);
    EXPECT_THAT(evaluation_text(evaluate({m})),
                HasSubstr("What may be faster was measured since on a: evaluate again"));
}

TEST_F(ModelEvaluationTest, FixedCsrTheFirstAndTheFastestOfEachModelAndOfAllAreMeasuredAgain) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    const auto again = contenders_of({m}, a);
    ASSERT_EQ(again.size(), 4U) << "two of the model, and of all that has a time each once";
    EXPECT_TRUE(is_fixed_csr(again[0]));
    EXPECT_EQ(again[1], meaning(blocked)) << "the model's, the fastest first";
    EXPECT_EQ(again[2], meaning(slow));
    EXPECT_EQ(again[3], meaning(tall));
}

TEST_F(ModelEvaluationTest, NothingIsMeasuredAgainWhereAModelHasNoTime) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {unknown});
    EXPECT_TRUE(contenders_of({m}, a).empty());
}

TEST_F(ModelEvaluationTest, CountsFixedCsrAsAnAnswerOnlyWhereTheModelChoseIt) {
    const WorkloadId a = timed_matrix("a");
    const ModelId falls_back = model("falls back");
    const ModelId chooses = model("chooses");
    choose(falls_back, a, {slow, csr});
    choose(chooses, a, {csr, slow});
    const ModelEvaluation evaluation = evaluate({falls_back, chooses}, 1);
    EXPECT_DOUBLE_EQ(evaluation.models[0].workloads[0].times.speedup(), 0.5)
        << "the fallback stands behind the one that was chosen";
    EXPECT_DOUBLE_EQ(evaluation.models[0].summary->mean_relative_with_fallback.value, 0);
    EXPECT_EQ(evaluation.models[0].chosen, 1);
    EXPECT_DOUBLE_EQ(evaluation.models[1].workloads[0].times.speedup(), 1);
}

TEST_F(ModelEvaluationTest, LooksAScheduleUpByItsMeaningWhateverItsThreads) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {"4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8"});
    EXPECT_DOUBLE_EQ(evaluate({m}).models[0].workloads.at(0).times.best_ms, 3);
}

TEST_F(ModelEvaluationTest, SaysWhichChoicesHaveNoTime) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {unknown, blocked});
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_EQ(evaluation.models[0].without_time, 1);
    EXPECT_FALSE(evaluation.models[0].workloads[0].candidates[0].status.has_value());
    EXPECT_DOUBLE_EQ(evaluation.models[0].workloads[0].times.best_ms, 3);
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("1 of the 2 schedules that m chose have no time"));
}

TEST_F(ModelEvaluationTest, TakesAGivenUpTimeAsABoundOnlyWhereNothingElseHasOne) {
    const WorkloadId a = timed_matrix("a");
    time(a, unknown, 1, MeasurementStatus::GaveUp);
    const ModelId m = model("m");
    choose(m, a, {unknown, slow});
    EXPECT_DOUBLE_EQ(evaluate({m}).models[0].workloads[0].times.best_ms, 12);
    const EvaluatedWorkload bound = evaluate({m}, 1).models[0].workloads[0];
    EXPECT_DOUBLE_EQ(bound.times.best_ms, 1);
    EXPECT_TRUE(bound.best_was_given_up);
}

TEST_F(ModelEvaluationTest, ComparesModelsOnTheMatricesThatAllOfThemCanBeJudgedOn) {
    const WorkloadId a = timed_matrix("a");
    const WorkloadId b = timed_matrix("b");
    const WorkloadId without_csr = matrix("no CSR");
    time(without_csr, blocked, 1);
    const ModelId first = model("first");
    const ModelId second = model("second");
    for (const WorkloadId each : {a, without_csr})
        choose(first, each, {slow});
    choose(first, b, {unknown});
    for (const WorkloadId each : {a, b, without_csr})
        choose(second, each, {blocked});
    const ModelEvaluation evaluation = evaluate({first, second}, 1);
    for (const EvaluatedModel& model : evaluation.models) {
        ASSERT_EQ(model.workloads.size(), 1U) << model.name;
        EXPECT_EQ(model.workloads[0].times.workload, "a");
    }
    ASSERT_EQ(evaluation.left_out.size(), 2U);
    EXPECT_EQ(evaluation.left_out[0].workload, "b");
    EXPECT_EQ(evaluation.left_out[0].reason, "none of the 1 schedules that first chose has a time there");
    EXPECT_EQ(evaluation.left_out[1].reason, "fixed CSR has no time there");
    ASSERT_EQ(evaluation.comparisons.size(), 1U);
    EXPECT_EQ(evaluation.comparisons[0].model, "second");
    EXPECT_EQ(evaluation.comparisons[0].figures.first_faster, 1);
}

TEST_F(ModelEvaluationTest, HasTheAgreementOfScoresWithTimes) {
    const WorkloadId a = timed_matrix("a");
    const ModelId right = model("right");
    const ModelId wrong = model("wrong");
    choose(right, a, {tall, blocked, slow});
    choose(wrong, a, {slow, blocked, tall});
    const ModelEvaluation evaluation = evaluate({right, wrong}, 3);
    EXPECT_DOUBLE_EQ(*evaluation.models[0].kendall_tau, 1);
    EXPECT_DOUBLE_EQ(*evaluation.models[1].kendall_tau, -1);
}

TEST_F(ModelEvaluationTest, FindsTheLossesOfAModelAndOfThoseItWasTunedFrom) {
    const RunId training = *start_run(*workspace_, "train", "{}");
    const RunId tuning = *start_run(*workspace_, "finetune", "{}");
    for (const int epoch : {1, 2})
        ASSERT_TRUE(record_metric(*workspace_, training, "epoch/training_loss", {epoch, 1.0 / epoch}));
    ASSERT_TRUE(record_metric(*workspace_, training, "validation/loss", {2, 0.7}));
    ASSERT_TRUE(record_metric(*workspace_, tuning, "epoch/training_loss", {1, 0.4}));
    const ModelId parent = model("parent", training);
    const ModelId tuned = model("tuned", tuning, parent);
    const ModelEvaluation evaluation = evaluate({tuned, parent});
    ASSERT_EQ(evaluation.curves.size(), 2U) << "the parent's once";
    EXPECT_EQ(evaluation.curves[0].model, "tuned");
    EXPECT_EQ(evaluation.curves[1].training.size(), 2U);
    EXPECT_DOUBLE_EQ(evaluation.curves[1].validation.at(0).value, 0.7);
}

TEST_F(ModelEvaluationTest, RefusesAModelThatIsNotThere) {
    const auto evaluation = try_evaluating({static_cast<ModelId>(99)});
    ASSERT_FALSE(evaluation.has_value());
    EXPECT_EQ(evaluation.error().message, "the workspace has no model 99");
}

TEST_F(ModelEvaluationTest, OfMatricesWithoutTimesHasNoFiguresButSaysWhy) {
    const WorkloadId a = matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked});
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_FALSE(evaluation.models[0].summary.has_value());
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("a is left out: fixed CSR has no time there."));
    EXPECT_THAT(evaluation_html(evaluation), HasSubstr("fixed CSR has no time there"));
}

} // namespace
} // namespace sparsight
