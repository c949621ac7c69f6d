// LLVM-MCA with a copy of its tables: the same times where nothing is changed, and the effect of each kind of
// parameter.
#include "domains/blocks/simulator/table_simulator.h"

#include "base/random.h"
#include "block_fixture.h"
#include "domains/blocks/analyser/mca_model.h"
#include "domains/blocks/simulator/table_file.h"
#include "domains/blocks/simulator/table_sampling.h"

#include <array>
#include <set>

namespace sparsight {
namespace {

using testing::BlockTest;
using testing::shared_path;

class TableSimulatorTest : public BlockTest {
protected:
    [[nodiscard]] MachineCode code(std::string_view assembly) const {
        return decoder_.assemble(assembly, AssemblySyntax::Intel).value();
    }
    [[nodiscard]] std::vector<std::size_t> classes(const MachineCode& code) {
        const std::array codes{&code};
        return simulator_->classes(codes).value().front().value();
    }
    [[nodiscard]] Result<double> simulated(const MachineCode& code, const SimulatorTable& table) {
        const std::vector<std::size_t> places = classes(code);
        const std::array queries{query_of(code, places, table)};
        return simulator_->cycles(queries, usual_iterations, {}).value().front();
    }
    /// With one parameter of the class of the first instruction changed.
    [[nodiscard]] double cycles(std::string_view assembly, std::size_t value, int to) {
        const MachineCode one = code(assembly);
        SimulatorTable table = simulator_->original();
        table.classes[classes(one).front()].values[value] = to;
        return simulated(one, table).value();
    }
    [[nodiscard]] double cycles(std::string_view assembly, ProcessorParameter value, int to) {
        SimulatorTable table = simulator_->original();
        table.processor[static_cast<std::size_t>(value)] = to;
        return simulated(code(assembly), table).value();
    }
    [[nodiscard]] double cycles(std::string_view assembly) {
        return simulated(code(assembly), simulator_->original()).value();
    }
    [[nodiscard]] std::size_t resource(std::string_view name) const {
        const auto& names = simulator_->original().resources;
        return FirstPort + static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    }

    std::unique_ptr<TableSimulator> simulator_ = TableSimulator::make("hsw", 1).value();
};

TEST_F(TableSimulatorTest, UnchangedTablesGiveTheTimesOfLLVMToTheBit) {
    SPARSIGHT_NEEDS_SHARED("blocks/blocks_train.csv.xz");
    const std::vector<MachineCode> codes = measured_blocks(45);
    for (const std::string_view machine : {"hsw", "ivb", "skl"}) {
        const auto simulator = TableSimulator::make(machine, 1).value();
        const auto model = McaModel::make(decoder_, machine, McaFigure::TotalCycles).value();
        std::size_t compared = 0;
        for (const MachineCode& each : codes) {
            const DecodedBlock one{each, decoder_.decode(each).value()};
            const auto expected = model->cycles(std::span(&one, 1));
            const std::array pointers{&each};
            const auto places = simulator->classes(pointers).value().front();
            ASSERT_EQ(expected.has_value(), places.has_value()) << machine << ' ' << to_hex(each);
            if (!places)
                continue;
            const std::array queries{query_of(each, *places, simulator->original())};
            ASSERT_EQ(simulator->cycles(queries, usual_iterations, {}).value().front().value(),
                      expected->front())
                << machine << ' ' << to_hex(each);
            ++compared;
        }
        EXPECT_GE(compared, 2000U) << machine;
    }
}

TEST_F(TableSimulatorTest, AChainTakesAsLongAsItsLatency) {
    EXPECT_NEAR(cycles("imul rax, rbx"), 3, 0.2);
    EXPECT_NEAR(cycles("imul rax, rbx", Latency, 7), 7, 0.2);
    EXPECT_NEAR(cycles("imul rax, rbx", Latency, 1), 1, 0.2) << "no more than its port allows";
    EXPECT_NEAR(cycles("imul rax, rbx"), 3, 0.2) << "the change is undone";
}

TEST_F(TableSimulatorTest, MicroOperationsFillTheDispatchWidth) {
    constexpr std::string_view apart = "add rax, 1\nadd rbx, 1\nadd rcx, 1\nadd rdx, 1";
    EXPECT_NEAR(cycles(apart), 1, 0.1);
    EXPECT_NEAR(cycles(apart, MicroOps, 4), 4, 0.1);
    EXPECT_NEAR(cycles(apart, ProcessorParameter::DispatchWidth, 2), 2, 0.1);
}

TEST_F(TableSimulatorTest, CyclesOnAPortKeepOthersWaiting) {
    constexpr std::string_view apart = "imul rax, rbx, 3\nimul rcx, rbx, 3";
    EXPECT_NEAR(cycles(apart), 2, 0.1);
    EXPECT_NEAR(cycles(apart, resource("HWPort1"), 3), 6, 0.2);
    EXPECT_NEAR(cycles(apart, resource("HWPort4"), 2), 4, 0.2) << "a port that it did not use before";
}

TEST_F(TableSimulatorTest, AReadAdvanceTakesTheLatencyOfALoadOutOfTheChain) {
    EXPECT_NEAR(cycles("add rax, qword ptr [rbx]"), 1, 0.2);
    EXPECT_NEAR(cycles("add rax, qword ptr [rbx]", FirstAdvance, 0), 6, 0.2);
    EXPECT_NEAR(cycles("imul rax, rbx", FirstAdvance, 2), 1, 0.2) << "where LLVM has none";
}

TEST_F(TableSimulatorTest, ASmallReorderBufferDoesNotHideLatencies) {
    constexpr std::string_view loads = "mov rax, qword ptr [rbx]\nmov rcx, qword ptr [rbx]\n"
                                       "mov rdx, qword ptr [rbx]\nmov rsi, qword ptr [rbx]";
    EXPECT_NEAR(cycles(loads), 2, 0.2);
    EXPECT_GT(cycles(loads, ProcessorParameter::ReorderBuffer, 2), 8);
}

TEST_F(TableSimulatorTest, KnowsTheClassThatOperandsDecide) {
    const auto zeroing = classes(code("xor eax, eax"));
    const auto other = classes(code("xor eax, ebx"));
    EXPECT_NE(zeroing, other);
    EXPECT_TRUE(classes(code("ret")).empty()) << "calls and returns are not simulated";
}

TEST_F(TableSimulatorTest, ThreadsGiveTheSameTimes) {
    const auto several = TableSimulator::make("hsw", 3).value();
    const std::array codes{code("imul rax, rbx"), code("add rax, qword ptr [rbx]"), code("div rcx")};
    std::vector<std::vector<std::size_t>> places;
    for (const MachineCode& each : codes)
        places.push_back(classes(each));
    std::vector<SimulationQuery> queries;
    for (std::size_t at = 0; at < 60; ++at)
        queries.push_back(query_of(codes[at % 3], places[at % 3], simulator_->original()));
    const auto alone = simulator_->cycles(queries, usual_iterations, {}).value();
    const auto together = several->cycles(queries, usual_iterations, {}).value();
    for (std::size_t at = 0; at < queries.size(); ++at)
        EXPECT_EQ(*alone[at], *together[at]);
}

TEST_F(TableSimulatorTest, TakesEveryTableThatIsSampled) {
    Random random(7);
    const SimulatorTable& original = simulator_->original();
    for (const std::string_view assembly :
         {"add rax, qword ptr [rbx]\nimul rcx, rax", "div rcx\nmov qword ptr [rdi], rax",
          "vaddps ymm0, ymm1, ymm2\nvdivpd ymm3, ymm0, ymm1"})
        for (const auto sampling : {TableSampling::Published, TableSampling::AroundTable})
            for (int draw = 0; draw < 50; ++draw) {
                const MachineCode one = code(assembly);
                SimulatorTable table = original;
                table.processor = sample_processor(original, sampling, random);
                for (const std::size_t place : classes(one))
                    table.classes[place].values = sample_class(original, original, place, sampling, random);
                const auto found = simulated(one, table);
                ASSERT_TRUE(found) << found.error().text();
                EXPECT_GT(*found, 0);
            }
}

TEST_F(TableSimulatorTest, NamesOfParametersAreUnique) {
    std::set<std::string> names;
    for (const SchedulingClass& each : simulator_->original().classes)
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
}

} // namespace
} // namespace sparsight
