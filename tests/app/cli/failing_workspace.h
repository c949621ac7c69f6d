// A workspace with an evaluation whose model chose a schedule that gives all rows to one thread.
#pragma once

#include "app/cli/cli_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workspace.h"

namespace sparsight::testing {

class FailingWorkspace : public CliTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run({"new"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "power-law", "--param", "scale=9", "--name", "web"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "banded", "--param", "size=500", "--name", "band"}).exit_code, 0);
        ASSERT_EQ(run({"machine", "add", "--preset", "epyc-7543", "--name", "server"}).exit_code, 0);
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const MachineRecord machine = **find_machine(workspace, "server");
        const ModelId model =
            *add_model(workspace, {"first", {}, {}, R"({"training": {"matrices": ["band"]}})"}, {});
        const Json parameters{{"models", {"first"}},
                              {"model_ids", {static_cast<std::int64_t>(model)}},
                              {"matrices", {"web", "band"}},
                              {"k", 1},
                              {"machine", machine.fingerprint},
                              {"operator", "spmm"},
                              {"dense", 16},
                              {"protocol", "simulated"},
                              {"seed", 1}};
        const RunId evaluation = *start_run(workspace, "evaluate", parameters.dump());
        for (const auto& [name, chosen_ms] : {std::pair("web", 3.0), std::pair("band", 1.0)}) {
            const WorkloadId matrix = (**find_matrix(workspace, name)).id;
            const SuperSchedule chosen = *parse_schedule(Operator::SpMM, serial);
            for (const auto& [schedule, milliseconds] :
                 {std::pair(fixed_csr(Operator::SpMM, 128), 1.5), std::pair(chosen, chosen_ms)}) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(milliseconds);
                measurement.spread = Milliseconds(0.01);
                measurement.repeats = 5;
                ASSERT_TRUE(record_measurement(workspace, {matrix, machine.id, 16, "simulated"}, schedule,
                                               measurement));
            }
            ASSERT_TRUE(record_choices(workspace, evaluation, model, matrix,
                                       std::vector{ChosenSchedule{chosen, 0.5}}));
        }
    }

    static constexpr const char* serial = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 4096";
};

} // namespace sparsight::testing
