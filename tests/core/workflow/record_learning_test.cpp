// Training and fine-tuning on tables of recorded times, whose rows are split rather than their workloads.
#include "domains/records/records.h"
#include "learning/decisions/decision_learning.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/models.h"
#include "store/workload_families.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"
#include "workflow/learning/fine_tuning/finetune_run.h"
#include "workflow/learning/reasons/choice_explanation.h"
#include "workflow/learning/reasons/time_prediction.h"
#include "workflow/learning/training/training_data.h"
#include "workflow/learning/training/training_run.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::must;
using testing::TemporaryFolder;

using Settings = std::vector<std::pair<std::string, Json>>;

/// Keeps what was told first.
class StartListener final : public Observer {
public:
    void start(const Json& facts) override { told = facts; }
    Json told;
};

/// Convolutions whose tiles and unrolling were tried on several GPUs.
class RecordLearning : public ::testing::Test {
protected:
    RecordLearning() {
        must(domains_.add(make_records_domain()));
        learning_.add(std::make_unique<DecisionLearning>(*domains_.find("records")));
    }

    /// 64 rows, of which each GPU has another one that is fastest.
    void tune(const std::string& gpu, const std::string& task, double best) {
        for (int tile = 0; tile < 8; ++tile)
            for (int unroll = 0; unroll < 8; ++unroll)
                record(gpu, task, fmt::format("tile={} unroll={}", 1 << tile, unroll),
                       1 + std::abs(tile - best) + 0.3 * std::abs(unroll - 3));
    }
    /// Without a time: the run failed.
    void record(const std::string& gpu, const std::string& task, const std::string& text,
                std::optional<double> ms) {
        Measurement measurement;
        measurement.status = ms ? MeasurementStatus::Measured : MeasurementStatus::Failed;
        if (ms)
            measurement.median = Milliseconds(*ms);
        measurement.repeats = ms ? 10 : 0;
        must(record_measurement(workspace_,
                                {.workload = must(add_workload_name(workspace_, "records", task, "test")),
                                 .machine = must(recorded_machine(workspace_, gpu)),
                                 .setting = setting_,
                                 .protocol = "recorded",
                                 .condition = condition_},
                                must(domains_.find("records")->written(setting_, text)), measurement));
    }

    TrainOrder with_options(const std::string& name, const Settings& values) {
        RunSettings settings(train_settings(domains_, learning_));
        for (const auto& [option, value] :
             Settings{{"loss", "logistic"}, {"epochs", 2}, {"threads", 1}, {"baseline", false}})
            must(settings.set(option, value));
        for (const auto& [option, value] : values)
            must(settings.set(option, value));
        return {settings,
                must(read_train_request(settings, name, setting_, *must(learning_.require("records"))))};
    }
    TrainOutcome train(const std::string& name, const Settings& values) {
        TrainOrder order = with_options(name, values);
        auto process = must(TrainingProcess::join(order.request, {}));
        return must(run_training(workspace_, learning_, order, process, listener_, {}));
    }
    Result<FinetuneOutcome> finetune(const std::string& model, const std::string& machine,
                                     const Settings& values) {
        RunSettings settings(finetune_settings(domains_));
        for (const auto& [option, value] :
             Settings{{"model", model}, {"machine", machine}, {"epochs", 2}, {"threads", 1}})
            must(settings.set(option, value));
        for (const auto& [option, value] : values)
            must(settings.set(option, value));
        FinetuneOrder order{settings, must(read_finetune_request(settings))};
        order.request.name = model + "-" + machine;
        return run_finetuning(workspace_, learning_, order, listener_, {});
    }
    Json training_of(const std::string& model) {
        return Json::parse(must(find_model(workspace_, model))->description)["training"];
    }

    const TemporaryFolder folder_;
    Workspace workspace_ = must(Workspace::create(folder_ / "w.sparsight", "test"));
    DomainRegistry domains_;
    LearningDomains learning_;
    const Setting setting_{"records", "conv"};
    std::string condition_; ///< of what is recorded from here on
    StartListener listener_;
};

TEST_F(RecordLearning, ModelsKnowWorkloadsByTheirWholeNames) {
    tune("old", "conv", 1);
    tune("new", "conv", 6);
    train("by-row", {{"split_by", "row"}});
    EXPECT_EQ(listener_.told["matrices"], (Json{{"train", 1}, {"validation", 1}, {"test", 1}}));
    EXPECT_GT(listener_.told["groups"]["train"], 1) << "parts are counted apart";
    EXPECT_EQ(training_of("by-row")["matrices"], Json({"conv"}));
    EXPECT_EQ(training_of("by-row")["groups"], listener_.told["groups"]["train"]);

    const ModelId model = must(find_model(workspace_, "by-row"))->id;
    const auto lineage = must(ModelLineage::read(workspace_));
    EXPECT_THAT(lineage.learned_from(model), ElementsAre("conv"));
    EXPECT_THAT(training_workloads_among(lineage, std::array{model}, std::array<std::string, 1>{"conv"},
                                         must(WorkloadFamilies::read(workspace_, *domains_.find("records")))),
                ElementsAre("conv"))
        << "evaluations say that it knows the workload";

    must(finetune("by-row", "old", {{"rows", 20}}));
    EXPECT_EQ(training_of("by-row-old")["matrices"], Json({"conv"}));
}

TEST_F(RecordLearning, ShotsOfRowsAreConfigurations) {
    tune("old", "conv", 1);
    tune("new", "conv", 6);
    train("by-row", {{"split_by", "row"}, {"machines", {"old"}}});
    const FinetuneOutcome tuned =
        must(finetune("by-row", "new", {{"rows", 20}, {"shots", {"0", "5", "20", "1000"}}, {"seeds", 2}}));
    std::vector<std::size_t> shots;
    for (const ShotResult& point : tuned.shots)
        shots.push_back(point.shots);
    EXPECT_THAT(shots, ElementsAre(0, 5, 20, ::testing::AllOf(::testing::Gt(40), ::testing::Lt(64))))
        << "all that are not in the test";
    EXPECT_EQ(tuned.shot.many, "configurations");
    EXPECT_NE(tuned.shots[1].seeds, tuned.shots[0].seeds) << "five rows change the model";
    EXPECT_THAT(listener_.told["notes"].dump(), HasSubstr("asks for more configurations than there are"));
    EXPECT_THAT(listener_.told["notes"].dump(), HasSubstr("learned from 20 configurations of new"));
}

TEST_F(RecordLearning, AllRowsThatAreNotLearnedFromAreTheTest) {
    tune("old", "conv", 1);
    tune("new", "conv", 6);
    train("by-row", {{"split_by", "row"}, {"machines", {"old"}}});
    const FinetuneOutcome tuned = must(finetune("by-row", "new", {{"rows", 20}}));
    // All 44, but for the group or two whose times are equal.
    const auto says_rows = ::testing::ContainsRegex(
        "learned from 20 configurations of new and tested with the other 4[0-4]: regret is against the "
        "fastest known configuration of each workload");
    EXPECT_THAT(tuned.remarks, ::testing::Contains(says_rows));
    EXPECT_EQ(training_of("by-row-new")["rows"], 20);
    EXPECT_THAT(listener_.told["notes"].dump(), says_rows);

    must(finetune("by-row", "old", {{"rows", 1000}}));
    EXPECT_THAT(listener_.told["notes"].dump(),
                HasSubstr("of the 1000 configurations that were asked for are learned from"));
}

TEST_F(RecordLearning, TheRuleInnerOfAModelThatWasNotMetaTrainedIsTold) {
    tune("old", "conv", 1);
    tune("new", "conv", 6);
    train("by-row", {{"split_by", "row"}, {"machines", {"old"}}});
    must(finetune("by-row", "new", {{"rows", 20}, {"rule", "inner"}}));
    EXPECT_THAT(listener_.told["notes"].dump(), HasSubstr("by-row was not meta-trained"));
}

TEST_F(RecordLearning, AsksForARowAtLeast) {
    RunSettings settings(finetune_settings(domains_));
    for (const auto& [option, value] : Settings{{"model", "m"}, {"machine", "a"}, {"rows", 0}})
        must(settings.set(option, value));
    const auto refused = read_finetune_request(settings);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("expected a whole number from 1"));
}

TEST(FinetuneOutcomeText, SaysThatTheModelBecameWorse) {
    FinetuneOutcome outcome;
    outcome.before = {{"ordered_pair_accuracy", 0.85}};
    outcome.after = {{"ordered_pair_accuracy", 0.82}};
    EXPECT_THAT(loss_remark(outcome).value_or(""), HasSubstr("0.8500 before, 0.8200 after"));
    EXPECT_THAT(gain_sentence(outcome), HasSubstr("the model became worse"));
    EXPECT_EQ(loss_remark(outcome), gain_sentence(outcome)) << "one sentence, so that it is said once";
    outcome.after = {{"ordered_pair_accuracy", 0.8493}};
    EXPECT_FALSE(loss_remark(outcome)) << "no difference in either sentence";
    EXPECT_THAT(gain_sentence(outcome), HasSubstr("nothing was gained"));
    outcome.after = outcome.before;
    EXPECT_FALSE(loss_remark(outcome));
    EXPECT_THAT(gain_sentence(outcome), HasSubstr("nothing was gained"));
}

TEST(TrainingRecordText, CountsTheRowsThatWereLearnedFrom) {
    TrainingRecord training;
    training.workloads = {"conv"};
    training.groups = 4;
    EXPECT_EQ(learned_text(training, {}), "1 workload in 4 groups of configurations");
    training.rows = 100;
    EXPECT_EQ(learned_text(training, {}), "100 configurations of 1 workload");
}

TEST_F(RecordLearning, TimesAreLearnedOfWorkloadsWithOneConfiguration) {
    for (int depth = 1; depth <= 12; ++depth)
        record("gpu", fmt::format("network-{}", depth), "code=as-is", depth);
    const Settings by_time{{"loss", "log-squared"}, {"baseline", true}};
    const TrainOutcome trained = train("times", by_time);
    EXPECT_EQ(listener_.told["matrices"]["train"], 10) << "none is left out";
    EXPECT_TRUE(trained.metrics.contains("log_time_error"));
    EXPECT_FALSE(trained.metrics.contains("regret_at_1")) << "there is nothing to choose";
    ASSERT_TRUE(trained.baseline);
    EXPECT_TRUE(trained.baseline->contains("log_time_error")) << "trees learn times, too";
    const auto ordered = with_options("order", {});
    EXPECT_THAT(testing::error_text(training_data(workspace_, ordered.request, {}, {})),
                HasSubstr("without two different runtimes"))
        << "an order can't be learned of them";
}

TEST_F(RecordLearning, ModelsOfOtherMachinesAreAdaptedByWorkloadsThatTheyKnow) {
    for (const char* gpu : {"one", "two", "three"})
        for (const char* task : {"a", "b", "c", "d"})
            tune(gpu, task, gpu == std::string("three") ? 6 : 1);
    train("general", {{"split_by", "machine"},
                      {"machines", {"one", "two"}},
                      {"validation_share", 0},
                      {"test_share", 0.5}});
    EXPECT_EQ(training_of("general")["matrices"], Json({"a", "b", "c", "d"}));
    const auto tuned = must(finetune("general", "three", {{"matrices", {"2"}}}));
    EXPECT_EQ(tuned.end, RunEnd::Finished);
    EXPECT_GE(listener_.told["workloads"]["test"], 1) << "the machine is new to it, if no workload is";
    EXPECT_THAT(testing::error_text(finetune("general", "one", {{"matrices", {"2"}}})),
                HasSubstr("left to test with"));
}

TEST_F(RecordLearning, AModelSaysByWhichRuleItPrefersAConfiguration) {
    tune("gpu", "conv", 1);
    train("tuner", {{"epochs", 40}, {"split_by", "row"}});
    ChoiceQuestion question{
        .query = {.model = "tuner"}, .workload = "conv", .configuration = "tile=2 unroll=3"};
    question.against = "tile=128 unroll=3";
    const auto found = must(explain_choice(workspace_, learning_, question, {}, {}));
    const ChoiceReasons& reasons = found.reasons;
    EXPECT_EQ(found.domain->name(), "records");
    EXPECT_EQ(reasons.machine, "gpu") << "the only one with times";
    EXPECT_EQ(reasons.configuration, "tile=2 unroll=3");
    EXPECT_DOUBLE_EQ(reasons.configuration_ms.value(), 1);
    EXPECT_DOUBLE_EQ(reasons.against_ms.value(), 7);
    EXPECT_EQ(reasons.others, 64);
    ASSERT_TRUE(reasons.anchors) << reasons.missing;
    EXPECT_EQ(reasons.is_right(), reasons.margin() > 0);
    EXPECT_EQ(must(explain_choice(workspace_, learning_, question, {}, {})).reasons, reasons)
        << "by one seed";
}

TEST_F(RecordLearning, AModelSaysOfGivenConfigurationsWhatItsReasonsSay) {
    tune("gpu", "conv", 1);
    train("tuner", {{"epochs", 5}, {"split_by", "row"}});
    const ModelQuery query{.model = "tuner", .machine = "gpu"};
    const PredictionQuestion question{.query = query,
                                      .pairs = {{"conv", "tile=2 unroll=3"}, {"conv", "tile=128 unroll=3"}}};
    Observer nobody;
    const auto told = must(predict_times(workspace_, learning_, question, nobody, {}));
    EXPECT_EQ(told.domain->name(), "records");
    EXPECT_FALSE(told.times.tells_times);
    ASSERT_EQ(told.times.workloads.size(), 1);
    const auto& times = told.times.workloads.front().times;
    ASSERT_EQ(times.size(), 2);
    const auto why = must(explain_choice(workspace_, learning_,
                                         {.query = query,
                                          .workload = "conv",
                                          .configuration = times[0].configuration,
                                          .against = times[1].configuration},
                                         {}, {}));
    EXPECT_EQ(times[0].score, why.reasons.configuration_score);
    EXPECT_EQ(times[1].score, why.reasons.against_score);
    EXPECT_THAT(testing::error_text(predict_times(workspace_, learning_,
                                                  {.query = query, .pairs = {{"none", "tile=2 unroll=3"}}},
                                                  nobody, {})),
                HasSubstr("the workspace has no workload 'none'"));
}

TEST_F(RecordLearning, AModelIsAskedAboutTheRunsUnderTheConditionThatIsNamed) {
    condition_ = "run=1";
    tune("gpu", "conv", 1);
    condition_ = "run=2";
    tune("gpu", "conv", 6);
    record("gpu", "other", "tile=1 unroll=0", 1); // so that most runs are under this one
    train("tuner", {{"epochs", 1}, {"split_by", "row"}});
    ChoiceQuestion question{
        .query = {.model = "tuner"}, .workload = "conv", .configuration = "tile=128 unroll=0"};
    for (const std::string& machine :
         {std::string("gpu"), must(list_machines(workspace_)).front().fingerprint}) {
        question.query.machine = machine + " (run=1)";
        EXPECT_EQ(must(explain_choice(workspace_, learning_, question, {}, {})).reasons.against,
                  "tile=2 unroll=3");
        question.query.machine = machine;
        EXPECT_EQ(must(explain_choice(workspace_, learning_, question, {}, {})).reasons.against,
                  "tile=64 unroll=3");
    }
}

/// Sorted, each even row of the table has unroll=0.
TEST_F(RecordLearning, ChangedCasesOfALongTableTakeEachOfItsDecisions) {
    for (int tile = 0; tile < 800; ++tile)
        for (int unroll = 0; unroll < 2; ++unroll)
            record("gpu", "conv", fmt::format("tile={} unroll={}", 100 + tile, unroll), 1 + tile + unroll);
    train("tuner", {{"epochs", 1}, {"split_by", "row"}});
    const ChoiceQuestion question{.query = {.model = "tuner"},
                                  .workload = "conv",
                                  .configuration = "tile=300 unroll=0",
                                  .against = "tile=600 unroll=0",
                                  .budget = Seconds(1)};
    const auto found = must(explain_choice(workspace_, learning_, question, {}, {}));
    ASSERT_TRUE(found.reasons.anchors) << found.reasons.missing;
    EXPECT_EQ(found.reasons.anchors->candidates, 8) << "of both: three of the tile, and unroll";
}

TEST_F(RecordLearning, FailedRunsDoNotMakeAMachineTheOneWithTheMostTimes) {
    tune("gpu", "conv", 1);
    for (int tile = 0; tile < 100; ++tile)
        record("broken", "conv", fmt::format("tile={} unroll=1", 1000 + tile), std::nullopt);
    train("tuner", {{"epochs", 1}, {"split_by", "row"}});
    const ChoiceQuestion question{
        .query = {.model = "tuner"}, .workload = "conv", .configuration = "tile=128 unroll=0"};
    EXPECT_EQ(must(explain_choice(workspace_, learning_, question, {}, {})).reasons.machine, "gpu");
}

TEST_F(RecordLearning, TreesThatReadMachinesAreNotAskedWithoutOne) {
    for (const auto& [gpu, cores] : {std::pair("one", 72), std::pair("two", 36)}) {
        tune(gpu, "conv", cores / 12.0);
        must(set_machine_facts(workspace_, must(recorded_machine(workspace_, gpu)),
                               fmt::format(R"({{"cores": {}}})", cores)));
    }
    train("trees", {{"architecture", "trees"}, {"split_by", "row"}, {"machine_features", true}});
    for (const char* text : {"tile=2 unroll=0", "tile=4 unroll=0"})
        record("one", "failed", text, std::nullopt);
    ChoiceQuestion question{.query = {.model = "trees"},
                            .workload = "failed",
                            .configuration = "tile=2 unroll=0",
                            .against = "tile=4 unroll=0"};
    EXPECT_THAT(testing::error_text(explain_choice(workspace_, learning_, question, {}, {})),
                HasSubstr("trees reads the description of a machine"));
    question.query.machine = "one";
    EXPECT_TRUE(explain_choice(workspace_, learning_, question, {}, {}));
}

TEST_F(RecordLearning, TheBestAndTheModelsChoiceCanBeNamed) {
    tune("gpu", "conv", 1);
    tune("other", "conv", 6);
    train("tuner", {{"epochs", 40}, {"split_by", "row"}});
    ChoiceQuestion question{
        .query = {.model = "tuner"}, .workload = "conv", .configuration = "tile=128 unroll=0"};
    question.query.machine = "other";
    const auto found = must(explain_choice(workspace_, learning_, question, {}, {}));
    EXPECT_EQ(found.reasons.against, "tile=64 unroll=3") << "the fastest on that machine";
    question.configuration = "choice";
    question.against = "tile=128 unroll=7";
    const auto choice = must(explain_choice(workspace_, learning_, question, {}, {}));
    EXPECT_GE(choice.reasons.margin(), 0);

    const auto refused = [&](const std::string& configuration, const std::string& against) {
        question.configuration = configuration;
        question.against = against;
        const auto explained = explain_choice(workspace_, learning_, question, {}, {});
        return explained ? std::string() : explained.error().message;
    };
    EXPECT_THAT(refused("best", "tile=64 unroll=3"), HasSubstr("both configurations are the same"));
    EXPECT_NE(refused("tile=3000 unroll=0", "best"), "") << "no such configuration";
    question.workload = "none";
    EXPECT_THAT(refused("best", "choice"), HasSubstr("the workspace has no workload 'none'"));
    question.workload = "conv";
    question.query.machine = "nobody";
    EXPECT_THAT(refused("best", "choice"),
                HasSubstr("there is no machine \"nobody\"; known machines: gpu, other"));
}

} // namespace
} // namespace sparsight
