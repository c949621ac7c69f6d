#include "domains/sparse/explanation/pages/failure_report.h"
#include "domains/sparse/explanation/pages/schedule_comparison.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/reports/html.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Blocks of 32 columns with all their zeros, in chunks that one thread gets.
FailurePage page() {
    const CsrPattern pattern =
        *generate_matrix("uniform", {{"rows", 600}, {"cols", 600}, {"density", 0.01}}, 1);
    const ProfiledPattern profiled(pattern);
    const MachineDescription machine = find_machine_preset("epyc-7543")->machine;
    SimulatedClock clock(profiled, 32, resolve_parameters(machine).values);
    auto explanation =
        explain(profiled, clock,
                {.from = fixed_csr(Operator::SpMM, 128),
                 .to = *parse_schedule(Operator::SpMM, "1 32 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 4096"),
                 .dense = 32,
                 .machine = machine});
    EXPECT_TRUE(explanation.has_value());
    return {.matrix = "a<b",
            .statistics = compute_statistics(pattern, 1),
            .picture = *report_picture(pattern, 1),
            .dense = 32,
            .against_name = "fixed CSR",
            .explanation = std::move(*explanation),
            .origin = {.machine = "server", .seed = 7, .created_by = "test 1", .command = "run 'this'"}};
}

/// Of the bars of a figure, as they are written.
std::vector<double> numbers(const std::string& figure) {
    std::vector<double> found;
    const std::regex value(R"(text-anchor="end">(\+|−)?([0-9.]+)( ms)?( ≈)?</text>)");
    for (std::sregex_iterator at(figure.begin(), figure.end(), value), end; at != end; ++at)
        found.push_back(((*at)[1] == "−" ? -1 : 1) * std::stod((*at)[2]));
    return found;
}

TEST(WaterfallFigure, ItsNumbersAddUpAsTheyAreWritten) {
    const FailurePage made = page();
    const std::vector<double> shown =
        numbers(waterfall_figure(made.explanation.blame, "fixed CSR", "the choice"));
    ASSERT_EQ(shown.size(), made.explanation.blame.shares.size() + 2);
    double level = 0;
    for (std::size_t at = 0; at + 1 < shown.size(); ++at)
        level += shown[at];
    EXPECT_NEAR(level, shown.back(), 1e-9);
}

TEST(WaterfallFigure, ItsLabelsHaveRoomForTheLongestInAWideTypeface) {
    const FailurePage made = page();
    const std::string long_name =
        "a schedule with a name of more letters than any row of a figure could hold";
    for (const std::string& from : {std::string("fixed CSR"), long_name}) {
        const std::string figure = waterfall_figure(made.explanation.blame, from, "the choice");
        const std::regex label(
            R"~(class="label \w*" x="([0-9.]+)" y="[0-9.]+" text-anchor="end">([^<]*)</text>)~");
        std::size_t labels = 0;
        for (std::sregex_iterator at(figure.begin(), figure.end(), label), end; at != end; ++at) {
            ++labels;
            const std::string text = (*at)[2];
            const auto letters =
                std::ranges::count_if(text, [](char byte) { return (byte & '\xC0') != '\x80'; });
            EXPECT_GT(std::stod((*at)[1]), 7.5 * static_cast<double>(letters)) << text;
        }
        EXPECT_EQ(labels, made.explanation.blame.shares.size() + 2);
    }
    EXPECT_THAT(waterfall_figure(made.explanation.blame, long_name, "the choice"),
                HasSubstr(">a schedule with a name of more letters than any row of …<"));
}

TEST(WaterfallFigure, TimesHaveFourDigits) {
    EXPECT_EQ(decimals_of(1234), 0);
    EXPECT_EQ(decimals_of(1.5), 3);
    EXPECT_EQ(decimals_of(0.0123), 5);
}

TEST(FailurePages, AnswerInTheOrderInWhichAPersonAsks) {
    FailurePage made = page();
    made.model_reasons.push_back({.title = "What it looked at", .paragraphs = {"Rows & columns."}});
    const std::string html = failure_html(made);
    std::size_t at = 0;
    for (const char* heading :
         {"What happened", "The two schedules", "Which decision", "Mechanism of the loss",
          "Why the model did not know", "What it looked at", "What would make it win", "To see it again"}) {
        const std::size_t found = html.find(heading, at);
        ASSERT_NE(found, std::string::npos) << heading;
        at = found;
    }
}

TEST(FailurePages, SayHowMuchTimeAFasterScheduleSaves) {
    FailurePage made = page();
    made.explanation.blame.to.milliseconds = 0.256 * *made.explanation.blame.from.milliseconds;
    EXPECT_THAT(failure_html(made), HasSubstr("saves 74.4 % of the time of fixed CSR, simulated"));
    made.explanation.blame.to.milliseconds = 1.5 * *made.explanation.blame.from.milliseconds;
    EXPECT_THAT(failure_html(made), HasSubstr("50.0 % slower than fixed CSR"));
}

TEST(FailurePages, EscapeWhatIsNotTheirs) {
    const std::string html = failure_html(page());
    EXPECT_THAT(html, HasSubstr("a&lt;b"));
    EXPECT_THAT(html, Not(HasSubstr("a<b")));
    EXPECT_THAT(html, HasSubstr("run &#39;this&#39;"));
}

TEST(FailurePages, SayWhatMakesThemReproducible) {
    const std::string html = failure_html(page());
    EXPECT_THAT(html, HasSubstr("Machine server"));
    EXPECT_THAT(html, HasSubstr("seed 7; test 1"));
}

TEST(FailurePages, MarkTheLoopsThatDiffer) {
    const std::string html = failure_html(page());
    EXPECT_THAT(html,
                HasSubstr("<td class=\"differs\"><pre>for i1 &lt; 600, uncompressed, 128 threads by 4096"));
    EXPECT_THAT(html, HasSubstr("C(i,j) += A(i,k)"));
}

TEST(FailurePages, HaveTheModelsOwnSide) {
    ModelReasons reasons;
    reasons.model = "first";
    reasons.schedule_score = 1;
    reasons.against_score = 2;
    reasons.times = {.schedule_ms = 3, .against_ms = 1, .origin = TimeOrigin::Measured};
    reasons.anchors = SparseAnchorReason{};
    reasons.anchors->anchor = Anchor{.precision = {.value = 0.97, .lowest = 0.95, .highest = 0.99}};
    reasons.missing = {{ReasonPart::Saliency, "the model reads no pattern"}};
    FailurePage made = page();
    made.model_reasons = reason_sections(reasons);
    const std::string html = failure_html(made);
    EXPECT_THAT(html, HasSubstr("it prefers the chosen schedule, and is wrong"));
    EXPECT_THAT(html, HasSubstr("whatever is changed. Precision 97 % (95 % to 99 %)"));
    EXPECT_THAT(html, HasSubstr("saliency: the model reads no pattern."));
}

TEST(FailurePages, AModelThatRatesBothSchedulesAlikePrefersNeither) {
    ModelReasons reasons;
    reasons.model = "first";
    reasons.schedule_score = reasons.against_score = 2;
    EXPECT_THAT(reason_sections(reasons).front().paragraphs.front(),
                HasSubstr("scores both schedules 2: it prefers neither"));
}

TEST(FailurePages, ASearchThatWasCutShortDoesNotSayThatThereIsNoRule) {
    ModelReasons reasons;
    reasons.anchors = SparseAnchorReason{{.wanted_precision = 0.95, .longest = 4}};
    const auto told = [&] { return reason_sections(reasons).at(1).paragraphs.front(); };
    EXPECT_EQ(told(), "No rule of up to 4 predicates is 95 % precise.");
    reasons.anchors->nearest = Anchor{};
    EXPECT_EQ(told(), "No rule of up to 4 predicates is 95 % precise; this is the most precise one.");
    reasons.anchors->complete = false;
    EXPECT_EQ(told(),
              "Before the time was over no rule of up to 4 predicates was found that is 95 % precise; "
              "this is the most precise one.");
}

TEST(FailureReports, WithoutFailuresSaySo) {
    FailureReport report;
    report.compared = 3;
    EXPECT_THAT(failures_html(report), HasSubstr("None of 3 choices fails beyond the noise"));
    EXPECT_THAT(failures_html(report), HasSubstr("10 % slower than the best known"));
}

TEST(FailurePages, TablesNameTheirColumnsOnEverySheetOfPaper) {
    const std::string html = failure_html(page());
    EXPECT_THAT(html, HasSubstr("<thead><tr><th>Decision"));
    EXPECT_THAT(html, HasSubstr("<thead><tr><th>Simulated, ms"));
}

TEST(PrintablePages, AlignNumbersByAnAttribute) {
    EXPECT_EQ(printable_html("<td class=\"number\">1</td><td class=\"number gain\">2</td>"),
              "<td class=\"number\" align=\"right\">1</td><td class=\"number gain\" align=\"right\">2</td>");
}

TEST(PrintablePages, HaveNoVariablesAndTheirFiguresAreImages) {
    const std::string html = printable_html(failure_html(page()));
    EXPECT_THAT(html, Not(HasSubstr("var(")));
    EXPECT_THAT(html, Not(HasSubstr("<svg")));
    EXPECT_THAT(html, Not(HasSubstr("class=\"bar")));
    EXPECT_THAT(html, HasSubstr("data:image/svg+xml;base64,"));
    EXPECT_THAT(html, HasSubstr("To see it again"));
}

using ::testing::ElementsAre;

constexpr std::int64_t row_count = 1200;
constexpr std::int64_t cols = 640;

SuperSchedule read(const char* text) {
    return *parse_schedule(Operator::SpMM, text);
}

std::vector<std::string> loop_lines(const SuperSchedule& schedule, const Extents& sizes) {
    std::vector<std::string> lines;
    for (const ComparedLine& line : compare_loops(schedule, schedule, sizes))
        lines.push_back(line.from.value());
    return lines;
}

TEST(LoopLines, SayHowFarEachLoopRunsAndHowItsLevelIsStored) {
    EXPECT_THAT(loop_lines(fixed_csr(Operator::SpMM, 48), extents(Operator::SpMM, row_count, cols, 256)),
                ElementsAre("for i1 < 1\u202F200, uncompressed, 48 threads by 32",
                            "  for k1 < 640, compressed", "    for j1 < 256",
                            "      C(i,j) += A(i,k) · B(k,j)"));
}

TEST(LoopLines, ASplitThatDoesNotDivideRunsOnceMore) {
    const auto lines = loop_lines(read("1 512 1 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 48 32"),
                                  extents(Operator::SpMM, row_count, cols, 256));
    EXPECT_EQ(lines[1], "  for k1 < 2, compressed");
    EXPECT_EQ(lines[2], "    for k0 < 512, compressed");
}

TEST(ComparedLoops, WhatIsTheSameStandsBesideTheSame) {
    const auto lines =
        compare_loops(fixed_csr(Operator::SpMM, 48), read("1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 64"),
                      extents(Operator::SpMM, row_count, cols, 256));
    ASSERT_EQ(lines.size(), 5);
    EXPECT_EQ(lines[0].from, "for i1 < 1\u202F200, uncompressed, 48 threads by 32");
    EXPECT_EQ(lines[0].to, "for i1 < 1\u202F200, uncompressed, 48 threads by 64");
    EXPECT_FALSE(lines[0].is_same());
    EXPECT_TRUE(lines[1].is_same());
    EXPECT_FALSE(lines[2].is_same());
    EXPECT_FALSE(lines[3].from);
    EXPECT_EQ(lines[3].to, "      for j0 < 8");
    EXPECT_TRUE(lines[4].is_same()) << "it stands deeper, and says the same";
}

TEST(ComparedLoops, EveryLineIsThereOnceInItsOrder) {
    const auto from = read("4 2 8 k1 j1 i1 i0 k0 j0 1 1 0 1 i1 48 64");
    const auto to = read("4 2 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 48 64");
    const Extents sizes = extents(Operator::SpMM, row_count, cols, 256);
    std::vector<std::string> left;
    std::vector<std::string> right;
    for (const ComparedLine& line : compare_loops(from, to, sizes)) {
        if (line.from)
            left.push_back(*line.from);
        if (line.to)
            right.push_back(*line.to);
    }
    EXPECT_EQ(left, loop_lines(from, sizes));
    EXPECT_EQ(right, loop_lines(to, sizes));
}

} // namespace
} // namespace sparsight
