// The index of configurations, and the predictor that ranks by it.
#include "base/random.h"
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/cost_model.h"
#include "random_rows.h"
#include "search/configuration_index.h"
#include "search/predictor_head.h"
#include "search/ranking.h"
#include "support/test_files.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <set>
#include <span>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using testing::random_rows;
using ::testing::SizeIs;

/// A network as it is before training, and what it says about the schedules of a matrix.
class IndexOfANetwork : public ::testing::Test {
protected:
    IndexOfANetwork() {
        NetworkDescription network;
        network.architecture = Architecture::StatisticsNet;
        network.standardisation.mean.assign(statistics().size(), 0.0);
        network.standardisation.deviation.assign(statistics().size(), 1.0);
        checkpoint_.weights = initial_weights(network, 1);
        checkpoint_.model.architecture = describe(network);
        model_ = make_cost_model(checkpoint_, SparseLearning()).value();
    }

    std::vector<Configuration> schedules(int count) const {
        Random random(5);
        return configurations_of(
            sample_uniform(Operator::SpMM, extents(Operator::SpMM, 4000, 3000, 256), count, 8, random));
    }
    ConfigurationIndex index_of(const std::vector<Configuration>& configurations) const {
        return build_configuration_index("initial", configurations,
                                         model_->embed_configurations(configurations).value())
            .value();
    }

    Checkpoint checkpoint_;
    std::unique_ptr<CostModel> model_;
};

TEST_F(IndexOfANetwork, FindsTheBestSchedulesOfAMatrixWithAFractionOfTheScores) {
    const std::vector<Configuration> all = schedules(4000);
    const ConfigurationIndex index = index_of(all);
    const PredictorHead head = PredictorHead::of(checkpoint_).value();
    const FloatBuffer rows = head.project(index.embeddings, 1);
    double found = 0;
    constexpr int matrices = 10;
    for (int matrix = 0; matrix < matrices; ++matrix) {
        const std::vector<float> embedding =
            random_rows(1, embedding_width, static_cast<std::uint64_t>(matrix));
        const WorkloadPredictor predictor = head.for_workload(embedding).value();
        const IndexSearch search = search_index(index, rows, predictor);
        EXPECT_THAT(search.best, SizeIs(20));
        found += recall(search.best, search_exhaustively(index, rows, predictor, 20, 1));
        EXPECT_LT(search.walk.scored, 3000);
    }
    EXPECT_GE(found / matrices, 0.95);
}

TEST_F(IndexOfANetwork, RanksAsTheModelItselfDoes) {
    CsrPattern pattern;
    pattern.rows = 3;
    pattern.cols = 3;
    pattern.row_pointers = {0, 1, 2, 3};
    pattern.column_ids = {0, 1, 2};
    const std::vector<Configuration> all = schedules(300);
    const ConfigurationIndex index = index_of(all);
    const auto scorer = model_->embed(payload_of(pattern), nullptr, 1).value();
    const PredictorHead head = PredictorHead::of(checkpoint_).value();
    const FloatBuffer rows = head.project(index.embeddings, 1);
    const WorkloadPredictor predictor = head.for_workload(scorer->embedding()).value();
    const IndexSearch search = search_index(index, rows, predictor, {.k = 300, .width = 300});
    ASSERT_THAT(search.best, SizeIs(300));
    const std::vector<float> scores = scorer->score(index.configurations).value();
    for (const Ranked& ranked : search.best)
        EXPECT_NEAR(ranked.score, scores[ranked.candidate], 1e-5);
}

TEST_F(IndexOfANetwork, KeepsEachConfigurationOnce) {
    std::vector<Configuration> all = schedules(50);
    all.insert(all.end(), all.begin(), all.begin() + 50);
    SuperSchedule csr = fixed_csr(Operator::SpMM, 8);
    all.push_back(configuration_of(csr));
    std::swap(csr.order[1], csr.order[5]); // the inner loops of unsplit indices elsewhere
    all.push_back(configuration_of(csr));
    const ConfigurationIndex index = index_of(all);
    EXPECT_THAT(std::set(index.configurations.begin(), index.configurations.end()),
                SizeIs(index.configurations.size()));
    EXPECT_THAT(index.configurations, SizeIs(51));
    EXPECT_EQ(index.configurations.back(), configuration_of(csr));
}

TEST(ConfigurationIndex, PutsWhatHasOneEmbeddingIntoOneNodeAndFindsAllOfIt) {
    std::vector<Configuration> configurations;
    std::vector<float> embeddings;
    for (int chunk = 1; chunk <= 6; ++chunk) {
        SuperSchedule schedule = fixed_csr(Operator::SpMM, 8);
        schedule.chunk = chunk;
        configurations.push_back(configuration_of(schedule));
        const std::vector<float> row = random_rows(1, 4, static_cast<std::uint64_t>(chunk % 3));
        embeddings.insert(embeddings.end(), row.begin(), row.end());
    }
    const ConfigurationIndex index = build_configuration_index("", configurations, embeddings).value();
    ASSERT_EQ(index.nodes.count(), 3U);
    EXPECT_THAT(index.nodes.of(0), ElementsAre(0, 3));
    EXPECT_THAT(index.nodes.of(1), ElementsAre(1, 4));
    EXPECT_THAT(index.nodes.of(2), ElementsAre(2, 5));
    EXPECT_EQ(index.graph.node_count, 3U);
    EXPECT_THAT(index.embeddings, SizeIs(12));
}

TEST_F(IndexOfANetwork, GivesEqualScoresInTheOrderOfTheSchedules) {
    // WACO's tables have no category of their own for splits of the dense index beyond 128.
    std::vector<Configuration> all;
    for (const std::int64_t split : {512, 256, 128, 1024}) {
        SuperSchedule schedule = fixed_csr(Operator::SpMM, 8);
        schedule.splits[static_cast<std::size_t>(Index::J)] = split;
        all.push_back(configuration_of(schedule));
    }
    const ConfigurationIndex index = index_of(all);
    ASSERT_EQ(index.nodes.count(), 1U);
    const PredictorHead head = PredictorHead::of(checkpoint_).value();
    const FloatBuffer rows = head.project(index.embeddings, 1);
    const WorkloadPredictor predictor = head.for_workload(random_rows(1, embedding_width, 1)).value();
    const std::vector<Ranked> exact = search_exhaustively(index, rows, predictor, 3, 1);
    ASSERT_THAT(exact, SizeIs(3));
    for (std::uint32_t at = 0; at < 3; ++at)
        EXPECT_EQ(exact[at].candidate, at);
    EXPECT_EQ(search_index(index, rows, predictor, {.k = 3}).best, exact);
}

TEST(ConfigurationIndex, AlwaysHasTheBaselineAmongTheCandidates) {
    ConfigurationIndex index;
    for (const int chunk : {8, 16, 32}) {
        SuperSchedule schedule = fixed_csr(Operator::SpMM, 1);
        schedule.chunk = chunk;
        index.configurations.push_back(configuration_of(schedule));
    }
    const Configuration fixed = configuration_of(fixed_csr(Operator::SpMM, 1));
    const auto chunks = [&](const std::vector<Ranked>& best, const std::optional<Configuration>& baseline) {
        std::vector<int> found;
        for (const Configuration& configuration : candidates(index, best, baseline))
            found.push_back(schedule_of(configuration, 1).chunk);
        return found;
    };
    EXPECT_THAT(chunks({{0, 1}, {1, 2}}, fixed), ElementsAre(8, 16, 32)) << "behind the others";
    EXPECT_THAT(chunks({{2, 1}, {0, 2}, {1, 3}}, fixed), ElementsAre(32, 8, 16)) << "where it belongs";
    EXPECT_THAT(chunks({}, fixed), ElementsAre(32));
    EXPECT_THAT(chunks({{0, 1}}, std::nullopt), ElementsAre(8)) << "of a space without one";
}

TEST(ConfigurationIndex, OfNothingFindsNothing) {
    const ConfigurationIndex index = build_configuration_index("none", {}, {}).value();
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 1);
    checkpoint.model.architecture = describe(network);
    const PredictorHead head = PredictorHead::of(checkpoint).value();
    const WorkloadPredictor predictor = head.for_workload(random_rows(1, embedding_width, 1)).value();
    EXPECT_THAT(search_index(index, head.project(index.embeddings, 1), predictor).best, IsEmpty());
    EXPECT_THAT(search_exhaustively(index, head.project(index.embeddings, 1), predictor, 20, 2), IsEmpty());
}

TEST(ConfigurationIndex, RefusesEmbeddingsThatDoNotFit) {
    const std::vector<Configuration> three(3, configuration_of(fixed_csr(Operator::SpMM, 8)));
    EXPECT_FALSE(build_configuration_index("", three, random_rows(4, 4, 1)));
    EXPECT_FALSE(build_configuration_index("", three, {}));
}

std::vector<Ranked> best_of_all(std::size_t limit, std::span<const float> scores) {
    BestRanked best(limit);
    for (std::uint32_t at = 0; at < scores.size(); ++at)
        (void)best.offer({at, comparable(scores[at])});
    return best.take();
}

TEST(Ranking, KeepsTheLowestScoresInTheirOrder) {
    const std::vector<float> scores{5, 1, 4, 2, 3};
    EXPECT_THAT(best_of_all(3, scores), ElementsAre(Ranked{1, 1}, Ranked{3, 2}, Ranked{4, 3}));
}

TEST(Ranking, PrefersTheEarlierOfEqualScoresWhereverTheyComeFrom) {
    const std::vector<float> scores{2, 1, 2, 1, 2, 2};
    EXPECT_THAT(best_of_all(3, scores), ElementsAre(Ranked{1, 1}, Ranked{3, 1}, Ranked{0, 2}));
    BestRanked backwards(2);
    for (std::uint32_t at = 6; at-- > 0;)
        (void)backwards.offer({at, 7});
    EXPECT_THAT(backwards.take(), ElementsAre(Ranked{0, 7}, Ranked{1, 7}));
}

TEST(Ranking, GivesAllWhereThereAreFewerThanAskedFor) {
    EXPECT_THAT(best_of_all(9, std::vector<float>{2, 1}), ElementsAre(Ranked{1, 1}, Ranked{0, 2}));
    EXPECT_THAT(best_of_all(9, {}), IsEmpty());
    EXPECT_THAT(best_of_all(0, std::vector<float>{2, 1}), IsEmpty());
}

TEST(Ranking, PutsAScoreThatIsNoNumberLast) {
    const float no_number = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Ranked> best = best_of_all(2, std::vector<float>{no_number, 3, no_number, 9});
    EXPECT_THAT(best, ElementsAre(Ranked{1, 3}, Ranked{3, 9}));
}

TEST(Ranking, SaysWhatIsStillAmongTheBest) {
    BestRanked best(2);
    EXPECT_FALSE(best.holds({0, 1}));
    EXPECT_TRUE(best.offer({0, 5}));
    EXPECT_TRUE(best.offer({1, 4}));
    EXPECT_TRUE(best.holds({0, 5}));
    EXPECT_TRUE(best.offer({2, 3}));
    EXPECT_FALSE(best.holds({0, 5}));
    EXPECT_FALSE(best.offer({3, 6}));
}

TEST(Recall, CountsWhatIsAsGoodAsTheTrueBest) {
    const std::vector<Ranked> exact{{4, 1}, {7, 2}, {8, 2}, {9, 2}};
    EXPECT_EQ(recall(exact, exact), 1);
    EXPECT_EQ(recall({{4, 1}, {7, 2}, {8, 2}, {50, 2}}, exact), 1) << "an equal score is as good";
    EXPECT_EQ(recall({{4, 1}, {7, 2}, {60, 3}, {61, 4}}, exact), 0.5);
    EXPECT_EQ(recall({}, exact), 0);
    EXPECT_EQ(recall({}, {}), 1);
}

Checkpoint network_checkpoint(bool narrowed) {
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    network.narrowed = narrowed;
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 7);
    checkpoint.model.architecture = describe(network);
    return checkpoint;
}

at::Tensor tensor(std::vector<float> numbers, at::IntArrayRef shape) {
    return at::from_blob(numbers.data(), shape, at::TensorOptions(at::kFloat)).clone();
}

std::vector<float> predicted_by_torch(const Checkpoint& checkpoint, const std::vector<float>& matrix,
                                      const std::vector<float>& schedules) {
    const at::NoGradGuard no_gradients;
    const at::Tensor scores =
        predict(to_tensors(checkpoint.weights), tensor(matrix, {static_cast<std::int64_t>(matrix.size())}),
                tensor(schedules,
                       {static_cast<std::int64_t>(schedules.size()) / embedding_width, embedding_width}))
            .contiguous();
    return {scores.data_ptr<float>(), scores.data_ptr<float>() + scores.numel()};
}

/// 21 sums of 128 products of numbers of about 1, in another order.
constexpr float rounding = 5e-6F;

class PredictorHeadOn : public ::testing::TestWithParam<VectorInstructions> {};

TEST_P(PredictorHeadOn, GivesTheScoresOfTheNetworkForAnyNumberOfSchedules) {
    for (const bool narrowed : {false, true}) {
        const Checkpoint checkpoint = network_checkpoint(narrowed);
        const Result<PredictorHead> head = PredictorHead::of(checkpoint, GetParam());
        ASSERT_TRUE(head) << head.error().text();
        const std::vector<float> matrix = random_rows(1, narrowed ? 1 : embedding_width, 3);
        const Result<WorkloadPredictor> predictor = head->for_workload(matrix);
        ASSERT_TRUE(predictor) << predictor.error().text();
        for (const std::size_t count : {1, 2, 5, 6, 7, 13, 64, 65, 1000}) {
            const std::vector<float> schedules = random_rows(count, embedding_width, count);
            const std::vector<float> scores =
                score_all(*predictor, head->project(schedules, count > 100 ? 2 : 1), 2);
            EXPECT_THAT(scores,
                        Pointwise(FloatNear(rounding), predicted_by_torch(checkpoint, matrix, schedules)));
        }
    }
}

TEST_P(PredictorHeadOn, GivesAScheduleTheSameScoreWhereverItStands) {
    const Result<PredictorHead> head = PredictorHead::of(network_checkpoint(false), GetParam());
    const WorkloadPredictor predictor = head->for_workload(random_rows(1, embedding_width, 3)).value();
    const FloatBuffer rows = head->project(random_rows(101, embedding_width, 4), 1);
    const std::vector<float> scores = score_all(predictor, rows, 1);
    EXPECT_EQ(score_all(predictor, rows, 3), scores);
    std::vector<std::uint32_t> numbers(101);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    numbers.push_back(50);
    std::vector<float> picked(numbers.size());
    predictor.score(rows, numbers, picked);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(picked[i], scores[numbers[i]]) << i;
}

TEST_P(PredictorHeadOn, LetsWhatIsNoNumberShow) {
    const Result<PredictorHead> head = PredictorHead::of(network_checkpoint(false), GetParam());
    std::vector<float> matrix = random_rows(1, embedding_width, 3);
    matrix[5] = std::numeric_limits<float>::quiet_NaN();
    const WorkloadPredictor predictor = head->for_workload(matrix).value();
    EXPECT_THAT(score_all(predictor, head->project(random_rows(7, embedding_width, 4), 1), 1),
                Each(::testing::IsNan()));
}

INSTANTIATE_TEST_SUITE_P(EachVectorSet, PredictorHeadOn, ::testing::ValuesIn(supported_vector_instructions()),
                         [](const auto& of) {
                             std::string name(name_of(of.param));
                             std::erase(name, '-');
                             return name;
                         });

TEST(PredictorHead, ScoresNothingWhereThereIsNothing) {
    const Result<PredictorHead> head = PredictorHead::of(network_checkpoint(false));
    const WorkloadPredictor predictor = head->for_workload(random_rows(1, embedding_width, 3)).value();
    EXPECT_TRUE(score_all(predictor, head->project({}, 2), 2).empty());
    EXPECT_TRUE(best_of({}, 20).empty());
}

TEST(PredictorHead, RefusesTreesForeignWeightsAndAnotherNetworksMatrix) {
    Checkpoint trees;
    trees.model.architecture = describe_trees(Operator::SpMM);
    EXPECT_THAT(PredictorHead::of(trees).error().message, HasSubstr("trees"));

    Checkpoint lacking = network_checkpoint(false);
    std::erase_if(lacking.weights, [](const NamedArray& array) { return array.name == "final.2.weight"; });
    EXPECT_THAT(PredictorHead::of(lacking).error().message, HasSubstr("final.2.weight"));

    const Result<PredictorHead> head = PredictorHead::of(network_checkpoint(true));
    EXPECT_THAT(head->for_workload(random_rows(1, embedding_width, 3)).error().message,
                HasSubstr("128 numbers, the predictor reads 1"));
}

} // namespace
} // namespace sparsight
