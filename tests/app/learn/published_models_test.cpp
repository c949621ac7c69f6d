#include "core/store/store_fixture.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/workflow/learning/published_models.h"

#include <fstream>
#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class OperatorOfPublishedWeights : public StoreTest {
protected:
    void measure(Operator op) {
        const WorkloadId matrix =
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

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Checkpoint some_network() {
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    const std::size_t count = matrix_numbers(network.architecture, {}).size();
    network.standardisation = {std::vector<double>(count, 0.0), std::vector<double>(count, 10.0)};
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 1);
    checkpoint.model.architecture = describe(network);
    return checkpoint;
}

class PublishedTestOfAWorkspace : public StoreTest {
protected:
    WorkloadId matrix(const std::string& name) {
        return must(add_matrix(workspace_, {name, "", {}},
                               must(generate_matrix("uniform", {{"rows", 60}, {"cols", 50}}, 1))));
    }
    void measure(WorkloadId matrix, std::int64_t dense, int schedules = 4) {
        for (int number = 0; number < schedules; ++number)
            must(record_measurement(workspace_, {matrix, machine_, dense, "waco"}, numbered_schedule(number),
                                    measured(1 + number)));
    }
    [[nodiscard]] PublishedTests tested() {
        return must(test_published(workspace_, some_network(), 1, {}, {}));
    }

    Workspace workspace_ = create();
    MachineId machine_ = must(recorded_machine(workspace_, "xeon"));
};

TEST_F(PublishedTestOfAWorkspace, IsOneForEachExtentThatHasRuntimes) {
    const WorkloadId a = matrix("a");
    measure(a, 32, 8);
    measure(a, 256, 4);
    const PublishedTests found = tested();
    ASSERT_EQ(found.tests.size(), 2U);
    EXPECT_EQ(found.tests[0].dense, 256) << "what WACO's weights were trained for comes first";
    EXPECT_EQ(found.tests[1].dense, 32);
    EXPECT_EQ(found.tests[1].machine, "xeon");
    EXPECT_EQ(found.tests[1].matrices, 1);
    EXPECT_THAT(found.left_out, IsEmpty());
}

TEST_F(PublishedTestOfAWorkspace, IsNoneAndSaysNothingWhereNothingWasMeasuredOnKnownMatrices) {
    matrix("unmeasured");
    measure(must(add_matrix_name(workspace_, "name-alone", "a table")), 32);
    const PublishedTests found = tested();
    EXPECT_THAT(found.tests, IsEmpty());
    EXPECT_THAT(found.left_out, IsEmpty());
}

TEST_F(PublishedTestOfAWorkspace, SaysWhatWasMeasuredAndIsOfNoUse) {
    const WorkloadId a = matrix("a");
    measure(a, 256);
    measure(a, 64, 1);
    const PublishedTests found = tested();
    EXPECT_EQ(found.tests.size(), 1U);
    EXPECT_THAT(found.left_out, ElementsAre(AllOf(HasSubstr("not tested with dense extent 64"),
                                                  HasSubstr("nothing to learn"))));
}

TEST_F(PublishedTestOfAWorkspace, NamesAMatrixThatCantBeReadOnceAndTestsWithTheOthers) {
    const auto path = in_folder("gone.mtx");
    std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n";
    const WorkloadId gone = must(add_matrix(workspace_, {"gone", "", path}, small_pattern(), 0));
    std::filesystem::remove(path);
    const WorkloadId a = matrix("a");
    for (const std::int64_t dense : {32, 256}) {
        measure(a, dense);
        measure(gone, dense);
    }
    const PublishedTests found = tested();
    EXPECT_EQ(found.tests.size(), 2U);
    EXPECT_THAT(found.left_out, ElementsAre(HasSubstr("the matrix gone")));
}

} // namespace
} // namespace sparsight::testing
