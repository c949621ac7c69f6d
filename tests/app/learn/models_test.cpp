#include "app/learn/learn_fixture.h"
#include "support/shared_data.h"

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

TEST_F(Models, AreListedAndShown) {
    EXPECT_EQ(answer({"models", "list"}), Json::array());
    trained("first", {"--no-baseline"});
    const Json list = answer({"models", "list"});
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0]["operator_is_guessed"], false);
    EXPECT_EQ(keys(list[0]),
              (Words{"name", "architecture", "operator", "operator_is_guessed", "method", "machines",
                     "matrices", "metrics", "parent", "run", "bytes", "created", "baseline_verdict"}));
    EXPECT_EQ(list[0]["baseline_verdict"], nullptr) << "there were no trees beside it";
    EXPECT_EQ(list[0]["method"], "supervised");
    const Json shown = answer({"models", "show", "first"});
    EXPECT_EQ(shown["matrix_names"].size(), list[0]["matrices"]);
    EXPECT_THAT(run({"models", "list"}).out, HasSubstr("first  statistics    spmm      supervised"));
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
    const Outcome tuned = run({"finetune", "--model", "first", "--machine", "second", "--name", "tuned",
                               "--dense", "32", "--simulator", "none", "--matrices", "3"});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    const Json of_tuned = answer({"models", "show", "tuned"});
    EXPECT_EQ(of_tuned["parent"], "first");
    EXPECT_EQ(of_tuned["settings"]["rule"], "adam") << "what stood for the default";
    EXPECT_EQ(of_tuned["settings"]["epochs"], "20");
    EXPECT_EQ(of_tuned["settings"]["matrices"], "3");
    (void)exported("tuned");
    ASSERT_EQ(run({"models", "import", "tuned.model", "--name", "copy"}).exit_code, 0);
    EXPECT_EQ(answer({"models", "show", "copy"})["settings"], of_tuned["settings"])
        << "they go with the file";
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
    EXPECT_THAT(said.err, HasSubstr("of the pairs in order on 2 matrices of second with dense extent 256"));
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
    EXPECT_THAT(taken.err, HasSubstr("it would be called first, and the workspace has a model of that name"));
    EXPECT_THAT(taken.err, HasSubstr("import it with --name NAME"));
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

} // namespace sparsight::testing
