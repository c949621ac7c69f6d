// Whole tunings as they are summed up: of a workload on two machines, and of a network of two layers, whose
// times are made up.
#include "evaluation/tuning_experiment.h"

#include "evaluation/reports/hardware_report.h"
#include "support/results.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using ::testing::SizeIs;
using Json = nlohmann::ordered_json;

/// From these times, one after another.
TunedSteps steps(const std::vector<double>& times) {
    TunedSteps all;
    for (const double time : times) {
        TunedStep step = all.empty() ? TunedStep{0, time, 0} : all.back();
        ++step.measurements;
        step.milliseconds = std::min(step.milliseconds, time);
        step.spent += time;
        all.push_back(step);
    }
    return all;
}

Json json_of(const TunedSteps& steps) {
    Json json = Json::array();
    for (const TunedStep& step : steps)
        json.push_back({step.measurements, step.milliseconds, step.spent});
    return json;
}

TEST(TargetSavings, CountUntilTransferIsAsFastAsTuningFromScratch) {
    const std::vector<WorkloadTuning> tunings{{0, "plain", 1, steps({9, 8, 7, 5, 6})},
                                              {0, "corrected", 1, steps({4, 3, 2, 9, 9})}};
    const auto savings = target_savings(tunings, "plain");
    ASSERT_THAT(savings, SizeIs(1));
    EXPECT_EQ(savings.front().scratch, 4) << "the fifth gains nothing";
    EXPECT_EQ(savings.front().transfer, 1);
    EXPECT_THAT(savings.front().measurements, DoubleNear(0.75, 1e-12));
    EXPECT_THAT(savings.front().time, DoubleNear(1 - 4.0 / 29, 1e-12));
    EXPECT_TRUE(savings.front().is_reached);
}

TEST(TargetSavings, SaveNothingWhereTransferNeverIsAsFast) {
    const std::vector<WorkloadTuning> tunings{{0, "plain", 1, steps({9, 5})},
                                              {0, "corrected", 1, steps({7, 6, 6, 6})}};
    const TargetSaving saving = target_savings(tunings, "plain").front();
    EXPECT_FALSE(saving.is_reached);
    EXPECT_THAT(saving.measurements, DoubleNear(-1, 1e-12)) << "all four against two";
}

TEST(TunedSums, AreOfFinalTimesAndAllRuns) {
    const std::vector<WorkloadTuning> tunings{{0, "plain", 1, steps({9, 5})},
                                              {0, "plain", 2, steps({9, 7})},
                                              {1, "plain", 1, steps({2, 3})},
                                              {1, "corrected", 1, steps({1})}};
    const TunedSum sum = tuned_sum(tunings, "plain", {0, 1});
    EXPECT_THAT(sum.milliseconds, DoubleNear(6 + 2, 1e-12)) << "mean over seeds, sum over targets";
    EXPECT_THAT(sum.spent, DoubleNear((14 + 16) / 2.0 + 5, 1e-12));
}

TEST(TargetSavings, AreMeansOverSeeds) {
    const std::vector<WorkloadTuning> tunings{{0, "plain", 1, steps({9, 5})},
                                              {0, "plain", 2, steps({9, 8, 7, 5})},
                                              {0, "corrected", 1, steps({5})}};
    EXPECT_THAT(target_savings(tunings, "plain").front().measurements, DoubleNear((0.5 + 0.75) / 2, 1e-12));
    EXPECT_THAT(target_savings(tunings, "scratch"), IsEmpty()) << "no tuning is by this rule";
}

/// A layer that runs ten times has two templates; one that runs twice is not measured when only significant
/// ones are.
TunedNetwork network() {
    return {.network = "Net",
            .source = "Net has ten layers.",
            .machine = "A",
            .missing = {"absent"},
            .layers = {{"large", 10, 1.0, true}, {"small", 2, 0.5, false}},
            .tasks = {{0, "one", 2}, {0, "other", 1}, {1, "one", 3}},
            .tunings = {{1,
                         {{steps({4, 3}), steps({2, 2}), 0, false},
                          {steps({2, 2}), steps({3, 1}), 0, true},
                          {steps({5, 4}), steps({4, 3}), 6, true}}}}};
}

TEST(NetworkFigures, SumOccurrencesTimesTheFastestTemplate) {
    EXPECT_THAT(network().optimum(), DoubleNear(10 * 1 + 2 * 3, 1e-12));
    const NetworkFigure scratch = network_figure(network(), 1, NetworkWay::Scratch, 2);
    EXPECT_THAT(scratch.inference, DoubleNear(10 * 2 + 2 * 4, 1e-12));
    EXPECT_EQ(scratch.measurements, 6);
    EXPECT_THAT(scratch.spent, DoubleNear(7 + 4 + 9, 1e-12)) << "both templates are tuned";
    EXPECT_THAT(network_figure(network(), 1, NetworkWay::Transfer, 1).inference,
                DoubleNear(10 * 2 + 2 * 4, 1e-12));
}

TEST(NetworkFigures, OfSignificantLayersTakeTheOthersUnmeasured) {
    const NetworkFigure figure = network_figure(network(), 1, NetworkWay::Selective, 2);
    EXPECT_THAT(figure.inference, DoubleNear(10 * 1 + 2 * 6, 1e-12));
    EXPECT_EQ(figure.measurements, 4);
    EXPECT_THAT(figure.spent, DoubleNear(4 + 4, 1e-12));
}

TEST(NetworkFigures, TellWhenTransferIsAsFastAsTuningFromScratch) {
    const auto reached = figures_on_reach(network(), NetworkWay::Transfer);
    ASSERT_THAT(reached, SizeIs(1));
    EXPECT_EQ(reached.front().measurements, 3) << "28 ms with the first of each";
}

Json tuning_answer() {
    Json json{{"pairs", Json::array()},   {"flat", Json::array()},     {"points", Json::array()},
              {"tunings", Json::array()}, {"networks", Json::array()}, {"orders", Json::array()},
              {"notes", Json::array()}};
    for (const std::string machine : {"A", "B"}) {
        json["pairs"].push_back({{"space", "s"},
                                 {"workload", "w"},
                                 {"machine", machine},
                                 {"configurations", 10},
                                 {"sources", 2},
                                 {"best_ms", 3.0},
                                 {"median_over_best", 1.5},
                                 {"nearest", "C"},
                                 {"distance", 0.5},
                                 {"most_alike", "C"},
                                 {"tau", 0.9}});
        for (const auto& [rule, times] : {std::pair<std::string, std::vector<double>>{"plain", {9, 8, 7, 5}},
                                          {"corrected", {5, 5, 4, 4}}})
            json["tunings"].push_back({{"space", "s"},
                                       {"workload", "w"},
                                       {"machine", machine},
                                       {"rule", rule},
                                       {"seed", 1},
                                       {"steps", json_of(steps(times))}});
    }
    const TunedNetwork net = network();
    Json tasks = Json::array();
    for (const TaskTuning& tuning : net.tunings.at(1))
        tasks.push_back({{"scratch", json_of(tuning.scratch)},
                         {"transfer", json_of(tuning.transfer)},
                         {"unmeasured", tuning.unmeasured},
                         {"is_chosen", tuning.is_chosen}});
    Json one{{"network", net.network},  {"source", net.source},    {"machine", net.machine},
             {"missing", net.missing},  {"layers", Json::array()}, {"tasks", Json::array()},
             {"tunings", Json::array()}};
    for (const TunedLayer& layer : net.layers)
        one["layers"].push_back({{"workload", layer.workload},
                                 {"occurrences", layer.occurrences},
                                 {"gflop", layer.gflop},
                                 {"is_significant", layer.is_significant}});
    for (const TunedTask& task : net.tasks)
        one["tasks"].push_back({{"layer", task.layer}, {"space", task.space}, {"best", task.best}});
    one["tunings"].push_back({{"seed", 1}, {"tasks", tasks}});
    json["networks"].push_back(one);
    return json;
}

TEST(TuningReport, StandsBesideThePublishedTable) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(tuning_answer()));
    const auto saving = tuning_saving(experiment, "plain");
    ASSERT_TRUE(saving);
    EXPECT_EQ(saving->targets, 2);
    EXPECT_EQ(saving->mostly_saved, 2) << "one measurement instead of four";
    const std::string page = hardware_html(experiment);
    for (const char* const part :
         {"Tuning from scratch and with transfer", "Net on A", "Layers of Net on A", "75 %",
          "published, Table 8: ResNet_50 on a Xeon", "67 %", "lacks layers without records: absent",
          "published, Table 7: A100", "Sums over the kernels of each machine"})
        EXPECT_THAT(page, HasSubstr(part));
    EXPECT_THAT(hardware_markdown(experiment), HasSubstr("transfer, significant layers"));
    EXPECT_THAT(hardware_csv(experiment), HasSubstr("s,w,A,tuning corrected,3,1,,4,14\r\n"));
    const Json json = hardware_json(experiment)["tuning"];
    EXPECT_EQ(json["workloads"][0]["from_scratch"], "plain");
    EXPECT_EQ(json["networks"][0]["ways"].size(), 3);
}

TEST(TuningReport, IsLeftOutWithoutTunings) {
    Json json = tuning_answer();
    json["tunings"] = json["networks"] = Json::array();
    const HardwareExperiment experiment = must(parse_hardware_experiment(json));
    EXPECT_THAT(hardware_html(experiment), ::testing::Not(HasSubstr("published")));
}

} // namespace
} // namespace sparsight
