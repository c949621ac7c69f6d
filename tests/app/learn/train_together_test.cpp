// `train` started twice at once, as mpirun, srun and torchrun do.
#include "app/cli/child_process.h"
#include "app/learn/learn_fixture.h"
#include "support/free_port.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

#ifdef SPARSIGHT_HAS_GLOO
constexpr bool has_gloo = true;
#else
constexpr bool has_gloo = false;
#endif

class TrainTogether : public LearnTest {
protected:
    static inline const Words meta{
        "--method",         "fomaml", "--tasks-per-step", "2", "--support-matrices", "3",
        "--query-matrices", "3",      "--seed",           "7"};

    /// What the processes of rank 0 and 1 said.
    [[nodiscard]] std::array<Outcome, 2> run_two(const Words& words) const {
        const std::string port = fmt::format("MASTER_PORT={}", free_port());
        const auto start = [&](const std::string& rank) {
            Words all{"/usr/bin/env",          "RANK=" + rank, "WORLD_SIZE=2",
                      "MASTER_ADDR=127.0.0.1", port,           SPARSIGHT_CLI};
            all.insert(all.end(), words.begin(), words.end());
            return std::make_unique<ChildProcess>(all, folder());
        };
        const auto first = start("0");
        const auto second = start("1");
        Outcome of_first = first->finish();
        return {std::move(of_first), second->finish()};
    }
};

TEST_F(TrainTogether, GivesOneModelLikeThatOfOneProcess) {
    if (!has_gloo)
        GTEST_SKIP() << "this build has no Gloo";
    Words words = meta;
    words.emplace_back("--json");
    const auto together = run_two(train_words("together", words));
    ASSERT_EQ(together[0].exit_code, 0) << together[0].err;
    ASSERT_EQ(together[1].exit_code, 0) << together[1].err;
    EXPECT_THAT(together[1].out, IsEmpty()) << "the first one tells";
    const Outcome alone = run(train_words("alone", words));
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    const Json metrics = parsed(together[0].out)["metrics"];
    const Json expected = parsed(alone.out)["metrics"];
    EXPECT_NEAR(metrics["ordered_pair_accuracy"].get<double>(),
                expected["ordered_pair_accuracy"].get<double>(), 0.01);
    EXPECT_NEAR(metrics["loss"].get<double>(), expected["loss"].get<double>(), 0.01);
    Workspace stored = workspace();
    EXPECT_EQ(must(list_models(stored)).size(), 2U);
    EXPECT_EQ(must(list_runs(stored)).size(), 2U);
}

TEST_F(TrainTogether, SayThatItIsDoneWhereItWasTrainedBefore) {
    if (!has_gloo)
        GTEST_SKIP() << "this build has no Gloo";
    const Words words = train_words("together", meta);
    const auto together = run_two(words);
    ASSERT_EQ(together[0].exit_code, 0) << together[0].err;
    const auto again = run_two(words);
    EXPECT_THAT(again[0].err, HasSubstr("was trained with these settings before"));
    for (const Outcome& outcome : again)
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    Words others = meta;
    others.insert(others.end(), {"--epochs", "3", "--quiet"});
    const auto refused = run_two(train_words("together", others));
    EXPECT_EQ(refused[0].exit_code, 2) << "the name is taken";
    EXPECT_EQ(refused[1].exit_code, 1);
    EXPECT_THAT(refused[1].err, HasSubstr("another of the processes that train together failed"));
}

TEST_F(TrainTogether, CtrlCEndsTheWaitingForTheOthers) {
    if (!has_gloo)
        GTEST_SKIP() << "this build has no Gloo";
    const auto port = free_port();
    Words words{"/usr/bin/env",
                "RANK=0",
                "WORLD_SIZE=2",
                "MASTER_ADDR=127.0.0.1",
                fmt::format("MASTER_PORT={}", port),
                SPARSIGHT_CLI};
    const Words train = train_words("none", meta);
    words.insert(words.end(), train.begin(), train.end());
    ChildProcess child(words, folder());
    const auto begun = std::chrono::steady_clock::now();
    while (!is_listened_on(port) && std::chrono::steady_clock::now() - begun < std::chrono::seconds(60))
        std::this_thread::yield();
    child.send(SIGINT);
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

TEST_F(TrainTogether, RefusesAPlaceThatCantBe) {
    const Outcome outcome = [&] {
        Words words{"/usr/bin/env", "RANK=2", "WORLD_SIZE=2", SPARSIGHT_CLI};
        const Words train = train_words("none", meta);
        words.insert(words.end(), train.begin(), train.end());
        return ChildProcess(words, folder()).finish();
    }();
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err,
                HasSubstr("the environment variable RANK is '2'; expected a number from 0 to 1"));
}

} // namespace sparsight::testing
