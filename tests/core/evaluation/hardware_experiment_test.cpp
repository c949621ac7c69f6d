// The experiment on transfer between machines as it is summed up: three workloads on two machines each, whose
// regrets are made up.
#include "evaluation/hardware_experiment.h"

#include "evaluation/reports/hardware_report.h"
#include "support/results.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::must;
using ::testing::Optional;
using ::testing::Pair;
using Json = nlohmann::ordered_json;

Json pair(const std::string& workload, const std::string& machine, double distance) {
    return {{"space", workload},
            {"workload", workload},
            {"machine", machine},
            {"configurations", 10},
            {"sources", 2},
            {"best_ms", 1.0},
            {"median_over_best", 1.5},
            {"nearest", "other"},
            {"distance", distance},
            {"most_alike", "other"},
            {"tau", 0.9}};
}

/// On machine "far" the copy is as good as the nearest, on "near" half as bad; random search is at 0.2.
Json answer() {
    Json json{{"pairs", Json::array()},          {"flat", Json::array({pair("a", "flat", 0.1)})},
              {"points", Json::array()},         {"tunings", Json::array()},
              {"networks", Json::array()},       {"orders", Json::array()},
              {"notes", Json::array({"a note"})}};
    const auto add = [&](const std::string& workload, const std::string& machine, const std::string& rule,
                         int measurements, int seed, double regret) {
        json["points"].push_back({{"space", workload},
                                  {"workload", workload},
                                  {"machine", machine},
                                  {"rule", rule},
                                  {"measurements", measurements},
                                  {"seed", seed},
                                  {"regret", regret}});
    };
    for (const std::string workload : {"a", "b", "c"})
        for (const std::string machine : {"near", "far"}) {
            json["pairs"].push_back(pair(workload, machine, machine == "far" ? 2.5 : 0.2));
            add(workload, machine, "nearest", 0, 1, 0.4);
            add(workload, machine, "copy", 0, 1, machine == "far" ? 0.4 : 0.2);
            add(workload, machine, "random", 10, 1, 0.2);
            add(workload, machine, "scratch", 10, 1, 0.1);
            add(workload, machine, "scratch", 10, 2, 0.3);
            add(workload, machine, "corrected", 10, 1, machine == "far" ? 0.08 : 0.02);
        }
    return json;
}

TEST(HardwareExperiment, TakesMeansOverSeedsThenOverTargets) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(answer()));
    EXPECT_THAT(measured_counts(experiment), ElementsAre(10));
    EXPECT_THAT(regrets_of(experiment, "scratch", 10).front(), Optional(DoubleNear(0.2, 1e-12)));
    EXPECT_THAT(mean_regret(experiment, "copy", 0)->value, DoubleNear(0.3, 1e-12));
    EXPECT_FALSE(mean_regret(experiment, "trees", 0)) << "no point is of trees";
}

TEST(HardwareExperiment, CountsTheTargetsWhereARuleIsNoWorse) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(answer()));
    EXPECT_EQ(share_within(experiment, "copy", "nearest", 0)->holding, 6) << "equal ones hold";
    EXPECT_EQ(share_within(experiment, "nearest", "copy", 0)->holding, 3);
    EXPECT_EQ(share_within(experiment, "corrected", "random", 10, 0.5)->holding, 6);
    const auto share = share_within(experiment, "scratch", "random", 10, 0.5);
    EXPECT_EQ(share->holding, 0);
    EXPECT_GT(share->interval.high, 0.3) << "none of six may be many";
}

TEST(HardwareExperiment, TellsFarMachinesApart) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(answer()));
    EXPECT_EQ(share_below(experiment, "corrected", 10, 0.03, false)->holding, 3);
    EXPECT_EQ(share_below(experiment, "corrected", 10, 0.03, true)->holding, 0);
    EXPECT_EQ(share_below(experiment, "corrected", 10, 0.10, true)->holding, 3);
}

TEST(HardwareExperiment, KeepsAWorkloadInTwoSettingsApart) {
    Json json = answer();
    Json other = pair("a", "near", 0.2);
    other["space"] = "another";
    json["pairs"].push_back(other);
    json["points"].push_back({{"space", "another"},
                              {"workload", "a"},
                              {"machine", "near"},
                              {"rule", "copy"},
                              {"measurements", 0},
                              {"seed", 1},
                              {"regret", 0.9}});
    const HardwareExperiment experiment = must(parse_hardware_experiment(json));
    EXPECT_THAT(regrets_of(experiment, "copy", 0).front(), Optional(DoubleNear(0.2, 1e-12)));
    EXPECT_THAT(regrets_of(experiment, "copy", 0).back(), Optional(DoubleNear(0.9, 1e-12)));
    EXPECT_THAT(hardware_markdown(experiment), HasSubstr("a (another)"));
}

TEST(HardwareExperiment, ThePartOfAWorkloadHasItsPointsAlone) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(answer()));
    const HardwareExperiment part = of_workload(experiment, "b", "b");
    EXPECT_EQ(part.targets.size(), 2);
    EXPECT_EQ(part.points.size(), experiment.points.size() / 3);
    EXPECT_TRUE(part.flat.empty()) << "the flat one is of another workload";
    EXPECT_EQ(of_workload(experiment, "a", "a").flat.size(), 1);
    EXPECT_THAT(regrets_of(part, "corrected", 10), ElementsAre(Optional(0.02), Optional(0.08)));
    EXPECT_TRUE(of_workload(experiment, "another", "b").targets.empty());
}

TEST(HardwareReport, ShowsTheSearchProgressOfEachWorkload) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(answer()));
    const std::string page = hardware_html(experiment);
    EXPECT_THAT(page, HasSubstr("<h2>Search progress</h2>"));
    for (const char* workload : {"a", "b", "c"})
        EXPECT_THAT(page, HasSubstr(std::string("<figcaption>") + workload + ", on 2 machines</figcaption>"));
    EXPECT_THAT(hardware_html(of_workload(experiment, "a", "a")),
                ::testing::Not(HasSubstr("Search progress")))
        << "the figure above shows it already";
}

/// The answer with a tuning by each of two rules on both machines of the workload a.
Json with_tunings() {
    Json json = answer();
    for (const std::string machine : {"near", "far"})
        for (const std::string rule : {"corrected", "scratch"})
            json["tunings"].push_back(
                {{"space", "a"},
                 {"workload", "a"},
                 {"machine", machine},
                 {"rule", rule},
                 {"seed", 1},
                 {"steps", rule == "corrected" ? Json({{1, 1.2, 1.2}, {2, 1.1, 2.4}})
                                               : Json({{1, 1.6, 1.6}, {2, 1.2, 2.8}, {3, 1.0, 4}})}});
    return json;
}

TEST(HardwareExperiment, TakesTheMeanProgressOfWholeTunings) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(with_tunings()));
    EXPECT_THAT(mean_progress(experiment, "corrected"),
                ElementsAre(Pair(1, DoubleNear(0.2, 1e-12)), Pair(2, DoubleNear(0.1, 1e-12))));
    EXPECT_THAT(mean_progress(experiment, "scratch"),
                ElementsAre(Pair(1, DoubleNear(0.6, 1e-12)), Pair(2, DoubleNear(0.2, 1e-12)),
                            Pair(3, DoubleNear(0, 1e-12))));
    EXPECT_THAT(mean_progress(experiment, "plain"), ::testing::IsEmpty());
    EXPECT_EQ(of_workload(experiment, "a", "a").tunings.size(), 4);
    EXPECT_TRUE(of_workload(experiment, "b", "b").tunings.empty());
}

TEST(HardwareReport, DrawsTheProgressOfWholeTuningsBelowTheRegret) {
    const std::string without = hardware_figure(must(parse_hardware_experiment(answer())));
    EXPECT_THAT(without, HasSubstr("aria-label=\"mean regret by measurements\""));
    const std::string with = hardware_figure(must(parse_hardware_experiment(with_tunings())));
    EXPECT_THAT(with,
                HasSubstr("aria-label=\"mean regret by measurements; search progress of whole tunings\""));
    EXPECT_EQ(hardware_figure({}), "");
}

TEST(HardwareReport, SetsTheOrderBesideThatOfTheBestSource) {
    Json json = answer();
    EXPECT_THAT(order_estimates(must(parse_hardware_experiment(json)), false), ::testing::IsEmpty());
    for (const std::string machine : {"near", "far"})
        for (const int seed : {1, 2, 3})
            json["orders"].push_back({{"space", "a"},
                                      {"workload", "a"},
                                      {"machine", machine},
                                      {"is_without_kind", false},
                                      {"seed", seed},
                                      {"corrected", 0.9},
                                      {"source", machine == "far" ? 0.5 : 0.8}});
    const HardwareExperiment experiment = must(parse_hardware_experiment(json));
    const auto estimates = order_estimates(experiment, false);
    ASSERT_EQ(estimates.size(), 3) << "two machines and their mean";
    EXPECT_THAT(estimates[0].difference.value, DoubleNear(0.1, 1e-12));
    EXPECT_THAT(estimates[2].difference.value, DoubleNear(0.25, 1e-12));
    EXPECT_THAT(order_estimates(experiment, true), ::testing::IsEmpty());
    EXPECT_THAT(hardware_markdown(experiment), HasSubstr("mean over all"));
}

TEST(HardwareExperiment, RefusesAnythingElse) {
    EXPECT_FALSE(parse_hardware_experiment(Json{{"pairs", 1}}));
    Json json = answer();
    json["points"][0]["machine"] = "unknown";
    EXPECT_FALSE(parse_hardware_experiment(json)) << "a point of no pair";
}

TEST(HardwareReport, HasEveryTableAndNamesWhatIsFlat) {
    const HardwareExperiment experiment = must(parse_hardware_experiment(answer()));
    EXPECT_THAT(hardware_text(experiment), HasSubstr("a on flat"));
    EXPECT_THAT(hardware_markdown(experiment), HasSubstr("6 of 6: 100 %"));
    EXPECT_THAT(hardware_csv(experiment), HasSubstr("a,a,near,corrected,10,1,0.02,,\r\n"));
    EXPECT_THAT(hardware_html(experiment), HasSubstr("<svg"));
    EXPECT_EQ(hardware_json(experiment)["targets"].size(), 6);
}

} // namespace
} // namespace sparsight
