// The tuning of a network on grids of two split loops, where the right choice is known: which layers are
// measured, what the others take, and what the measurements take.
#include "learning/transfer/network_tuning.h"

#include "learning/transfer/decision_factors.h"
#include "support/results.h"
#include "support/test_files.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using ::testing::SizeIs;

constexpr double failed_run = std::numeric_limits<double>::infinity();
constexpr std::size_t splits = 10;

/// The most working layer of BERT-base, the next one, and one that hardly works.
const std::string first_layer = "dense_B1_M128_N3072_K768";
const std::string second_layer = "dense_B1_M128_N2304_K768";
const std::string small_layer = "batch_matmul_B12_M128_N128_K64";

/// Two loops are split into parts of 1, 2, 4 …; the further from the best, the slower.
TimedSpace grid(const std::string& setting, const std::string& workload, double best_x, double best_y,
                double fastest, const std::vector<std::string>& machines = {"m"}) {
    TimedSpace space;
    space.setting = setting;
    space.workload = workload;
    space.decisions = {"tile_x", "tile_y"};
    space.values.resize(2);
    for (std::size_t value = 0; value < splits; ++value)
        for (auto& values : space.values)
            values.push_back(fmt::format("-1x{}", 1 << value));
    for (auto& values : space.values)
        std::ranges::sort(values);
    const auto exponent = [&](std::size_t place) {
        return std::log2(decision_factors(space.values[0][place]).front());
    };
    std::vector<double> milliseconds;
    for (std::size_t x = 0; x < splits; ++x)
        for (std::size_t y = 0; y < splits; ++y) {
            const std::string text = fmt::format("x={} y={}", x, y);
            space.configurations.emplace_back(std::as_bytes(std::span(text)));
            space.choices.push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)});
            milliseconds.push_back(fastest * std::exp(0.1 * (std::pow(exponent(x) - best_x, 2) +
                                                             std::pow(exponent(y) - best_y, 2))));
        }
    for (const std::string& machine : machines)
        space.columns.push_back({machine, machine, milliseconds});
    return space;
}

TEST(DecisionFactors, AreThePartsOfASplitLoop) {
    EXPECT_THAT(decision_factors("16"), ElementsAre(16));
    EXPECT_THAT(decision_factors("-1"), ElementsAre(-1)) << "a number as any other";
    EXPECT_THAT(decision_factors("-1x8x16"), ElementsAre(8, 16)) << "the first part is what is left";
    EXPECT_THAT(decision_factors("4x8"), ElementsAre(4, 8));
    for (const char* const other : {"", "x", "8x", "auto", "4xauto"})
        EXPECT_THAT(decision_factors(other), IsEmpty()) << other;
}

TEST(ResponseSurface, ReadsEachPartOfASplitLoopAsANumber) {
    TimedSpace space = grid("s", "w", 3, 3, 1);
    EXPECT_EQ(space.response_surface().width, 5U) << "two numbers, their squares and their product";
    space.values[0][0] = "auto";
    EXPECT_GT(space.response_surface().width, 10U) << "names: one column each";
}

TEST(Networks, OfBertHaveTheOperationsOfItsLayers) {
    const Network& bert = known_networks().front();
    EXPECT_EQ(bert.name, "BERT-base");
    const double all =
        std::accumulate(bert.layers.begin(), bert.layers.end(), 0.0,
                        [](double sum, const NetworkLayer& layer) { return sum + layer.work(); });
    // 12 layers of 2 · 128 · (3 · 768² + 768² + 2 · 768 · 3072) and twice 2 · 12 · 128² · 64, and the pooler.
    EXPECT_THAT(all, DoubleNear(22.348, 0.001));
}

TEST(Networks, AreSignificantInTheLayersThatWorkTheMost) {
    const std::vector<NetworkLayer> layers{{"a", 1, 1.0}, {"b", 12, 0.5}, {"c", 2, 1.5}};
    EXPECT_THAT(significant_layers(layers, 0.5), ElementsAre(1)) << "6 of 10";
    EXPECT_THAT(significant_layers(layers, 0.9), ElementsAre(1, 2)) << "9 of 10";
    EXPECT_THAT(significant_layers(layers, 1), ElementsAre(1, 2, 0));
    EXPECT_THAT(significant_layers(layers, 0), ElementsAre(1)) << "at least one";
}

TEST(Networks, AreReadFromATableWithALineForEachLayer) {
    const testing::TemporaryFolder folder;
    const auto written = [&](const std::string& text) {
        testing::write_file(folder / "networks.csv", text);
        return read_networks(folder / "networks.csv");
    };
    const auto networks = written("network,workload,occurrences,gflop\n"
                                  "small,first,12,0.5\nlarge,first,24,0.5\nsmall,second,1,2\n");
    ASSERT_TRUE(networks.has_value()) << networks.error().text();
    ASSERT_THAT(*networks, SizeIs(2));
    EXPECT_EQ(networks->front().name, "small");
    ASSERT_THAT(networks->front().layers, SizeIs(2));
    EXPECT_EQ(networks->front().layers[0].work(), 6);
    const auto refused = [&](const std::string& text) { return written(text).error().text(); };
    EXPECT_THAT(refused("network,workload,gflop\n"),
                HasSubstr("networks.csv:1: there is no column occurrences"));
    const std::string head = "network,workload,occurrences,gflop\n";
    EXPECT_THAT(refused(head), HasSubstr("there is no layer"));
    EXPECT_THAT(refused(head + "n,w,0,1\n"), HasSubstr("networks.csv:2: column occurrences: found \"0\""));
    EXPECT_THAT(refused(head + "n,w,1,fast\n"), HasSubstr("column gflop: found \"fast\""));
    EXPECT_THAT(refused(head + "n,,1,1\n"), HasSubstr("expected a name"));
    EXPECT_THAT(refused(head + "n,w,1,1\nn,w,2,1\n"), HasSubstr("networks.csv:3: column workload"));
}

TEST(TuningSteps, SumTheTimesOfWhatRan) {
    const TimedColumn column{"m", "m", {4, failed_run, 2, 8}};
    const std::vector<std::size_t> order{1, 0, 3, 2};
    EXPECT_THAT(tuning_steps(column, order), ElementsAre(TuningStep{1, 8, 0}, TuningStep{2, 4, 4},
                                                         TuningStep{3, 4, 12}, TuningStep{4, 2, 14}))
        << "a failure takes nothing, and is as slow as the slowest";
}

TEST(NetworkTargets, AreTheMachinesWithTimesOfTwoLayers) {
    const std::vector<TimedSpace> spaces{grid("dense", first_layer, 3, 3, 1, {"m", "lonely"}),
                                         grid("dense", second_layer, 3, 3, 1),
                                         grid("dense", "other", 3, 3, 1)};
    const auto targets = network_targets(spaces, known_networks(), 0.9);
    ASSERT_THAT(targets, SizeIs(1));
    EXPECT_EQ(targets.front().machine, "m");
    EXPECT_THAT(targets.front().layers, SizeIs(2));
    EXPECT_THAT(targets.front().missing, SizeIs(5)) << "layers without times are told";
}

class NetworkTuning : public ::testing::Test {
protected:
    std::vector<NetworkTaskTuning> tune(std::vector<TimedSpace> spaces, double share) {
        spaces_ = std::move(spaces);
        targets_ = network_targets(spaces_, known_networks(), share);
        NetworkTuningOptions options;
        options.measurements = 30;
        return must(tune_network(targets_.front(), KnownSheets{}, options));
    }

    std::vector<TimedSpace> spaces_;
    std::vector<NetworkTarget> targets_;
};

TEST_F(NetworkTuning, BeginsALayerWithWhatTheLayersBeforeHaveTaught) {
    const auto tunings = tune({grid("dense", first_layer, 6, 2, 4), grid("dense", second_layer, 6, 2, 3)}, 1);
    ASSERT_THAT(tunings, SizeIs(2));
    EXPECT_EQ(tunings[0].scratch, tunings[0].transfer) << "nothing is known before the first";
    EXPECT_GT(tunings[1].scratch.front().milliseconds, 4);
    EXPECT_LT(tunings[1].transfer.front().milliseconds, 3.4) << "its first measurement is nearly the best";
    EXPECT_THAT(tunings[1].transfer.back().milliseconds, DoubleNear(3, 1e-9));
    EXPECT_THAT(tunings, Each(Field(&NetworkTaskTuning::unmeasured, 0))) << "all are measured";
}

TEST_F(NetworkTuning, ChoosesForALayerThatIsNotMeasured) {
    const auto tunings =
        tune({grid("dense", first_layer, 6, 2, 4), grid("dense", small_layer, 6, 2, 1)}, 0.9);
    ASSERT_EQ(targets_.front().significant, 1U);
    EXPECT_EQ(tunings[0].unmeasured, 0);
    EXPECT_LT(tunings[1].unmeasured, 1.2);
    EXPECT_EQ(tunings[1].unmeasured, tunings[1].transfer.front().milliseconds)
        << "the search with transfer begins there";
}

TEST_F(NetworkTuning, TakesTheTemplateThatWonOnAMeasuredLayer) {
    const auto tunings = tune({grid("nopack", first_layer, 6, 2, 4), grid("pack", first_layer, 6, 2, 2),
                               grid("nopack", small_layer, 6, 2, 1), grid("pack", small_layer, 6, 2, 0.5)},
                              0.9);
    ASSERT_THAT(tunings, SizeIs(4));
    EXPECT_FALSE(tunings[2].is_chosen);
    EXPECT_TRUE(tunings[3].is_chosen) << "pack";
}

TEST_F(NetworkTuning, FollowsOtherMachinesWhereTheyRanTheLayer) {
    const auto tunings = tune(
        {grid("dense", first_layer, 6, 2, 4, {"m", "n"}), grid("dense", small_layer, 1, 8, 1, {"m", "n"})},
        0.9);
    EXPECT_THAT(tunings[0].transfer.front().milliseconds, DoubleNear(4, 1e-9));
    EXPECT_THAT(tunings[1].unmeasured, DoubleNear(1, 1e-9)) << "where the measured layer would mislead";
}

} // namespace
} // namespace sparsight
