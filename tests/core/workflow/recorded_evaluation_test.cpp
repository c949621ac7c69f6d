// Evaluations, failures and their causes in a domain whose times are all recorded.
#include "domains/records/records.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/failure_summary.h"
#include "evaluation/stored_evaluations.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "store/choices.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"
#include "toy/lock_domain.h"
#include "toy/lock_measuring.h"
#include "workflow/evaluation/evaluation_plan.h"
#include "workflow/evaluation/stored_results.h"
#include "workflow/explanation/configuration_changes.h"
#include "workflow/explanation/failures_study.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using testing::TemporaryFolder;

/// Two decisions on two GPUs: unrolling always helps, large tiles only on one of them.
class RecordedEvaluation : public ::testing::Test {
protected:
    RecordedEvaluation() {
        EXPECT_TRUE(domains_.add(make_records_domain()));
        for (const char* gpu : {"old", "new"}) {
            const auto machine = recorded_machine(workspace_, gpu).value();
            for (const char* task : {"small", "large"})
                for (const int tile : {8, 16, 32})
                    for (const int unroll : {0, 1})
                        record(task, machine, fmt::format("tile={} unroll={}", tile, unroll),
                               (task == std::string("large") ? 10 : 1) *
                                   (4.0 - (gpu == std::string("new") ? tile / 16.0 : -tile / 16.0)) *
                                   (unroll == 1 ? 1 : 2));
        }
        model_ =
            add_model(
                workspace_,
                {"first", {}, {}, R"({"domain": "records", "input": {"space": "conv"}, "training": {}})"}, {})
                .value();
    }

    void record(const std::string& task, MachineId machine, const std::string& text, double ms) {
        const auto workload = add_workload_name(workspace_, "records", task, "test").value();
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(ms);
        measurement.repeats = 10;
        EXPECT_TRUE(record_measurement(workspace_,
                                       {.workload = workload,
                                        .machine = machine,
                                        .setting = setting_,
                                        .protocol = "recorded",
                                        .condition = "run=2021"},
                                       records().written(setting_, text).value(), measurement));
    }
    std::string recorded_fingerprint(const std::string& name) {
        return find_machine(workspace_, name).value().value().fingerprint;
    }
    const Domain& records() const { return *domains_.find("records"); }

    EvaluationPlan plan(EvaluationRequest request) {
        request.models = {"first"};
        auto plan = plan_evaluation(workspace_, domains_, measuring_, request);
        EXPECT_TRUE(plan) << plan.error().text();
        return plan.value_or(EvaluationPlan{});
    }

    /// An evaluation on the new GPU in which the model chose these for each workload.
    void evaluate(const std::vector<std::string>& texts) {
        const EvaluationRequest request{.models = {"first"}, .machine = "new", .k = 2};
        const EvaluationPlan planned = plan(request);
        const auto run = start_run(workspace_, "evaluate", parameters_of(planned, request, 1).dump()).value();
        for (const WorkloadRecord& workload : planned.workloads) {
            std::vector<ConfigurationChoice> chosen;
            for (const std::string& text : texts)
                chosen.push_back(
                    {records().written(setting_, text).value(), static_cast<double>(chosen.size())});
            EXPECT_TRUE(record_choices(workspace_, run, model_, workload.id, chosen));
        }
        EXPECT_TRUE(end_run(workspace_, run, RunState::Finished));
    }
    FailuresAnswer failures() {
        Observer silent;
        auto answer = answer_failures(workspace_, records(), {}, silent, {});
        EXPECT_TRUE(answer) << answer.error().text();
        return answer.value_or(FailuresAnswer{});
    }

    const TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "w.sparsight", "test").value();
    DomainRegistry domains_;
    const MeasuringDomains measuring_;
    const Setting setting_{"records", "conv"};
    ModelId model_{};
};

TEST_F(RecordedEvaluation, IsOfTheDomainAndSettingOfItsModels) {
    const EvaluationPlan planned = plan({.machine = "new"});
    EXPECT_EQ(planned.domain->name(), "records");
    EXPECT_EQ(planned.setting, setting_);
    EXPECT_EQ(planned.measuring, nullptr);
    EXPECT_EQ(planned.protocol, "recorded");
    EXPECT_EQ(planned.condition, "run=2021");
    EXPECT_THAT(planned.workloads, SizeIs(2));
}

TEST_F(RecordedEvaluation, AsksForTheMachineWhereSeveralHaveTimes) {
    const auto planned = plan_evaluation(workspace_, domains_, measuring_, {.models = {"first"}});
    ASSERT_FALSE(planned);
    EXPECT_THAT(planned.error().message, HasSubstr("(--machine): old, new"));
}

TEST_F(RecordedEvaluation, MayNameTheConditionOfTheTimes) {
    const EvaluationPlan planned = plan({.machine = "new (run=2021)"});
    EXPECT_EQ(planned.machine.name, "new");
    EXPECT_EQ(planned.condition, "run=2021");
    const auto other =
        plan_evaluation(workspace_, domains_, measuring_, {.models = {"first"}, .machine = "new (run=1999)"});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("with run=1999: expected 'new (run=2021)'"));
}

TEST_F(RecordedEvaluation, SaysWhichRunsOfAMachineItTook) {
    EXPECT_TRUE(plan({.machine = "new"}).remarks.empty()) << "there are no others";
    const auto machine = find_machine(workspace_, "new").value().value().id;
    const auto workload = add_workload_name(workspace_, "records", "small", "test").value();
    Measurement measurement;
    measurement.status = MeasurementStatus::Measured;
    measurement.median = Milliseconds(1);
    ASSERT_TRUE(record_measurement(workspace_,
                                   {.workload = workload,
                                    .machine = machine,
                                    .setting = setting_,
                                    .protocol = "recorded",
                                    .condition = "run=2022"},
                                   records().written(setting_, "tile=8 unroll=1").value(), measurement));
    EXPECT_THAT(plan({.machine = "new"}).remarks,
                ElementsAre("the times are those of 'new (run=2021)', which has the most; --machine can also "
                            "name 'new (run=2022)'"));
    evaluate({"tile=32 unroll=1"});
    const auto run = newest_evaluation(workspace_).value().value().run;
    const ModelEvaluation found = read_evaluation(workspace_, records(), run).value();
    EXPECT_THAT(setting_sentence(found), HasSubstr("new (run=2021)"));
    EXPECT_EQ(evaluation_json(found)["condition"], "run=2021");
    EXPECT_THAT(evaluation_csv(found), HasSubstr("run=2021"));
}

TEST_F(RecordedEvaluation, AModelIsAskedAboutTheVeryRunsThatItFailedIn) {
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    const FailuresAnswer answer = failures();
    ASSERT_FALSE(answer.cases.empty());
    const auto arguments = reasons_arguments(answer.cases.front(), answer.evaluation, Seconds(5));
    const std::string machine = recorded_fingerprint("new") + " (run=2021)";
    const auto after = [&](const char* option) {
        const auto found = std::ranges::find(arguments, option);
        return std::ranges::distance(found, arguments.end()) < 2 ? std::string() : *std::next(found);
    };
    EXPECT_EQ(after("--machine"), machine);
    EXPECT_EQ(after("--setting"), "conv");
    EXPECT_EQ(after("--budget"), "5000ms");
}

TEST_F(RecordedEvaluation, OfModelsThatWereSplitByMachineIsOnAMachineThatWasHeldOut) {
    // Of locks, which can be measured here: all of them were learned from.
    ASSERT_TRUE(domains_.add(toy::make_lock_domain()));
    MeasuringDomains measuring;
    measuring.add(toy::make_lock_measuring());
    const Domain& locks = *domains_.find("locks");
    const auto lock = add_workload_name(workspace_, "locks", "door", "test").value();
    ASSERT_TRUE(describe_workload(workspace_, lock, {R"({"digit0":1})", "test", "hash"}));
    for (const char* machine : {"left", "right"}) {
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        ASSERT_TRUE(record_measurement(workspace_,
                                       {.workload = lock,
                                        .machine = recorded_machine(workspace_, machine).value(),
                                        .setting = {"locks", ""},
                                        .protocol = "recorded"},
                                       locks.written({"locks", ""}, "0000").value(), measurement));
    }
    ASSERT_TRUE(add_model(workspace_,
                          {"locksmith", {}, {}, R"({"domain": "locks", "training": {"matrices": ["door"],
                           "machines": ["left"], "settings": {"split_by": "machine"}}})"},
                          {}));
    const auto on = [&](const std::string& machine) {
        return plan_evaluation(workspace_, domains_, measuring,
                               {.models = {"locksmith"}, .machine = machine});
    };
    const auto held_out = on("right");
    ASSERT_TRUE(held_out) << held_out.error().text();
    EXPECT_THAT(held_out->workloads, SizeIs(1));
    EXPECT_FALSE(on("left")) << "it was learned on";
}

TEST_F(RecordedEvaluation, HasItsTimesMadeOnASimulatedMachine) {
    ASSERT_TRUE(domains_.add(toy::make_lock_domain()));
    const auto simulating = toy::make_lock_simulating();
    const auto lock = add_workload_name(workspace_, "locks", "door", "").value();
    MachineDescription description = simulated_copy(find_machine_preset("laptop").value().machine);
    description.name = "imagined";
    const MachineRecord machine = add_machine(workspace_, description).value().record;
    ASSERT_TRUE(add_model(workspace_, {"locksmith", {}, {}, R"({"domain": "locks", "training": {}})"}, {}));
    const auto planned = [&](std::vector<const SimulatingDomain*> makers, const std::string& of) {
        return plan_evaluation(workspace_, domains_, measuring_,
                               {.models = {"locksmith"}, .machine = of, .simulating = std::move(makers)});
    };
    const auto refused = planned({}, "imagined");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("imagined has no times"));
    EXPECT_FALSE(planned({simulating.get()}, "new")) << "it was recorded";
    const auto made = planned({simulating.get()}, "imagined");
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->simulating, simulating.get());
    EXPECT_EQ(made->protocol, "imagined");
    EXPECT_THAT(made->workloads, SizeIs(1)) << "without a time, too";

    const auto with_time = [&](const std::string& protocol) {
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        ASSERT_TRUE(record_measurement(
            workspace_,
            {.workload = lock, .machine = machine.id, .setting = {"locks", ""}, .protocol = protocol},
            domains_.find("locks")->written({"locks", ""}, "0000").value(), measurement));
    };
    with_time("imagined");
    const auto again = planned({simulating.get()}, "imagined");
    ASSERT_TRUE(again);
    EXPECT_EQ(parameters_of(*again, {}, 1), parameters_of(*made, {}, 1)) << "the same run goes on";
}

TEST_F(RecordedEvaluation, RefusesASettingThatTheModelIsNotMadeFor) {
    const auto planned = plan_evaluation(
        workspace_, domains_, measuring_,
        {.models = {"first"}, .setting = {.domain = {}, .text = {}, .options = {{"space", "gemm"}}}});
    ASSERT_FALSE(planned);
    EXPECT_THAT(planned.error().message, HasSubstr("first chooses for conv"));
}

TEST_F(RecordedEvaluation, TellsTheExactRegret) {
    evaluate({"tile=16 unroll=1", "tile=8 unroll=0"});
    const ModelEvaluation evaluation = failures().evaluation;
    ASSERT_EQ(evaluation.workloads(), 2U);
    for (const EvaluatedWorkload& workload : evaluation.models.front().workloads) {
        EXPECT_EQ(workload.best_known_configuration, "tile=32 unroll=1");
        EXPECT_DOUBLE_EQ(workload.times.regret(), 0.5);
        EXPECT_EQ(workload.best_configuration, "tile=16 unroll=1");
    }
    const auto json = evaluation_json(evaluation);
    const auto& first = json["models"][0]["workloads"][0];
    EXPECT_EQ(first["best_configuration"], "tile=16 unroll=1");
    EXPECT_DOUBLE_EQ(first["regret"].get<double>(), 0.5);
    EXPECT_FALSE(first.contains("speedup"));
    EXPECT_THAT(evaluation_text(evaluation), Not(HasSubstr("CSR")));
    EXPECT_THAT(summary_table(evaluation).header,
                ElementsAre("model", "behind the best (exact)", "median", "worst", "best known found",
                            "Kendall τ (chosen)"));
    EXPECT_EQ(summary_table(evaluation).rows[0][4], "0 of 2");
    EXPECT_EQ(json["exact_regret"], true);
    EXPECT_EQ(first["exact_regret"], true);
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("Regret is exact: all configurations of these"));
}

TEST_F(RecordedEvaluation, CallsNoRegretExactWhereAConfigurationHasNoTimeOnTheMachine) {
    record("large", recorded_machine(workspace_, "old").value(), "tile=64 unroll=1", 1);
    evaluate({"tile=16 unroll=1", "tile=8 unroll=0"});
    const ModelEvaluation evaluation = failures().evaluation;
    const auto json = evaluation_json(evaluation);
    EXPECT_EQ(json["exact_regret"], false);
    for (const auto& workload : json["models"][0]["workloads"])
        EXPECT_EQ(workload["exact_regret"], workload["workload"] == "small");
    EXPECT_EQ(summary_table(evaluation).header[1], "behind the best of the recorded ones");
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("of 1 of 2 workloads, some configurations have no"));
}

TEST_F(RecordedEvaluation, BlamesTheDecisionThatCostMostByTimesOfHybrids) {
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    const FailuresAnswer answer = failures();
    ASSERT_THAT(answer.cases, SizeIs(2));
    const FailureCase& worst = answer.cases.front();
    EXPECT_EQ(worst.workload, "large");
    EXPECT_EQ(worst.main().kind, FailureKind::HighRegret);
    ASSERT_TRUE(worst.diagnosis.has_value()) << worst.undiagnosed;
    EXPECT_EQ(worst.diagnosis->basis, DiagnosisBasis::Recorded);
    ASSERT_THAT(worst.diagnosis->decisions, SizeIs(2));
    double explained = 0;
    for (const BlamedDecision& decision : worst.diagnosis->decisions)
        explained += decision.milliseconds;
    EXPECT_NEAR(explained, worst.main().lost_ms(), 1e-9);
    ASSERT_THAT(answer.groups, SizeIs(1));
    EXPECT_THAT(
        group_sentence(answer.groups[0], answer.words),
        HasSubstr(
            "2 workloads: unroll 0 instead of 1 costs 27.5 of 44 ms: the chosen configuration is 200 % "));
    EXPECT_THAT(group_sentence(answer.groups[0], answer.words), HasSubstr("; the loss also depends on tile"));
    EXPECT_THAT(group_sentence(answer.groups[0], answer.words), HasSubstr("slower than the best known"));
}

TEST_F(RecordedEvaluation, TellsTheSmallestChangeByTimesThatAreKnown) {
    evaluate({"tile=32 unroll=0", "tile=8 unroll=0"});
    const FailureCase single = failures().cases.front();
    ASSERT_TRUE(single.change.has_value());
    EXPECT_EQ(single.change->configuration, "tile=32 unroll=1");
    ASSERT_THAT(single.change->decisions, SizeIs(1));
    EXPECT_EQ(single.change->decisions[0].decision.key, "unroll");
    EXPECT_DOUBLE_EQ(single.change->milliseconds, 20);
    const auto json = failure_case_json(single, records().words());
    EXPECT_EQ(json["change"]["configuration"], "tile=32 unroll=1");
    EXPECT_EQ(json["change"]["decisions"][0]["after"], "1");
}

TEST_F(RecordedEvaluation, WhereNoSmallerChangeRemovesTheLossTheNearestIsTold) {
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    const FailureCase failure = failures().cases.front();
    ASSERT_TRUE(failure.change.has_value());
    EXPECT_FALSE(failure.change->removes_loss);
    EXPECT_EQ(failure.change->configuration, "tile=16 unroll=1") << "30 ms beside 20 ms";
    EXPECT_DOUBLE_EQ(failure.change->milliseconds, 30);
}

TEST_F(RecordedEvaluation, ANearestChangeOfAsManyDecisionsAsDifferIsNone) {
    evaluate({"tile=8 unroll=0"});
    const FailureCase failure = failures().cases.front();
    ASSERT_TRUE(failure.change.has_value());
    EXPECT_EQ(failure.change->configuration, "tile=32 unroll=1") << "not tile=16 unroll=1, which takes 30 ms";
    EXPECT_THAT(failure.change->decisions, SizeIs(2));
    EXPECT_DOUBLE_EQ(failure.change->milliseconds, 20);
    EXPECT_TRUE(failure.change->removes_loss);
}

TEST_F(RecordedEvaluation, MachinesOfOneNameAreToldApartByTheirFingerprints) {
    const auto study = [&](const std::string& machine) {
        return answer_changes(workspace_, records(), {.workload = "tiny", .machine = machine});
    };
    for (const double factor : {1.0, 5.0}) {
        const std::string fingerprint = fmt::format("recorded:twin-{}", factor);
        const auto machine = record_machine(workspace_, "twin", fingerprint, "{}").value();
        record("tiny", machine, "tile=8 unroll=0", 2 * factor);
        record("tiny", machine, "tile=8 unroll=1", 1 * factor);
    }
    EXPECT_THAT(testing::error_text(study("")), HasSubstr("recorded:twin-1, recorded:twin-5"))
        << "by what --machine finds them";
    EXPECT_THAT(testing::error_text(study("twin")), HasSubstr("twin"));
    const auto slower = study("recorded:twin-5");
    ASSERT_TRUE(slower.has_value());
    EXPECT_EQ(slower->studied.machine_fingerprint, "recorded:twin-5");
    EXPECT_EQ(slower->studied.median_ms, 5);
    const auto all = find_results(workspace_, records(), {.workload = "tiny"});
    ASSERT_TRUE(all.has_value());
    EXPECT_THAT(comparable_results(*all), SizeIs(2)) << "times of two machines do not compare";
    EXPECT_THAT(best_results(*all), SizeIs(2));
}

TEST_F(RecordedEvaluation, IsAPage) {
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    const std::string page = failures_page(failures(), {.command = "sparsight-cli report"});
    EXPECT_THAT(page, HasSubstr("2 of 2 choices fail"));
    EXPECT_THAT(page, HasSubstr("<th>Workload</th>"));
    EXPECT_THAT(page, HasSubstr("unroll 0 instead of 1"));
    EXPECT_THAT(page, Not(HasSubstr("CSR")));
}

TEST_F(RecordedEvaluation, TellsWhatTheModelHadNotSeenByTheFactsThatAllWorkloadsShare) {
    const auto describe = [&](const std::string& task, const char* facts) {
        const auto workload = add_workload_name(workspace_, "records", task, "test").value();
        EXPECT_TRUE(describe_workload(workspace_, workload, {facts, "test", {}}));
    };
    describe("first", R"({"image_width": 8, "batch": 1, "note": "text"})");
    describe("second", R"({"image_width": 16, "batch": 1})");
    describe("third", R"({"image_width": 32, "batch": 1, "stride": 2})");
    describe("small", R"({"image_width": 16, "batch": 1, "stride": 1})");
    describe("large", R"({"image_width": 4096, "batch": 1})");
    EXPECT_TRUE(remove_model(workspace_, model_));
    model_ = add_model(workspace_,
                       {"first", {}, {}, R"({"domain": "records", "input": {"space": "conv"}, "training":
                            {"matrices": ["first", "second", "third", "forgotten"]}})"},
                       {})
                 .value();
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    const FailuresAnswer answer = failures();
    ASSERT_THAT(answer.cases, SizeIs(2));
    const FailureCase& large = answer.cases[0];
    ASSERT_EQ(large.workload, "large");
    EXPECT_NE(large.sign(FailureKind::OutsideTraining), nullptr);
    ASSERT_THAT(large.unfamiliar, SizeIs(1)) << "nobody shares the stride, and the batch never varies";
    EXPECT_EQ(to_text(large.unfamiliar[0]), "image width 4\u202F096, in training 8 to 32");
    ASSERT_THAT(large.closest_trained, SizeIs(3));
    EXPECT_EQ(large.closest_trained[0].name, "third");
    const FailureCase& small = answer.cases[1];
    EXPECT_EQ(small.sign(FailureKind::OutsideTraining), nullptr);
    EXPECT_EQ(small.closest_trained[0].name, "second");
    EXPECT_EQ(failure_case_json(large, answer.words)["closest_trained"][0]["workload"], "third");
}

TEST_F(RecordedEvaluation, NothingFailsWhereTheBestWasChosen) {
    evaluate({"tile=32 unroll=1", "tile=8 unroll=0"});
    EXPECT_THAT(failures().cases, SizeIs(0));
}

} // namespace
} // namespace sparsight
