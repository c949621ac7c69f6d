// Machines compared by the recorded times of one workload.
#include "domains/records/exchange/record_import.h"
#include "domains/records/records.h"
#include "domains/sparse/sparse_domain.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"
#include "workflow/evaluation/comparison_tables.h"
#include "workflow/machines/data_sheets.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::write_file;

class MachineComparisonTest : public ::testing::Test {
protected:
    void import(const std::filesystem::path& file) {
        Observer silent;
        const auto report = import_records(workspace_, {.files = {file}}, silent, {});
        ASSERT_TRUE(report.has_value());
        ASSERT_EQ(report->problems.count, 0);
    }
    void import_text(std::string_view text) { import(write_file(folder_ / "conv.csv", text)); }
    Result<MachineComparison> compare(const MachineComparisonRequest& request = {}) {
        return compare_machines(workspace_, *domain_, request);
    }
    static std::vector<std::string> labels(const MachineComparison& comparison) {
        std::vector<std::string> labels;
        for (const ComparedMachine& machine : comparison.machines)
            labels.push_back(machine.label);
        return labels;
    }
    /// Of the best of `from` on `to`.
    static double cost(const MachineComparison& comparison, const std::string& to, const std::string& from) {
        const auto place = [&](const std::string& name) {
            return static_cast<std::size_t>(
                std::ranges::find(comparison.machines, name, &ComparedMachine::name) -
                comparison.machines.begin());
        };
        return comparison.matrix.pair(place(to), place(from)).slowdown.value_or(0);
    }

    const TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "records.sparsight", "test").value();
    const std::unique_ptr<const Domain> domain_ = make_records_domain();
};

TEST_F(MachineComparisonTest, SimilarMachinesStandTogetherAndCopyingHasItsPrice) {
    import_text("workload,machine,tile,time_ms\n"
                "conv,A,1,1\nconv,A,2,2\nconv,A,4,3\nconv,A,8,4\n"
                "conv,B,1,40\nconv,B,2,30\nconv,B,4,20\nconv,B,8,10\n"
                "conv,C,1,1\nconv,C,2,2\nconv,C,4,4\nconv,C,8,3\n");
    const auto comparison = compare();
    ASSERT_TRUE(comparison.has_value()) << comparison.error().text();
    EXPECT_EQ(comparison->workload, "conv");
    EXPECT_EQ(comparison->setting.text, "conv");
    EXPECT_THAT(labels(*comparison), ElementsAre("A", "C", "B"));
    EXPECT_EQ(cost(*comparison, "B", "A"), 4);
    EXPECT_EQ(cost(*comparison, "A", "C"), 1);
    EXPECT_EQ(comparison->machines.front().best, "tile=1");
    EXPECT_THAT(comparison_sentence(*domain_, *comparison),
                ::testing::AllOf(HasSubstr("takes 3.50× as long as the best one, in the median."),
                                 HasSubstr("At worst it takes 4.00×")))
        << "of 1, 1, 3, 4, 4 and 4";
    EXPECT_THAT(comparison_text(*domain_, *comparison, MachineFigure::Slowdown), HasSubstr("copied to"));
}

TEST_F(MachineComparisonTest, TwoInstallationsOfAMachineAreComparedLikeTwo) {
    import_text("workload,machine,run,tile,time_ms\n"
                "conv,A,one,1,1\nconv,A,one,2,2\nconv,A,two,1,3\nconv,A,two,2,2\n");
    const auto comparison = compare();
    ASSERT_TRUE(comparison.has_value());
    EXPECT_THAT(labels(*comparison), ElementsAre("A (run=one)", "A (run=two)"));
    EXPECT_EQ(comparison->matrix.pair(1, 0).slowdown, 1.5);
}

TEST_F(MachineComparisonTest, AFailedCopyIsNoNumberInJsonAndTables) {
    import_text("workload,machine,tile,time_ms,status\n"
                "conv,A,1,1,ok\nconv,A,2,2,ok\nconv,B,1,,compile error\nconv,B,2,2,ok\n");
    const auto comparison = compare();
    ASSERT_TRUE(comparison.has_value());
    const Json json = comparison_json(*domain_, *comparison);
    Json copy;
    for (const Json& pair : json["pairs"])
        if (pair["on"] == "B" && pair["from"] == "A")
            copy = pair;
    EXPECT_EQ(copy["fails"], true);
    EXPECT_TRUE(copy["slowdown"].is_null());
    EXPECT_EQ(copy["copied"], "tile=1");
    EXPECT_THAT(comparison_sentence(*domain_, *comparison),
                ::testing::AllOf(HasSubstr("takes 2.00× as long as the best one, in the median."),
                                 HasSubstr("At worst it does not run (from A to B)")));
    EXPECT_THAT(comparison_csv(*domain_, *comparison), HasSubstr("conv,B,A,,true,,,2,1,tile=1\n"));
}

TEST_F(MachineComparisonTest, NamesWhatIsMissing) {
    EXPECT_THAT(compare().error().message, HasSubstr("has no workload"));
    import_text("workload,machine,tile,time_ms\nconv,A,1,1\nconv,A,2,2\ngemm,A,1,1\n");
    EXPECT_THAT(compare().error().message, HasSubstr("one of: conv, gemm"));
    EXPECT_THAT(compare({.workload = "conv"}).error().message, HasSubstr("conv has times of A"));
    EXPECT_FALSE(compare({.workload = "pool"}).has_value());
    EXPECT_FALSE(compare({.workload = "conv", .machines = {"Z"}}).has_value());
}

TEST_F(MachineComparisonTest, RecordsJoinTheMachineThatASheetDescribes) {
    const auto sheet = requested_data_sheet("A100").value();
    const auto added = add_machine_by_sheet(workspace_, "A", sheet).value();
    EXPECT_TRUE(added.is_new);
    import_text("workload,machine,tile,time_ms\nconv,A,1,1\nconv,A,2,2\n");
    const auto again = add_machine_by_sheet(workspace_, "A", sheet).value();
    EXPECT_FALSE(again.is_new);
    EXPECT_FALSE(again.had_facts) << "they are the same";
    EXPECT_EQ(again.measurements, 2);
    EXPECT_EQ(list_machines(workspace_).value().size(), 1);
    EXPECT_EQ(Json::parse(machine_facts(workspace_, added.record.id).value())["cores"], 108);
    EXPECT_THAT(unknown_facts(again.facts), ::testing::Contains("max_vthread_extent"));
}

TEST_F(MachineComparisonTest, ASheetDescribesNoComputerThatIsMeasured) {
    ASSERT_TRUE(record_machine(workspace_, "here", "0123", "{}").has_value());
    const auto added = add_machine_by_sheet(workspace_, "here", requested_data_sheet("A100").value());
    EXPECT_THAT(added.error().message, HasSubstr("another name"));
    EXPECT_THAT(add_machine_by_sheet(workspace_, "", DataSheet()).error().message, HasSubstr("has no name"));
    EXPECT_THAT(requested_data_sheet("A1000").error().message, HasSubstr("presets: "));
}

/// The text of a schedule names the threads of its machine.
TEST_F(MachineComparisonTest, ComparesSchedulesOfMachinesWithOtherNumbersOfThreads) {
    const auto file = folder_ / "demo.sparsight";
    std::filesystem::copy_file(SPARSIGHT_SOURCE_DIR "/resources/demo/demo.sparsight", file);
    Workspace demo = Workspace::open(file).value();
    const auto sparse = make_sparse_domain();
    const auto comparison = compare_machines(demo, *sparse, {.workload = "demo-mesh"});
    ASSERT_TRUE(comparison.has_value()) << comparison.error().text();
    ASSERT_GE(comparison->machines.size(), 3U);
    EXPECT_NE(comparison->machines[0].threads, comparison->machines[1].threads);
    for (const MachinePair& pair : comparison->matrix.pairs) {
        EXPECT_GT(pair.common, 20);
        EXPECT_TRUE(pair.slowdown);
    }
    const ComparedMachine& first = comparison->machines.front();
    EXPECT_NE(first.nickname, "");
    EXPECT_THAT(comparison_text(*sparse, *comparison, MachineFigure::Slowdown), HasSubstr(first.nickname));
}

/// Figures that are known of published records: copying between vendors is dear, and not in both directions.
TEST_F(MachineComparisonTest, CopyingFromNvidiaToAmdCostsSixTimesAsMuch) {
    SPARSIGHT_NEEDS_SHARED("tuning/conv15_milo.csv.xz");
    import(testing::shared_path("tuning/conv15_milo.csv.xz"));
    const auto comparison = compare();
    ASSERT_TRUE(comparison.has_value());
    for (const char* const nvidia : {"A4000", "A6000"})
        for (const char* const amd : {"MI250X", "W6600"}) {
            EXPECT_GT(cost(*comparison, amd, nvidia), 6.0) << nvidia << " to " << amd;
            EXPECT_LT(cost(*comparison, amd, nvidia), 6.8) << nvidia << " to " << amd;
            EXPECT_GT(cost(*comparison, nvidia, amd), 1.4) << amd << " to " << nvidia;
            EXPECT_LT(cost(*comparison, nvidia, amd), 1.7) << amd << " to " << nvidia;
        }
}

} // namespace
} // namespace sparsight
