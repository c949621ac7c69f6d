#include "domains/sparse/explanation/reasons/model_reasons_json.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Anchor some_anchor() {
    return {.predicates = {{ReasonSubject::Configuration, "format_k1", "format of k1", PredicateRelation::Is,
                            "compressed", std::nullopt, ""},
                           {ReasonSubject::Workload, "row_length_variation", "Variation of row lengths",
                            PredicateRelation::Above, "2", 2.0, ""}},
            .precision = {.value = 0.98, .lowest = 0.95, .highest = 0.995, .draws = 420},
            .coverage = {.value = 0.25, .lowest = 0.21, .highest = 0.29, .draws = 1000}};
}

/// Every member of it differs from what it is by default.
ModelReasons some_reasons() {
    ModelReasons reasons{.model = "first",
                         .architecture = "statistics",
                         .op = "sddmm",
                         .dense = 128,
                         .matrix = "cage8",
                         .machine = "laptop",
                         .seed = 7,
                         .reads_machine = true,
                         .schedule = "1 1 1",
                         .against = "2 2 2",
                         .schedule_score = -0.5,
                         .against_score = 0.25,
                         .times = {.schedule_ms = 2.0, .against_ms = 1.0, .origin = TimeOrigin::Measured}};
    reasons.anchors =
        SparseAnchorReason{{.anchor = some_anchor(),
                            .nearest = some_anchor(),
                            .unconditional = {.value = 0.5, .lowest = 0.4, .highest = 0.6, .draws = 99},
                            .wanted_precision = 0.95,
                            .confidence = 0.9,
                            .longest = 4,
                            .candidates = 80,
                            .calls = 5000,
                            .complete = false},
                           PatternDraws::Matrices,
                           30,
                           12};
    SensitivityCurve curve{.kind = VariedKind::Machine,
                           .key = "cores",
                           .title = "Cores",
                           .unit = "cores",
                           .is_read = false,
                           .points = {{"8", 8.0, true, 0.1, {1.0, 2.0, TimeOrigin::Simulated}, "1 1"},
                                      {"16", 16.0, false, -0.1, {1.0, 4.0, TimeOrigin::Measured}, ""}}};
    compare_curves(curve);
    reasons.sensitivity = SensitivityReason{.curves = {curve}, .complete = false};
    reasons.nearest =
        NearestReason{.space = ReasonSpace::Statistics,
                      .trained = 20,
                      .missing = 2,
                      .is_trained = true,
                      .matrix_distances = {3.0, 1.0, 2.0},
                      .matrices = {{"cage7", 3.0, -0.5, 1.0, std::nullopt, std::nullopt, 2.0, 0.5, "3 3"}},
                      .schedules = 100,
                      .schedule_distances = {0.5, 1.0, 2.0},
                      .against_distances = {0.25, 1.5, 2.5},
                      .schedule = {{"1 1 1", 0.0, 3, 1.5}},
                      .against = {{"2 2 2", 0.0, 4, std::nullopt}},
                      .machine = "laptop"};
    reasons.uncertainty = UncertaintyReason{
        .method = "last layer",
        .margin = 0.75,
        .deviation = 0.5,
        .confidence = 0.8,
        .scale = 2,
        .fitted_pairs = 1000,
        .fitted_workloads = 20,
        .held_out = true,
        .checked_pairs = 300,
        .checked_workloads = 5,
        .calibration_error = 0.04,
        .bins = {{.lowest = 0.6, .highest = 0.7, .predicted = 0.65, .observed = {0.6, 0.5, 0.7, 150}}},
        .machine = "laptop"};
    reasons.saliency = SaliencyReason{.row_edges = {0, 10, 20},
                                      .column_edges = {0, 15, 30},
                                      .margin = 0.75,
                                      .removed_share = 0.5,
                                      .cells = {{0, 1, 12, 0.125}, {1, 1, 2, std::nullopt}},
                                      .complete = false};
    reasons.missing = {{ReasonPart::Saliency, "the matrix is empty"}};
    return reasons;
}

TEST(ModelReasonsJson, ReadsWhatWasWritten) {
    const ModelReasons reasons = some_reasons();
    const auto read = parse_model_reasons(Json::parse(model_reasons_json(reasons).dump()));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, reasons);
}

TEST(ModelReasonsJson, ReadsANumberThatIsNoneAsSuchAndRefusesAText) {
    ModelReasons reasons = some_reasons();
    reasons.uncertainty->calibration_error = std::numeric_limits<double>::quiet_NaN();
    Json json = Json::parse(model_reasons_json(reasons).dump());
    const auto read = parse_model_reasons(json);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(std::isnan(read->uncertainty->calibration_error));
    EXPECT_EQ(read->uncertainty->margin, 0.75) << "and everything else stays";
    json["uncertainty"]["margin"] = "0.75";
    EXPECT_THAT(parse_model_reasons(json).error().message, HasSubstr("uncertainty.margin is no number"));
}

TEST(ModelReasonsJson, WritesNullForPartsThatWereNotAskedFor) {
    const ModelReasons reasons;
    const Json json = model_reasons_json(reasons);
    for (const ReasonPart part : all_reason_parts)
        EXPECT_TRUE(json.at(std::string(name(part))).is_null()) << name(part);
    EXPECT_EQ(*parse_model_reasons(json), reasons);
}

TEST(ModelReasonsJson, SaysWhatFollowsFromTheValues) {
    const Json json = model_reasons_json(some_reasons());
    EXPECT_EQ(json["margin"], 0.75);
    EXPECT_EQ(json["right"], false) << "the schedule is preferred, and slower";
    EXPECT_EQ(json["times"]["log2_gain"], -1.0);
    EXPECT_EQ(json["nearest"]["matrix_distances"]["outside"], true);
    EXPECT_EQ(json["anchors"]["anchor"]["predicates"][1]["text"], "matrix: Variation of row lengths above 2");
}

TEST(ModelReasonsJson, NamesTheMemberThatIsMissingOrWrong) {
    Json json = model_reasons_json(some_reasons());
    json["anchors"]["anchor"]["predicates"][1]["relation"] = "resembles";
    EXPECT_THAT(parse_model_reasons(json).error().message,
                HasSubstr("anchors.anchor.predicates[1].relation is \"resembles\", which is not known here"));
    json = model_reasons_json(some_reasons());
    json["nearest"].erase("space");
    EXPECT_THAT(parse_model_reasons(json).error().message, HasSubstr("nearest.space is missing"));
    json = model_reasons_json(some_reasons());
    json["seed"] = "one";
    EXPECT_THAT(parse_model_reasons(json).error().message, HasSubstr("seed is no whole number"));
    EXPECT_THAT(parse_model_reasons(Json::array()).error().message, HasSubstr("is no object"));
}

} // namespace
} // namespace sparsight
