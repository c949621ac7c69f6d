#include "model/tensors/losses.h"

#include "base/random.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

namespace sparsight {
namespace {

constexpr double failed = std::numeric_limits<double>::infinity();
const std::vector<double> none;

at::Tensor tensor(const std::vector<double>& values) {
    at::Tensor result = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions(at::kDouble));
    std::ranges::copy(values, result.data_ptr<double>());
    return result;
}

std::vector<double> values_of(const at::Tensor& of) {
    const at::Tensor whole = of.detach().contiguous();
    return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
}

double value(Loss loss, const std::vector<double>& scores, const std::vector<double>& runtimes,
             const std::vector<double>& spreads = none) {
    return ranking_loss(loss, tensor(scores), {runtimes, spreads}).item<double>();
}

std::vector<double> gradient(Loss loss, const std::vector<double>& scores,
                             const std::vector<double>& runtimes, const std::vector<double>& spreads = none) {
    const at::Tensor input = tensor(scores).set_requires_grad(true);
    return values_of(torch::autograd::grad({ranking_loss(loss, input, {runtimes, spreads})}, {input})[0]);
}

TEST(PairwiseMargin, IsAsComputedByHand) {
    // 2 over 1: 1 − 0.5; 2 over 3: 1 + 0.2; 3 over 1: 1 − 0.7.
    EXPECT_NEAR(value(Loss::PairwiseMargin, {0.5, 1, 1.2}, {10, 30, 20}), 2.0 / 3, 1e-15);
    EXPECT_EQ(value(Loss::PairwiseMargin, {1, 3, 2}, {10, 30, 20}), 0);
}

TEST(PairwiseLogistic, IsAsComputedByHand) {
    const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
    EXPECT_NEAR(value(Loss::PairwiseLogistic, {0.5, 1, 1.2}, {10, 30, 20}),
                (softplus(-0.5) + softplus(0.2) + softplus(-0.7)) / 3, 1e-12);
}

TEST(TopPairs, CountByHowCloseTheFasterComesToTheFastest) {
    // 2 over 1 and 3 over 1 weigh 1, 2 over 3 weighs ½: at four times the difference. The times are certain.
    const auto term = [](double difference) { return std::log1p(std::exp(-4 * difference)); };
    EXPECT_NEAR(value(Loss::TopPairs, {0.5, 1, 1.2}, {10, 30, 20}),
                (term(0.5) + term(0.7) + term(-0.2) / 2) / 2.5, 1e-6);
}

TEST(TopPairs, WantOfNearTimesThatTheirScoresAreNear) {
    // The second is 1 % slower, and each time is uncertain by 1 %: they are more probably in this order.
    const auto loss = [](const std::vector<double>& spreads, double lead) {
        return value(Loss::TopPairs, {0, lead}, {10, 10.1}, spreads);
    };
    const std::vector<double> scatter{0.2, 0.2};
    EXPECT_LT(loss(scatter, 0.2), loss(scatter, 0));
    EXPECT_LT(loss(scatter, 0.2), loss(scatter, 1));
    const std::vector<double> more_scatter{2, 2};
    EXPECT_LT(loss(more_scatter, 0.02), loss(more_scatter, 0.2));
}

TEST(TopPairs, LetFailuresCountLittleBesideTimes) {
    const double gap = value(Loss::TopPairs, {0, 1, 2}, {10, 20, failed}) -
                       value(Loss::TopPairs, {0, 1, 3}, {10, 20, failed});
    EXPECT_GT(gap, 0);
    EXPECT_LT(gap, 1e-3);
    const auto wrong_time = value(Loss::TopPairs, {1, 0, 2}, {10, 20, failed});
    const auto wrong_failure = value(Loss::TopPairs, {0, 1, 0.5}, {10, 20, failed});
    EXPECT_GT(wrong_time, 2 * wrong_failure);
}

TEST(TopPairs, OfFailuresOnlyThatTheyAreSlower) {
    EXPECT_GT(value(Loss::TopPairs, {1, 0}, {10, failed}), value(Loss::TopPairs, {0, 1}, {10, failed}));
    EXPECT_EQ(value(Loss::TopPairs, {1, 0}, {failed, failed}), 0);
}

TEST(ListMle, IsAsComputedByHand) {
    // From the fastest: 1, 3, 2 with gains e^−0.5, e^−1.2, e^−1.
    const double first = std::exp(-0.5);
    const double second = std::exp(-1.2);
    const double third = std::exp(-1.0);
    EXPECT_NEAR(value(Loss::ListMle, {0.5, 1, 1.2}, {10, 30, 20}),
                (-std::log(first / (first + second + third)) - std::log(second / (second + third))) / 2,
                1e-12);
}

TEST(LogSquaredError, IsAsComputedByHand) {
    EXPECT_NEAR(value(Loss::LogSquaredError, {1, 2}, {1, std::exp(1.0)}), (1.0 + 1.0) / 2, 1e-12);
    EXPECT_NEAR(value(Loss::LogSquaredError, {1, 2, 77}, {1, std::exp(1.0), failed}), 1.0, 1e-12);
}

TEST(RelativeError, IsAsComputedByHand) {
    EXPECT_NEAR(value(Loss::RelativeError, {std::log(1.5), std::log(0.5)}, {1, 1}), 0.5, 1e-6);
    EXPECT_NEAR(value(Loss::RelativeError, {std::log(3.0), 5}, {4, failed}), 0.25, 1e-6);
    EXPECT_NEAR(value(Loss::RelativeError, {3}, {1}), std::exp(1.0) - 1 + 2 * std::exp(1.0), 1e-5)
        << "linear where it is more than e times too long";
}

class EveryLoss : public ::testing::TestWithParam<Loss> {};
INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss,
                         ::testing::Values(Loss::PairwiseMargin, Loss::PairwiseLogistic, Loss::ListMle,
                                           Loss::LogSquaredError, Loss::RelativeError),
                         [](const auto& test) {
                             std::string text(name(test.param));
                             std::erase(text, '-');
                             return text;
                         });
class EveryRankingLoss : public EveryLoss {};
INSTANTIATE_TEST_SUITE_P(Losses, EveryRankingLoss,
                         ::testing::Values(Loss::PairwiseMargin, Loss::PairwiseLogistic, Loss::ListMle),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(EveryLoss, IsFoundByItsName) {
    EXPECT_EQ(parse_loss(name(GetParam())), GetParam());
    EXPECT_EQ(parse_loss("hinge"), std::nullopt);
}

struct Batch {
    std::vector<double> scores;
    std::vector<double> runtimes;
    std::vector<double> spreads;
};

Batch random_batch(std::uint64_t seed) {
    Random random(seed);
    Batch batch;
    for (int i = 0; i < 9; ++i) {
        batch.scores.push_back(random.normal());
        batch.runtimes.push_back(i == 4 ? failed : static_cast<double>(random.between(1, 12)));
        batch.spreads.push_back(random.uniform());
    }
    return batch;
}

TEST_P(EveryLoss, HasTheGradientThatFiniteDifferencesFind) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Batch batch = random_batch(seed);
        const auto exact = gradient(GetParam(), batch.scores, batch.runtimes, batch.spreads);
        for (std::size_t i = 0; i < batch.scores.size(); ++i) {
            constexpr double step = 1e-6;
            const double at = batch.scores[i];
            batch.scores[i] = at + step;
            const double above = value(GetParam(), batch.scores, batch.runtimes, batch.spreads);
            batch.scores[i] = at - step;
            const double below = value(GetParam(), batch.scores, batch.runtimes, batch.spreads);
            batch.scores[i] = at;
            ASSERT_NEAR(exact[i], (above - below) / (2 * step), 1e-7) << seed << ", " << i;
        }
    }
}

TEST_P(EveryLoss, HasTheSecondDerivativeThatFiniteDifferencesFind) {
    Batch batch = random_batch(3);
    const at::Tensor input = tensor(batch.scores).set_requires_grad(true);
    const at::Tensor first = torch::autograd::grad(
        {ranking_loss(GetParam(), input, {batch.runtimes, batch.spreads})}, {input}, {}, true, true)[0];
    if (GetParam() == Loss::PairwiseMargin) // linear between its kinks
        return;
    for (std::int64_t row = 0; row < input.size(0); ++row) {
        const auto exact = values_of(torch::autograd::grad({first[row]}, {input}, {}, true)[0]);
        for (std::size_t i = 0; i < batch.scores.size(); ++i) {
            constexpr double step = 1e-5;
            const double at = batch.scores[i];
            const auto place = static_cast<std::size_t>(row);
            batch.scores[i] = at + step;
            const double above = gradient(GetParam(), batch.scores, batch.runtimes, batch.spreads)[place];
            batch.scores[i] = at - step;
            const double below = gradient(GetParam(), batch.scores, batch.runtimes, batch.spreads)[place];
            batch.scores[i] = at;
            ASSERT_NEAR(exact[i], (above - below) / (2 * step), 1e-7) << row << ", " << i;
        }
    }
}

TEST_P(EveryRankingLoss, IsZeroWithZeroGradientsForOneSchedule) {
    EXPECT_EQ(value(GetParam(), {3}, {10}), 0);
    EXPECT_EQ(gradient(GetParam(), {3}, {10}), std::vector<double>{0});
}

TEST_P(EveryRankingLoss, DoesNotRankEqualRuntimes) {
    EXPECT_EQ(value(GetParam(), {3, -3}, {10, 10}), 0);
    EXPECT_EQ(gradient(GetParam(), {3, -3}, {10, 10}), (std::vector<double>{0, 0}));
}

TEST_P(EveryRankingLoss, DoesNotRankRuntimesWithinTheirNoise) {
    EXPECT_EQ(value(GetParam(), {3, -3}, {10, 11}, {0.8, 0.7}), 0);
    EXPECT_GT(value(GetParam(), {3, -3}, {10, 11}, {0.6, 0.5}), 1) << "independent errors seldom add up";
    // The third is ranked against both, the first two are not ranked against each other.
    const auto slopes = gradient(GetParam(), {0, 0, -5}, {10, 10.1, 20}, {0.2, 0.2, 0.2});
    EXPECT_NEAR(slopes[0], slopes[1], 1e-12);
    EXPECT_GT(slopes[0], 0);
    EXPECT_LT(slopes[2], 0);
}

TEST_P(EveryRankingLoss, RanksAFailureAfterAllThatRanAndNotAgainstAnother) {
    EXPECT_EQ(value(GetParam(), {3, -3}, {failed, failed}), 0);
    EXPECT_GT(value(GetParam(), {3, -3}, {10, failed}), value(GetParam(), {-3, 3}, {10, failed}));
    EXPECT_GT(value(GetParam(), {3, -3}, {10, failed}, {0.1, failed}), 1) << "its noise says nothing";
    for (const double slope : gradient(GetParam(), {1, 2, 3}, {failed, 1, failed}))
        EXPECT_TRUE(std::isfinite(slope));
}

TEST_P(EveryRankingLoss, IsLowerForTheRightOrder) {
    EXPECT_LT(value(GetParam(), {1, 2, 3, 4}, {5, 6, 7, 8}), value(GetParam(), {1, 2, 4, 3}, {5, 6, 7, 8}));
    EXPECT_LT(value(GetParam(), {1, 2, 4, 3}, {5, 6, 7, 8}), value(GetParam(), {4, 3, 2, 1}, {5, 6, 7, 8}));
}

TEST(LogSquaredError, IsZeroWhereEverythingFailed) {
    EXPECT_EQ(value(Loss::LogSquaredError, {1, 2}, {failed, failed}), 0);
    EXPECT_EQ(gradient(Loss::LogSquaredError, {1, 2}, {failed, failed}), (std::vector<double>{0, 0}));
}

TEST(RankingLoss, TakesSinglePrecisionScores) {
    const at::Tensor scores = tensor({0.5, 1, 1.2}).to(at::kFloat);
    const std::vector<double> runtimes{10, 30, 20};
    const at::Tensor loss = ranking_loss(Loss::PairwiseMargin, scores, {runtimes, none});
    EXPECT_EQ(loss.scalar_type(), at::kFloat);
    EXPECT_NEAR(loss.item<float>(), 2.0F / 3, 1e-6);
}

} // namespace
} // namespace sparsight
