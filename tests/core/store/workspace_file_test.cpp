#include "base/process.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/workspace_file.h"
#include "store_fixture.h"
#include "support/integrity.h"
#include "support/rematches.h"

#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sstream>
#include <sys/mount.h>
#include <sys/wait.h>

namespace sparsight {

using testing::is_whole;
using testing::list_rematch;

// Every way in which a workspace can't be opened or written is told by an error of its own.
namespace {

using ::testing::AllOf;
using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

class UnusableFile : public testing::StoreTest {
protected:
    void write(const std::string& bytes) const { std::ofstream(file(), std::ios::binary) << bytes; }
    /// Runs SQL on the file as another program would.
    void run_sql(const std::string& sql) const {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(handle);
        sqlite3_close(handle);
    }
    [[nodiscard]] std::string opening() const { return error_text(Workspace::open(file())); }
    [[nodiscard]] std::string reading() const {
        return error_text(Workspace::open(file(), {.access = WorkspaceAccess::Read}));
    }
};

/// What `action` says when it is run by a user who is not root, in a process of its own.
std::string as_ordinary_user(const std::function<std::string()>& action) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        constexpr unsigned nobody = 65534;
        const bool ordinary = ::geteuid() != 0 || (::setgid(nobody) == 0 && ::setuid(nobody) == 0);
        const std::string said = ordinary ? action() : "could not become an ordinary user";
        const bool written = ::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
        ::_exit(written ? 0 : 1);
    }
    ::close(ends[1]);
    std::string said;
    std::array<char, 4096> buffer{};
    for (ssize_t size = 0; (size = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
        said.append(buffer.data(), static_cast<std::size_t>(size));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return said;
}

TEST_F(UnusableFile, IsMissing) {
    EXPECT_EQ(opening(), file().string() + ": there is no such workspace");
    EXPECT_EQ(reading(), file().string() + ": there is no such workspace");
    EXPECT_FALSE(std::filesystem::exists(file())) << "opening must not create it";
}

TEST_F(UnusableFile, IsAFolder) {
    std::filesystem::create_directory(file());
    EXPECT_EQ(opening(), file().string() + ": this is a folder; a workspace is a file NAME.sparsight");
}

TEST_F(UnusableFile, IsEmpty) {
    write("");
    EXPECT_THAT(opening(), HasSubstr("this file is empty, not a workspace"));
    EXPECT_EQ(std::filesystem::file_size(file()), 0U);
}

TEST_F(UnusableFile, IsNotSqlite) {
    write("%%MatrixMarket matrix coordinate real general\n3 3 0\n" + std::string(2000, '%'));
    EXPECT_THAT(opening(), HasSubstr("not a Sparsight workspace: it is not an SQLite file"));
    write("xyz");
    EXPECT_THAT(opening(), HasSubstr("not a Sparsight workspace: it is not an SQLite file"));
}

TEST_F(UnusableFile, IsAnotherProgramsDatabaseAndStaysAsItIs) {
    run_sql("PRAGMA application_id = 42; CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    const auto size = std::filesystem::file_size(file());
    EXPECT_THAT(opening(), AllOf(HasSubstr("an SQLite file of another program"), HasSubstr("0x0000002a"),
                                 HasSubstr("0x53705367")));
    EXPECT_THAT(reading(), HasSubstr("an SQLite file of another program"));
    EXPECT_EQ(std::filesystem::file_size(file()), size);
    run_sql("SELECT x FROM theirs");
}

TEST_F(UnusableFile, IsOfANewerVersion) {
    create_and_close();
    run_sql(fmt::format("PRAGMA user_version = {}", schema_version() + 1));
    EXPECT_THAT(opening(),
                HasSubstr(fmt::format(
                    "a newer Sparsight wrote this workspace: its format is version {}, this program "
                    "knows versions up to {}",
                    schema_version() + 1, schema_version())));
    EXPECT_THAT(reading(), HasSubstr("a newer Sparsight"));
    run_sql("PRAGMA user_version = -3");
    EXPECT_THAT(opening(), HasSubstr("damaged: its format version is -3"));
}

TEST_F(UnusableFile, IsLockedByAWriter) {
    Workspace writer = create();
    Workspace waiting = must(Workspace::open(file(), {.busy_timeout = std::chrono::milliseconds(30)}));
    must(in_one_transaction(writer, [&]() -> Result<void> {
        EXPECT_THAT(
            error_text(set_setting(waiting, "x", "1")),
            HasSubstr("the workspace is locked: another program has been writing to it for more than 30"));
        EXPECT_TRUE(Workspace::open(file(), {.access = WorkspaceAccess::Read})) << "readers are not hindered";
        return {};
    }));
    EXPECT_TRUE(set_setting(waiting, "x", "1")) << "it goes on once the writer is done";
}

TEST_F(UnusableFile, IsLockedAltogether) {
    create_and_close();
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 1",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    EXPECT_THAT(error_text(Workspace::open(file(), {.busy_timeout = std::chrono::milliseconds(30)})),
                HasSubstr("the workspace is locked"));
    sqlite3_close(other);
}

TEST_F(UnusableFile, IsReadOnly) {
    create_and_close();
    std::filesystem::permissions(file(), std::filesystem::perms::all & ~std::filesystem::perms(0333));
    EXPECT_THAT(
        as_ordinary_user([&] { return opening(); }),
        HasSubstr("the workspace is read-only: this user may not write the file (Permission denied)"));
}

TEST_F(UnusableFile, IsInAReadOnlyFolderAndCanStillBeRead) {
    {
        Workspace workspace = create();
        must(set_setting(workspace, "x", "1"));
    }
    using std::filesystem::perms;
    std::filesystem::permissions(file(), perms(0666));
    std::filesystem::permissions(file().parent_path(), perms(0555));
    EXPECT_THAT(as_ordinary_user([&] { return opening(); }),
                AllOf(HasSubstr("the workspace is read-only: this user may not write into its folder"),
                      HasSubstr("Permission denied")));
    EXPECT_EQ(as_ordinary_user([&] {
                  auto workspace = Workspace::open(file(), {.access = WorkspaceAccess::Read});
                  return workspace ? must(setting(*workspace, "x")).value_or("") : workspace.error().text();
              }),
              "1");
    std::filesystem::permissions(file().parent_path(), perms(0777));
}

TEST_F(UnusableFile, MayNotBeReadByThisUser) {
    create_and_close();
    std::filesystem::permissions(file(), std::filesystem::perms::none);
    EXPECT_THAT(as_ordinary_user([&] { return reading(); }), HasSubstr("Permission denied"));
}

TEST_F(UnusableFile, IsCutOffAnywhere) {
    {
        Workspace workspace = create();
        for (int i = 0; i < 200; ++i)
            must(set_setting(workspace, std::to_string(i), std::string(500, 'x')));
    }
    const auto whole = std::filesystem::file_size(file());
    for (const std::uintmax_t size :
         {whole - 1, whole / 2, std::uintmax_t{4096}, std::uintmax_t{100}, std::uintmax_t{50}}) {
        std::filesystem::resize_file(file(), size);
        EXPECT_THAT(opening(), HasSubstr("the workspace is damaged or cut off")) << size;
    }
}

TEST_F(UnusableFile, IsDamagedInTheMiddle) {
    {
        Workspace workspace = create();
        for (int i = 0; i < 200; ++i)
            must(set_setting(workspace, std::to_string(i), std::string(500, 'x')));
    }
    {
        std::fstream bytes(file(), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file()) / 2));
        bytes << std::string(20'000, '\x7f');
    }
    Workspace workspace = must(Workspace::open(file()));
    EXPECT_FALSE(is_whole(workspace));
    std::string said = "no error";
    for (int i = 0; i < 200 && said == "no error"; ++i)
        said = error_text(setting(workspace, std::to_string(i)));
    EXPECT_THAT(said, HasSubstr("the workspace is damaged or cut off"));
}

TEST_F(UnusableFile, MeetsAFullDiskWithoutLosingWhatWasWritten) {
    Workspace workspace = create();
    must(set_setting(workspace, "before", "1"));
    must(workspace.database().run_script("PRAGMA max_page_count = 60"));
    EXPECT_THAT(error_text(set_setting(workspace, "large", std::string(1 << 20, 'x'))),
                HasSubstr("the disk is full"));
    EXPECT_EQ(must(setting(workspace, "before")), "1");
    EXPECT_TRUE(set_setting(workspace, "after", "1")) << "a small one still fits";
    EXPECT_TRUE(is_whole(workspace));
}

TEST_F(UnusableFile, IsOnADiskThatIsReallyFull) {
    const auto disk = in_folder("disk");
    std::filesystem::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0)
        GTEST_SKIP() << "needs the right to mount a small disk";
    {
        Workspace workspace = must(Workspace::create(disk / "x.sparsight", "test"));
        int written = 0;
        std::string said = "no error";
        for (; written < 1000 && said == "no error"; ++written)
            said = error_text(set_setting(workspace, std::to_string(written), std::string(2000, 'x')));
        --written;
        EXPECT_THAT(said, HasSubstr("the disk is full"));
        EXPECT_GT(written, 0);
        for (int i = 0; i < written; ++i)
            EXPECT_TRUE(must(setting(workspace, std::to_string(i)))) << i;
        EXPECT_TRUE(is_whole(workspace));
        EXPECT_THAT(error_text(Workspace::create(disk / "second.sparsight", "test")),
                    HasSubstr("the disk is full"));
        EXPECT_FALSE(std::filesystem::exists(disk / "second.sparsight"));
    }
    ::umount(disk.c_str());
}

TEST_F(UnusableFile, IsReadThoughAWriteFoundTheDiskFull) {
    const auto disk = in_folder("disk");
    std::filesystem::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0)
        GTEST_SKIP() << "needs the right to mount a small disk";
    const auto path = disk / "x.sparsight";
    {
        Workspace workspace = must(Workspace::create(path, "test"));
        must(set_setting(workspace, "before", "1"));
    }
    // What such a write leaves: an empty log, and a lock file that nobody can map.
    testing::write_file(path.string() + "-wal", "");
    testing::write_file(path.string() + "-shm", "abc");
    std::ofstream filler(disk / "filler");
    filler << std::string(512 << 10, 'x') << std::flush;
    {
        auto workspace = Workspace::open(path, {.access = WorkspaceAccess::Read});
        ASSERT_TRUE(workspace) << workspace.error().text();
        EXPECT_EQ(must(setting(*workspace, "before")), "1");
    }
    filler.close();
    ::umount(disk.c_str());
}

} // namespace

// A workspace of every earlier version opens and is brought up to date with all that is in it. Each version
// has a golden dump in tests/data/workspaces; a new version adds the dump of the one before it.
namespace {

class MigrationTest : public testing::StoreTest {
protected:
    void build(const std::string& sql) const {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(handle);
        sqlite3_close(handle);
    }
    static std::filesystem::path golden(std::int64_t version) {
        return std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "tests/data/workspaces" /
               fmt::format("v{}.sql", version);
    }
    static std::vector<std::string> tables(Workspace& workspace) {
        return must(
            workspace.database().all([](Statement& row) { return row.text(0); },
                                     "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"));
    }
};

TEST_F(MigrationTest, EveryVersionHasAStepAndAGoldenFile) {
    EXPECT_EQ(schema_version(), static_cast<std::int64_t>(schema_steps().size()));
    for (std::int64_t version = 1; version <= schema_version(); ++version)
        EXPECT_TRUE(std::filesystem::exists(golden(version))) << golden(version);
    EXPECT_FALSE(std::filesystem::exists(golden(schema_version() + 1)));
}

TEST_F(MigrationTest, ACreationThatWasKilledBeforeItsFirstStepIsCompleted) {
    build(fmt::format("PRAGMA application_id = {}", workspace_application_id));
    EXPECT_THAT(error_text(Workspace::open(file(), {.access = WorkspaceAccess::Read})),
                HasSubstr("to update it from format version 0"));
    Workspace workspace = must(Workspace::open(file()));
    EXPECT_EQ(must(stored_version(workspace.database())), schema_version());
    EXPECT_TRUE(must(list_matrices(workspace)).empty());
}

TEST_F(MigrationTest, AStepThatFailsLeavesTheFileAsItWas) {
    build(
        fmt::format("PRAGMA application_id = {}; CREATE TABLE runs (in_the_way)", workspace_application_id));
    EXPECT_THAT(error_text(Workspace::open(file())), HasSubstr("already exists"));
    build("DROP TABLE runs");
    Workspace workspace = must(Workspace::open(file()));
    EXPECT_TRUE(must(list_matrices(workspace)).empty());
}

/// Migrates in a process of its own, which is killed after so many steps of SQLite's virtual machine. Whether
/// it came to its end before.
bool migrate_until_killed(const std::filesystem::path& file, int steps) {
    const pid_t child = ::fork();
    if (child == 0) {
        auto database = Database::open(file, Database::Access::ReadWrite, std::chrono::seconds(5));
        if (!database)
            ::_exit(2);
        const auto count_down = [](void* left) -> int {
            if (--*static_cast<int*>(left) == 0)
                (void)::kill(::getpid(), SIGKILL);
            return 0;
        };
        sqlite3_progress_handler((*database)->handle(), 1, count_down, &steps);
        ::_exit(migrate(**database) ? 0 : 3);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << status;
    return WIFEXITED(status);
}

/// Of the file as it is, by SQLite alone.
std::vector<std::string> texts_of(const std::filesystem::path& file, const std::string& sql) {
    std::vector<std::string> texts;
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    const auto add = [](void* into, int columns, char** values, char**) -> int {
        for (int column = 0; column < columns; ++column)
            static_cast<std::vector<std::string>*>(into)->emplace_back(values[column] ? values[column] : "");
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), add, &texts, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
    return texts;
}

TEST_F(MigrationTest, KilledAtAnyMomentLeavesTheFileAsItWas) {
    std::ifstream dump(golden(2));
    const std::string sql = (std::ostringstream() << dump.rdbuf()).str();
    const std::string content = "SELECT * FROM measurements; SELECT * FROM choices; SELECT * FROM splits; "
                                "SELECT sql FROM sqlite_schema; PRAGMA user_version; PRAGMA integrity_check";
    build(sql);
    const auto before = texts_of(file(), content);
    int kills = 0;
    for (int steps = 1; !migrate_until_killed(file(), steps); steps += 1 + steps / 12) {
        EXPECT_EQ(texts_of(file(), content), before) << "killed after " << steps << " steps";
        ++kills;
    }
    EXPECT_GT(kills, 40);
    Workspace workspace = must(Workspace::open(file()));
    EXPECT_EQ(must(list_results(workspace)).size(), 3U);
}

TEST_F(MigrationTest, WaitsForAnOlderProgramThatStillWorksOnTheFile) {
    const ProcessIdentity living = this_process();
    std::ifstream dump(golden(4));
    build((std::ostringstream() << dump.rdbuf()).str());
    build(
        fmt::format("INSERT INTO settings VALUES ('run holder 1', '{{\"run\": 1, \"process\": {}, \"start\": "
                    "\"{}\", \"since\": \"2026-11-20T13:10:56.839Z\"}}')",
                    living.id, living.start));
    EXPECT_THAT(error_text(Workspace::open(file())),
                HasSubstr(fmt::format("process {} of an older Sparsight has worked on run 1", living.id)));
    EXPECT_EQ(texts_of(file(), "PRAGMA user_version"), std::vector<std::string>{"4"});
    build("DELETE FROM settings WHERE name = 'run holder 1'");
    EXPECT_EQ(must(stored_version(must(Workspace::open(file())).database())), schema_version());
}

TEST_F(MigrationTest, AWorkspaceOfTheVersionBeforeIsReadAsItIsWhereNobodyMayWrite) {
    using std::filesystem::perms;
    const auto read = [&]() -> std::string {
        const auto workspace = Workspace::open(file(), {.access = WorkspaceAccess::Read});
        return workspace ? "" : workspace.error().text();
    };
    for (std::int64_t version = oldest_readable_version; version <= schema_version(); ++version) {
        SCOPED_TRACE(version);
        std::filesystem::remove(file());
        std::ifstream dump(golden(version));
        build((std::ostringstream() << dump.rdbuf()).str());
        std::filesystem::permissions(file(), perms(0444));
        std::filesystem::permissions(file().parent_path(), perms(0555));
        EXPECT_EQ(as_ordinary_user(read), "");
        std::filesystem::permissions(file().parent_path(), perms(0777));

        Workspace workspace = must(Workspace::open(file(), {.access = WorkspaceAccess::Read}));
        EXPECT_EQ(must(stored_version(workspace.database())), version) << "it stays as it is";
        EXPECT_EQ(must(list_results(workspace)).size(), 3U);
        const ResultQuery loaves{.domain = "loaves"};
        EXPECT_EQ(must(list_results(workspace, loaves)).size(), 1U);
        EXPECT_EQ(must(list_earlier_results(workspace, loaves)).at(0).engine, version < 9 ? "" : "engine 1");
        EXPECT_EQ(must(list_failed_repeats(workspace, loaves)).at(0).engine, "engine 1");
    }
    std::filesystem::remove(file());
    std::ifstream dump(golden(oldest_readable_version - 1));
    build((std::ostringstream() << dump.rdbuf()).str());
    EXPECT_THAT(read(), HasSubstr("open it for writing to update it from format version 7"));
}

TEST_F(MigrationTest, AWorkspaceOfEveryVersionOpensWithAllThatIsInIt) {
    std::vector<std::string> fresh;
    {
        Workspace workspace = must(Workspace::create(in_folder("fresh.sparsight"), "test"));
        fresh = tables(workspace);
    }
    for (std::int64_t version = 1; version <= schema_version(); ++version) {
        SCOPED_TRACE(version);
        std::filesystem::remove(file());
        std::ifstream dump(golden(version));
        build((std::ostringstream() << dump.rdbuf()).str());
        Workspace workspace = must(Workspace::open(file()));
        EXPECT_EQ(must(stored_version(workspace.database())), schema_version());
        EXPECT_EQ(tables(workspace), fresh) << "upgraded and new files have the same tables";
        EXPECT_TRUE(is_whole(workspace));

        const auto matrix = must(find_matrix(workspace, "small"));
        ASSERT_TRUE(matrix);
        EXPECT_EQ(must(load_pattern(workspace, matrix->id)),
                  (CsrPattern{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}}));
        EXPECT_EQ(matrix->statistics, R"({"density":0.5})");
        const auto results = must(list_results(workspace));
        ASSERT_EQ(results.size(), 3U);
        EXPECT_EQ(results[1].machine, "laptop");
        EXPECT_EQ(results[1].speedup_over_fixed_csr, 2.0);
        EXPECT_EQ(results[2].status, MeasurementStatus::TooLarge);
        const auto run = must(list_runs(workspace)).front();
        EXPECT_EQ(run.state, RunState::Finished);
        EXPECT_EQ(must(list_metric(workspace, run.id, "loss")).front().value, 0.5);
        const auto model = must(find_model(workspace, "first"));
        EXPECT_EQ(must(load_weights(workspace, model->id)).size(), 4U);
        EXPECT_EQ((*must(find_split(workspace, "halves")))[SplitPart::Train], std::vector{matrix->id});
        EXPECT_EQ(must(setting(workspace, "created_by")), "Sparsight 0.1.0");
        EXPECT_EQ(must(list_choices(workspace, run.id)).size(), version < 2 ? 0U : 2U);
        EXPECT_EQ(must(find_training_state(workspace, run.id)).has_value(), version >= 2);
        if (version < 2)
            continue;
        EXPECT_EQ(must(find_training_state(workspace, run.id))->state.size(), 3U);
        EXPECT_TRUE(is_fixed_csr(must(list_choices(workspace, run.id, model->id, matrix->id))[1].schedule));
        const auto rematch = must(list_rematch(workspace, run.id, matrix->id));
        EXPECT_EQ(rematch.size(), version < 3 ? 0U : version < 4 ? 1U : 2U);
        if (version == 3) {
            EXPECT_EQ(rematch.front().turns_ms, std::vector{0.75}) << "of all turns one time was kept";
        }
        const auto loaves = must(list_results(workspace, ResultQuery{.domain = "loaves"}));
        EXPECT_EQ(loaves.size(), version < 5 ? 0U : 1U);
        for (const ResultRecord& each : loaves)
            EXPECT_EQ(each.median_ms, 8.0) << "checksums are what they were";
        const auto earlier = must(list_earlier_results(workspace, ResultQuery{.domain = "loaves"}));
        EXPECT_EQ(earlier.size(), version < 6 ? 0U : 1U);
        for (const ResultRecord& each : earlier)
            EXPECT_EQ(each.engine, version < 9 ? "" : "engine 1") << "none was kept before";
        EXPECT_EQ(must(list_failed_repeats(workspace, ResultQuery{.domain = "loaves"})).size(),
                  version < 8 ? 0U : 1U)
            << "nothing was kept of earlier attempts";
        if (version >= 4) {
            EXPECT_EQ(rematch.back().turns_ms, (std::vector{0.75, 0.5}));
            EXPECT_EQ(rematch.front().error, "7 GiB of memory are not there");
        }
    }
}

} // namespace
} // namespace sparsight
