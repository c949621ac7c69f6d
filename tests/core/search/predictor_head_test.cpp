#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/network_description.h"
#include "random_rows.h"
#include "search/predictor_head.h"
#include "search/ranking.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <span>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

using ::testing::Each;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using testing::random_rows;

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
