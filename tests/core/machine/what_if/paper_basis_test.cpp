#include "machine/what_if/paper_basis.h"

#include "machine/machine_presets.h"
#include "machine/what_if/ranking.h"
#include "machine/what_if/schedule_set.h"
#include "matrix/generators/generator.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class PaperBasisTest : public ::testing::Test {
protected:
    void SetUp() override {
        const CsrPattern pattern = *generate_matrix("banded", {{"size", 500}}, 1);
        profiles_ = schedule_set(ProfiledPattern(pattern), {.count = 3})->profiles;
    }
    std::vector<ScheduleProfile> profiles_;
    MachineParameters machine_ = resolve_parameters(report_machine_a()).values;
};

TEST_F(PaperBasisTest, IsWhatWasRecordedWhereTwoCanBeCompared) {
    const std::vector<std::optional<double>> recorded{2.0, std::nullopt, 1.0};
    const PaperBasis basis = paper_basis(recorded, machine_, profiles_);
    EXPECT_TRUE(basis.is_recorded);
    EXPECT_EQ(basis.milliseconds[0], 2);
    EXPECT_TRUE(std::isinf(basis.milliseconds[1])) << "nobody has run it";
    EXPECT_EQ(basis.milliseconds[2], 1);
}

TEST_F(PaperBasisTest, IsSimulatedWhereTooFewTimesAreKnown) {
    const std::vector<std::optional<double>> recorded{2.0, std::nullopt, std::nullopt};
    const PaperBasis basis = paper_basis(recorded, machine_, profiles_);
    EXPECT_FALSE(basis.is_recorded);
    EXPECT_EQ(basis.milliseconds, rank(simulate(machine_, profiles_)).milliseconds);
}

} // namespace
} // namespace sparsight
