// Presets, configuration files and options, each above the one before it.
#include "app/learn/learn_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TrainSettings : public LearnTest {
protected:
    [[nodiscard]] Json parameters(const Words& more) const {
        Words words{"train", "--name", "m", "--dense", "32", "--epochs", "1", "--no-baseline", "--again"};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--progress", "json"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return events(outcome.out).front()["parameters"];
    }
};

TEST_F(TrainSettings, ComeFromThePresetThenTheFileThenTheOptions) {
    write("train.toml", "# what is learned\n"
                        "machines = [\"first\"]\n"
                        "rate = 0.01\n"
                        "inner_rate = 1        # a whole number is a number\n"
                        "schedules_per_matrix = 8\n"
                        "seed = 5\n");
    const Json layered = parameters({"--preset", "demo", "--config", "train.toml", "--rate", "0.02"});
    EXPECT_EQ(layered["loss"], "logistic") << "of the preset";
    EXPECT_EQ(layered["machines"], Json({"first"})) << "of the file";
    EXPECT_EQ(layered["schedules_per_matrix"], 8);
    EXPECT_EQ(layered["inner_rate"], 1.0);
    EXPECT_EQ(layered["seed"], 5);
    EXPECT_EQ(layered["rate"], 0.02) << "of the command line";
    EXPECT_EQ(layered["epochs"], 1);
    EXPECT_EQ(layered["support_matrices"], 5) << "the default";
    EXPECT_EQ(parameters({"--config", "train.toml", "--seed", "9"})["seed"], 9);
}

TEST_F(TrainSettings, ComeFromTheSameFileBeforeAndBehindTheCommand) {
    write("train.toml", "name = \"m\"\npreset = \"demo\"\nbaseline = false\nrate = 0.01\ninner_rate = 1\n"
                        "machines = [\"first\"]\nagain = true\n");
    const auto told = [&](const Words& words) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return events(outcome.out).front()["parameters"];
    };
    const Words train{"train", "--dense", "32", "--epochs", "1", "--rate", "0.02", "--progress", "json"};
    Words before = train;
    before.insert(before.begin(), {"--config", "train.toml"});
    Words behind = train;
    behind.insert(behind.end(), {"--config", "train.toml"});
    const Json parameters = told(before);
    EXPECT_EQ(parameters["name"], "m") << "an option that is no setting";
    EXPECT_EQ(parameters["loss"], "logistic") << "of the preset";
    EXPECT_EQ(parameters["baseline"], false);
    EXPECT_EQ(parameters["inner_rate"], 1.0);
    EXPECT_EQ(parameters["machines"], Json({"first"}));
    EXPECT_EQ(parameters["rate"], 0.02) << "of the command line";
    EXPECT_EQ(told(behind), parameters);
}

TEST_F(TrainSettings, NameTheFileAndTheLineOfWhatIsWrong) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"rate = 0.1\nspeed = 3\n", "bad.toml:2: there is no setting 'speed'"},
        {"\nepochs = \"many\"\n", "bad.toml:2: epochs is \"many\"; expected a whole number"},
        {"epochs = 2.5\n", "bad.toml:1: epochs is 2.5; expected a whole number"},
        {"machines = [1]\n", "bad.toml:1: machines is [1]; expected a list of texts"},
        {"rate = -1.0\n", "bad.toml:1: rate is -1.0; expected a positive number"},
        {"method = \"magic\"\n", "bad.toml:1: method is \"magic\""},
        {"architecture = \"deep\"\n", "bad.toml:1: architecture is \"deep\"; expected statistics"},
        {"test_share = 2.0\n", "bad.toml:1: test_share is 2.0"},
        {"device = \"abacus\"\n", "bad.toml:1: device is \"abacus\""},
        {"rate = 0.1\n[section]\nx = 1\n", "bad.toml:2: 'section' is no setting"},
        {"rate = \n", "bad.toml:1: this is not TOML"},
        {"rate = 1.0\nrate = 2.0\n", "bad.toml:2: this is not TOML"},
    };
    for (const auto& [text, complaint] : wrong) {
        write("bad.toml", text);
        const Outcome outcome = run({"train", "--name", "m", "--config", "bad.toml"});
        EXPECT_EQ(outcome.exit_code, 2) << text;
        EXPECT_THAT(outcome.err, HasSubstr(complaint));
        EXPECT_THAT(outcome.out, IsEmpty());
    }
    const Outcome absent = run({"train", "--name", "m", "--config", "absent.toml"});
    EXPECT_EQ(absent.exit_code, 2);
    EXPECT_THAT(absent.err, HasSubstr("absent.toml"));
    Workspace workspace = this->workspace();
    EXPECT_THAT(must(list_runs(workspace)), IsEmpty()) << "nothing was begun";
}

TEST_F(TrainSettings, TakeOneWordForAListAndCountsWhereCountsAreMeant) {
    write("one.toml", "machines = \"first\"\n");
    EXPECT_EQ(parameters({"--config", "one.toml"})["machines"], Json({"first"}));
    trained("meta", {"--no-baseline", "--machines", "first"});
    const Words tune{"finetune", "--model",  "meta",      "--machine",  "second",
                     "--name",   "tuned",    "--dense",   "32",         "--simulator",
                     "none",     "--config", "tune.toml", "--progress", "json"};
    write("tune.toml", "matrices = 3\nshots = [0, 1]\nseeds = 1\n");
    const Outcome tuned = run(tune);
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    EXPECT_EQ(events(tuned.out).front()["matrices"]["train"], 3);
    EXPECT_EQ(events(tuned.out).front()["parameters"]["shots"], Json({"0", "1"}));
    write("tune.toml", "epochs = 1\nmatrices = 3.5\n");
    const Outcome wrong = run(tune);
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err,
                HasSubstr("tune.toml:2: matrices is 3.5; expected a whole number, a text, or a list of "
                          "them"));
}

TEST_F(TrainSettings, NameTheOptionThatIsWrong) {
    const std::vector<std::pair<Words, std::string>> wrong{
        {{"--epochs", "many"}, "'many' is no whole number"},
        {{"--rate", "fast"}, "'fast' is no number"},
        {{"--rate", "0"}, "rate is 0.0; expected a positive number"},
        {{"--method", "magic"}, "method is \"magic\""},
        {{"--preset", "worst"}, "there is no preset 'worst'; there are demo, report, best"},
        {{"--threads", "0"}, "threads is 0; expected a whole number from 1"},
        {{"--operator", "gemm"}, "operator is \"gemm\"; expected spmm, spmv or sddmm"},
        {{"--architecture", "trees", "--parent", "x"}, "trees can't begin with another model"},
        {{"--keep", "--finish"}, " excludes "},
    };
    for (const auto& [more, complaint] : wrong) {
        Words words{"train", "--name", "m"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(more);
        EXPECT_THAT(outcome.err, HasSubstr(complaint));
    }
    EXPECT_EQ(run({"train"}).exit_code, 2) << "a model needs a name";
}

} // namespace sparsight::testing
