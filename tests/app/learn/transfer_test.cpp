#include "app/learn/learn_fixture.h"
#include "schedule/text.h"

#include <csignal>
#include <gmock/gmock.h>
#include <map>
#include <set>

namespace sparsight::testing {

using ::testing::HasSubstr;

class Transfer : public LearnTest {
protected:
    /// `more` takes the place of what it says differently.
    static Words words(const Words& more = {}) {
        Words words{"transfer"};
        for (const auto& [option, value] :
             std::vector<std::pair<std::string, std::string>>{{"--dense", "32"},
                                                              {"--steps", "4"},
                                                              {"--tuning-epochs", "2"},
                                                              {"--seeds", "2"},
                                                              {"--shots", "0,3"},
                                                              {"--family", "2"},
                                                              {"--support-matrices", "2"},
                                                              {"--query-matrices", "2"},
                                                              {"--schedules-per-matrix", "8"},
                                                              {"--threads", "1"}})
            if (std::ranges::find(more, option) == more.end())
                words.insert(words.end(), {option, value});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// A workspace with the same content.
    void copy(const std::string& name) const { std::filesystem::copy_file(file(), folder() / name); }
    [[nodiscard]] Json compared(const Words& more) const {
        Words all = words(more);
        all.emplace_back("--json");
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return parsed(outcome.out);
    }
};

TEST_F(Transfer, GivesEverySourceTheSameBudgetOnEveryTarget) {
    const Json json = compared({});
    ASSERT_EQ(json["targets"].size(), 2);
    EXPECT_EQ(json["targets"][0]["machine"], "first");
    EXPECT_EQ(json["targets"][0]["imagined_from"], "second");
    EXPECT_EQ(json["targets"][1]["imagined_from"], "first");
    EXPECT_EQ(json["points"].size(), 2 * 2 * 5 * 2) << "targets, seeds, sources, shots";
    std::map<std::string, std::int64_t> machines;
    std::set<std::int64_t> examples;
    ASSERT_EQ(json["trainings"].size(), 2 * 2 * 4) << "nothing is trained for the reference";
    for (const Json& training : json["trainings"]) {
        machines[training["source"].get<std::string>()] = training["machines"].get<std::int64_t>();
        examples.insert(training["examples"].get<std::int64_t>());
    }
    EXPECT_EQ(machines, (std::map<std::string, std::int64_t>{
                            {"paper", 2}, {"family", 2}, {"real", 1}, {"family+real", 3}}));
    EXPECT_EQ(examples, std::set<std::int64_t>{4 * 1 * 4 * 8})
        << "steps, machines of a step as the real one is alone, matrices, schedules";
    for (const Json& point : json["points"]) {
        EXPECT_GT(point["metrics"]["ordered_pair_accuracy"], 0.0);
        EXPECT_EQ(point["metrics"].contains("regret_at_20"), true);
    }
}

TEST_F(Transfer, KilledItGoesOnToTheSameFiguresAndDoesNothingTwice) {
    copy("other.sparsight");
    const Words own{"--targets", "first", "--sources", "scratch,family,real"};
    const Json whole = compared(own);
    Words events_of = words(own);
    events_of.insert(events_of.end(), {"--workspace", "other.sparsight", "--progress", "json"});
    for (const int signal : {SIGKILL, SIGINT}) {
        ChildProcess child(command_line(events_of), folder());
        for (int points = 3; points > 0;) {
            const auto line = child.next_line();
            ASSERT_TRUE(line) << "it ended before";
            points -= parsed(*line)["event"] == "point" ? 1 : 0;
        }
        child.send(signal);
        const Outcome stopped = child.finish();
        EXPECT_TRUE(stopped.signal == SIGKILL || stopped.exit_code == 130) << stopped.err;
    }
    const Outcome resumed = run(events_of);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const auto told = events(resumed.out);
    EXPECT_EQ(told.front()["resumed"], true);
    EXPECT_LE(events_called(told, "point").size(), 12U - 6U) << "what was known is not done again";
    EXPECT_EQ(told.back()["points"], whole["points"]);
    EXPECT_EQ(told.back()["trainings"], whole["trainings"]);

    const Outcome again = run(events_of);
    EXPECT_EQ(events_called(events(again.out), "point").size(), 0);
    EXPECT_EQ(events(again.out).back()["points"], whole["points"]);
}

TEST_F(Transfer, WhatAnotherSimulatorSaidIsNotTakenForDone) {
    const Words own{"--targets", "first", "--sources", "scratch,family", "--seeds", "1"};
    const Json now = compared(own);
    {
        Workspace workspace = this->workspace();
        const auto runs = must(list_runs(workspace));
        ASSERT_EQ(runs.size(), 1U);
        Json parameters = parsed(runs[0].parameters);
        const char* const imagined = "sampled-1-0000 with the schedules of second";
        ASSERT_TRUE(parameters["data"].contains(imagined)) << parameters["data"].dump(1);
        EXPECT_FALSE(parameters["data"].contains("A with the schedules of second")) << "no source has it";
        parameters["data"][imagined]["digest"] = "0123456789abcdef";
        must(remove_run(workspace, runs[0].id));
        const RunId old = must(start_run(workspace, "experiment tasks", parameters.dump()));
        must(end_run(workspace, old, RunState::Finished));
    }
    const Json anew = compared(own);
    EXPECT_EQ(anew["points"], now["points"]);
    EXPECT_EQ(compared(own)["run"], anew["run"]) << "done before, by the same simulator";
}

TEST_F(Transfer, SaysWhatItNeeds) {
    EXPECT_THAT(
        run(words({"--targets", "third"})).err,
        HasSubstr("no machine 'third' was measured for spmm at a dense extent of 32; there are first; "
                  "second"));
    EXPECT_THAT(run(words({"--sources", "dreams"})).err, HasSubstr("expected scratch, paper, family, real"));
    EXPECT_THAT(run(words({"--dense", "64"})).err, HasSubstr("there are not two machines with runtimes"));
    {
        Workspace workspace = this->workspace();
        const MachineId id = must(recorded_machine(workspace, "tiny"));
        for (const SuperSchedule& schedule :
             {canonical(fixed_csr(Operator::SpMM, 2)),
              must(parse_schedule(Operator::SpMM, "4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"))}) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(static_cast<double>(schedule.split(Index::I)));
            must(record_measurement(workspace, {must(list_matrices(workspace)).front().id, id, 32, "waco"},
                                    schedule, measurement));
        }
    }
    const Outcome few = run(words({"--targets", "tiny"}));
    EXPECT_THAT(few.err, HasSubstr("tiny has runtimes of 1 matrix"));
    EXPECT_THAT(few.err, HasSubstr("import-runtimes"));
}

} // namespace sparsight::testing
