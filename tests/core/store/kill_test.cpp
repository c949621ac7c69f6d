// A process that is killed in the middle of a collection loses nothing that it had reported as recorded.
#include "base/random.h"
#include "store/results.h"
#include "store_fixture.h"

#include <array>
#include <chrono>
#include <csignal>
#include <set>
#include <sys/wait.h>
#include <thread>

namespace sparsight {
namespace {

using testing::measured;
using testing::must;
using testing::numbered_schedule;

class KillTest : public testing::StoreTest {
protected:
    /// Records what is missing of a long collection and writes each schedule's number to the pipe once it is
    /// recorded, until it is killed.
    [[noreturn]] void collect_until_killed(int pipe) const {
        auto workspace = Workspace::open(file());
        if (!workspace)
            ::_exit(1);
        const auto matrix = find_matrix(*workspace, "cage");
        const auto machine = find_machine(*workspace, "laptop");
        const MeasurementSetting setting{(*matrix)->id, (*machine)->id};
        std::vector<SuperSchedule> wanted;
        for (int i = 0; i < 20'000; ++i)
            wanted.push_back(numbered_schedule(i));
        const auto missing = missing_schedules(*workspace, setting, Operator::SpMM, wanted);
        for (const SuperSchedule& schedule : *missing) {
            if (!record_measurement(*workspace, setting, schedule, measured(schedule.chunk)))
                ::_exit(2);
            if (::write(pipe, &schedule.chunk, sizeof schedule.chunk) != sizeof schedule.chunk)
                ::_exit(3);
        }
        ::_exit(4);
    }

    /// The numbers that a child reported until it was killed, about `patience` after its first one.
    std::vector<int> collect_and_kill(std::chrono::microseconds patience) {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(ends[0]);
            collect_until_killed(ends[1]);
        }
        ::close(ends[1]);
        std::vector<int> reported;
        int number = 0;
        if (::read(ends[0], &number, sizeof number) == sizeof number)
            reported.push_back(number);
        std::this_thread::sleep_for(patience);
        ::kill(child, SIGKILL);
        while (::read(ends[0], &number, sizeof number) == sizeof number)
            reported.push_back(number);
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself with " << WEXITSTATUS(status);
        return reported;
    }
};

TEST_F(KillTest, LosesNoFinishedMeasurementAndDoublesNone) {
    {
        Workspace workspace = create();
        must(add_matrix(workspace, {"cage", "", {}}, testing::small_pattern()));
        must(record_machine(workspace, "laptop", "f1", "{}"));
    }
    constexpr int kills = 10;
    Random random(20'240'501);
    std::set<int> reported;
    for (int kill = 0; kill < kills; ++kill) {
        const auto now = collect_and_kill(std::chrono::microseconds(random.below(50'000)));
        EXPECT_FALSE(now.empty());
        for (const int number : now)
            EXPECT_TRUE(reported.insert(number).second) << number << " was measured again";

        Workspace workspace = must(Workspace::open(file()));
        EXPECT_TRUE(check_integrity(workspace));
        std::set<int> stored;
        for (const ResultRow& row : must(list_results(workspace))) {
            EXPECT_EQ(row.status, MeasurementStatus::Measured);
            EXPECT_TRUE(stored.insert(static_cast<int>(row.median_ms.value_or(0))).second)
                << row.schedule << " is doubled";
        }
        for (const int number : reported)
            EXPECT_TRUE(stored.contains(number)) << number << " is lost";
        EXPECT_LE(stored.size(), reported.size() + 1)
            << "at most the one in flight is there without a report";
        // Those in flight count as done from here on: a resumed collection must not measure them again.
        reported = stored;
    }
}

} // namespace
} // namespace sparsight
