#include "app/learn/learn_fixture.h"
#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/schedule/text.h"
#include "support/test_files.h"

#include <csignal>
#include <fmt/format.h>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Models : public LearnTest {
protected:
    /// Two matrices with the dense extent of WACO, on the machine "second".
    void measure_at_full_extent() const {
        Workspace workspace = this->workspace();
        const MachineId id = must(recorded_machine(workspace, "second"));
        for (const char* name : {"uniform-0", "uniform-1"}) {
            Random random(1);
            const auto schedules =
                sample_uniform(Operator::SpMM, extents(Operator::SpMM, 60, 50, 256), 10, 2, random);
            for (std::size_t at = 0; at < schedules.size(); ++at) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(1 + static_cast<double>(at));
                must(record_measurement(workspace, {must(find_matrix(workspace, name))->id, id, 256, "waco"},
                                        schedules[at], measurement));
            }
        }
    }
};

TEST_F(Models, ThatCannotBeReadAreNotCalledNone) {
    {
        Workspace workspace = this->workspace();
        must(add_model(workspace, {"damaged", std::nullopt, std::nullopt, "{}"}, {}));
    }
    const Outcome list = run({"models", "list"});
    EXPECT_EQ(list.exit_code, 1);
    EXPECT_THAT(list.err, HasSubstr("architecture is missing"));
    EXPECT_THAT(list.err, ::testing::Not(HasSubstr("has no models")));
}

TEST_F(Models, AreListedAndShown) {
    EXPECT_EQ(answer({"models", "list"}), Json::array());
    trained("first", {"--no-baseline"});
    const Json list = answer({"models", "list"});
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0]["operator_is_guessed"], false);
    EXPECT_EQ(keys(list[0]), (Words{"name", "architecture", "operator", "operator_is_guessed", "method",
                                    "machines", "matrices", "metrics", "parent", "run", "bytes", "created",
                                    "test_matrices", "baseline_verdict"}));
    EXPECT_EQ(list[0]["baseline_verdict"], nullptr) << "there were no trees beside it";
    EXPECT_EQ(list[0]["method"], "supervised");
    const Json shown = answer({"models", "show", "first"});
    EXPECT_EQ(shown["matrix_names"].size(), list[0]["matrices"]);
    const std::string table = run({"models", "list"}).out;
    EXPECT_THAT(table, HasSubstr("first  statistics    spmm      supervised"));
    const int tested = list[0]["test_matrices"];
    EXPECT_THAT(table, HasSubstr(fmt::format("×  {} {}  ", tested, tested == 1 ? "matrix" : "matrices")));
    EXPECT_THAT(table,
                HasSubstr("best of 20: geometric mean speedup over fixed CSR of the best of the first 20 "
                          "schedules, on the machines and test matrices of each model;"));
    EXPECT_THAT(run({"models", "show", "first"}).out, HasSubstr("first: statistics for spmm, supervised"));
    const Outcome absent = run({"models", "show", "second"});
    EXPECT_EQ(absent.exit_code, 1);
    EXPECT_THAT(absent.err, HasSubstr("the workspace has no model 'second'; it has first"));
}

TEST_F(Models, TellTheSettingsThatTheyWereMadeWith) {
    trained("first", {"--no-baseline", "--machines", "first", "--epochs", "4"});
    const Json settings = answer({"models", "show", "first"})["settings"];
    EXPECT_EQ(settings["method"], "supervised");
    EXPECT_EQ(settings["loss"], "logistic");
    EXPECT_EQ(settings["rate"], "0.001");
    EXPECT_EQ(settings["epochs"], "4");
    EXPECT_EQ(settings["seed"], "1");
    EXPECT_EQ(settings["machines"], "first");
    EXPECT_FALSE(settings.contains("inner_rate")) << "supervised training has no inner steps";
    EXPECT_THAT(run({"models", "show", "first"}).out, HasSubstr("  loss                     logistic\n"));
    const Json computed_with = answer({"models", "show", "first"})["computed_with"];
    EXPECT_EQ(keys(computed_with),
              (Words{"blas", "device", "libtorch", "processes", "threads", "vector_instructions"}));
    EXPECT_EQ(computed_with["threads"], "1");
    EXPECT_EQ(computed_with["device"], "cpu");
    EXPECT_NE(computed_with["libtorch"], "");
    EXPECT_NE(computed_with["blas"], "");
    EXPECT_THAT(run({"models", "show", "first"}).out, HasSubstr("computed with:\n"));
    const Outcome tuned = run({"finetune", "--model", "first", "--machine", "second", "--name", "tuned",
                               "--dense", "32", "--matrices", "3"});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    const Json of_tuned = answer({"models", "show", "tuned"});
    EXPECT_EQ(of_tuned["parent"], "first");
    EXPECT_EQ(of_tuned["settings"]["rule"], "adam") << "what stood for the default";
    EXPECT_EQ(of_tuned["settings"]["epochs"], "20");
    EXPECT_EQ(of_tuned["settings"]["matrices"], "3");
    EXPECT_GE(of_tuned["test_matrices"], 1);
    (void)exported("tuned");
    ASSERT_EQ(run({"models", "import", "tuned.model", "--name", "copy"}).exit_code, 0);
    EXPECT_EQ(answer({"models", "show", "copy"})["settings"], of_tuned["settings"])
        << "they go with the file";
    EXPECT_THAT(run({"models", "list"}).out, ::testing::ContainsRegex("copy .*  unknown  "))
        << "the number of its test matrices does not";
}

TEST_F(Models, OfPublishedWeightsTellTheOperatorThatWasGuessedAndWhatTheyAreWorthHere) {
    SPARSIGHT_NEEDS_SHARED("waco");
    const auto weights = shared_path("waco") / "collected-32-threads" / "pretrained_resnet14.pth";
    const Outcome guessed = run({"models", "import", weights.string(), "--name", "guessed", "--json"});
    ASSERT_EQ(guessed.exit_code, 0) << guessed.err;
    EXPECT_THAT(guessed.err, HasSubstr("guessed to be one of spmm, by the runtimes of the workspace; "
                                       "--operator says otherwise"))
        << "not of sddmm, whose shape it has, too: nothing was measured for that";
    const Json of_guessed = parsed(guessed.out)["imported"][0];
    EXPECT_EQ(of_guessed["operator"], "spmm");
    EXPECT_EQ(of_guessed["guessed"], true);
    EXPECT_FALSE(of_guessed["tests"].empty());
    EXPECT_EQ(answer({"models", "list"})[0]["operator_is_guessed"], true);
    const Outcome list = run({"models", "list"});
    EXPECT_THAT(list.out, HasSubstr("spmm (guessed)"));
    EXPECT_THAT(list.out, HasSubstr("guessed: the operator is guessed by the runtimes of the workspace; "
                                    "`models import` with --operator says it"));
    measure_at_full_extent();
    const Outcome said = run({"models", "import", weights.string(), "--name", "said", "--operator", "spmm",
                              "--machine", "second"});
    ASSERT_EQ(said.exit_code, 0) << said.err;
    EXPECT_EQ(said.err.find("--operator"), std::string::npos);
    EXPECT_THAT(said.err,
                HasSubstr("of the pairs in the right order on 2 matrices of second with dense extent 256"));
    const Json shown = answer({"models", "show", "said"});
    EXPECT_GT(shown["metrics"]["ordered_pair_accuracy"], 0);
    EXPECT_THAT(shown["remarks"][0], HasSubstr("2 matrices measured on second with dense extent 256, and "
                                               "nobody knows"))
        << "what WACO's weights were trained for comes first";
    EXPECT_THAT(said.err, HasSubstr("matrices of second with dense extent 32")) << "which has more runtimes";
}

TEST_F(Models, GoThroughAFileUnchangedAndKeepTheirName) {
    trained("first", {"--no-baseline", "--method", "meta-sgd"});
    const std::string bytes = exported("first");
    const Json imported = answer({"models", "import", "first.model", "--name", "copy"});
    EXPECT_EQ(imported["imported"][0]["name"], "copy");
    EXPECT_EQ(exported("copy"), bytes);
    std::filesystem::rename(folder() / "first.model", folder() / "from-a-friend.sparsight-model");
    ASSERT_EQ(run({"models", "remove", "first"}).exit_code, 0);
    const Outcome back = run({"models", "import", "from-a-friend.sparsight-model"});
    ASSERT_EQ(back.exit_code, 0) << back.err;
    EXPECT_THAT(back.err, HasSubstr("imported from-a-friend.sparsight-model as first\n"));
    EXPECT_EQ(exported("first"), bytes);
}

TEST_F(Models, WhoseNameIsTakenAreRefusedWithTheOptionThatHelps) {
    trained("first", {"--no-baseline"});
    (void)exported("first");
    const Outcome taken = run({"models", "import", "first.model"});
    EXPECT_EQ(taken.exit_code, 1);
    EXPECT_THAT(taken.err, HasSubstr("the workspace has a model called first"));
    EXPECT_THAT(taken.err, HasSubstr("import with --name NAME"));
    EXPECT_EQ(run({"models", "import", "first.model", "--name", "second"}).exit_code, 0);
}

TEST_F(Models, NameWhatCannotBeImportedAndImportTheRest) {
    trained("first", {"--no-baseline"});
    trained("second", {"--no-baseline"});
    (void)exported("first");
    (void)exported("second");
    ASSERT_EQ(run({"models", "remove", "second"}).exit_code, 0);
    write("foreign.model", "this is no model");
    write("cut.model", read("first.model").substr(0, 1000));
    const Outcome outcome = run({"models", "import", "foreign.model", "second.model", "cut.model",
                                 "first.model", "absent.model", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json answer = parsed(outcome.out);
    ASSERT_EQ(answer["imported"].size(), 1U);
    EXPECT_EQ(answer["imported"][0]["name"], "second");
    ASSERT_EQ(answer["failed"].size(), 4U);
    EXPECT_EQ(answer["failed"][0]["file"], "foreign.model");
    EXPECT_THAT(answer["failed"][2]["error"].get<std::string>(), HasSubstr("called first"));
}

TEST_F(Models, AreRemoved) {
    trained("first", {"--no-baseline"});
    const Outcome outcome = run({"models", "remove", "first", "second", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(parsed(outcome.out)["removed"], Json({"first"}));
    EXPECT_EQ(parsed(outcome.out)["failed"].size(), 1U);
    EXPECT_EQ(answer({"models", "list"}), Json::array());
}

using ::testing::Contains;
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
    const Json shown = answer({"models", "show", "trees"});
    EXPECT_EQ(shown["seed"], 1);
    EXPECT_EQ(keys(shown["computed_with"]), (Words{"threads", "xgboost"})) << "and no LibTorch";
    EXPECT_THAT(shown["computed_with"]["xgboost"].get<std::string>(), ::testing::MatchesRegex("[0-9.]+"));
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
                ::testing::AllOf(HasSubstr("nothing was measured of uniform-3 on this machine"),
                                 Not(HasSubstr("--machine can name"))))
        << "with the usual dense extent";
    EXPECT_THAT(refused({"reasons", "--model", "plain", "--matrix", "uniform-3", "--dense", "32",
                         "--schedule", "best"}),
                HasSubstr("--machine can name first, second, which have times"));
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
    EXPECT_EQ(all.front()["matrix"], "uniform-3");
    EXPECT_FALSE(events_called(all, "progress").empty());
    EXPECT_EQ(all.back()["event"], "end");
    EXPECT_TRUE(parse_model_reasons(all.back())) << "the end has all of it";
}

TEST_F(Reasons, StartBeforeAnErrorAboutTheModelIsTold) {
    const Outcome outcome = run(words_for("nobody", {"--progress", "json"}));
    const auto all = events(outcome.out);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all.front()["event"], "start");
    EXPECT_EQ(all.front()["matrix"], "uniform-3");
    EXPECT_EQ(all.back()["event"], "error");
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
