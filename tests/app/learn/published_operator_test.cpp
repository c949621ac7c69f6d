#include "learn/published_operator.h"

#include "core/store/store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class OperatorOfPublishedWeights : public StoreTest {
protected:
    void measure(Operator op) {
        const MatrixId matrix =
            must(add_matrix(workspace_, {fmt::format("of-{}", name(op)), "", {}}, small_pattern()));
        const MachineId machine = must(recorded_machine(workspace_, "xeon"));
        must(record_measurement(workspace_, {matrix, machine, 32, "waco"}, fixed_csr(op, 1), measured(1)));
    }
    PublishedOperator found(const char* file, Operator shape) {
        return must(published_operator(workspace_, file, shape));
    }

    Workspace workspace_ = create();
};

TEST_F(OperatorOfPublishedWeights, IsTheOneThatTheFileOrItsFolderNames) {
    measure(Operator::SpMM);
    const PublishedOperator by_file = found("pretrained/waco_resnet_SDDMM.pth", Operator::SDDMM);
    EXPECT_EQ(by_file.op, Operator::SDDMM) << "whatever was measured";
    EXPECT_FALSE(by_file.is_guessed);
    EXPECT_EQ(found("SpMM-32-threads/meta.pth", Operator::SDDMM).op, Operator::SpMM);
    EXPECT_TRUE(found("spmm-and-sddmm/meta.pth", Operator::SDDMM).is_guessed) << "which of the two?";
}

TEST_F(OperatorOfPublishedWeights, IsOtherwiseTheOneOfThatShapeThatWasMeasuredAndSaidToBeGuessed) {
    measure(Operator::SpMV);
    const PublishedOperator unmeasured = found("weights/meta.pth", Operator::SDDMM);
    EXPECT_EQ(unmeasured.op, Operator::SDDMM) << "SpMV has another number of loops";
    EXPECT_TRUE(unmeasured.is_guessed);
    EXPECT_EQ(unmeasured.by, "its shape");
    measure(Operator::SpMM);
    const PublishedOperator by_runtimes = found("weights/meta.pth", Operator::SDDMM);
    EXPECT_EQ(by_runtimes.op, Operator::SpMM);
    EXPECT_TRUE(by_runtimes.is_guessed);
    EXPECT_THAT(by_runtimes.by, HasSubstr("runtimes"));
    measure(Operator::SDDMM);
    EXPECT_EQ(found("weights/meta.pth", Operator::SDDMM).op, Operator::SDDMM) << "both were: its shape";
    EXPECT_FALSE(found("weights/meta.pth", Operator::SpMV).is_guessed) << "nothing else fits";
}

} // namespace
} // namespace sparsight::testing
