#include "domains/sparse/explanation/pages/transfer_report.h"

#include "evaluation/reports/html.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

/// The family is 0.1 better than real machines at every seed, and both differ from seed to seed.
Json learned() {
    Json json{{"operator", "spmm"},
              {"dense", 256},
              {"targets", {{{"machine", "a <new> one"}, {"matrices", 40}, {"imagined_from", "another"}}}},
              {"sources", {"family", "real"}},
              {"trainings", Json::array()},
              {"points", Json::array()},
              {"notes", {"a note"}}};
    for (int seed = 1; seed <= 4; ++seed)
        for (const auto& [source, gain] : {std::pair("family", 0.1), std::pair("real", 0.0)}) {
            json["trainings"].push_back({{"target", "a <new> one"},
                                         {"source", source},
                                         {"seed", seed},
                                         {"machines", 2},
                                         {"steps", 10},
                                         {"examples", 640}});
            for (const int shots : {0, 5, 40})
                json["points"].push_back(
                    {{"target", "a <new> one"},
                     {"source", source},
                     {"seed", seed},
                     {"shots", shots},
                     {"metrics",
                      {{"ordered_pair_accuracy", 0.5 + 0.01 * seed + 0.001 * shots + gain},
                       {"regret_at_1", 0.25}}}});
        }
    return json;
}

TransferExperiment known_experiment() {
    return parse_transfer_experiment(learned()).value();
}

TEST(TransferExperiment, EstimatesAreMeansOverSeedsWithIntervals) {
    const TransferExperiment read = known_experiment();
    EXPECT_EQ(shots_on(read, "a <new> one"), (std::vector<std::size_t>{0, 5, 40}));
    const auto estimate = transfer_estimate(read, "a <new> one", "family", 5, "ordered_pair_accuracy");
    ASSERT_TRUE(estimate && estimate->interval);
    EXPECT_NEAR(estimate->value, 0.63, 1e-12);
    const double half = 3.182 * std::sqrt(0.0005 / 3) / 2; // Student's t for four seeds
    EXPECT_NEAR(estimate->interval->low, 0.63 - half, 1e-9);
    EXPECT_NEAR(estimate->interval->high, 0.63 + half, 1e-9);
    EXPECT_FALSE(transfer_estimate(read, "a <new> one", "family", 5, "kendall_tau"));
    EXPECT_FALSE(transfer_estimate(read, "a <new> one", "paper", 5, "ordered_pair_accuracy"));
}

TEST(TransferExperiment, ComparesSourcesSeedBySeed) {
    const auto comparisons = transfer_comparisons(known_experiment());
    ASSERT_EQ(comparisons.size(), 1U) << "of the sources that there are";
    EXPECT_EQ(comparisons[0].better, "family");
    EXPECT_EQ(comparisons[0].than, "real");
    EXPECT_EQ(comparisons[0].seeds, 4U);
    EXPECT_NEAR(comparisons[0].difference.value, 0.1, 1e-12);
    ASSERT_TRUE(comparisons[0].difference.interval);
    EXPECT_NEAR(comparisons[0].difference.interval->low, 0.1, 1e-9)
        << "what all sources of a seed have in common does not widen it";
}

TEST(TransferExperiment, AGainOnOneFamilyOfMatricesDecidesNothing) {
    // Of the gain of 0.1 on average all is that of one family of four, at every seed.
    TransferExperiment experiment = known_experiment();
    for (TransferPoint& point : experiment.points)
        for (const char* family : {"a", "b", "c", "d"}) {
            const double gain = point.source != "family" ? 0 : *family == 'a' ? 0.4 : 0;
            point.metrics[fmt::format("ordered_pair_accuracy/{}", family)] = 0.5 + 0.01 * point.seed + gain;
        }
    const auto comparisons = transfer_comparisons(experiment);
    ASSERT_EQ(comparisons.size(), 1U);
    EXPECT_EQ(comparisons[0].seeds, 4U);
    EXPECT_NEAR(comparisons[0].difference.value, 0.1, 1e-12);
    ASSERT_TRUE(comparisons[0].difference.interval);
    EXPECT_TRUE(comparisons[0].difference.interval->contains(0));
    const std::string text = transfer_text(experiment);
    EXPECT_THAT(text, HasSubstr("undecided"));
    EXPECT_THAT(text, HasSubstr("over seeds and families of test matrices"));
    EXPECT_THAT(transfer_text(known_experiment()), HasSubstr("by Student's t, over the seeds"));
}

TEST(TransferExperiment, ComparesThePairsThatItsHeaderNames) {
    TransferExperiment all = known_experiment();
    std::erase_if(all.points, [](const TransferPoint& point) { return point.source != "real"; });
    const auto real = all.points;
    for (const char* source : {"scratch", "paper", "family", "family+real"})
        for (TransferPoint point : real) {
            point.source = source;
            all.points.push_back(std::move(point));
        }
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const TransferComparison& comparison : transfer_comparisons(all))
        pairs.emplace_back(comparison.better, comparison.than);
    EXPECT_THAT(pairs, ::testing::UnorderedElementsAre(
                           ::testing::Pair("family", "scratch"), ::testing::Pair("family", "paper"),
                           ::testing::Pair("family", "real"), ::testing::Pair("real", "scratch"),
                           ::testing::Pair("real", "paper"), ::testing::Pair("family+real", "real")));
}

TEST(TransferExperiment, LeavesOutOfComparisonsWhatIsNotWhole) {
    TransferExperiment cut = known_experiment();
    std::erase_if(cut.points, [](const TransferPoint& point) {
        return point.source == "real" && point.seed > 1 && point.shots == 40;
    });
    const auto comparisons = transfer_comparisons(cut);
    ASSERT_EQ(comparisons.size(), 1U);
    EXPECT_EQ(comparisons[0].seeds, 1U);
    EXPECT_FALSE(comparisons[0].difference.interval);
    EXPECT_THAT(transfer_text(cut), HasSubstr("one seed tells nothing"));
}

TEST(TransferExperiment, IsWrittenAsTextTablesAndNumbers) {
    const TransferExperiment read = known_experiment();
    const std::string text = transfer_text(read);
    EXPECT_THAT(text, HasSubstr("simulated family"));
    EXPECT_THAT(text, HasSubstr("+10.00 [+10.00, +10.00]  better"));
    EXPECT_THAT(text, HasSubstr("640 to 640"));
    EXPECT_THAT(text, HasSubstr("a note"));
    EXPECT_THAT(transfer_markdown(read), HasSubstr("| a \\<new> one | other real machines | 0.525 ["));
    const std::string csv = transfer_csv(read);
    EXPECT_THAT(csv, HasSubstr("target,source,seed,shots,ordered_pair_accuracy,kendall_tau,"));
    EXPECT_THAT(csv, HasSubstr("a <new> one,real,2,5,0.525,,0.25,,\r\n"));
    const Json json = transfer_json(read);
    EXPECT_EQ(json["points"].size(), 24U);
    EXPECT_EQ(json["estimates"].size(), 6U);
    EXPECT_EQ(json["estimates"][0]["regret_at_1"]["value"], 0.25);
    EXPECT_EQ(json["comparisons"][0]["seeds"], 4);
    EXPECT_THAT(transfer_html(read), HasSubstr("a &lt;new&gt; one"));
}

TEST(TransferFigure, HasACurveAndABandForEachSource) {
    const TransferExperiment read = known_experiment();
    const std::string figure = transfer_figure(read, transfer_metrics().front());
    EXPECT_THAT(figure, HasSubstr("a &lt;new&gt; one"));
    EXPECT_THAT(figure, Not(HasSubstr("a <new>")));
    const auto count = [&](const std::string& part) {
        std::size_t found = 0;
        for (std::size_t at = figure.find(part); at != std::string::npos; at = figure.find(part, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("fill-opacity"), 2U);
    EXPECT_EQ(count("class=\"curve curve1\""), 2U) << "in the legend and in the panel";
    EXPECT_EQ(transfer_figure(read, {"kendall_tau", "never measured", true}), "");
    const std::string file = svg_file(figure);
    EXPECT_TRUE(file.starts_with("<svg xmlns=")) << file.substr(0, 80);
    EXPECT_THAT(file, HasSubstr("<style>"));
}

TEST(TransferExperiment, SaysWhatCannotBeRead) {
    Json json = learned();
    json.erase("points");
    const auto read = parse_transfer_experiment(json);
    ASSERT_FALSE(read.has_value());
    EXPECT_THAT(read.error().message, HasSubstr("points"));
}

/// Two seeds with 0 and 5 matrices: the model is ahead of the simulator by 2 and 4 points.
nlohmann::ordered_json shots_answer() {
    const auto point = [](const char* contender, int shots, double first, double second) {
        return nlohmann::ordered_json{{"contender", contender},
                                      {"shots", shots},
                                      {"seeds",
                                       {{{"ordered_pair_accuracy", first}, {"regret_at_1", 0.2}},
                                        {{"ordered_pair_accuracy", second}, {"regret_at_1", 0.4}},
                                        {{"ordered_pair_accuracy", second}, {"regret_at_1", 0.4}}}},
                                      {"mean", nlohmann::ordered_json::object()}};
    };
    return {{"used", 12},
            {"shots",
             {point("gray", 0, 0.80, 0.90), point("simulator", 0, 0.78, 0.88), point("gray", 5, 0.84, 0.94),
              point("simulator", 5, 0.80, 0.90)}}};
}

TEST(Contributions, SubtractEachRivalOnTheSameDraws) {
    const TransferExperiment found = contributions_of({{"laptop", shots_answer()}}).value();
    EXPECT_EQ(found.sources, (std::vector<std::string>{"gray", "simulator"}));
    const auto difference =
        transfer_difference(found, "laptop", "gray", "simulator", 5, "ordered_pair_accuracy");
    ASSERT_TRUE(difference.has_value());
    EXPECT_NEAR(difference->value, 0.04, 1e-12);
    ASSERT_TRUE(difference->interval.has_value());
    EXPECT_NEAR(difference->interval->low, 0.04, 1e-9) << "the draws differ by as much for both";
    const TextTable table = difference_table(found, transfer_metrics().front());
    ASSERT_EQ(table.rows.size(), 1);
    EXPECT_EQ(table.rows.front()[1], "calibrated simulator");
    EXPECT_THAT(table.rows.front()[2], HasSubstr("+0.0200"));
    const std::string text = transfer_text(found);
    EXPECT_THAT(text, HasSubstr("regret of the first: gray less each contender"));
    EXPECT_THAT(text, HasSubstr("all are tested with the same matrices"));
    EXPECT_THAT(transfer_html(found), HasSubstr("What each part of gray contributes"));
}

TEST(Methods, AreOneFigureWithACurveForEachHoweverManyTheyAre) {
    const nlohmann::ordered_json given = shots_answer();
    nlohmann::ordered_json answer = given;
    answer["shots"] = nlohmann::ordered_json::array();
    const std::vector<std::string> methods{"closed-form", "maml",     "fomaml", "reptile",
                                           "anil",        "meta-sgd", "report", "simulator"};
    for (const std::string& method : methods)
        for (const auto& shot : given["shots"])
            if (shot["contender"] == "gray") {
                answer["shots"].push_back(shot);
                answer["shots"].back()["contender"] = method;
            }
    const TransferExperiment found = contributions_of({{"laptop", answer}}, ExperimentKind::Methods).value();
    EXPECT_EQ(found.sources, methods);
    const std::string figure = transfer_figure(found, transfer_metrics().front());
    for (const char* title : {"closed form", "MAML", "FOMAML", "Reptile", "ANIL", "Meta-SGD",
                              "report&#39;s rule", "calibrated simulator"})
        EXPECT_THAT(figure, HasSubstr(fmt::format(">{}</text>", title)));
    const auto count = [&](std::string_view part) {
        int found_parts = 0;
        for (std::size_t at = figure.find(part); at != std::string::npos; at = figure.find(part, at + 1))
            ++found_parts;
        return found_parts;
    };
    EXPECT_EQ(count("class=\"curve curve0\""), 4) << "two methods share a colour, and each has a legend";
    EXPECT_EQ(count("stroke-dasharray"), 6) << "those behind the fifth are dashed";
    EXPECT_EQ(count("fill-opacity"), 1) << "bands of all would hide the curves";
    EXPECT_THAT(figure, HasSubstr("translate(0 54)")) << "the legend takes four rows";
    EXPECT_THAT(transfer_html(found), HasSubstr("How far closed form is ahead"));
}

TEST(Contributions, AreNotReadFromAnyOtherText) {
    EXPECT_EQ(contributions_of({{"laptop", {{"shots", 3}}}}).error().fault, Fault::Internal);
}

} // namespace
} // namespace sparsight
