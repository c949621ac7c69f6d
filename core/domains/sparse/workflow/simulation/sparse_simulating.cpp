#include "base/parallel.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"
#include "store/measurements.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

class SparseSimulating final : public SimulatingDomain {
public:
    std::string_view name() const override { return sparse_domain; }

    std::optional<SimulatedConditions> conditions(const MachineRecord& machine) const override {
        if (!is_editable(machine))
            return std::nullopt;
        return SimulatedConditions{std::string(simulated_protocol),
                                   simulated_threads(*description_of(machine))};
    }

    Result<std::vector<CollectionFailure>> supply(Workspace& workspace, const WantedTimes& wanted,
                                                  Observer& observer,
                                                  const std::stop_token& stop) const override {
        const SparseSetting setting = sparse_setting(wanted.setting);
        const SimulatedMachine machine{.record = wanted.machine,
                                       .description = *description_of(wanted.machine)};
        SimulationRequest request{
            .op = setting.op, .dense = setting.dense, .threads = available_threads(), .only_missing = true};
        std::vector<CollectionFailure> failures;
        for (std::uint64_t done = 0; const auto& [name, texts] : wanted.chosen.texts) {
            const std::string stage = fmt::format("simulating {} on {}", name, machine.record.name);
            observer.progress({.stage = stage, .done = done++, .total = wanted.chosen.texts.size()});
            auto schedules = schedules_on(workspace, name, texts, wanted);
            if (!schedules)
                return std::unexpected(std::move(schedules).error());
            request.matrices = {name};
            request.schedules = ListedSchedules{*std::move(schedules)};
            const auto summary =
                simulate_schedules(workspace, MechanisticSimulator(), {&machine, 1}, request, stop);
            if (!summary)
                return std::unexpected(summary.error());
            for (const UnreadableMatrix& matrix : summary->unreadable)
                failures.push_back({matrix.name, "", matrix.reason});
        }
        return failures;
    }

private:
    /// What was chosen, with others in front of it where the machine has no runtimes on this matrix.
    static Result<std::vector<SuperSchedule>> schedules_on(Workspace& workspace, const std::string& name,
                                                           const std::vector<std::string>& chosen,
                                                           const WantedTimes& wanted) {
        const SparseSetting setting = sparse_setting(wanted.setting);
        const auto matrix = find_matrix(workspace, name);
        if (!matrix)
            return std::unexpected(matrix.error());
        std::vector<SuperSchedule> schedules;
        if (*matrix && (*matrix)->pattern != PayloadPlace::Unknown) {
            const auto known =
                measured_canonical_texts(workspace, {.workload = (*matrix)->id,
                                                     .machine = wanted.machine.id,
                                                     .setting = wanted.setting,
                                                     .protocol = std::string(simulated_protocol)});
            if (!known)
                return std::unexpected(known.error());
            if (known->empty())
                schedules = schedules_for(
                    SampledSchedules{.seed = wanted.seed}, setting.op, name,
                    extents(setting.op, (*matrix)->rows, (*matrix)->cols, setting.dense), maximum_threads);
        }
        for (const std::string& text : chosen) {
            const auto schedule = parse_schedule(setting.op, text);
            if (!schedule)
                return std::unexpected(schedule.error());
            schedules.push_back(*schedule);
        }
        return schedules;
    }
};

} // namespace

std::unique_ptr<const SimulatingDomain> make_sparse_simulating() {
    return std::make_unique<SparseSimulating>();
}

} // namespace sparsight
