#include "learning/training_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

std::string defect(std::string_view json) {
    const auto parsed = parse_training_options(json);
    return parsed ? "" : parsed.error().text();
}

TEST(TrainingOptions, RoundTripThroughJson) {
    TrainingOptions options;
    options.method = Method::MetaSgd;
    options.loss = Loss::ListMle;
    options.epochs = 7;
    options.rate = 3e-4;
    options.rate_schedule = RateSchedule::Cosine;
    options.weight_decay = 0.01;
    options.longest_gradient = 5;
    options.inner = {3, 0.02};
    options.patience = 4;
    options.seed = UINT64_MAX;
    const auto parsed = parse_training_options(to_json(options));
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
    EXPECT_EQ(*parsed, options);
    EXPECT_EQ(parsed->seed, UINT64_MAX);
    EXPECT_EQ(parsed->inner.steps, 3);
}

TEST(TrainingOptions, LeftOutKeepTheirDefaults) {
    const auto parsed = parse_training_options(R"({"epochs": 5})");
    TrainingOptions expected;
    expected.epochs = 5;
    EXPECT_EQ(parsed.value(), expected);
}

TEST(TrainingOptions, ThatCannotBeAreNamedWithWhatWasExpected) {
    EXPECT_THAT(defect(R"({"epoch": 5})"), HasSubstr("'epoch' is no option"));
    EXPECT_THAT(
        defect(R"({"method": "mamal"})"),
        HasSubstr("method is \"mamal\"; expected supervised, maml, fomaml, reptile, anil, meta-sgd or "
                  "report"));
    EXPECT_THAT(defect(R"({"loss": "hinge"})"),
                HasSubstr("expected margin, logistic, listmle or log-squared"));
    EXPECT_THAT(defect(R"({"rate_schedule": "step"})"), HasSubstr("expected constant or cosine"));
    EXPECT_THAT(defect(R"({"rate": -1})"), HasSubstr("rate is -1.0; expected a positive number"));
    EXPECT_THAT(defect(R"({"inner_steps": 0})"), HasSubstr("inner_steps is 0; expected at least 1"));
    EXPECT_THAT(defect(R"({"epochs": 99999999999})"), HasSubstr("epochs is 99999999999"));
    EXPECT_THAT(defect(R"({"seed": -1})"), HasSubstr("seed is -1"));
    EXPECT_THAT(defect(R"({"epochs": 18446744073709551615})"), HasSubstr("epochs is 18446744073709551615"));
    EXPECT_THAT(defect(R"({"schedules_per_matrix": 1})"), HasSubstr("at least 2"));
    EXPECT_THAT(defect("[]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(defect("{"), HasSubstr("not a JSON object"));
}

TEST(CosineRate, FallsFromTheFullRateTowardsNone) {
    TrainingOptions options;
    options.rate = 1;
    options.epochs = 10;
    EXPECT_EQ(rate_of_epoch(options, 9), 1) << "constant";
    options.rate_schedule = RateSchedule::Cosine;
    EXPECT_DOUBLE_EQ(rate_of_epoch(options, 0), 1);
    EXPECT_NEAR(rate_of_epoch(options, 5), 0.5, 1e-12);
    EXPECT_LT(rate_of_epoch(options, 9), 0.03);
    EXPECT_GT(rate_of_epoch(options, 9), 0);
}

} // namespace
} // namespace sparsight
