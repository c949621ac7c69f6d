#include "base/random.h"
#include "domains/sparse/storage/schedules.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/workspace.h"
#include "store/workspace_file.h"
#include "store_fixture.h"
#include "support/integrity.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <set>
#include <sys/wait.h>
#include <thread>

namespace sparsight {
namespace {

using testing::is_whole;

using ::testing::AllOf;
using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

class WorkspaceTest : public testing::StoreTest {};

std::int64_t pragma(Workspace& workspace, const std::string& name) {
    return must(workspace.database().first([](Statement& row) { return row.integer(0); }, "PRAGMA " + name))
        .value_or(-1);
}

TEST_F(WorkspaceTest, IsOneFileMarkedAsOursWithItsVersion) {
    {
        Workspace workspace = create();
        EXPECT_EQ(pragma(workspace, "application_id"), workspace_application_id);
        EXPECT_EQ(pragma(workspace, "user_version"), schema_version());
        EXPECT_EQ(pragma(workspace, "foreign_keys"), 1);
        EXPECT_EQ(must(workspace.database().first([](Statement& row) { return row.text(0); },
                                                  "PRAGMA journal_mode")),
                  "wal");
        EXPECT_EQ(must(setting(workspace, "created_by")), "test 1.0");
    }
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(file().parent_path()))
        files.push_back(entry.path().filename().string());
    EXPECT_EQ(files, std::vector<std::string>{"demo.sparsight"}) << "closed, nothing lies beside it";
    Workspace again = must(Workspace::open(file()));
    EXPECT_TRUE(is_whole(again));
}

TEST_F(WorkspaceTest, KeepsSettings) {
    Workspace workspace = create();
    EXPECT_EQ(must(setting(workspace, "operator")), std::nullopt);
    must(set_setting(workspace, "operator", "spmm"));
    must(set_setting(workspace, "operator", ""));
    EXPECT_EQ(must(setting(workspace, "operator")), "");
}

TEST_F(WorkspaceTest, IsNeverCreatedOverSomethingElse) {
    const Workspace workspace = create();
    EXPECT_THAT(error_text(Workspace::create(file(), "test")),
                AllOf(HasSubstr("demo.sparsight: "), HasSubstr("there is a file of this name already")));
    EXPECT_THAT(error_text(Workspace::create(file().parent_path(), "test")),
                HasSubstr("there is a folder of this name already"));
    EXPECT_THAT(error_text(Workspace::create(in_folder("none/x.sparsight"), "test")),
                AllOf(HasSubstr("there is no folder"), HasSubstr("none")));
    EXPECT_TRUE(Workspace::open(file()));
}

TEST_F(WorkspaceTest, MayHaveAnyNameThatAFileMayHave) {
    for (const char* name :
         {"with space.sparsight", "100%.sparsight", "a?immutable=1#.sparsight", "ä→.sparsight"}) {
        const auto path = in_folder(name);
        {
            Workspace workspace = must(Workspace::create(path, "test"));
            must(set_setting(workspace, "x", name));
        }
        ASSERT_TRUE(std::filesystem::exists(path)) << name;
        Workspace workspace = must(Workspace::open(path));
        EXPECT_EQ(must(setting(workspace, "x")), name);
    }
}

TEST_F(WorkspaceTest, CanBeReadByManyWhileOneWrites) {
    Workspace writer = create();
    Workspace reader = must(Workspace::open(file(), {.access = WorkspaceAccess::Read}));
    must(in_one_transaction(writer, [&]() -> Result<void> {
        must(set_setting(writer, "x", "1"));
        EXPECT_EQ(must(setting(reader, "x")), std::nullopt) << "not committed yet";
        return {};
    }));
    EXPECT_EQ(must(setting(reader, "x")), "1");
    EXPECT_THAT(error_text(set_setting(reader, "x", "2")), HasSubstr("read-only"));
}

TEST_F(WorkspaceTest, HasTwoWritersTakeTurns) {
    Workspace one = create();
    Workspace other = must(Workspace::open(file()));
    for (int turn = 0; turn < 100; ++turn) {
        must(set_setting(one, "one", std::to_string(turn)));
        must(set_setting(other, "other", std::to_string(turn)));
    }
    EXPECT_EQ(must(setting(other, "one")), "99");
    EXPECT_EQ(must(setting(one, "other")), "99");
}

TEST_F(WorkspaceTest, UndoesATransactionThatFails) {
    Workspace workspace = create();
    must(set_setting(workspace, "x", "before"));
    const auto failed = in_one_transaction(workspace, [&]() -> Result<void> {
        must(set_setting(workspace, "x", "after"));
        return fail(Fault::Cancelled, "stopped");
    });
    EXPECT_EQ(error_text(failed), "stopped");
    EXPECT_EQ(must(setting(workspace, "x")), "before");
}

TEST_F(WorkspaceTest, UndoesOnlyThePartThatFailedInsideATransaction) {
    Workspace workspace = create();
    must(in_one_transaction(workspace, [&]() -> Result<void> {
        must(set_setting(workspace, "kept", "yes"));
        (void)in_one_transaction(workspace, [&]() -> Result<void> {
            must(set_setting(workspace, "undone", "yes"));
            return fail(Fault::Input, "bad part");
        });
        return {};
    }));
    EXPECT_EQ(must(setting(workspace, "kept")), "yes");
    EXPECT_EQ(must(setting(workspace, "undone")), std::nullopt);
}

TEST_F(WorkspaceTest, LetsAStatementBeUsedWhileItsTextIsUsedAlready) {
    Workspace workspace = create();
    must(set_setting(workspace, "a", "1"));
    must(set_setting(workspace, "b", "2"));
    Database& database = workspace.database();
    const auto sql = "SELECT name FROM settings ORDER BY name";
    const auto first_name = [](Statement& row) { return row.text(0); };
    const auto pairs = must(database.all(
        [&](Statement& row) { return row.text(0) + must(database.first(first_name, sql)).value_or(""); },
        sql));
    EXPECT_EQ(pairs, (std::vector<std::string>{"aa", "ba", "created_bya"}));
}

} // namespace

// A process that is killed in the middle of a collection loses nothing that it had reported as recorded.
namespace {

using testing::measured;
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
        EXPECT_TRUE(is_whole(workspace));
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
