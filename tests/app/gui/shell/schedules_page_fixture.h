// The Schedules page in the real window.
#pragma once

#include "window_fixture.h"

#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/details/schedule_details.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "store/runs.h"
#include "support/rematches.h"
#include "widgets/look/page_states.h"
#include "widgets/schedule/editor/loop_chip_row.h"
#include "widgets/schedule/editor/schedule_editor.h"
#include "widgets/table/data_table.h"

#include <QSpinBox>
#include <QTabWidget>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace sparsight::testing {

class SchedulesPageTest : public WindowTest {
protected:
    SchedulesPageTest() { open_workspace_on(QStringLiteral("schedules")); }

    [[nodiscard]] SchedulesPage& page() { return *window().findChild<SchedulesPage*>(); }
    [[nodiscard]] ScheduleEditor& editor() { return *page().findChild<ScheduleEditor*>(); }
    [[nodiscard]] QAbstractItemModel& results() { return *page().findChild<DataTable*>()->model(); }

    void choose_schedule() {
        program_->selection().select_configuration(QStringLiteral("spmm"),
                                                   QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
        ASSERT_TRUE(wait_until([&] { return editor().draft().indices.size() == 3; }));
    }
    void show_the_loop_nest() {
        choose_schedule();
        page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(find<QWidget>("loop-nest"));
        ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    }
    void flip_the_rows() { Q_EMIT editor().loops()->format_flipped(QStringLiteral("i1")); }
    void measure_the_draft() {
        page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(&editor());
        click(editor().findChild<QPushButton*>());
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && results().rowCount() == 2; }, 120));
    }
    /// A workspace knows it once something was measured there.
    MachineId this_machine_in(Workspace& workspace) {
        const QString fingerprint = program_->session().this_machine();
        if (const MachineRecord* known = program_->session().machine(fingerprint))
            return known->id;
        ProbeOptions options;
        options.measure = false;
        const auto machine = probe_this_computer(options);
        return *record_machine(workspace, machine->name, fingerprint.toStdString(),
                               machine_to_text(*machine));
    }
    static std::string engine_of_last_time(Workspace& workspace) {
        const auto rows = list_results(workspace);
        const auto last = std::ranges::max_element(*rows, {}, &ResultRow::measured);
        return last == rows->end() ? "" : last->engine;
    }
    /// As if another program had measured fixed CSR with this chunk.
    void record(int chunk, Milliseconds median, Milliseconds spread = Milliseconds(0),
                const std::string& engine = {}) {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        MeasurementSetting setting;
        setting.matrix = program_->session().workload(QStringLiteral("banded"))->id;
        setting.machine = this_machine_in(*workspace);
        setting.dense = page().measure_panel().fields().dense();
        setting.protocol = name(page().measure_panel().request().protocol);
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = median;
        measurement.spread = spread;
        measurement.repeats = 9;
        measurement.engine = engine.empty() ? engine_of_last_time(*workspace) : engine;
        SuperSchedule schedule = fixed_csr(Operator::SpMM, page().measure_panel().request().threads);
        schedule.chunk = chunk;
        ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        program_->session().refresh();
    }
    /// As if times of three schedules on another machine had been imported.
    void record_elsewhere(const std::string& machine) {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const MachineDescription laptop = find_machine_preset("laptop")->machine;
        MeasurementSetting setting;
        setting.matrix = program_->session().workload(QStringLiteral("banded"))->id;
        setting.machine =
            *record_machine(*workspace, machine, "recorded:" + machine, machine_to_text(laptop));
        setting.dense = page().measure_panel().fields().dense();
        setting.protocol = "imported";
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        for (const int chunk : {4, 8, 16}) {
            SuperSchedule schedule = fixed_csr(Operator::SpMM, 2);
            schedule.chunk = chunk;
            ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        }
        program_->session().refresh();
    }
    /// As if an evaluation had measured fixed CSR with these chunks again in turns: milliseconds of each.
    void record_turns(const std::map<int, double>& medians) {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const CollectSchedulesJob request = page().measure_panel().request();
        const nlohmann::json parameters{{"domain", "sparse"},
                                        {"operator", "spmm"},
                                        {"dense", page().measure_panel().fields().dense()},
                                        {"machine", program_->session().this_machine().toStdString()},
                                        {"protocol", name(request.protocol)},
                                        {"threads", request.threads}};
        const RunId run = *start_run(*workspace, "evaluate", parameters.dump());
        std::vector<RematchTime> times;
        for (const auto& [chunk, median] : medians) {
            SuperSchedule schedule = fixed_csr(Operator::SpMM, request.threads);
            schedule.chunk = chunk;
            times.push_back({schedule, std::vector(5, median)});
        }
        const WorkloadId banded = program_->session().workload(QStringLiteral("banded"))->id;
        ASSERT_TRUE(record_rematch(*workspace, run, banded, times));
        ASSERT_TRUE(end_run(*workspace, run, RunState::Finished));
        program_->session().refresh();
    }
    void record_a_winner() {
        record(8, Milliseconds(1e-6));
        ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    }
    [[nodiscard]] QSpinBox* field(const char* called) {
        for (QSpinBox* box : page().measure_panel().findChildren<QSpinBox*>())
            if (box->accessibleName() == QLatin1String(called))
                return box;
        return nullptr;
    }
    [[nodiscard]] Job newest_job() {
        const std::vector<Job> jobs = program_->jobs().jobs();
        return *std::ranges::max_element(jobs, {}, &Job::created);
    }
};

/// A simulated machine in the workspace, without runtimes; it is selected.
class SimulatedMachineTest : public SchedulesPageTest {
protected:
    SimulatedMachineTest() {
        record(8, Milliseconds(1));
        EXPECT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
        auto workspace = Workspace::open(program_->session().path().toStdString());
        MachineDescription machine = simulated_copy(find_machine_preset("epyc-7543").value().machine);
        machine.name = "mine";
        mine_ = QString::fromStdString(add_machine(*workspace, machine).value().record.fingerprint);
        program_->session().refresh();
        EXPECT_TRUE(wait_until([&] { return program_->session().machine(mine_) != nullptr; }));
        program_->selection().select_machine(mine_);
        EXPECT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 0; }));
    }
    [[nodiscard]] EmptyState& empty() { return *page().findChild<EmptyState*>(QStringLiteral("no-times")); }

    QString mine_;
};

} // namespace sparsight::testing
