#include "collection/simulated_schedules.h"

#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "matrix/generators/generator.h"
#include "store/imagined_machines.h"
#include "store/matrices.h"
#include "store/runtimes.h"
#include "store/workspace.h"
#include "support/temporary_folder.h"

#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

/// The mechanistic one, counting how often it is asked to look at a matrix.
class CountingSimulator final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return simulator_.name(); }
    [[nodiscard]] bool needs_pattern() const override { return true; }
    [[nodiscard]] bool needs_recorded() const override { return false; }
    [[nodiscard]] Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                       const SimulatedRuns& runs) const override {
        ++looks;
        return simulator_.simulate(machine, runs);
    }
    [[nodiscard]] Result<std::vector<std::vector<double>>>
    simulate_all(std::span<const MachineDescription> machines, const SimulatedRuns& runs) const override {
        ++looks;
        return simulator_.simulate_all(machines, runs);
    }

    mutable int looks = 0;

private:
    MechanisticSimulator simulator_;
};

class SimulatedSchedulesTest : public ::testing::Test {
protected:
    SimulatedSchedulesTest() {
        for (const double rows : {200.0, 400.0}) {
            const CsrPattern pattern =
                *generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 0.02}}, 1);
            EXPECT_TRUE(
                add_matrix(*workspace_, {"m" + std::to_string(static_cast<int>(rows)), "", {}}, pattern));
        }
        request_.schedules = SampledSchedules{.count = 6};
    }
    SimulatedMachine machine(std::string name, int threads) {
        MachineDescription description =
            with_parameter(find_machine_preset("laptop")->machine, MachineParameter::Threads, threads);
        description.name = std::move(name);
        description.source = MachineSource::Simulated;
        return {.record = add_machine(*workspace_, description)->record, .description = description};
    }
    std::vector<StoredRuntime> runtimes_of(const SimulatedMachine& machine, int threads) {
        return *list_runtimes(
            *workspace_,
            {.machine = machine.record.id, .protocol = std::string(simulated_protocol), .threads = threads});
    }

    TemporaryFolder folder_;
    std::optional<Workspace> workspace_ = *Workspace::create((folder_ / "w.sparsight").string(), "test");
    CountingSimulator simulator_;
    SimulationRequest request_;
};

TEST_F(SimulatedSchedulesTest, OfSeveralMachinesAreLookedAtOnceAndAreThoseOfEachAlone) {
    const std::vector both{machine("two", 2), machine("eight", 8)};
    ASSERT_TRUE(simulate_schedules(*workspace_, MechanisticSimulator(), {&both[1], 1}, request_));
    const auto alone = runtimes_of(both[1], 8);
    const auto summary = simulate_schedules(*workspace_, simulator_, both, request_);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(simulator_.looks, 2) << "one for each matrix";
    EXPECT_EQ(summary->matrices, 2);
    EXPECT_EQ(summary->runtimes, 2 * 7);
    const auto together = runtimes_of(both[1], 8);
    ASSERT_EQ(together.size(), alone.size());
    for (std::size_t at = 0; at < alone.size(); ++at) {
        EXPECT_EQ(together[at].schedule, alone[at].schedule);
        EXPECT_EQ(together[at].median_ms, alone[at].median_ms);
    }
    const auto of_two = runtimes_of(both[0], 2);
    ASSERT_EQ(of_two.size(), alone.size());
    EXPECT_NE(of_two.front().median_ms, alone.front().median_ms);
}

TEST_F(SimulatedSchedulesTest, NameMatricesThatCannotBeReadAndGoOn) {
    ASSERT_TRUE(add_matrix_name(*workspace_, "known by its name", ""));
    const std::vector machines{machine("two", 2)};
    const auto summary = simulate_schedules(*workspace_, simulator_, machines, request_);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->matrices, 2);
    ASSERT_EQ(summary->unreadable.size(), 1U);
    EXPECT_EQ(summary->unreadable[0].name, "known by its name");
    EXPECT_THAT(summary->unreadable[0].reason.message, HasSubstr("not known"));
}

TEST_F(SimulatedSchedulesTest, StopWithinAMatrix) {
    const std::vector machines{machine("two", 2)};
    std::stop_source stop;
    const auto stopped = simulate_schedules(*workspace_, simulator_, machines, request_, stop.get_token(),
                                            [&](const Progress&) { stop.request_stop(); });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_TRUE(runtimes_of(machines[0], 2).empty());
}

} // namespace
} // namespace sparsight::testing
