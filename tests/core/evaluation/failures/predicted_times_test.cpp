#include "domains/sparse/sparse_domain.h"
#include "evaluation/model_reasons/predicted_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

/// One schedule that runs, and one that can't.
nlohmann::ordered_json told() {
    PredictedTime runs{.configuration = "a", .score = -1, .simulated_ms = 2, .learned_ms = 3};
    runs.corrections = {{"chunk_us", 0.5}, {"learned", 0}};
    const PredictedTime cannot{.configuration = "b", .score = std::numeric_limits<double>::infinity()};
    return predicted_times_json({"gray", "here", true, {{"cage8", true, {runs, cannot}}}}, sparse_words());
}

TEST(PredictedTimes, AreReadAsTheyWereWritten) {
    const auto read = parse_predicted_times(told(), sparse_words());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(predicted_times_json(*read, sparse_words()), told());
    EXPECT_EQ(read->find("cage8", "a")->corrections.at("chunk_us"), 0.5);
    EXPECT_EQ(read->find("cage8", "b")->simulated_ms, std::nullopt);
    EXPECT_EQ(read->find("cage8", "c"), nullptr);
}

TEST(PredictedTimes, ThatNothingCanTakeAreAnError) {
    for (const char* key : {"simulated_ms", "learned_ms"})
        for (const double impossible : {0.0, -2.0}) {
            auto json = told();
            json["matrices"][0]["schedules"][0][key] = impossible;
            const auto read = parse_predicted_times(json, sparse_words());
            ASSERT_FALSE(read);
            EXPECT_EQ(read.error().fault, Fault::Internal);
            EXPECT_THAT(read.error().message, HasSubstr(key));
            EXPECT_THAT(read.error().message, HasSubstr("expected milliseconds above 0"));
        }
}

TEST(PredictedTimes, OfAnotherShapeAreAnError) {
    auto text = told();
    text["matrices"][0]["schedules"][0]["score"] = "fast";
    auto nothing = told();
    nothing.erase("matrices");
    for (const auto& json : {text, nothing, nlohmann::ordered_json::array()}) {
        const auto read = parse_predicted_times(json, sparse_words());
        ASSERT_FALSE(read);
        EXPECT_THAT(read.error().message, HasSubstr("predicted times can't be read"));
    }
}

} // namespace
} // namespace sparsight
