#include "app/learn/learn_fixture.h"
#include "evaluation/model_reasons/model_reasons_json.h"
#include "schedule/text.h"

#include <csignal>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Reasons : public LearnTest {
protected:
    /// Two levels more than CSR, and chunks that leave threads idle.
    static constexpr const char* blocked = "8 4 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 256";

    static Words words_for(const std::string& model, const Words& more = {}) {
        Words words{"reasons", "--model",   model,   "--matrix",  "uniform-3", "--dense",
                    "32",      "--machine", "first", "--threads", "1"};
        if (std::ranges::find(more, "--schedule") == more.end())
            words.insert(words.end(), {"--schedule", blocked});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    [[nodiscard]] ModelReasons reasons(const std::string& model, const Words& more = {}) const {
        return must(parse_model_reasons(answer(words_for(model, more))));
    }
};

TEST_F(Reasons, TellEveryPartOfAModelOfStatistics) {
    trained("plain", {"--no-baseline"});
    const ModelReasons found = reasons("plain");
    EXPECT_THAT(found.missing, IsEmpty());
    EXPECT_EQ(found.architecture, "statistics");
    EXPECT_EQ(found.machine, "first");
    EXPECT_FALSE(found.reads_machine);
    EXPECT_NE(found.margin(), 0);

    ASSERT_TRUE(found.anchors);
    EXPECT_EQ(found.anchors->pattern_draws, PatternDraws::Statistics);
    EXPECT_TRUE(found.anchors->anchor || found.anchors->nearest);
    EXPECT_GT(found.anchors->calls, 1000);
    EXPECT_GE(found.anchors->patterns, 14);
    EXPECT_EQ(found.anchors->machines, 0);
    if (found.anchors->anchor) {
        EXPECT_GE(found.anchors->anchor->precision.lowest, 0.95);
    }

    ASSERT_TRUE(found.sensitivity);
    bool has_chunk = false;
    for (const SensitivityCurve& curve : found.sensitivity->curves)
        for (const SensitivityPoint& point : curve.points)
            if (point.is_present) { // every curve goes through the explained case
                EXPECT_NEAR(point.margin, found.margin(), 1e-5) << curve.key;
                has_chunk = has_chunk || curve.key == "chunk";
            }
    EXPECT_TRUE(has_chunk);

    ASSERT_TRUE(found.nearest);
    EXPECT_EQ(found.nearest->space, ReasonSpace::Statistics);
    EXPECT_GT(found.nearest->trained, 5);
    EXPECT_EQ(found.nearest->matrices.size(), 5U);
    EXPECT_TRUE(found.nearest->matrices.front().best_ms);
    for (const NearestMatrix& each : found.nearest->matrices) {
        EXPECT_TRUE(each.against_ms || each.simulated_against_ms)
            << each.name << ": neither known nor simulated";
        EXPECT_FALSE(each.against_ms && each.simulated_against_ms) << each.name << ": what is known is known";
    }
    EXPECT_GT(found.nearest->schedules, 100);

    ASSERT_TRUE(found.uncertainty);
    EXPECT_EQ(found.uncertainty->method, "last layer");
    EXPECT_NEAR(found.uncertainty->margin, found.margin(), 1e-6);
    EXPECT_GE(found.uncertainty->confidence, 0.5);
    EXPECT_FALSE(found.uncertainty->bins.empty());

    ASSERT_TRUE(found.saliency);
    EXPECT_NEAR(found.saliency->margin, found.margin(), 1e-5);
    std::int64_t entries = 0;
    for (const SaliencyCell& cell : found.saliency->cells) {
        entries += cell.entries;
        EXPECT_TRUE(cell.support);
    }
    auto opened = workspace();
    EXPECT_EQ(entries, must(find_matrix(opened, "uniform-3"))->nnz) << "the cells are all of the pattern";
}

TEST_F(Reasons, OfAModelThatReadsPatternsAreAboutWholePatterns) {
    trained("convolution", {"--no-baseline", "--architecture", "waconet", "--epochs", "1"});
    const ModelReasons found = reasons("convolution", {"--cells", "3"});
    EXPECT_THAT(found.missing, IsEmpty());
    EXPECT_EQ(found.anchors->pattern_draws, PatternDraws::Matrices);
    EXPECT_EQ(found.nearest->space, ReasonSpace::Embedding);
    EXPECT_EQ(found.saliency->cells.size(), 9U);
    for (const SensitivityCurve& curve : found.sensitivity->curves)
        EXPECT_NE(curve.kind, VariedKind::Statistic) << "it can't be told a statistic without a pattern";
}

TEST_F(Reasons, OfTreesAreInTheSameWords) {
    trained("trees", {"--architecture", "trees"});
    const ModelReasons found = reasons("trees");
    EXPECT_THAT(found.missing, IsEmpty());
    EXPECT_EQ(found.architecture, "trees");
    EXPECT_EQ(found.nearest->space, ReasonSpace::Statistics);
    EXPECT_EQ(found.uncertainty->method, "last layer");
}

TEST_F(Reasons, AreTheSameForTheSameSeed) {
    trained("plain", {"--no-baseline"});
    const ModelReasons one = reasons("plain", {"--seed", "7"});
    EXPECT_EQ(one, reasons("plain", {"--seed", "7"}));
    EXPECT_NE(one.anchors, reasons("plain", {"--seed", "8", "--only", "anchors"}).anchors);
}

TEST_F(Reasons, TellThePartsAloneThatAreAskedFor) {
    trained("plain", {"--no-baseline"});
    const ModelReasons found = reasons("plain", {"--only", "nearest", "--only", "saliency"});
    EXPECT_FALSE(found.anchors || found.sensitivity || found.uncertainty);
    EXPECT_TRUE(found.nearest && found.saliency);
}

TEST_F(Reasons, TakeSchedulesByWhatTheyAre) {
    trained("plain", {"--no-baseline"});
    const ModelReasons best = reasons("plain", {"--schedule", "best", "--only", "nearest"});
    ASSERT_TRUE(best.times.schedule_ms);
    EXPECT_EQ(best.times.origin, TimeOrigin::Measured);
    EXPECT_GE(*best.times.log2_gain(), 0);
    const ModelReasons turned =
        reasons("plain", {"--schedule", "csr", "--against", blocked, "--only", "nearest"});
    EXPECT_EQ(turned.margin(), -reasons("plain", {"--only", "nearest"}).margin());
}

TEST_F(Reasons, SayWhatIsWrongWithTheQuestion) {
    trained("plain", {"--no-baseline"});
    const auto refused = [&](const Words& words) {
        const Outcome outcome = run(words);
        EXPECT_NE(outcome.exit_code, 0);
        return outcome.err;
    };
    EXPECT_THAT(refused(words_for("plain", {"--schedule", "csr"})),
                HasSubstr("both schedules mean the same"));
    EXPECT_THAT(refused(words_for("plain", {"--schedule", "1 2 3"})), HasSubstr("only 3 words"));
    EXPECT_THAT(refused(words_for("nobody")), HasSubstr("the workspace has no model 'nobody'; it has plain"));
    EXPECT_THAT(refused({"reasons", "--model", "plain", "--matrix", "none", "--schedule", "best"}),
                HasSubstr("the workspace has no matrix 'none'"));
    EXPECT_THAT(refused({"reasons", "--model", "plain", "--matrix", "uniform-3", "--schedule", "best"}),
                HasSubstr("nothing was measured of uniform-3 on this machine"));
    EXPECT_THAT(refused(words_for("plain", {"--only", "feelings"})), HasSubstr("'feelings' is no part"));
}

TEST_F(Reasons, TheNearestSchedulesAreOthersThanTheAskedOnes) {
    trained("plain", {"--no-baseline"});
    const ModelReasons found = reasons("plain", {"--against", "csr"});
    ASSERT_TRUE(found.nearest);
    ASSERT_FALSE(found.nearest->against.empty());
    for (const NearestSchedule& each : found.nearest->against)
        EXPECT_GT(each.distance, 0) << each.schedule;
    for (const NearestSchedule& each : found.nearest->schedule)
        EXPECT_GT(each.distance, 0) << each.schedule;
}

TEST_F(Reasons, AreToldInWords) {
    trained("plain", {"--no-baseline"});
    const Outcome outcome = run(words_for("plain"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* part :
         {"plain on uniform-3, first: the model prefers", "Rule\n", "precision", "One thing varied at a time",
          "Nearest of", "How sure it may be", "Parts of the pattern that move the margin"})
        EXPECT_THAT(outcome.out, HasSubstr(part));
    EXPECT_THAT(outcome.out, Not(HasSubstr("\nIt is the "))); // which of the two?
}

TEST_F(Reasons, TellTheirProgress) {
    trained("plain", {"--no-baseline"});
    const Outcome outcome = run(words_for("plain", {"--progress", "json"}));
    const auto all = events(outcome.out);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(all.front()["event"], "start");
    EXPECT_EQ(all.front()["job"], "reasons");
    EXPECT_FALSE(events_called(all, "progress").empty());
    EXPECT_EQ(all.back()["event"], "end");
    EXPECT_TRUE(parse_model_reasons(all.back())) << "the end has all of it";
}

TEST_F(Reasons, EndWhenTheUserSaysSo) {
    trained("plain", {"--no-baseline"});
    ChildProcess child(command_line(words_for("plain", {"--progress", "json", "--budget", "10m"})), folder());
    while (const auto line = child.next_line())
        if (parsed(*line)["event"] == "progress") {
            child.send(SIGINT);
            break;
        }
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.exit_code, 130);
    EXPECT_EQ(events(outcome.out).back()["event"], "error");
}

TEST_F(Reasons, KeepToTheirBudget) {
    trained("plain", {"--no-baseline"});
    const ModelReasons found = reasons("plain", {"--budget", "10ms"});
    ASSERT_TRUE(found.anchors && found.saliency);
    EXPECT_FALSE(found.anchors->complete);
}

} // namespace sparsight::testing
