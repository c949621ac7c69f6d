// A workspace of every earlier version opens and is brought up to date with all that is in it. Each version
// has a golden dump in tests/data/workspaces; a new version adds the dump of the one before it.
#include "store/choices.h"
#include "store/models.h"
#include "store/rematches.h"
#include "store/results.h"
#include "store/schema.h"
#include "store/splits.h"
#include "store/sqlite.h"
#include "store/stored_pattern.h"
#include "store/training_states.h"
#include "store_fixture.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sstream>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

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
                HasSubstr("an older Sparsight wrote this workspace: its format is version 0"));
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
        EXPECT_TRUE(check_integrity(workspace));

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
        if (version >= 4) {
            EXPECT_EQ(rematch.front().turns_ms, (std::vector{0.75, 0.5}));
            EXPECT_EQ(rematch.back().error, "7 GiB of memory are not there");
        }
    }
}

} // namespace
} // namespace sparsight
