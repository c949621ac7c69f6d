#include "evaluation/model_reasons/last_layer.h"

#include "base/random.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

/// Pairs of matrices whose order is right with the probability σ(scale · |margin|).
std::vector<OrderedPair> pairs_with_scale(double scale, std::size_t matrices, std::uint64_t seed) {
    Random random(seed);
    std::vector<OrderedPair> pairs;
    for (std::size_t matrix = 0; matrix < matrices; ++matrix)
        for (int each = 0; each < 60; ++each) {
            const double margin = std::abs(random.normal());
            const bool is_right = random.chance(1 / (1 + std::exp(-scale * margin)));
            pairs.push_back({matrix, is_right ? margin : -margin});
        }
    return pairs;
}

TEST(LastLayer, FindsTheScaleAtWhichMarginsSayWhatTheyAreWorth) {
    for (const double scale : {0.5, 3.0}) {
        const auto fit = fit_last_layer({pairs_with_scale(scale, 30, 1), {}});
        ASSERT_TRUE(fit);
        EXPECT_NEAR(std::log2(fit->reason.scale), std::log2(scale), 0.5);
        EXPECT_LT(fit->reason.calibration_error, 0.04);
        EXPECT_EQ(fit->reason.method, "scale");
        EXPECT_FALSE(fit->reason.held_out);
        EXPECT_NEAR(fit->layer.confidence(-1, {}), 1 / (1 + std::exp(-scale)), 0.08)
            << "how sure it is does not depend on which one it prefers";
    }
}

TEST(LastLayer, AModelThatOrdersByChanceIsNeverSure) {
    const auto fit = fit_last_layer({pairs_with_scale(0, 30, 1), {}});
    ASSERT_TRUE(fit);
    EXPECT_LT(fit->layer.confidence(2, {}), 0.6);
}

/// The true weights are 1 in all eight places. The model knows those of the first four, which its matrices
/// vary, and nothing of the others.
struct HalfBlind {
    LastLayerPairs pairs;

    explicit HalfBlind(bool checks_all) {
        Random random(5);
        const auto fill = [&](std::vector<OrderedPair>& into, std::size_t first, std::size_t width) {
            for (std::size_t matrix = first; matrix < first + 20; ++matrix)
                for (int each = 0; each < 60; ++each) {
                    std::vector<float> difference(8, 0.0F);
                    for (std::size_t place = 0; place < width; ++place)
                        difference[place] = static_cast<float>(random.normal());
                    double truth = 0.3 * random.normal();
                    double margin = 0;
                    for (std::size_t place = 0; place < 8; ++place) {
                        truth += static_cast<double>(difference[place]);
                        margin += (place < 4 ? 1.0 : -0.5) * static_cast<double>(difference[place]);
                    }
                    if (truth < 0) {
                        margin = -margin;
                        for (float& number : difference)
                            number = -number;
                    }
                    into.push_back({matrix, margin, difference});
                }
        };
        fill(pairs.learned, 0, 4);
        if (checks_all)
            fill(pairs.others, 20, 8);
    }
};

TEST(LastLayer, IsLessSureOfWhatIsUnlikeAllThatItLearnedFrom) {
    const auto fit = fit_last_layer(HalfBlind(true).pairs);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->reason.method, "last layer");
    EXPECT_TRUE(fit->reason.held_out);
    EXPECT_EQ(fit->reason.fitted_workloads, 20);
    EXPECT_EQ(fit->reason.checked_workloads, 20);
    const std::vector<float> known{1, 1, 0, 0, 0, 0, 0, 0};
    const std::vector<float> unknown{1, 0, 0, 0, 0, 0, 1, 1};
    EXPECT_GT(fit->layer.deviation(unknown), 2 * fit->layer.deviation(known));
    EXPECT_GT(fit->layer.confidence(1, known), fit->layer.confidence(1, unknown) + 0.05);
}

TEST(LastLayer, IsCalibratedOnMatricesThatNothingWasLearnedFrom) {
    const auto fit = fit_last_layer(HalfBlind(true).pairs);
    ASSERT_TRUE(fit);
    EXPECT_LT(fit->reason.calibration_error, 0.08);
    for (const CalibrationBin& bin : fit->reason.bins)
        if (bin.observed.draws > 100) {
            EXPECT_NEAR(bin.predicted, bin.observed.value, 0.15) << bin.lowest;
        }
}

TEST(LastLayer, OfAModelThatOthersTrainedIsKnownByWhatIsHere) {
    LastLayerPairs pairs = HalfBlind(true).pairs;
    pairs.learned.clear();
    const auto fit = fit_last_layer(pairs);
    ASSERT_TRUE(fit);
    EXPECT_TRUE(fit->reason.held_out);
    EXPECT_EQ(fit->reason.method, "last layer");
    EXPECT_EQ(fit->reason.fitted_workloads, 20);
}

TEST(LastLayer, ConfidenceIsAlwaysFromAHalfToOne) {
    const auto fit = fit_last_layer(HalfBlind(false).pairs);
    ASSERT_TRUE(fit);
    EXPECT_FALSE(fit->reason.held_out);
    const std::vector<float> huge(8, 1e4F);
    for (const double margin : {-1e6, -1.0, 0.0, 1e-9, 1e6}) {
        EXPECT_GE(fit->layer.confidence(margin, huge), 0.5);
        EXPECT_LE(fit->layer.confidence(margin, huge), 1);
    }
    EXPECT_EQ(fit->layer.confidence(0, huge), 0.5);
}

TEST(LastLayer, SaysThatTwoMatricesAreTooFew) {
    const auto fit = fit_last_layer({pairs_with_scale(1, 2, 1), {}});
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().fault, Fault::Input);
}

TEST(LastLayer, StopsWhenItIsAskedTo) {
    std::stop_source source;
    source.request_stop();
    const auto fit = fit_last_layer(HalfBlind(false).pairs, source.get_token());
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().fault, Fault::Cancelled);
}

TEST(Calibration, PutsPairsIntoBinsByHowSureTheModelWas) {
    const auto bins = calibration_bins(std::vector<CheckedPair>{
        {0.5, true}, {0.52, false}, {0.81, true}, {0.83, true}, {0.83, true}, {0.84, false}, {1.0, true}});
    ASSERT_EQ(bins.size(), 3U);
    EXPECT_DOUBLE_EQ(bins[0].lowest, 0.5);
    EXPECT_DOUBLE_EQ(bins[0].predicted, 0.51);
    EXPECT_DOUBLE_EQ(bins[0].observed.value, 0.5);
    EXPECT_DOUBLE_EQ(bins[1].observed.value, 0.75);
    EXPECT_EQ(bins[1].observed.draws, 4);
    EXPECT_DOUBLE_EQ(bins[2].highest, 1);
    EXPECT_NEAR(calibration_error(bins), (2 * 0.01 + 4 * (0.8275 - 0.75) + 0) / 7, 1e-12);
}

TEST(Calibration, LeavesOutPairsWhoseConfidenceIsNoNumber) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto bins = calibration_bins(std::vector<CheckedPair>{{none, true}, {0.52, true}, {none, false}});
    ASSERT_EQ(bins.size(), 1U);
    EXPECT_EQ(bins[0].observed.draws, 1);
    EXPECT_TRUE(calibration_bins(std::vector<CheckedPair>{{none, true}}).empty());
}

TEST(SmallMatrix, SolvesWhatItWasMadeOf) {
    SmallMatrix matrix(2);
    matrix.at(0, 0) = 4;
    matrix.at(1, 0) = 2;
    matrix.at(1, 1) = 3;
    const auto triangle = cholesky(matrix);
    ASSERT_TRUE(triangle);
    // The inverse of [[4, 2], [2, 3]] is [[3, -2], [-2, 4]] / 8.
    EXPECT_NEAR(inverse_form(*triangle, std::vector<float>{1, 2}), (3 - 8 + 16) / 8.0, 1e-12);
    matrix.at(1, 1) = 1;
    EXPECT_FALSE(cholesky(matrix)) << "4 · 1 < 2 · 2";
}

} // namespace
} // namespace sparsight
