#include "model/boosted_trees.h"

#include "base/random.h"
#include "base/ranking_metrics.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/tensor/sparse_workload.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

const std::shared_ptr<const TreeFeatures> spmm_features = schedule_features(Operator::SpMM);

/// A world with a rule: small matrices like large chunks, large ones small chunks, and a split of i costs.
TreesGroup group(std::uint64_t seed, int schedules) {
    Random random(seed);
    PatternStatistics statistics;
    statistics.rows = random.between(100, 100'000);
    statistics.cols = 1000;
    statistics.nnz = 10 * statistics.rows;
    const std::vector<SuperSchedule> drawn =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 1000, 1000, 256), schedules, 8, random);
    TreesGroup made{statistics_vector(statistics), configurations_of(drawn), {}};
    for (const SuperSchedule& schedule : drawn) {
        const double chunk = std::log2(schedule.chunk);
        const double wanted = statistics.rows > 50'000 ? 0 : 8;
        made.milliseconds.push_back(1 + std::abs(chunk - wanted) +
                                    std::log2(static_cast<double>(schedule.split(Index::I))));
    }
    return made;
}

std::vector<TreesGroup> groups(std::uint64_t first, int count) {
    std::vector<TreesGroup> made;
    for (int i = 0; i < count; ++i)
        made.push_back(group(first + static_cast<std::uint64_t>(i), 40));
    return made;
}

double accuracy(const BoostedTrees& trees, const TreesGroup& on) {
    return ordered_pair_accuracy(
               count_pairs(trees.score(on.statistics, on.configurations).value(), on.milliseconds))
        .value();
}

constexpr TreesOptions quick{.rounds = 60, .depth = 6, .rate = 0.3};

TEST(BoostedTrees, LearnToRankMatricesTheyHaveNotSeen) {
    const auto trees = BoostedTrees::train(spmm_features, groups(1, 40), quick).value();
    double sum = 0;
    for (std::uint64_t seed = 1000; seed < 1010; ++seed)
        sum += accuracy(trees, group(seed, 200)) / 10;
    EXPECT_GT(sum, 0.9);
}

TEST(BoostedTrees, AreReproducible) {
    const auto first = BoostedTrees::train(spmm_features, groups(1, 10), quick).value();
    const auto second = BoostedTrees::train(spmm_features, groups(1, 10), quick).value();
    const TreesGroup on = group(77, 50);
    EXPECT_EQ(first.score(on.statistics, on.configurations).value(),
              second.score(on.statistics, on.configurations).value());
}

TEST(BoostedTrees, AreSavedAndLoaded) {
    const auto trees = BoostedTrees::train(spmm_features, groups(1, 10), quick).value();
    const std::string bytes = trees.save().value();
    const auto loaded = BoostedTrees::load(spmm_features, bytes);
    ASSERT_TRUE(loaded) << loaded.error().text();
    const TreesGroup on = group(77, 50);
    EXPECT_EQ(trees.score(on.statistics, on.configurations).value(),
              loaded->score(on.statistics, on.configurations).value());
}

TEST(BoostedTrees, RefuseWhatIsNotTheirs) {
    const std::string bytes = BoostedTrees::train(spmm_features, groups(1, 3), quick).value().save().value();
    for (const std::string& foreign :
         {std::string(), std::string("binf"), std::string("{}"), std::string("[1]"),
          bytes.substr(0, bytes.size() / 2), bytes.substr(0, 900) + "}"}) {
        const auto loaded = BoostedTrees::load(spmm_features, foreign);
        ASSERT_FALSE(loaded) << foreign.substr(0, 20);
        EXPECT_EQ(loaded.error().fault, Fault::Input);
        EXPECT_EQ(loaded.error().message, "are no trees of xgboost");
    }
}

TEST(BoostedTrees, RefuseTreesThatPointOutOfThemselves) {
    const auto whole =
        nlohmann::json::parse(BoostedTrees::train(spmm_features, groups(1, 3), quick).value().save().value());
    const auto refusal = [&](const char* list, std::size_t place, int value) {
        nlohmann::json changed = whole;
        auto& tree = changed["learner"]["gradient_booster"]["model"]["trees"][1];
        EXPECT_NE(tree[list][place], value) << list;
        tree[list][place] = value;
        const auto loaded = BoostedTrees::load(spmm_features, changed.dump());
        return loaded ? "was read" : loaded.error().message;
    };
    EXPECT_EQ(refusal("left_children", 0, 1'000'000), "tree 2 has nodes that do not make a tree");
    EXPECT_THAT(refusal("right_children", 1, 0), HasSubstr("do not make a tree")); // a circle
    EXPECT_THAT(refusal("left_children", 0, 2), HasSubstr("do not make a tree"));  // two parents
    EXPECT_THAT(refusal("parents", 1, -7), HasSubstr("do not make a tree"));
    EXPECT_THAT(refusal("split_indices", 0, 4711), HasSubstr("looks at feature 4711 of"));
    const std::size_t nodes = whole["learner"]["gradient_booster"]["model"]["trees"][1]["parents"].size();
    EXPECT_THAT(refusal("parents", nodes, 5), HasSubstr("lists of different lengths"));
}

TEST(BoostedTrees, BelongToAnOperator) {
    const std::string bytes = BoostedTrees::train(spmm_features, groups(1, 3), quick).value().save().value();
    EXPECT_FALSE(BoostedTrees::load(schedule_features(Operator::SpMV), bytes));
}

TEST(BoostedTrees, KnowThatFailuresAreTheSlowest) {
    auto training = groups(1, 30);
    for (TreesGroup& of : training)
        for (std::size_t i = 0; i < of.configurations.size(); ++i)
            if (schedule_of(of.configurations[i], 8).split(Index::K) > 64)
                of.milliseconds[i] = std::numeric_limits<double>::infinity();
    const auto trees = BoostedTrees::train(spmm_features, training, quick).value();
    SuperSchedule small = fixed_csr(Operator::SpMM, 8);
    SuperSchedule large = small;
    large.splits[static_cast<std::size_t>(Index::K)] = 512;
    const auto scores =
        trees.score(training[0].statistics, configurations_of(std::vector{small, large})).value();
    EXPECT_LT(scores[0], scores[1]);
}

TEST(BoostedTrees, NeedRuntimesAndStopWhenAsked) {
    EXPECT_EQ(BoostedTrees::train(spmm_features, {}, quick).error().fault, Fault::Input);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(BoostedTrees::train(spmm_features, groups(1, 2), quick, stop.get_token()).error().fault,
              Fault::Cancelled);
}

TEST(BoostedTrees, ScoreNothingForNoSchedules) {
    const auto trees = BoostedTrees::train(spmm_features, groups(1, 2), quick).value();
    EXPECT_TRUE(trees.score({}, {}).value().empty());
}

} // namespace
} // namespace sparsight
