// Parameters of LLVM-MCA are found again from times that LLVM-MCA itself says, by trials of single ones; and
// what such times do not determine is told.
#include "domains/blocks/tuning/table_search.h"

#include "block_fixture.h"
#include "domains/blocks/simulator/table_file.h"
#include "domains/blocks/simulator/table_simulator.h"
#include "domains/blocks/tuning/parameter_verdicts.h"
#include "domains/blocks/tuning/tuning_report.h"

#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::HasSubstr;

class TableSearchTest : public BlockTest {
protected:
    /// Measured by the simulator with LLVM's parameters; each block is a group of its own.
    void add_block(std::string_view assembly) {
        TuningBlock block{decoder_.assemble(assembly, AssemblySyntax::Intel).value(),
                          {},
                          0,
                          blocks_.blocks.size(),
                          TuningPart::Training};
        const std::array codes{&block.code};
        block.classes = simulator_->classes(codes).value().front().value();
        blocks_.blocks.push_back(std::move(block));
        TuningBlock& added = blocks_.blocks.back();
        const std::array<std::size_t, 1> place{blocks_.blocks.size() - 1};
        added.cycles =
            simulate_blocks(*simulator_, simulator_->original(), blocks_.blocks, place, {}).value().front();
    }
    void add_chains() {
        for (const std::string_view chain :
             {"imul rax, rbx", "imul rcx, rdx", "imul rax, rax", "imul rax, rbx\nadd rax, 1",
              "imul rsi, rdi\nsub rsi, 3", "imul rdx, rbx\nimul rdx, rcx"})
            add_block(chain);
        multiplies_ = blocks_.blocks.front().classes.front();
    }
    [[nodiscard]] std::vector<std::size_t> of_class(std::size_t place) const {
        return blocks_by_class(blocks_.blocks, simulator_->original().classes.size(),
                               TuningPart::Training)[place];
    }

    std::unique_ptr<TableSimulator> simulator_ = TableSimulator::make("hsw", 1).value();
    TuningBlocks blocks_;
    std::size_t multiplies_ = 0;
};

TEST_F(TableSearchTest, FindsASpoiledLatencyAgain) {
    add_chains();
    for (const int spoiled : {1, 2, 5, 9}) {
        TableSearch search{simulator_->original()};
        search.table.classes[multiplies_].values[Latency] = spoiled;
        const auto places = of_class(multiplies_);
        ASSERT_TRUE(search_class(search, multiplies_, blocks_, places, *simulator_, {}, {}));
        EXPECT_NEAR(search.table.classes[multiplies_].values[Latency], 3, 0) << spoiled;
        EXPECT_GT(search.changes, 0U);
    }
}

TEST_F(TableSearchTest, LeavesATableAloneThatIsRight) {
    add_chains();
    TableSearch search{simulator_->original()};
    const auto classes = searchable_classes(blocks_, search.table.classes.size(), {});
    ASSERT_FALSE(classes.empty());
    EXPECT_EQ(classes.front(), multiplies_) << "the most frequent one";
    for (const std::size_t each : classes)
        ASSERT_TRUE(search_class(search, each, blocks_, of_class(each), *simulator_, {}, {}));
    EXPECT_EQ(search.changes, 0U);
    EXPECT_EQ(search.table, simulator_->original());
}

TEST_F(TableSearchTest, TellsWhatTheTimesDetermine) {
    add_chains();
    const auto judged = judge_parameters(simulator_->original(), multiplies_, blocks_, of_class(multiplies_),
                                         *simulator_, {}, {})
                            .value();
    const auto of = [&](std::size_t value) {
        return std::ranges::find(judged, ParameterPlace{multiplies_, value}, &JudgedParameter::place)
            ->determination;
    };
    EXPECT_EQ(of(Latency), Determination::Determined);
    EXPECT_EQ(of(MicroOps), Determination::Undetermined) << "a chain leaves room for more of them";
    const std::vector<std::size_t> places = of_class(multiplies_);
    const auto few = judge_parameters(simulator_->original(), multiplies_, blocks_,
                                      std::span(places).first(2), *simulator_, {}, {})
                         .value();
    EXPECT_EQ(few.front().determination, Determination::FewBlocks);
}

TEST_F(TableSearchTest, AStopEndsTheSearch) {
    add_chains();
    TableSearch search{simulator_->original()};
    std::stop_source source;
    source.request_stop();
    const auto places = of_class(multiplies_);
    const auto ended =
        search_class(search, multiplies_, blocks_, places, *simulator_, {}, source.get_token());
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().fault, Fault::Cancelled);
}

TEST_F(TableSearchTest, TheReportIsAFileOfParameters) {
    add_chains();
    TuningTable table{simulator_->original(), simulator_->original(), {}};
    table.learned.classes[multiplies_].values[Latency] = 4;
    table.parameters =
        judge_parameters(table.learned, multiplies_, blocks_, of_class(multiplies_), *simulator_, {}, {})
            .value();
    EXPECT_EQ(parse_table("t.csv", csv_of(table), table.original).value(), table.learned);
    EXPECT_EQ(json_of(table).at(0).at("learned"), 4);
    EXPECT_EQ(json_of(table).at(0).at("original"), 3);
    EXPECT_THAT(text_of(table, 10), HasSubstr("latency"));

    const auto places = blocks_.of(TuningPart::Training);
    const auto right = simulate_blocks(*simulator_, table.original, blocks_.blocks, places, {}).value();
    const auto wrong = simulate_blocks(*simulator_, table.learned, blocks_.blocks, places, {}).value();
    const TuningComparison compared = compare_tables(wrong, right, blocks_.blocks, places);
    EXPECT_EQ(compared.groups, blocks_.blocks.size());
    EXPECT_EQ(compared.learned.mape.value, 0);
    EXPECT_GT(compared.original.mape.value, 0.1);
    EXPECT_NEAR(compared.change.value, -compared.original.mape.value, 1e-12);
    ASSERT_TRUE(compared.change.interval);
    EXPECT_LT(compared.change.interval->high, 0);
}

TEST(MeanDifference, CountsAGroupOnce) {
    std::vector<TuningBlock> blocks(40);
    std::vector<std::size_t> places;
    std::vector<double> differences;
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        blocks[at].group = at / 10;
        places.push_back(at);
        differences.push_back(at / 10 == 0 ? -1.0 : 0.1);
    }
    const MeanDifference found = mean_difference(differences, blocks, places);
    EXPECT_EQ(found.groups, 4U);
    EXPECT_NEAR(found.mean, -0.175, 1e-12);
    EXPECT_FALSE(found.is_below_zero(2)) << "one group of four says little";
}

} // namespace
} // namespace sparsight
