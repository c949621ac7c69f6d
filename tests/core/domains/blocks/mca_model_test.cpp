// LLVM's machine-code analyser as a cost model, and how far predictions are from measurements.
#include "domains/blocks/analyser/mca_model.h"

#include "block_fixture.h"
#include "domains/blocks/models/prediction_errors.h"

#include <array>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::HasSubstr;
using testing::shared_path;

class McaModelTest : public BlockTest {
protected:
    [[nodiscard]] double cycles(std::string_view assembly, McaFigure figure) const {
        const auto model = McaModel::make(decoder_, "hsw", figure).value();
        const DecodedBlock one = block(assembly);
        return model->cycles(std::span(&one, 1)).value().front();
    }
};

TEST_F(McaModelTest, OneFigureKnowsWhatWaitsAndTheOtherDoesNot) {
    EXPECT_DOUBLE_EQ(cycles("imul rax, rbx", McaFigure::ReciprocalThroughput), 1) << "one unit multiplies";
    EXPECT_NEAR(cycles("imul rax, rbx", McaFigure::TotalCycles), 3, 0.1)
        << "each product waits for the last one";
    EXPECT_DOUBLE_EQ(
        cycles("add rax, 1\nadd rbx, 1\nadd rcx, 1\nadd rdx, 1", McaFigure::ReciprocalThroughput), 1)
        << "four are issued in a cycle";
    EXPECT_EQ(cycles("ret", McaFigure::TotalCycles), 0) << "calls and returns are left out";
}

TEST_F(McaModelTest, NamesTheMachinesThatThereAre) {
    const auto wrong = McaModel::make(decoder_, "pentium-6", McaFigure::TotalCycles);
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().message, HasSubstr("no microarchitecture 'pentium-6': expected snb, ivb, hsw"));
    EXPECT_TRUE(McaModel::make(decoder_, "haswell", McaFigure::TotalCycles)) << "LLVM's name of one of them";
    EXPECT_FALSE(McaModel::make(decoder_, "sapphirerapids", McaFigure::TotalCycles));
}

TEST_F(McaModelTest, IsAsFarFromMeasurementsAsItIsKnownToBe) {
    SPARSIGHT_NEEDS_SHARED("blocks/blocks_train.csv.xz");
    const auto model = McaModel::make(decoder_, "hsw", McaFigure::ReciprocalThroughput).value();
    auto table = BlockTable::open(shared_path("blocks/blocks_train.csv.xz")).value();
    ASSERT_EQ(table.machines()[0], "hsw");
    std::vector<double> predicted;
    std::vector<double> measured;
    for (int line = 0; !table.is_over(); ++line) {
        const auto row = table.next().value();
        if (!row || line % 40 != 0 || !row->cycles[0])
            continue;
        const DecodedBlock one{row->code, decoder_.decode(row->code).value()};
        if (const auto found = model->cycles(std::span(&one, 1))) {
            predicted.push_back(100 * found->front());
            measured.push_back(*row->cycles[0]);
        }
    }
    const PredictionErrors errors = prediction_errors(predicted, measured).value();
    EXPECT_GT(errors.blocks, 1000U);
    EXPECT_NEAR(errors.mean, 0.18, 0.04) << "llvm-mca 14 is off by 18.4 % on other blocks of this machine";
    EXPECT_NEAR(*errors.kendall_tau, 0.77, 0.05);
}

TEST(PredictionErrors, AreSharesOfTheMeasuredCycles) {
    const std::array predicted{110.0, 50.0, 100.0, 300.0};
    const std::array measured{100.0, 100.0, 100.0, 200.0};
    const PredictionErrors errors = prediction_errors(predicted, measured).value();
    EXPECT_EQ(errors.blocks, 4U);
    EXPECT_DOUBLE_EQ(errors.mean, (0.1 + 0.5 + 0 + 0.5) / 4);
    EXPECT_DOUBLE_EQ(errors.median, 0.3);
    EXPECT_GT(*errors.kendall_tau, 0);
    EXPECT_FALSE(prediction_errors({}, {})) << "there is nothing to tell";
    EXPECT_FALSE(prediction_errors(predicted, std::array{1.0, 1.0, 1.0, 1.0})->kendall_tau);
}

} // namespace
} // namespace sparsight
