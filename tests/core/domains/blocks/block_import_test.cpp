// Tables of measured blocks in a workspace.
#include "domains/blocks/exchange/block_import.h"

#include "block_fixture.h"
#include "domains/blocks/block_domain.h"
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

} // namespace
} // namespace sparsight
