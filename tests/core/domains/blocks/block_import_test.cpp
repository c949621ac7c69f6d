// Tables of measured blocks in a workspace.
#include "domains/blocks/exchange/block_import.h"

#include "block_fixture.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/tables/machine_tables.h"
#include "store/machines.h"
#include "store/results.h"
#include "store/workloads.h"

#include <nlohmann/json.hpp>
#include <thread>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::shared_path;
using ::testing::SizeIs;
using testing::write_file;

constexpr std::string_view small_table = "block_id,hex,may_alias,group_id,tp_hsw,tp_skl,mca_hsw\n"
                                         "one,4801d8,0,g1,100,99.5,\n"
                                         "two,4883c001,1,g2,101,,7\n"
                                         "three,4883c002,0,g2,,98,\n"
                                         "bad,06,0,g3,1,1,\n"
                                         "slow,90,0,g4,-1,1,\n"
                                         "one,4801d8,0,g1,5,5,\n"
                                         "one,90,0,g5,5,5,\n";

class BlockImportTest : public BlockTest {
protected:
    BlockImportReport import(const BlockImportRequest& request, const std::stop_token& stop = {}) {
        Observer nobody;
        return import_blocks(workspace_, decoder_, request, nobody, stop).value();
    }
    std::vector<ResultRecord> results() {
        return list_results(workspace_, ResultQuery{.domain = std::string(blocks_domain)}).value();
    }

    testing::TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "w.sparsight", "test").value();
    std::filesystem::path small_ = write_file(folder_ / "small.csv", small_table);
};

TEST_F(BlockImportTest, KeepsBlocksWithTheirTimesAndSaysWhichLinesItCouldNotTake) {
    const BlockImportReport report = import({.files = {small_}});
    EXPECT_EQ(report.blocks, 3);
    EXPECT_EQ(report.groups, 2);
    EXPECT_EQ(report.machines, 2);
    EXPECT_EQ(report.measurements, 4);
    EXPECT_EQ(report.repeated, 1);
    EXPECT_EQ(report.problem_count, 3);
    ASSERT_THAT(report.first_problems, SizeIs(3));
    EXPECT_THAT(report.first_problems[2].text(),
                HasSubstr("small.csv:8: the block one has other code in an earlier"));
    EXPECT_THAT(report.first_problems[0].text(),
                HasSubstr("small.csv:5: bad: byte 1 begins no x86-64 instruction"));
    EXPECT_THAT(report.first_problems[1].text(), HasSubstr("small.csv:6: column tp_hsw: found \"-1\""));
    EXPECT_THAT(results(), SizeIs(4));

    const auto two = find_workload(workspace_, blocks_domain, "two").value().value();
    const auto three = find_workload(workspace_, blocks_domain, "three").value().value();
    EXPECT_EQ(two.known.content_hash, three.known.content_hash) << "one group";
    const auto facts = nlohmann::json::parse(two.known.facts);
    EXPECT_EQ(facts["instructions"], 1);
    EXPECT_EQ(facts["code"], "4883c001");
    EXPECT_EQ(facts["may_alias"], true);
    const auto payload = load_payload(workspace_, two.id).value();
    ASSERT_THAT(payload, SizeIs(1));
    EXPECT_EQ(payload[0].content.size(), 4);
}

TEST_F(BlockImportTest, AgainAddsNothingAndAChangedTimeReplacesTheStoredOne) {
    import({.files = {small_}});
    const BlockImportReport again = import({.files = {small_}});
    EXPECT_EQ(again.added(), 0);
    EXPECT_EQ(again.already_there, 4);
    write_file(small_, "block_id,hex,tp_hsw\none,4801d8,200\n");
    const BlockImportReport changed = import({.files = {small_}});
    EXPECT_EQ(changed.replaced, 1);
    EXPECT_THAT(results(), SizeIs(4));
    write_file(small_, "block_id,hex,tp_skl\none,480fafc3,200\n");
    const BlockImportReport other = import({.files = {small_}});
    EXPECT_EQ(other.blocks, 0) << "times of two codes would be mixed";
    EXPECT_THAT(other.first_problems[0].message, HasSubstr("other code in the workspace"));
}

TEST_F(BlockImportTest, TakesTheMachinesThatAreAskedForAndLeavesAliasingOut) {
    const BlockImportReport report =
        import({.files = {small_}, .machines = {"skl"}, .leaves_out_aliasing = true});
    EXPECT_EQ(report.machines, 1);
    EXPECT_EQ(report.measurements, 2);
    EXPECT_EQ(report.aliasing, 1);
    Observer nobody;
    const auto wrong =
        import_blocks(workspace_, decoder_, {.files = {small_}, .machines = {"znver1"}}, nobody, {});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message, "no file has times of 'znver1', expected one of: hsw, skl");
}

TEST_F(BlockImportTest, ATableWithoutCodeIsRefusedAndOthersAreTaken) {
    const auto other = write_file(folder_ / "other.csv", "block_id,tp_hsw\none,1\n");
    const BlockImportReport report = import({.files = {other, small_}});
    EXPECT_EQ(report.blocks, 3);
    EXPECT_THAT(report.first_problems[0].text(), HasSubstr("other.csv:1: the column hex is missing"));
}

TEST_F(BlockImportTest, AStoppedImportKeepsWhatWasReadAndGoesOnFromThere) {
    SPARSIGHT_NEEDS_SHARED("blocks/blocks_train.csv.xz");
    std::stop_source stop;
    stop.request_stop();
    const BlockImportRequest request{.files = {shared_path("blocks/blocks_train.csv.xz")},
                                     .machines = {"skl"}};
    const BlockImportReport stopped = import(request, stop.get_token());
    EXPECT_TRUE(stopped.is_stopped);
    EXPECT_EQ(stopped.blocks, 20'000);
    const BlockImportReport whole = import(request);
    EXPECT_EQ(whole.blocks, 95'333);
    EXPECT_EQ(whole.already_there, stopped.measurements);
}

TEST(BlocksDomain, HasOneConfiguration) {
    const auto domain = make_blocks_domain();
    const Setting setting = domain->parse_setting("").value();
    EXPECT_EQ(domain->written(setting, " as it is ").value(), code_as_it_is());
    EXPECT_FALSE(domain->written(setting, "faster"));
    EXPECT_FALSE(domain->parse_setting("spmm"));
    EXPECT_THAT(domain->space({.setting = setting}).value()->configurations(), SizeIs(1));
}

TEST_F(BlockImportTest, KeepsThePortsOfInstructionsWithEachMachineThatTheTableKnows) {
    const auto ports = write_file(folder_ / "ports.csv",
                                  "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                                  "haswell,\"ADD_01 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n");
    const BlockImportReport report = import({.files = {small_}, .port_tables = {ports}});
    EXPECT_THAT(report.machines_with_ports, ElementsAre("hsw"));
    const auto machine = find_named_machine(workspace_, "hsw").value().value();
    const auto table = parse_port_table(machine_table(workspace_, machine.id, blocks_domain).value()).value();
    EXPECT_THAT(table.costs(), SizeIs(1));
    ASSERT_TRUE(remove_machine_with_times(workspace_, machine.id).has_value());
    EXPECT_EQ(machine_table(workspace_, machine.id, blocks_domain).value(), "") << "it goes with the machine";

    Observer nobody;
    const auto foreign = write_file(folder_ / "foreign.csv",
                                    "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                                    "zen2,\"ADD_01 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n");
    const auto refused =
        import_blocks(workspace_, decoder_, {.files = {small_}, .port_tables = {foreign}}, nobody, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().text(),
                HasSubstr("foreign.csv: has the ports of none of the machines hsw, skl"));
}

TEST_F(BlockImportTest, MarksBlocksWhoseGroupIsHeldOut) {
    const auto table = write_file(folder_ / "t.csv", "block_id,hex,group_in_other_split,tp_hsw\n"
                                                     "a,4801d8,1,100\nb,4883c001,0,100\nc,90,2,100\n");
    const BlockImportReport report = import({.files = {table}});
    EXPECT_EQ(report.apart, 1);
    EXPECT_THAT(report.first_problems.at(0).text(),
                HasSubstr("column group_in_other_split: found \"2\", expected 0 or 1"));
    const auto facts = [&](std::string_view name) {
        return nlohmann::json::parse(
            find_workload(workspace_, blocks_domain, name).value().value().known.facts);
    };
    EXPECT_EQ(facts("a")[std::string(stored_apart)], true);
    EXPECT_FALSE(facts("b").contains(std::string(stored_apart)));

    const auto silent = write_file(folder_ / "silent.csv", "block_id,hex,tp_hsw\na,4801d8,100\n");
    EXPECT_EQ(import({.files = {silent}}).apart, 1);
    EXPECT_EQ(facts("a")[std::string(stored_apart)], true) << "a table that does not say it changes nothing";
}

} // namespace
} // namespace sparsight
