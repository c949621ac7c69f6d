#include "machine/paper_formula.h"

#include "base/random.h"
#include "machine/machine_presets.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

constexpr double never = std::numeric_limits<double>::infinity();

Result<std::vector<double>> simulate(const MachineDescription& machine, const std::vector<double>& recorded) {
    const std::vector schedules(recorded.size(), fixed_csr(Operator::SpMM, 8));
    return PaperFormula().simulate(machine, {.schedules = schedules, .recorded_ms = recorded});
}

TEST(PaperFormula, IsTheReports) {
    const auto on_a = simulate(report_machine_a(), {120, never});
    ASSERT_TRUE(on_a);
    EXPECT_DOUBLE_EQ((*on_a)[0], 0.36) << "the report's own example";
    EXPECT_EQ((*on_a)[1], never);
    EXPECT_DOUBLE_EQ(simulate(report_machine_b(), {120})->front(), 120.0 / (16 * 80));
}

TEST(PaperFormula, CantChangeAnOrder) {
    Random random(1);
    std::vector<double> recorded;
    for (int i = 0; i < 200; ++i)
        recorded.push_back(i % 20 == 0 ? never : std::exp(10 * random.normal()));
    MachineDescription odd = report_machine_a();
    odd.cores = 7;
    odd.copy_bandwidth.all_threads = GigabytesPerSecond{0.3};
    odd.memory_latency = Nanoseconds(271);
    for (const MachineDescription& machine : {report_machine_a(), report_machine_b(), odd}) {
        const auto simulated = simulate(machine, recorded).value();
        for (std::size_t i = 0; i < recorded.size(); ++i)
            for (std::size_t j = 0; j < recorded.size(); ++j)
                EXPECT_EQ(simulated[i] < simulated[j], recorded[i] < recorded[j]);
    }
}

TEST(PaperFormula, SaysWhatItMisses) {
    MachineDescription machine;
    machine.name = "box";
    EXPECT_THAT(simulate(machine, {1}).error().message,
                HasSubstr("needs the number of cores, which is not known of the machine box"));
    machine = report_machine_a();
    machine.copy_bandwidth.all_threads.reset();
    EXPECT_THAT(simulate(machine, {1}).error().message, HasSubstr("the bandwidth of memory"));
    machine = report_machine_a();
    machine.memory_latency = Nanoseconds(0);
    EXPECT_THAT(simulate(machine, {1}).error().message, HasSubstr("the latency of memory"));
    const std::vector schedules{fixed_csr(Operator::SpMM, 8)};
    EXPECT_THAT(PaperFormula().simulate(report_machine_a(), {.schedules = schedules}).error().message,
                HasSubstr("there are 0 for 1 schedules"));
}

} // namespace
} // namespace sparsight
