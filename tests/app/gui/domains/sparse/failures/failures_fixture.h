// The whole program on a workspace with an evaluation on a described laptop: on three banded matrices the
// model "first" chose a format that stores every column, on a fourth one fixed CSR itself. Times
// are what the simulator says.
#pragma once

#include "app/gui/train/train_fixture.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/selection/selection.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"

#include <nlohmann/json.hpp>

namespace sparsight::testing {

class FailuresTest : public TrainTest {
protected:
    static constexpr std::int64_t dense = 32;

    static SuperSchedule exploding() {
        return *parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32");
    }

    /// `here`: the times are of this computer.
    QString make_failing_workspace(bool here = false) {
        auto workspace = Workspace::create(path("w.sparsight").toStdString(), "test");
        laptop_ = here ? *probe_this_computer({.measure = false, .stop = {}, .progress = {}})
                       : find_machine_preset("laptop")->machine;
        fingerprint_ = here ? laptop_.fingerprint() : "recorded:laptop";
        const MachineId machine =
            *record_machine(*workspace, "laptop", fingerprint_, machine_to_text(laptop_));
        const ModelId model = *add_model(*workspace, {"first", {}, {}, model_description_}, {});
        std::vector<std::string> names;
        for (int i = 0; i < 4; ++i)
            names.push_back(fmt::format("m{}", i));
        const RunId run = *start_run(*workspace, "evaluate",
                                     nlohmann::json{{"models", {"first"}},
                                                    {"model_ids", {static_cast<std::int64_t>(model)}},
                                                    {"matrices", names},
                                                    {"k", 1},
                                                    {"machine", fingerprint_},
                                                    {"operator", "spmm"},
                                                    {"dense", dense},
                                                    {"protocol", "simulated"},
                                                    {"seed", 1}}
                                         .dump());
        for (int i = 0; i < 4; ++i) {
            const auto pattern = generate_matrix("banded", {{"size", 300 + 100 * i}}, 1);
            const WorkloadId matrix =
                *add_matrix(*workspace, {names[static_cast<std::size_t>(i)], "", {}}, *pattern);
            const SuperSchedule chosen = i < 3 ? exploding() : fixed_csr(Operator::SpMM, 2);
            const ProfiledPattern profiled(*pattern);
            SimulatedClock clock(profiled, dense, resolve_parameters(laptop_).values);
            for (const SuperSchedule& schedule : {fixed_csr(Operator::SpMM, 2), chosen}) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(*clock.time(configuration_of(schedule))->milliseconds);
                measurement.repeats = 1;
                EXPECT_TRUE(record_measurement(*workspace, {matrix, machine, dense, "simulated"}, schedule,
                                               measurement)
                                .has_value());
            }
            const std::vector<ChosenSchedule> choice{{chosen, -1.0}};
            EXPECT_TRUE(record_choices(*workspace, run, model, matrix, choice).has_value());
        }
        EXPECT_TRUE(end_run(*workspace, run, RunState::Finished).has_value());
        return path("w.sparsight");
    }

    SparseFailuresPage& open_failures(bool here = false) {
        open(make_failing_workspace(here));
        program_->selection().select_workload(QStringLiteral("m3")); // which does not fail
        window().show_page(QStringLiteral("failures"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled() && page().study().shown() != nullptr; }));
        return page();
    }
    SparseFailuresPage& page() {
        return *qobject_cast<SparseFailuresPage*>(window().page(QStringLiteral("failures")));
    }
    [[nodiscard]] std::string text(const char* name) { return find<QLabel>(name)->text().toStdString(); }
    /// A table as WACO's, of 34 lines, of which 22 lose.
    QString make_table() {
        const QString file = path("choices.csv");
        std::ofstream out(file.toStdString());
        out << "matrix,waco_schedule,waco_ms,fixedcsr_ms\n";
        out << "unknown,16 4 64 i1 k1 k0 j1 i0 j0 0 0 0 1 i1 48 32,3.5,0.5\n";
        out << "m0,16 4 64 i1 k1 k0 j1 i0 j0 0 0 0 1 i1 48 256,2.5,0.5\n";
        for (int i = 0; i < 20; ++i)
            out << "bad" << i << ",16 4 64 i1 k1 k0 j1 i0 j0 0 0 0 1 i1 48 32,1.5,0.5\n";
        for (int i = 0; i < 12; ++i)
            out << "good" << i << ",1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,0.4,0.5\n";
        return file;
    }

    std::string model_description_ = R"({"training":{"matrices":["m3"]}})";
    MachineDescription laptop_;
    std::string fingerprint_;
};

} // namespace sparsight::testing
