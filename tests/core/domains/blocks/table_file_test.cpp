// Files with parameters of a simulator are read strictly, and questions to a simulator arrive as they are.
#include "domains/blocks/simulator/table_file.h"

#include "domains/blocks/simulator/block_simulation.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

SimulatorTable small_table() {
    return {
        .machine = "skl",
        .resources = {"Port0", "Port1", "Port01", "Port12"},
        .units = {1, 2, 3, 6},
        .processor = {4, 224},
        .classes = {{"WriteALU", {1, 1, 0, 0, 0, 1, 0, 0, 0}}, {"WriteNop", {0, 0, 0, 0, 0, 0, 0, 0, 0}}}};
}

std::string refusal(std::string_view text) {
    const auto table = parse_table("p.csv", text, small_table());
    return table ? "none" : table.error().text();
}

TEST(TableFile, KeepsEveryParameter) {
    SimulatorTable changed = small_table();
    changed.processor = {6, 97};
    changed.classes[0].values = {2, 3, -1, 4, 5, 6, 7, 8, 0};
    const std::string text = table_text(changed);
    EXPECT_THAT(text, HasSubstr("machine,parameter,value\nskl,dispatch_width,6\nskl,reorder_buffer,97\n"));
    EXPECT_THAT(text, HasSubstr("skl,WriteALU.read_advance_1,-1\n"));
    EXPECT_THAT(text, HasSubstr("skl,WriteALU.Port1,7\n"));
    EXPECT_EQ(parse_table("p.csv", text, small_table()).value(), changed);
    EXPECT_EQ(parse_table_bytes(table_bytes(changed)).value(), changed);
}

TEST(TableFile, LeavesOutWhatIsNotNamed) {
    const auto table =
        parse_table("p.csv", "value,machine,parameter,original\n3,skl,WriteALU.latency,1\n", small_table());
    SimulatorTable expected = small_table();
    expected.classes[0].values[Latency] = 3;
    EXPECT_EQ(table.value(), expected);
}

TEST(TableFile, RefusesWithFileAndLine) {
    const std::string head = "machine,parameter,value\n";
    EXPECT_THAT(refusal("machine,parameter\n"), HasSubstr("p.csv:1: the column value is missing"));
    EXPECT_THAT(refusal("machine,parameter,value,colour\n"), HasSubstr("p.csv:1: unknown column \"colour\""));
    EXPECT_THAT(refusal(head + "hsw,dispatch_width,4\n"), HasSubstr("p.csv:2: "));
    EXPECT_THAT(refusal(head + "hsw,dispatch_width,4\n"), HasSubstr("expected skl"));
    EXPECT_THAT(refusal(head + "skl,WriteALU.Port9,1\n"), HasSubstr("expected a parameter of skl"));
    EXPECT_THAT(refusal(head + "skl,dispatch_width,4\nskl,dispatch_width,4\n"),
                HasSubstr("p.csv:3: dispatch_width stands in line 2, too"));
    for (const std::string_view value : {"0", "17", "4.5", "", "four", "99999999999"})
        EXPECT_THAT(refusal(head + "skl,dispatch_width," + std::string(value) + "\n"),
                    HasSubstr("expected a whole number from 1 to 16"))
            << value;
    EXPECT_THAT(refusal(head + "skl,WriteALU.micro_ops,0\n"), HasSubstr("from 1 to"));
    EXPECT_THAT(refusal(head + "skl,WriteNop.Port0,1\n"),
                HasSubstr("p.csv:2: WriteNop uses resources with 0 micro_ops"));
    EXPECT_THAT(refusal(head + "skl,WriteALU.Port01,1\nskl,WriteALU.Port12,1\n"),
                HasSubstr("WriteALU uses two groups of ports that overlap in part"));
    EXPECT_THAT(refusal(head + "skl,dispatch_width\n"), HasSubstr("p.csv:2: "));
}

TEST(TableFile, FindsEveryParameterByItsName) {
    const SimulatorTable table = small_table();
    const std::array<std::size_t, 2> classes{0, 1};
    const auto places = parameter_places(table, classes);
    EXPECT_EQ(places.size(), processor_parameters + 2 * table.values_a_class());
    for (const ParameterPlace& each : places)
        EXPECT_EQ(find_parameter(table, parameter_name(table, each)), each);
    EXPECT_FALSE(find_parameter(table, "WriteALU"));
    EXPECT_FALSE(find_parameter(table, "WriteALU.Port2"));
}

/// Answers with what it was asked for.
class EchoingSimulator final : public BlockSimulator {
public:
    const SimulatorTable& original() const override { return table_; }
    Result<std::vector<Result<std::vector<std::size_t>>>>
    classes(std::span<const MachineCode* const> codes) override {
        std::vector<Result<std::vector<std::size_t>>> found;
        for (const MachineCode* const code : codes) {
            if (code->size() > 2)
                found.emplace_back(fail(Fault::Input, "too\nlong"));
            else
                found.emplace_back(std::vector<std::size_t>(code->begin(), code->end()));
        }
        return found;
    }
    Result<std::vector<Result<double>>> cycles(std::span<const SimulationQuery> queries, int iterations,
                                               const std::stop_token&) override {
        std::vector<Result<double>> found;
        for (const SimulationQuery& query : queries) {
            double sum = iterations + 0.1 * query.processor[0];
            for (const auto& [place, values] : query.classes)
                sum += 1000 * static_cast<double>(place + 1) * (*values)[Latency];
            found.emplace_back(sum);
        }
        return found;
    }

private:
    SimulatorTable table_ = small_table();
};

TEST(SimulatorQuestions, ArriveAsTheyWereAsked) {
    EchoingSimulator simulator;
    const auto answer = [&](std::string_view question) {
        return answer_simulator_question(question, [&](std::string_view machine) -> Result<BlockSimulator*> {
            if (machine != "skl")
                return fail(Fault::Input, "no such machine");
            return &simulator;
        });
    };
    const MachineCode one{0, 1};
    const MachineCode other{1, 2, 3};
    const std::array codes{&one, &other};
    const auto classes = parse_classes(answer(classes_question("skl", codes))).value();
    EXPECT_EQ(classes[0].value(), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(classes[1].error().message, "too long");

    SimulatorTable table = small_table();
    table.processor[0] = 7;
    table.classes[0].values[Latency] = 2;
    table.classes[1].values[Latency] = 3;
    const std::array<std::size_t, 3> used{1, 0, 1};
    const std::array queries{query_of(one, used, table), query_of(other, std::span(used).first(0), table)};
    const auto cycles = parse_cycles(answer(cycles_question("skl", queries, 50))).value();
    EXPECT_DOUBLE_EQ(cycles[0].value(), 50 + 0.7 + 2 * 3000 + 2000);
    EXPECT_DOUBLE_EQ(cycles[1].value(), 50 + 0.7);

    EXPECT_EQ(parse_cycles(answer(cycles_question("pdp", queries, 50))).error().message, "no such machine");
    table.classes[0].values[Latency] = 5000;
    EXPECT_FALSE(parse_cycles(answer(cycles_question("skl", std::span(queries).first(1), 50))))
        << "LLVM could not stand a value out of bounds";
    EXPECT_FALSE(parse_cycles("something else"));
}

} // namespace
} // namespace sparsight
