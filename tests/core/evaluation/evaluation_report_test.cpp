#include "domains/sparse/explanation/pages/meta_learning_report.h"
#include "domains/sparse/sparse_domain.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/figures.h"
#include "evaluation/reports/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// As the sparse domain tells its settings.
const std::vector<SettingMember> spmm_members{{"operator", "Operator", "spmm"},
                                              {"dense", "Columns", std::int64_t{256}}};
const std::vector<SettingMember> spmv_members{{"operator", "Operator", "spmv"}, {"dense", "Columns", {}}};

EvaluatedWorkload took(const char* matrix, double fixed_csr, double best, double best_known) {
    EvaluatedWorkload evaluated{.times = {matrix, fixed_csr, best, best_known},
                                .baseline_spread_ms = 0,
                                .best_configuration = "4 4 x",
                                .best_known_configuration = "8 8 x",
                                .candidates = {}};
    for (int rank = 1; rank <= 3; ++rank)
        evaluated.candidates.push_back({.rank = rank,
                                        .configuration = "4 4 x",
                                        .score = rank * 0.5,
                                        .status = MeasurementStatus::Measured,
                                        .median_ms = best * rank,
                                        .spread_ms = 0});
    return evaluated;
}

/// "meta" wins on a and b, "waco|1" loses on a.
ModelEvaluation two_models() {
    ModelEvaluation evaluation;
    evaluation.words = sparse_words();
    evaluation.setting_members = spmm_members;
    evaluation.machine = "a & b";
    evaluation.k = 3;
    evaluation.bootstrap.resamples = 100;
    evaluation.models = {{.name = "waco|1", .workloads = {took("<a>", 4, 8, 2), took("b,c", 4, 2, 2)}},
                         {.name = "meta", .workloads = {took("<a>", 4, 2, 2), took("b,c", 4, 2, 2)}}};
    // Each twice, as of another family: two families have no intervals.
    std::vector<std::vector<WorkloadSpeedup>> speedups;
    for (EvaluatedModel& model : evaluation.models) {
        speedups.emplace_back();
        for (const EvaluatedWorkload& matrix : model.workloads)
            speedups.back().insert(speedups.back().end(), 2, matrix.speedup_with_errors());
        model.summary = summarise_speedups(speedups.back(), evaluation.bootstrap);
    }
    evaluation.comparisons = {{"meta", "waco|1",
                               *compare_speedups(speedups[1], speedups[0], evaluation.bootstrap,
                                                 std::vector(4, RatioNoise{.noise = 0}))}};
    evaluation.comparisons[0].figures.first_faster /= 2;
    evaluation.curves = {{"meta", {{1, 0.9}, {2, 0.5}}, {{1, 0.8}, {2, 0.7}}}};
    return evaluation;
}

std::size_t count_of(std::string_view part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(EvaluationText, SaysTheSettingWithoutAnExtentThatItDoesNotHave) {
    ModelEvaluation evaluation = two_models();
    evaluation.setting_members = spmv_members;
    EXPECT_THAT(setting_sentence(evaluation), HasSubstr("2 matrices, spmv; the best of 3 schedules"));
    const auto json = evaluation_json(evaluation);
    EXPECT_EQ(json["operator"], "spmv");
    EXPECT_EQ(json["dense"], 1);
    EXPECT_EQ(evaluation_json(two_models())["dense"], 256);
}

TEST(EvaluationText, SaysWhatTheBracketsAreAndThatOneOrTwoFamiliesHaveNone) {
    ModelEvaluation evaluation = two_models();
    for (const std::string& text : {evaluation_text(evaluation), evaluation_markdown(evaluation)})
        EXPECT_THAT(text, HasSubstr("95 % intervals over 4 families of matrices, by Student's t"));
    EXPECT_THAT(evaluation_html(evaluation), HasSubstr("95 % intervals over 4 families of matrices"));
    EXPECT_EQ(evaluation_json(evaluation)["models"][0]["families"], 4);
    std::vector<WorkloadSpeedup> forms;
    for (const EvaluatedWorkload& matrix : evaluation.models[0].workloads) {
        forms.push_back(matrix.times);
        forms.back().family = "one";
    }
    evaluation.models[0].summary = summarise_speedups(forms, evaluation.bootstrap);
    EXPECT_THAT(evaluation_text(evaluation),
                HasSubstr("One family of matrices: too few for an interval; forms of one matrix are one"));
    forms.back().family = "another";
    evaluation.models[0].summary = summarise_speedups(forms, evaluation.bootstrap);
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("Two families of matrices: too few for an interval"));
    const auto json = evaluation_json(evaluation)["models"][0]["mean_relative_speedup"];
    EXPECT_EQ(json["value"], 0.25);
    EXPECT_TRUE(json["low"].is_null());
    EXPECT_TRUE(json["high"].is_null());
}

TEST(EvaluationHtml, AGainWithinNoiseIsNoneAndPale) {
    ModelEvaluation evaluation = two_models();
    EvaluatedWorkload& noisy = evaluation.models[1].workloads[0];
    noisy.times.best_ms = 3.9;
    noisy.turns = 5;
    noisy.speedup_error = 0.03;
    const std::string html = evaluation_html(evaluation);
    EXPECT_EQ(count_of("<td class=\"number gain\">", html), 2U) << "those of b,c";
    EXPECT_EQ(count_of("<rect class=\"win\" fill-opacity", html), 1U);
    EXPECT_EQ(count_of("<circle class=\"win pale\"", html), 3U) << "its best stands for all three";
    noisy.candidates[1].configuration = "5 5 x";
    noisy.candidates[1].turns_ms = 3;
    noisy.candidates[1].turns_error_ms = 0.01;
    EXPECT_EQ(count_of("<circle class=\"win pale\"", evaluation_html(evaluation)), 2U);
}

TEST(EvaluationText, SaysInWordsThatAllChoicesAreTheBestKnown) {
    ModelEvaluation evaluation = two_models();
    EXPECT_EQ(summary_table(evaluation).rows[1][7], "its choice is the best known one on 2 of 2");
    EXPECT_THAT(summary_table(evaluation).rows[0][7], HasSubstr(" % [")) << "of <a> it is another one";
    for (EvaluatedModel& model : evaluation.models)
        for (EvaluatedWorkload& workload : model.workloads)
            workload.is_regret_exact = true;
    EXPECT_EQ(summary_table(evaluation).rows[1][7], "its choice is the best one on 2 of 2");
    // Turns that disagree tell one configuration two times.
    EvaluatedWorkload& told = evaluation.models[1].workloads[0];
    told.times.best_ms = 2.01;
    told.best_configuration = told.best_known_configuration;
    EXPECT_EQ(summary_table(evaluation).rows[1][7], "its choice is the best one on 2 of 2");
}

TEST(EvaluationText, KeepsTheFigureBesideACountOfTheBestKnownChoices) {
    ModelEvaluation evaluation = two_models();
    evaluation.words.baseline.reset();
    EvaluatedModel& model = evaluation.models[1];
    std::vector<WorkloadSpeedup> told;
    for (EvaluatedWorkload& workload : model.workloads) {
        workload.best_configuration = workload.best_known_configuration;
        workload.times.best_ms = 2.1; // turns that disagree tell one configuration two times
        told.push_back(workload.times);
    }
    model.summary = summarise_speedups(told, evaluation.bootstrap);
    const std::vector<std::string> row = summary_table(evaluation).rows[1];
    EXPECT_EQ(row[1], "5 %");
    EXPECT_EQ(row[4], "2 of 2");
}

TEST(EvaluationText, HasARowAModelAndTheComparison) {
    const std::string text = evaluation_text(two_models());
    EXPECT_THAT(text, HasSubstr("2 matrices, spmm with dense extent 256; the best of 3 schedules"));
    EXPECT_THAT(text, HasSubstr("\nwaco|1  +25.0 % ["));
    EXPECT_THAT(text, HasSubstr("\nmeta    +100.0 % [+100.0, +100.0]"));
    EXPECT_THAT(text, HasSubstr("meta against waco|1: mean relative speedup +75.0 % "));
    EXPECT_THAT(text, HasSubstr("faster on 1, slower on 0 of 2 matrices"));
}

TEST(EvaluationText, NamesTheDifferencesOfAComparisonThatMayBeNoise) {
    ModelEvaluation evaluation = two_models();
    SpeedupComparison& figures = evaluation.comparisons[0].figures;
    figures.first_faster = 0;
    figures.within_noise = 1;
    EXPECT_THAT(evaluation_text(evaluation),
                HasSubstr("faster on 0, slower on 0 of 2 matrices (1 within noise)"));
    const auto json = evaluation_json(evaluation)["comparisons"][0];
    EXPECT_EQ(json["faster"], 0);
    EXPECT_EQ(json["within_noise"], 1);
}

ModelEvaluation of_speedups(const std::vector<double>& speedups, TimeSource source) {
    ModelEvaluation evaluation;
    evaluation.words = sparse_words();
    evaluation.setting_members = spmm_members;
    evaluation.source = source;
    evaluation.models = {{.name = "waco", .workloads = {}}};
    for (const double speedup : speedups) {
        const std::string name(1, static_cast<char>('a' + evaluation.models[0].workloads.size()));
        evaluation.models[0].workloads.push_back(took(name.c_str(), speedup, 1, 1));
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
        text,
        HasSubstr("on a (48.00×, fixed CSR 48.00 ms), c (25.00×, fixed CSR 25.00 ms): in recorded times that "
                  "is more likely a pause"));
    EXPECT_THAT(nlohmann::json::parse(evaluation_json(recorded).dump())["remarks"].dump(),
                HasSubstr("pause"));
    EXPECT_THAT(evaluation_text(of_speedups({48, 1.2}, TimeSource::Measured)), HasSubstr("measure again"));
    EXPECT_THAT(evaluation_text(of_speedups({9, 1.2, 8}, TimeSource::Recorded)), Not(HasSubstr("pause")));
    EXPECT_THAT(evaluation_text(of_speedups({48, 47, 46, 45, 44, 43, 42}, TimeSource::Recorded)),
                HasSubstr("e (44.00×, fixed CSR 44.00 ms) and 2 more:"));
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
        csv, HasSubstr("\r\nmeta,\"b,c\",4.000000,0,2.000000,2.0000,,4 4 x,2.000000,0.0000,8 8 x,,0,0\r\n"));
}

TEST(EvaluationMarkdown, KeepsItsColumnsWhereANameHasABar) {
    const std::string markdown = evaluation_markdown(two_models());
    EXPECT_THAT(markdown, HasSubstr("| waco\\|1 | +25.0 % ["));
    EXPECT_THAT(markdown, HasSubstr("|---|---:|---:|"));
    EXPECT_THAT(markdown, HasSubstr("| \\<a> | 4.000 | 8.000 | 0.50× | 2.000 | 2.00× | 2.000 | 8 8 x |"));
}

TEST(EvaluationMarkdown, WritesNamesSoThatAReaderShowsThemAsTheyAre) {
    const auto cell = [](const char* name) { return markdown_text({{"matrix"}, {{name}}}); };
    EXPECT_THAT(cell("_x_"), HasSubstr("| \\_x\\_ |"));
    EXPECT_THAT(cell("~~s~~"), HasSubstr("| \\~\\~s\\~\\~ |"));
    EXPECT_THAT(cell("a&lt;b"), HasSubstr("| a\\&lt;b |"));
    EXPECT_THAT(cell("**bold**_x_"), HasSubstr("| \\*\\*bold\\*\\*\\_x\\_ |"));
    EXPECT_THAT(cell("[a](b)"), HasSubstr("| [a]\\(b) |"));
}

TEST(EvaluationJson, HasFiguresWithTheirIntervals) {
    const auto json = evaluation_json(two_models());
    EXPECT_DOUBLE_EQ(json["models"][0]["mean_relative_speedup"]["value"], 0.25);
    EXPECT_LE(json["models"][0]["mean_relative_speedup"]["low"], 0.25);
    EXPECT_DOUBLE_EQ(json["models"][0]["share_slower"]["value"], 0.5);
    EXPECT_EQ(json["models"][0]["slower_within_noise"], 0);
    EXPECT_EQ(json["models"][0]["worst_matrix"], "<a>");
    EXPECT_DOUBLE_EQ(json["models"][1]["matrices"][1]["regret"], 0);
    EXPECT_EQ(json["models"][1]["matrices"][1]["candidates"].size(), 3U);
    EXPECT_DOUBLE_EQ(json["comparisons"][0]["mean_relative_difference"]["value"], 0.75);
}

TEST(EvaluationText, TellsALossWithinNoiseApartFromALoss) {
    ModelEvaluation evaluation = two_models();
    evaluation.models[0].summary->within_noise = 1;
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr(", 1 within noise"));
}

TEST(EvaluationText, DecidesNothingByTimesOfUnknownNoise) {
    ModelEvaluation evaluation = two_models();
    for (EvaluatedModel& model : evaluation.models) {
        std::vector<WorkloadSpeedup> speedups;
        for (EvaluatedWorkload& matrix : model.workloads) {
            matrix.baseline_spread_ms.reset();
            speedups.push_back(matrix.speedup_with_errors());
        }
        model.summary = summarise_speedups(speedups, evaluation.bootstrap);
    }
    EXPECT_EQ(summary_table(evaluation).rows[0][5], "0 beyond noise, 1 with unknown noise");
    EXPECT_THAT(evaluation_text(evaluation),
                HasSubstr("The noise of some times is unknown, so nothing is called faster or slower by "
                          "them."));
    const std::string html = evaluation_html(evaluation);
    EXPECT_EQ(count_of("<td class=\"number gain\">", html) + count_of("<td class=\"number loss\">", html),
              0U);
    EXPECT_EQ(count_of("<rect class=\"win\" fill-opacity", html), 3U) << "all bars are pale";
    EXPECT_EQ(count_of("<rect class=\"lose\" fill-opacity", html), 1U);
    const auto json = evaluation_json(evaluation)["models"][0];
    EXPECT_TRUE(json["share_slower"].is_null());
    EXPECT_EQ(json["slower_noise_unknown"], 1);
    EXPECT_EQ(json["slower_within_noise"], 0);
}

TEST(EvaluationText, KeepsTheMarginThatIsKnownWhereThatOfOneSpeedupIsNot) {
    ModelEvaluation evaluation = two_models();
    EvaluatedModel& model = evaluation.models[1];
    for (EvaluatedWorkload& workload : model.workloads) {
        workload.turns = 15;
        workload.speedup_error = 0.2;
    }
    EXPECT_TRUE(model.is_uncertain());
    model.workloads[0].turns = 0;
    model.workloads[0].speedup_error.reset();
    EXPECT_TRUE(model.is_uncertain()) << "it is no more certain for what is not known";
    for (EvaluatedWorkload& workload : model.workloads)
        workload.speedup_error.reset();
    EXPECT_FALSE(model.margin());
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

TEST(EvaluationRemarks, SayWhatASimulationStartedFrom) {
    ModelEvaluation evaluation = two_models();
    evaluation.source = TimeSource::Simulated;
    evaluation.machine = "imagined";
    evaluation.machine_fingerprint = "made-of-a-preset";
    EXPECT_THAT(
        remark_sentences(evaluation),
        ::testing::Contains("The times are simulated from the description of imagined, not measured."));
    evaluation.machine_fingerprint = "simulated:paper-formula:server:imagined";
    EXPECT_THAT(remark_sentences(evaluation),
                ::testing::Contains(HasSubstr("simulated from those that were collected")));
}

TEST(SpeedupBars, StandInTheOrderOfTheirSpeedups) {
    const std::string figure = speedup_bars(two_models().models[0], {0.4, 2.2}, false, two_models().words);
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

TEST(HtmlText, EscapesWhatWouldBeMarkup) {
    EXPECT_EQ(html_text("<b a='1' c=\"2\">&"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST(Base64, FollowsTheExamplesOfRfc4648) {
    const auto encode = [](std::string_view text) { return base64(std::as_bytes(std::span(text))); };
    EXPECT_EQ(encode(""), "");
    EXPECT_EQ(encode("f"), "Zg==");
    EXPECT_EQ(encode("fo"), "Zm8=");
    EXPECT_EQ(encode("foo"), "Zm9v");
    EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(SvgAxis, PutsItsEndsWhereTheyBelongAndClipsWhatLiesBeyond) {
    const SvgAxis upward = SvgAxis::linear(0, 10, 200, 20);
    EXPECT_DOUBLE_EQ(upward.place(0), 200);
    EXPECT_DOUBLE_EQ(upward.place(10), 20);
    EXPECT_DOUBLE_EQ(upward.place(5), 110);
    EXPECT_DOUBLE_EQ(upward.place(99), 20);
}

TEST(SvgAxis, GivesTwiceAsFastAndHalfAsFastTheSameLength) {
    const SvgAxis axis = SvgAxis::logarithmic(0.25, 4, 0, 100);
    EXPECT_DOUBLE_EQ(axis.place(1), 50);
    EXPECT_NEAR(axis.place(2) - axis.place(1), axis.place(1) - axis.place(0.5), 1e-9);
}

TEST(SvgAxis, MarksRoundNumbers) {
    EXPECT_THAT(SvgAxis::linear(-0.1, 1.05, 0, 1).ticks(),
                ElementsAre(DoubleNear(0, 1e-12), DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12),
                            DoubleNear(0.6, 1e-12), DoubleNear(0.8, 1e-12), DoubleNear(1, 1e-12)));
    EXPECT_THAT(SvgAxis::logarithmic(0.2, 9, 0, 1).ticks(), ElementsAre(0.25, 0.5, 1, 2, 4, 8));
}

TEST(SvgAxis, MarksNeitherTooFewNorTooManyOverAnyExtent) {
    for (const double highest : {1.01, 1.3, 2.0, 3.9, 4.1, 17.0, 900.0, 1e4, 1e12}) {
        for (const SvgAxis& axis :
             {SvgAxis::linear(1, highest, 0, 1), SvgAxis::logarithmic(1, highest, 0, 1)}) {
            EXPECT_GE(axis.ticks().size(), 3U) << highest;
            EXPECT_LE(axis.ticks().size(), 10U) << highest;
        }
    }
}

TEST(SvgAxis, OfASingleValueIsWidened) {
    for (const double value : {0.0, 0.69, -3.0}) {
        const SvgAxis axis = SvgAxis::linear(value, value, 0, 100);
        EXPECT_NEAR(axis.place(value), 50, 1e-9);
        EXPECT_FALSE(axis.ticks().empty());
    }
    EXPECT_NEAR(SvgAxis::logarithmic(2, 2, 0, 100).place(2), 50, 1e-9);
}

ModelEvaluation evaluation(const char* machine, const char* second_model, double first_ms, double second_ms) {
    ModelEvaluation evaluation;
    evaluation.words = sparse_words();
    evaluation.setting_members = spmm_members;
    evaluation.machine = machine;
    for (const auto& [name, best] : {std::pair("waco", first_ms), std::pair(second_model, second_ms)}) {
        const WorkloadSpeedup times{"a", 6, best, 2};
        evaluation.models.push_back({.name = name,
                                     .workloads = {{.times = times,
                                                    .best_configuration = {},
                                                    .best_known_configuration = {},
                                                    .candidates = {}}}});
        evaluation.models.back().summary = summarise_speedups({&times, 1});
    }
    return evaluation;
}

MetaLearningReport experiment() {
    MetaLearningReport experiment{evaluation("server", "meta", 6, 5), evaluation("laptop", "tuned", 5, 4),
                                  "test"};
    experiment.second.source = TimeSource::Simulated;
    experiment.second.machine_fingerprint = "simulated:paper-formula:server:laptop";
    return experiment;
}

TEST(MetaLearningReport, HasTheReportsTable2WithOursBesideIt) {
    const auto rows = report_table_2(experiment());
    const std::array<double, 4> reported{0.0052, 0.0554, 0.0693, 0.196};
    const std::array<double, 4> ours{0, 0.2, 0.2, 0.5};
    const std::array<const char*, 4> models{"waco", "meta", "waco", "tuned"};
    for (std::size_t at = 0; at < 4; ++at) {
        EXPECT_DOUBLE_EQ(rows[at].reported, reported[at]);
        EXPECT_NEAR(rows[at].ours->value, ours[at], 1e-12);
        EXPECT_EQ(rows[at].our_model, models[at]);
        EXPECT_EQ(rows[at].our_machine, at < 2 ? "server (measured)" : "laptop (simulated)");
    }
}

TEST(MetaLearningReport, IsWrittenInEveryForm) {
    for (const std::string& text :
         {experiment_text(experiment()), experiment_markdown(experiment()), experiment_html(experiment())}) {
        EXPECT_THAT(text, HasSubstr("Fine-tuned Meta"));
        EXPECT_THAT(text, HasSubstr("19.6 %"));
        EXPECT_THAT(text, HasSubstr("+50.0 %"));
        EXPECT_THAT(text, HasSubstr("laptop (simulated)"));
    }
    EXPECT_THAT(experiment_html(experiment()), HasSubstr("(figure 7)"));
    EXPECT_NEAR(experiment_json(experiment())["table_2"][3]["value"].get<double>(), 0.5, 1e-12);
}

TEST(MetaLearningReport, SaysWhichTimesEachTableRestsOn) {
    MetaLearningReport in_turns = experiment();
    for (EvaluatedModel& model : in_turns.first.models)
        model.workloads.front().turns = 5;
    const std::string text = experiment_text(in_turns);
    EXPECT_THAT(text, HasSubstr("server: 1 matrix, spmm with dense extent 256"));
    EXPECT_THAT(text,
                HasSubstr("what is compared was measured once more, in 5 turns, and the fastest has its "
                          "time from turns that did not choose it"));
    EXPECT_THAT(text, HasSubstr("laptop: The times are simulated from those that were collected"));
    EXPECT_THAT(text, HasSubstr("An evaluation that measured in turns rests on other times"));
    for (const std::string& page : {experiment_markdown(in_turns), experiment_html(in_turns)})
        EXPECT_THAT(page, HasSubstr("rests on other times"));
}

TEST(MetaLearningReport, HasNoNumberWhereThereAreNoTimes) {
    MetaLearningReport without = experiment();
    without.second.models[1].summary.reset();
    EXPECT_FALSE(report_table_2(without)[3].ours.has_value());
    EXPECT_TRUE(experiment_json(without)["table_2"][3]["value"].is_null());
}

} // namespace
} // namespace sparsight
