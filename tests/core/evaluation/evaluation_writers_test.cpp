#include "evaluation/evaluation_writers.h"

#include "evaluation/evaluation_figures.h"
#include "evaluation/evaluation_json.h"
#include "evaluation/evaluation_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

EvaluatedMatrix took(const char* matrix, double fixed_csr, double best, double best_known) {
    EvaluatedMatrix evaluated{.times = {matrix, fixed_csr, best, best_known},
                              .best_schedule = "4 4 x",
                              .best_known_schedule = "8 8 x",
                              .candidates = {}};
    for (int rank = 1; rank <= 3; ++rank)
        evaluated.candidates.push_back({.rank = rank,
                                        .schedule = "4 4 x",
                                        .score = rank * 0.5,
                                        .status = MeasurementStatus::Measured,
                                        .median_ms = best * rank});
    return evaluated;
}

/// "meta" wins on a and b, "waco|1" loses on a.
ModelEvaluation two_models() {
    ModelEvaluation evaluation;
    evaluation.machine = "a & b";
    evaluation.k = 3;
    evaluation.bootstrap.resamples = 100;
    evaluation.models = {{.name = "waco|1", .matrices = {took("<a>", 4, 8, 2), took("b,c", 4, 2, 2)}},
                         {.name = "meta", .matrices = {took("<a>", 4, 2, 2), took("b,c", 4, 2, 2)}}};
    std::vector<std::vector<MatrixSpeedup>> speedups;
    for (EvaluatedModel& model : evaluation.models) {
        speedups.emplace_back();
        for (const EvaluatedMatrix& matrix : model.matrices)
            speedups.back().push_back(matrix.times);
        model.summary = summarise_speedups(speedups.back(), evaluation.bootstrap);
    }
    evaluation.comparisons = {
        {"meta", "waco|1", *compare_speedups(speedups[1], speedups[0], evaluation.bootstrap)}};
    evaluation.curves = {{"meta", {{1, 0.9}, {2, 0.5}}, {{1, 0.8}, {2, 0.7}}}};
    return evaluation;
}

std::size_t count_of(std::string_view part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(EvaluationText, HasARowAModelAndTheComparison) {
    const std::string text = evaluation_text(two_models());
    EXPECT_THAT(text, HasSubstr("2 matrices, spmm with dense extent 256; the best of 3 schedules"));
    EXPECT_THAT(text, HasSubstr("\nwaco|1  +25.0 % ["));
    EXPECT_THAT(text, HasSubstr("\nmeta    +100.0 % [+100.0, +100.0]"));
    EXPECT_THAT(text, HasSubstr("meta against waco|1: mean relative speedup +75.0 % "));
    EXPECT_THAT(text, HasSubstr("faster on 1, slower on 0 of 2 matrices"));
}

ModelEvaluation of_speedups(const std::vector<double>& speedups, TimeSource source) {
    ModelEvaluation evaluation;
    evaluation.source = source;
    evaluation.models = {{.name = "waco", .matrices = {}}};
    for (const double speedup : speedups) {
        const std::string name(1, static_cast<char>('a' + evaluation.models[0].matrices.size()));
        evaluation.models[0].matrices.push_back(took(name.c_str(), speedup, 1, 1));
    }
    return evaluation;
}

TEST(EvaluationRemarks, NameTheMatrixThatMakesMostOfTheMean) {
    const std::string text = evaluation_text(of_speedups({1.1, 4, 1.2, 0.8}, TimeSource::Measured));
    EXPECT_THAT(text,
                HasSubstr("One matrix, b (4.00×), makes more than half of waco's mean relative speedup, "
                          "which is +3.3 % without it:"));
    EXPECT_THAT(evaluation_text(of_speedups({1.1, 1.3, 1.3, 0.9}, TimeSource::Measured)),
                Not(HasSubstr("One matrix")));
    for (const std::vector<double>& few : {std::vector{4.0}, {1.1, 4}, {1.1, 4, 1.2}})
        EXPECT_THAT(evaluation_text(of_speedups(few, TimeSource::Measured)), Not(HasSubstr("One matrix")))
            << "of " << few.size() << " nobody expects a mean that none of them decides";
    EXPECT_THAT(evaluation_text(of_speedups({1.001, 1.008, 1.002, 1}, TimeSource::Measured)),
                Not(HasSubstr("One matrix")))
        << "with it or without it, the mean is the same but for noise";
    EXPECT_THAT(evaluation_text(of_speedups({0.9, 0.5, 0.6, 0.7}, TimeSource::Measured)),
                Not(HasSubstr("One matrix")));
}

TEST(EvaluationRemarks, NameSpeedupsThatArePausesRather) {
    const ModelEvaluation recorded = of_speedups({48, 1.2, 25}, TimeSource::Recorded);
    const std::string text = evaluation_text(recorded);
    EXPECT_THAT(
        text, HasSubstr("on a (48.00×, fixed CSR 48 ms), c (25.00×, fixed CSR 25 ms): in recorded times that "
                        "is more likely a pause"));
    EXPECT_THAT(nlohmann::json::parse(evaluation_json(recorded).dump())["remarks"].dump(),
                HasSubstr("pause"));
    EXPECT_THAT(evaluation_text(of_speedups({48, 1.2}, TimeSource::Measured)), HasSubstr("measure again"));
    EXPECT_THAT(evaluation_text(of_speedups({9, 1.2, 8}, TimeSource::Recorded)), Not(HasSubstr("pause")));
    EXPECT_THAT(evaluation_text(of_speedups({48, 47, 46, 45, 44, 43, 42}, TimeSource::Recorded)),
                HasSubstr("e (44.00×, fixed CSR 44 ms) and 2 more:"));
}

TEST(EvaluationText, SaysShorterOrLongerWhicheverItIs) {
    ModelEvaluation evaluation = two_models();
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("its times are shorter by a factor of 2.00 ["));
    Estimate& ratio = evaluation.comparisons[0].figures.geometric_ratio;
    ratio = {0.5, Interval{0.25, 0.8}};
    EXPECT_THAT(evaluation_text(evaluation),
                HasSubstr("its times are longer by a factor of 2.00 [1.25, 4.00]"));
}

TEST(EvaluationText, AlignsColumnsWhoseTextsHaveMoreBytesThanSigns) {
    const std::string text = evaluation_text(two_models());
    std::vector<std::size_t> places;
    for (const char* row : {"waco|1  ", "meta    "}) {
        const std::size_t begin = text.find(std::string("\n") + row) + 1;
        const std::string line = text.substr(begin, text.find('\n', begin) - begin);
        places.push_back(line.size() - line.rfind("–"));
    }
    EXPECT_EQ(places[0], places[1]);
}

TEST(EvaluationCsv, HasALineAModelAndMatrixThatSurvivesCommas) {
    const std::string csv = evaluation_csv(two_models());
    EXPECT_EQ(count_of("\r\n", csv), 5U);
    EXPECT_THAT(
        csv, HasSubstr("\r\nmeta,\"b,c\",4.000000,,2.000000,2.0000,,4 4 x,2.000000,0.0000,8 8 x,,0,0\r\n"));
}

TEST(EvaluationMarkdown, KeepsItsColumnsWhereANameHasABar) {
    const std::string markdown = evaluation_markdown(two_models());
    EXPECT_THAT(markdown, HasSubstr("| waco\\|1 | +25.0 % ["));
    EXPECT_THAT(markdown, HasSubstr("|---|---:|---:|"));
    EXPECT_THAT(markdown, HasSubstr("| <a> | 4 | 8 | 0.50× | 2 | 2.00× | 2 | 8 8 x |"));
}

TEST(EvaluationJson, HasFiguresWithTheirIntervals) {
    const auto json = evaluation_json(two_models());
    EXPECT_DOUBLE_EQ(json["models"][0]["mean_relative_speedup"]["value"], 0.25);
    EXPECT_LE(json["models"][0]["mean_relative_speedup"]["low"], 0.25);
    EXPECT_DOUBLE_EQ(json["models"][0]["share_slower"]["value"], 0.5);
    EXPECT_EQ(json["models"][0]["worst_matrix"], "<a>");
    EXPECT_DOUBLE_EQ(json["models"][1]["matrices"][1]["regret"], 0);
    EXPECT_EQ(json["models"][1]["matrices"][1]["candidates"].size(), 3U);
    EXPECT_DOUBLE_EQ(json["comparisons"][0]["mean_relative_difference"]["value"], 0.75);
}

TEST(EvaluationHtml, IsCompleteInItselfAndEscaped) {
    const std::string html = evaluation_html(two_models());
    EXPECT_THAT(html, HasSubstr("&lt;a&gt;"));
    EXPECT_THAT(html, Not(HasSubstr("<a>")));
    EXPECT_THAT(html, HasSubstr("a &amp; b"));
    EXPECT_THAT(html, Not(HasSubstr("http"))) << "nothing is fetched from anywhere";
}

TEST(EvaluationHtml, HasFiguresTableAndIntervals) {
    const std::string html = evaluation_html(two_models());
    EXPECT_EQ(count_of("<rect class=\"win\"", html), 3U);
    EXPECT_EQ(count_of("<rect class=\"lose\"", html), 1U) << "the one that is slower than fixed CSR";
    EXPECT_EQ(count_of("<circle ", html), 12U) << "three candidates on each of two matrices, twice";
    EXPECT_EQ(count_of("class=\"curve validation", html), 1U);
    EXPECT_EQ(count_of("class=\"reference\"", html), 4U) << "fixed CSR in the bars and in the scatters";
    EXPECT_THAT(html, HasSubstr("<td class=\"number loss\">0.50×</td>"));
    EXPECT_THAT(html, HasSubstr("+100.0 %<br><span class=\"interval\">[+100.0, +100.0]</span>"));
}

TEST(EvaluationHtml, MarksWhatIsSimulated) {
    ModelEvaluation evaluation = two_models();
    EXPECT_THAT(evaluation_html(evaluation), Not(HasSubstr("fill=\"url(#hatch)\"")));
    evaluation.source = TimeSource::Simulated;
    EXPECT_EQ(count_of("fill=\"url(#hatch)\"", evaluation_html(evaluation)), 4U);
    EXPECT_THAT(evaluation_html(evaluation), HasSubstr("simulated for a &amp; b"));
}

TEST(SpeedupBars, StandInTheOrderOfTheirSpeedups) {
    const std::string figure = speedup_bars(two_models().models[0], {0.4, 2.2}, false);
    EXPECT_LT(figure.find("<title>b,c: 2.00×"), figure.find("<title>&lt;a&gt;: 0.50×"));
}

TEST(LossFigure, LeavesAGapWhereALossIsNoNumber) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const std::vector<LossCurves> curves{{"m", {{1, 3}, {2, nothing}, {3, 1}, {4, 0.5}}, {}}};
    const std::string figure = loss_figure(curves);
    EXPECT_EQ(count_of("nan", figure), 0U);
    const std::size_t path = figure.find(" d=\"M");
    EXPECT_EQ(count_of("M", figure.substr(path, figure.find("\"/>", path) - path)), 2U);
    EXPECT_EQ(loss_figure({}), "");
}

} // namespace
} // namespace sparsight
