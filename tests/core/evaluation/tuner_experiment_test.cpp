// The experiment on tuners as it is summed up: three spaces and seeds, whose figures are made up.
#include "evaluation/tuner_experiment.h"

#include "evaluation/reports/tuner_report.h"
#include "support/results.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::must;
using ::testing::Pair;
using Json = nlohmann::ordered_json;

/// A sample keeps half, takes half the time and costs a hundredth of the pairs.
Json learned() {
    Json json{{"run", 1}, {"cells", Json::array()}, {"notes", Json::array({"a note"})}};
    for (const std::string space : {"a", "b", "c"})
        for (int seed = 1; seed <= 3; ++seed)
            for (const std::string sample : {"all", "hardware-aware"})
                for (const std::string tuner : {"trees", "attention"}) {
                    const bool is_all = sample == "all";
                    json["cells"].push_back(
                        {{"space", space},
                         {"split", "row"},
                         {"tuner", tuner},
                         {"sample", sample},
                         {"seed", seed},
                         {"kept", is_all ? 100 : 50},
                         {"measurements", 100},
                         {"seconds", (is_all ? 2.0 : 1.0) * seed},
                         {"ordered_pair_accuracy", (tuner == "trees" ? 0.8 : 0.9) - (is_all ? 0 : 0.01)},
                         {"speed_error", tuner == "trees" ? 0.08 : 0.04},
                         {"regret_at_1", 0.2},
                         {"regret_at_5", 0.1},
                         {"curve", {{1, 0.5}, {2, tuner == "trees" ? 0.3 : 0.1 * seed}}}});
                }
    return json;
}

TEST(TunerExperiment, TakesMeansOverSpacesAndSeeds) {
    const TunerExperiment experiment = must(parse_tuner_experiment(learned()));
    EXPECT_THAT(experiment.tuners(), ElementsAre("trees", "attention"));
    EXPECT_THAT(experiment.samples(), ElementsAre("all", "hardware-aware"));
    EXPECT_THAT(mean_figure(experiment, {"row", "trees", "all"}, "seconds")->value, DoubleNear(4, 1e-12));
    EXPECT_FALSE(mean_figure(experiment, {"machine", "trees", "all"}, "seconds"));
    EXPECT_THAT(mean_curve(experiment, {"row", "attention", "all"}),
                ElementsAre(Pair(1, DoubleNear(0.5, 1e-12)), Pair(2, DoubleNear(0.2, 1e-12))));
}

TEST(TunerExperiment, ComparesASampleWithAllDataOnTheSameSpaceAndSeed) {
    const TunerExperiment experiment = must(parse_tuner_experiment(learned()));
    const TunerCase sampled{"row", "attention", "hardware-aware"};
    const auto change = figure_change(experiment, sampled, "ordered_pair_accuracy");
    EXPECT_THAT(change->value, DoubleNear(-0.01, 1e-12));
    ASSERT_TRUE(change->interval);
    EXPECT_LT(change->interval->high, 0) << "the same on each";
    EXPECT_THAT(share_saved(experiment, sampled, "seconds")->value, DoubleNear(0.5, 1e-12));
    EXPECT_THAT(share_saved(experiment, sampled, "kept")->value, DoubleNear(0.5, 1e-12));
}

TEST(TunerExperiment, RefusesAnythingElse) {
    EXPECT_FALSE(parse_tuner_experiment(Json{{"cells", 1}}));
}

TEST(TunerReport, HasEveryTableAndWhatWasPublished) {
    const TunerExperiment experiment = must(parse_tuner_experiment(learned()));
    EXPECT_THAT(tuner_text(experiment), HasSubstr("0.893 / 0.851"));
    EXPECT_THAT(tuner_text(experiment), HasSubstr("a note"));
    EXPECT_THAT(tuner_markdown(experiment),
                HasSubstr("| row | hardware-aware | trees | 50 % [50, 50] | 2.0 |"));
    EXPECT_THAT(tuner_csv(experiment), HasSubstr("a,row,trees,all,1,100,100,2,0.8,0.08,0.2,0.1\r\n"));
    EXPECT_THAT(tuner_html(experiment), HasSubstr("<svg"));
    EXPECT_EQ(tuner_json(experiment)["estimates"].size(), 4);
}

TEST(TunerReport, DrawsConvergenceAndPairsInOrder) {
    const std::string figure = tuner_figure(must(parse_tuner_experiment(learned())));
    EXPECT_THAT(figure, HasSubstr("aria-label=\"speed error by epoch; pairs in order by split\""));
    EXPECT_THAT(figure, HasSubstr(">80.0</text>")) << "the bar of the trees";
    EXPECT_THAT(figure, HasSubstr(">90.0</text>"));
    Json without = learned();
    for (Json& cell : without["cells"])
        cell.erase("ordered_pair_accuracy");
    EXPECT_THAT(tuner_figure(must(parse_tuner_experiment(without))),
                HasSubstr("aria-label=\"speed error by epoch\""));
}

} // namespace
} // namespace sparsight
