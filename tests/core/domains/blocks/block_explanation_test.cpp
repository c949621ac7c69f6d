// Explanations are those of a model whose true ones are known.
#include "domains/blocks/explanation/block_explanation.h"

#include "block_fixture.h"
#include "domains/blocks/models/crude_model.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using testing::shared_path;

// The two examples of COMET's own table.
constexpr std::string_view of_many_causes = "mov rsi, qword ptr [rsp + 48]\nmov qword ptr [rax + 8], r12\n"
                                            "mov dword ptr [rax + 16], r14d\ntest rsi, rsi";
constexpr std::string_view of_a_dependency = "mov rax, qword ptr [r15 + 24]\nmov qword ptr [rsp + 80], rax\n"
                                             "mov rdx, qword ptr [rsp]\nmov rsi, r12\nmov rdi, rbp";

std::vector<std::string> names(std::vector<BlockFeature> features) {
    std::ranges::sort(features);
    std::vector<std::string> texts;
    for (const BlockFeature& feature : features)
        texts.push_back(name(feature));
    return texts;
}

class BlockExplanationTest : public BlockTest {
protected:
    [[nodiscard]] BlockExplanation explain(std::string_view assembly,
                                           const BlockExplanationOptions& options) const {
        const auto code = decoder_.assemble(assembly, AssemblySyntax::Intel).value();
        return explain_block(crude_, BlockEditor::make(decoder_, code).value(), options).value();
    }
    [[nodiscard]] double cost(std::string_view assembly) const {
        const DecodedBlock one = block(assembly);
        return crude_.cycles(std::span(&one, 1)).value().front();
    }

    CrudeModel crude_{testing::small_throughputs()};
    BlockExplanationOptions exact_{.tolerance = 0.01};
};

TEST_F(BlockExplanationTest, TheCrudeModelCostsWhatItsSourceSays) {
    EXPECT_DOUBLE_EQ(cost(of_many_causes), 1.0);
    EXPECT_THAT(names(crude_.true_explanation(block(of_many_causes))),
                ElementsAre("num_insts", "inst_1", "inst_2"));
    EXPECT_DOUBLE_EQ(cost(of_a_dependency), 1.5);
    EXPECT_THAT(names(crude_.true_explanation(block(of_a_dependency))), ElementsAre("0_1_RAW"));
    EXPECT_DOUBLE_EQ(cost("mov rax, rcx\nxor edx, edx\ndiv rbx"), 21)
        << "no dependency that the text does not name";
}

TEST_F(BlockExplanationTest, FindsEveryCauseThatSufficesAlone) {
    const BlockExplanation several = explain(of_many_causes, exact_);
    EXPECT_EQ(several.cycles, 1.0);
    EXPECT_THAT(names(several.features()), ElementsAre("num_insts", "inst_1", "inst_2"));
    EXPECT_THAT(names(explain(of_a_dependency, exact_).features()), ElementsAre("0_1_RAW"));
    EXPECT_THAT(names(explain("mov rax, rcx\nxor edx, edx\ndiv rbx", exact_).features()),
                ElementsAre("inst_2"));
}

TEST_F(BlockExplanationTest, EveryRuleIsAsPreciseAsAsked) {
    const BlockExplanation explanation = explain(of_many_causes, exact_);
    ASSERT_FALSE(explanation.rules.empty());
    for (const BlockRule& rule : explanation.rules) {
        EXPECT_GE(rule.precision.lowest, exact_.precision);
        EXPECT_GT(rule.coverage.value, 0);
    }
    EXPECT_LT(explanation.unconditional.value, exact_.precision) << "so the rules say something";
    EXPECT_TRUE(explanation.complete);
}

TEST_F(BlockExplanationTest, IsTheSameForTheSameSeed) {
    const BlockExplanation one = explain(of_a_dependency, exact_);
    const BlockExplanation again = explain(of_a_dependency, exact_);
    EXPECT_EQ(one.calls, again.calls);
    EXPECT_EQ(one.features(), again.features());
    EXPECT_EQ(similarity(one, again), 1);
    EXPECT_EQ(similarity(one, explain("mov rax, rcx\nxor edx, edx\ndiv rbx", exact_)), 0);
}

TEST_F(BlockExplanationTest, EndsWhenTheUserSaysSo) {
    std::stop_source stop;
    stop.request_stop();
    BlockExplanationOptions options = exact_;
    options.stop = stop.get_token();
    const auto code = decoder_.assemble(of_a_dependency, AssemblySyntax::Intel).value();
    const auto stopped = explain_block(crude_, BlockEditor::make(decoder_, code).value(), options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

TEST_F(BlockExplanationTest, IsRightOnNearlyAllMeasuredBlocks) {
    SPARSIGHT_NEEDS_SHARED("blocks/hsw_tp_table_comet.csv");
    const CrudeModel crude(
        ThroughputTable::read(CsvTable::open(shared_path("blocks/hsw_tp_table_comet.csv")).value()).value());
    int all = 0;
    int right = 0;
    for (const MachineCode& code : measured_blocks(1000)) {
        const auto any = BlockEditor::make(decoder_, code).value();
        const std::size_t length = any.block().instructions.size();
        if (length < 4 || length > 10) // as COMET's own test set
            continue;
        ++all;
        const auto explanation = explain_block(crude, any, exact_).value();
        right += names(explanation.features()) == names(crude.true_explanation(any.block())) ? 1 : 0;
    }
    EXPECT_GT(all, 20);
    EXPECT_GE(right, 0.95 * all) << "of " << all;
}

} // namespace
} // namespace sparsight
