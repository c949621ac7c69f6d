#include "evaluation/report_experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

ModelEvaluation evaluation(const char* machine, const char* second_model, double first_ms, double second_ms) {
    ModelEvaluation evaluation;
    evaluation.machine = machine;
    for (const auto& [name, best] : {std::pair("waco", first_ms), std::pair(second_model, second_ms)}) {
        const MatrixSpeedup times{"a", 6, best, 2};
        evaluation.models.push_back(
            {.name = name,
             .matrices = {
                 {.times = times, .best_schedule = {}, .best_known_schedule = {}, .candidates = {}}}});
        evaluation.models.back().summary = summarise_speedups({&times, 1});
    }
    return evaluation;
}

ReportExperiment experiment() {
    ReportExperiment experiment{evaluation("server", "meta", 6, 5), evaluation("laptop", "tuned", 5, 4),
                                "test"};
    experiment.second.source = TimeSource::Simulated;
    return experiment;
}

TEST(ReportExperiment, HasTheReportsTable2WithOursBesideIt) {
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

TEST(ReportExperiment, IsWrittenInEveryForm) {
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

TEST(ReportExperiment, SaysWhichTimesEachTableRestsOn) {
    ReportExperiment in_turns = experiment();
    for (EvaluatedModel& model : in_turns.first.models)
        model.matrices.front().turns = 5;
    const std::string text = experiment_text(in_turns);
    EXPECT_THAT(text, HasSubstr("server: 1 matrix, spmm with dense extent 256"));
    EXPECT_THAT(text, HasSubstr("what is compared was measured once more, in 5 turns"));
    EXPECT_THAT(text, HasSubstr("laptop: The times are simulated from those that were collected"));
    EXPECT_THAT(text, HasSubstr("an evaluation that measured in turns rests on other times"));
    for (const std::string& page : {experiment_markdown(in_turns), experiment_html(in_turns)})
        EXPECT_THAT(page, HasSubstr("rests on other times"));
}

TEST(ReportExperiment, HasNoNumberWhereThereAreNoTimes) {
    ReportExperiment without = experiment();
    without.second.models[1].summary.reset();
    EXPECT_FALSE(report_table_2(without)[3].ours.has_value());
    EXPECT_TRUE(experiment_json(without)["table_2"][3]["value"].is_null());
}

} // namespace
} // namespace sparsight
