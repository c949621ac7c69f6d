// The study of blocks: its cells, its blocks, and how a workspace keeps what is finished.
#include "domains/blocks/study/study_figures.h"
#include "domains/blocks/study/study_report.h"

#include "domains/blocks/block_domain.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(BlockStudyPlan, NoCellStandsBeforeTheOneThatItIsAdaptedFrom) {
    const std::vector<std::string> machines{"hsw", "ivb", "skl"};
    const StudySizes sizes;
    const auto cells = study_cells(sizes, machines, 42'000);
    std::set<StudyCell> before;
    for (const StudyCell& cell : cells) {
        const bool is_adapted = !cell.target.empty() && cell.is_network() && cell.way != from_scratch;
        EXPECT_TRUE(!is_adapted || before.contains(base_of(cell, sizes, machines))) << describe(cell);
        EXPECT_TRUE(before.insert(cell).second) << describe(cell);
    }
    EXPECT_TRUE(before.contains(explained_cell(sizes, machines)));
}

TEST(BlockStudyPlan, FitsIntoTwelveHoursOnTwoCores) {
    double seconds = 0;
    double longest = 0;
    for (const StudyCell& cell : study_cells({}, {"hsw", "ivb", "skl"}, 42'000)) {
        seconds += expected_seconds(cell, 42'000);
        longest = std::max(longest, expected_seconds(cell, 42'000));
    }
    EXPECT_LE(seconds, 2 * 12 * 3600);
    EXPECT_LE(longest, 100 * 60) << "of one training, on one core";
}

TEST(BlockStudyPlan, QuickTrainingsHaveMoreSeeds) {
    const auto cells = study_cells({}, {"hsw", "ivb", "skl"}, 42'000);
    const auto seeds = [&](const StudyCell& kind) {
        return std::ranges::count_if(cells, [&](StudyCell cell) {
            cell.seed = kind.seed;
            return cell == kind;
        });
    };
    EXPECT_EQ(seeds({.model = "ithemal", .machines = {"hsw"}, .epochs = 40, .width = 64}), 5);
    EXPECT_EQ(seeds({.model = "granite", .machines = {"hsw"}, .epochs = 30, .width = 64}), 2);
    EXPECT_EQ(seeds({.model = "gray-trees", .machines = {"hsw", "ivb", "skl"}}), 1) << "without chance";
}

TEST(BlockStudyPlan, RefusesAPartThatThereIsNot) {
    EXPECT_THAT(check({.parts = {"speed"}}).error().message,
                HasSubstr("'speed' is no part of the study, expected some of: accuracy, ablations"));
    EXPECT_TRUE(check({.parts = {"transfer"}}));
}

class BlockStudyData : public ::testing::Test {
protected:
    BlockStudyData() {
        const std::string date = measuring_date();
        for (int number = 0; number < 400; ++number) {
            const std::string name = fmt::format("b{:03}", number);
            const WorkloadId id = add_workload_name(workspace_, blocks_domain, name, "test").value();
            const nlohmann::json facts{{"code", number % 2 == 0 ? "4801d8" : "480fafc3"},
                                       {"applications", number % 3 == 0 ? "a;b" : "a"},
                                       {std::string(stored_apart), number % 20 == 19}};
            // Two blocks in each group.
            EXPECT_TRUE(describe_workload(workspace_, id,
                                          {facts.dump(), "test", fmt::format("group-{}", number / 2)}));
            for (const char* const machine : {"hsw", "skl", "zenp"}) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = time_of_cycles(100.0 * (1 + number % 7));
                measurement.repeats = 1;
                const MeasurementConditions conditions{id,
                                                       recorded_machine(workspace_, machine).value(),
                                                       {std::string(blocks_domain), {}},
                                                       "recorded"};
                EXPECT_TRUE(record_measurement(workspace_, conditions, code_as_it_is(), measurement,
                                               std::nullopt, date));
            }
        }
    }

    /// Each block `factor` times as long as it was measured.
    static CellResult predicted(const StudyBlocks& blocks, const std::vector<std::string>& machines,
                                double factor) {
        CellResult result;
        for (const std::string& machine : machines)
            for (const StudyBlock& block : blocks.blocks)
                if (block.side == StudySide::Test)
                    result.predicted[machine].emplace(block.id, factor * block.cycles[0]);
        result.figures = {{std::string(wall_seconds), 20},
                          {std::string(core_seconds), 10},
                          {std::string(blocks_trained), 1000},
                          {std::string(inference_seconds), 0.5},
                          {std::string(blocks_predicted), 100}};
        return result;
    }
    void finish(StudyRecord& record, const StudyCell& cell, const CellResult& result) {
        const auto claimed = record.claim(cell).value();
        ASSERT_TRUE(claimed);
        ASSERT_TRUE(record.finish(*claimed, result));
    }

    TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_.path() / "w.sparsight", "test").value();
};

TEST_F(BlockStudyData, GroupsStayTogetherAndHeldOutOnesAndZenAreLeftOut) {
    const StudyBlocks study = read_study_blocks(workspace_, {}, 1).value();
    EXPECT_EQ(study.machines, (std::vector<std::string>{"hsw", "skl"}));
    EXPECT_EQ(study.apart, 20);
    EXPECT_EQ(study.blocks.size(), 380);
    std::map<std::string, StudySide> sides;
    for (const StudyBlock& block : study.blocks)
        EXPECT_EQ(sides.try_emplace(block.group, block.side).first->second, block.side) << block.name;
    const std::size_t test = study.count(StudySide::Test, 0);
    EXPECT_GT(test, 15);
    EXPECT_LT(test, 70);
    EXPECT_EQ(study.count(StudySide::Train, 0) + study.count(StudySide::Validation, 0) + test, 380);
    EXPECT_DOUBLE_EQ(study.blocks[3].cycles[0], 4);
    EXPECT_NE(read_study_blocks(workspace_, {}, 2).value().digest, study.digest);
    EXPECT_THAT(read_study_blocks(workspace_, {"p6"}, 1).error().message,
                HasSubstr("no block has a time on 'p6', expected some of: hsw, skl, zenp"));
}

TEST_F(BlockStudyData, FewBlocksAreOfAGroupEachAndPartOfMore) {
    const StudyBlocks study = read_study_blocks(workspace_, {}, 1).value();
    const auto ten = study.drawn(0, 10, 1);
    const auto more = study.drawn(0, 30, 1);
    EXPECT_EQ(ten.size(), 10);
    std::set<std::string> groups;
    for (const std::string& name : ten) {
        EXPECT_THAT(more, Contains(name));
        const auto block = std::ranges::find(study.blocks, name, &StudyBlock::name);
        EXPECT_EQ(block->side, StudySide::Train);
        EXPECT_TRUE(groups.insert(block->group).second) << "two of one group";
    }
    EXPECT_NE(study.drawn(0, 10, 2), ten);
}

TEST_F(BlockStudyData, AFinishedCellIsFoundAgainAndAStoppedOneGoesOn) {
    const StudyBlocks study = read_study_blocks(workspace_, {}, 1).value();
    StudyRecord record(workspace_, study);
    const StudyCell cell{.model = "ithemal", .machines = {"hsw"}, .epochs = 2, .width = 8};
    RunId first{};
    {
        const auto claimed = record.claim(cell).value();
        ASSERT_TRUE(claimed);
        first = claimed->run;
        EXPECT_FALSE(record.find(cell).value());
        const std::vector<std::byte> state(3);
        ASSERT_TRUE(save_training_state(workspace_, first, state));
        ASSERT_TRUE(record.leave(*claimed, {Fault::Cancelled, "stopped", {}, 0}));
    }
    const auto again = record.claim(cell).value();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->run, first);
    ASSERT_TRUE(again->state) << "where its training goes on";
    ASSERT_TRUE(record.finish(*again, predicted(study, {"hsw"}, 2)));
    EXPECT_FALSE(record.claim(cell).value()) << "nothing is left to do";
    const auto found = record.find(cell).value();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->predicted, predicted(study, {"hsw"}, 2).predicted);
    EXPECT_EQ(found->figures.at("core_seconds"), 10);
    StudyCell other = cell;
    other.epochs = 3;
    EXPECT_FALSE(record.is_finished(other).value());
    const StudyBlocks otherwise = read_study_blocks(workspace_, {}, 2).value();
    EXPECT_FALSE(StudyRecord(workspace_, otherwise).is_finished(cell).value()) << "other blocks train it";
}

TEST_F(BlockStudyData, FiguresCompareMachinesModelsAndGoals) {
    const StudySizes sizes = small_study();
    const StudyBlocks blocks = read_study_blocks(workspace_, {}, 1).value();
    StudyRecord record(workspace_, blocks);
    const std::vector<std::string> both{"hsw", "skl"};
    StudyCell granite{
        .model = "granite", .machines = both, .epochs = sizes.granite_epochs, .width = sizes.width};
    finish(record, {.model = std::string(bound_cell), .machines = both}, predicted(blocks, both, 0.9));
    finish(record, {.model = "gray-trees", .machines = both}, predicted(blocks, both, 1.05));
    finish(record, granite, predicted(blocks, both, 1.12));
    granite.machines = {"hsw"};
    finish(record, granite, predicted(blocks, {"hsw"}, 1.3));
    for (const std::size_t shots : {std::size_t{0}, std::size_t{5}})
        finish(record,
               {.model = "ithemal",
                .machines = {"skl"},
                .way = std::string(fine_tuned),
                .target = "hsw",
                .shots = shots,
                .epochs = sizes.transfer_epochs,
                .width = sizes.width},
               predicted(blocks, {"hsw"}, shots == 0 ? 2 : 1.5));

    const auto study = read_block_study(workspace_, sizes);
    ASSERT_TRUE(study) << study.error().text();
    EXPECT_FALSE(study->missing.empty());
    const BlockStudyReport report(*study);
    const auto value = [&](const char* section, const char* model, const char* of, std::string_view figure,
                           std::size_t shots = 0) {
        for (const StudyFigure& each : report.figures)
            if (each.section == section && each.model == model && each.of == of && each.figure == figure &&
                each.shots == shots)
                return each.estimate.value;
        ADD_FAILURE() << section << ' ' << model << ' ' << of << ' ' << figure;
        return -1.0;
    };
    EXPECT_NEAR(value("accuracy", "Analytical bound", "Haswell", mean_error), 0.1, 1e-9);
    EXPECT_NEAR(value("accuracy", "GRANITE, one machine", "Haswell", median_error), 0.3, 1e-9);
    EXPECT_NEAR(value("accuracy", "GRANITE, all machines", "Skylake", tau_figure), 1, 1e-9);
    EXPECT_NEAR(value("multi-task", "GRANITE, all machines", "Haswell", error_difference), -0.18, 1e-9);
    EXPECT_NEAR(value("transfer", "Ithemal, fine-tuned", "Haswell", mean_error, 5), 0.5, 1e-9);
    EXPECT_NEAR(
        value("throughput", "GRANITE, all machines", "Haswell, Skylake", "training, blocks a core second"),
        100, 1e-9);
    EXPECT_NEAR(value("classes", "Analytical bound", "integer arithmetic", mean_error), 0.1, 1e-9);
    EXPECT_THAT(report.goals, Contains(HasSubstr("The gray box on Haswell: mean error 5.0 %")));
    EXPECT_THAT(report.goals, Contains(HasSubstr("the goal of 9.0 % is reached")));
    EXPECT_THAT(report.goals,
                Contains(HasSubstr("(GRANITE, all machines); the goal of 10.0 % is missed by")));
    const std::string page = report.html();
    EXPECT_THAT(page, HasSubstr("better beyond chance"));
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(page, HasSubstr("Not finished yet"));
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_THAT(report.csv(), HasSubstr("\r\naccuracy,Analytical bound,Haswell,mean error,0,0.1,"));
}

TEST_F(BlockStudyData, FiguresOfOthersSayHowTheyAreKnown) {
    write_file(folder_.path() / "p.csv",
               "paper_or_source,uarch,tool,metric,value,status\nX (2020),SKL,Ithemal,MAPE_percent,9.5,read\n"
               "X (2020),ZEN2,Ithemal,MAPE_percent,9.5,read\nX (2020),SKL,Ithemal,blocks,3,read\n");
    const auto figures = read_published_figures(folder_.path() / "p.csv", {"hsw", "skl"});
    ASSERT_TRUE(figures) << figures.error().text();
    ASSERT_EQ(figures->size(), 1);
    EXPECT_EQ(figures->front().machine, "Skylake");
    EXPECT_EQ(figures->front().status, "read");
    write_file(folder_.path() / "q.csv", "uarch,tool\nSKL,Ithemal\n");
    EXPECT_THAT(read_published_figures(folder_.path() / "q.csv", {"skl"}).error().text(),
                HasSubstr("has no column paper_or_source"));
}

} // namespace
} // namespace sparsight::testing
