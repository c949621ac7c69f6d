#include "store/run_holders.h"

#include "core/store/store_fixture.h"
#include "store/runs.h"

#include <array>
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunHolders : public StoreTest {
protected:
    RunHolders()
        : workspace_(create())
        , run_(must(start_run(workspace_, "train", "{}"))) {}

    Workspace workspace_;
    RunId run_;
};

TEST_F(RunHolders, ARunIsHeldAsLongAsTheHoldLives) {
    {
        const auto hold = must(RunHold::take(workspace_, run_));
        const auto holders = must(live_holders(workspace_));
        ASSERT_EQ(holders.size(), 1U);
        EXPECT_EQ(holders[0].run, run_);
        EXPECT_EQ(holders[0].process, ::getpid());
        EXPECT_FALSE(holders[0].since.empty());
        EXPECT_THAT(error_text(RunHold::take(workspace_, run_)),
                    HasSubstr(fmt::format("is worked at by process {} since 20", ::getpid())));
        const RunId other = must(start_run(workspace_, "train", "{}"));
        EXPECT_TRUE(RunHold::take(workspace_, other)) << "another run is free";
    }
    EXPECT_THAT(must(live_holders(workspace_)), IsEmpty());
    EXPECT_TRUE(RunHold::take(workspace_, run_));
}

TEST_F(RunHolders, WhatAnotherHasTakenSinceIsLeftToIt) {
    const std::string name = fmt::format("run holder {}", static_cast<std::int64_t>(run_));
    {
        const auto hold = must(RunHold::take(workspace_, run_));
        must(set_setting(workspace_, name, "another's"));
    }
    EXPECT_EQ(must(setting(workspace_, name)), "another's");
}

TEST_F(RunHolders, AKilledProcessHoldsNothing) {
    const auto file = workspace_.path();
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        Workspace its = must(Workspace::open(file));
        const auto hold = must(RunHold::take(its, run_));
        (void)!::write(pipe[1], "x", 1);
        ::pause();
        ::_exit(0);
    }
    ::close(pipe[1]); // so that reading ends where the child does
    char held = 0;
    ASSERT_EQ(::read(pipe[0], &held, 1), 1);
    const auto holders = must(live_holders(workspace_));
    ASSERT_EQ(holders.size(), 1U);
    EXPECT_EQ(holders[0].process, child);
    EXPECT_FALSE(RunHold::take(workspace_, run_));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_THAT(must(live_holders(workspace_)), IsEmpty());
    EXPECT_TRUE(RunHold::take(workspace_, run_));
    ::close(pipe[0]);
}

} // namespace sparsight::testing
