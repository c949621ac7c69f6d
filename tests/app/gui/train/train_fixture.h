// The whole program on a workspace with something to learn from, and a worker that tells what a trainer
// would.
#pragma once

#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/schedules.h"
#include "gui/train/train_page.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/runs.h"
#include "study/measurement.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"
#include "widgets/table/data_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <fmt/format.h>
#include <fstream>

namespace sparsight::testing {

class TrainTest : public WindowTest {
protected:
    /// Some schedules of `matrices` matrices, measured on two recorded machines.
    QString make_measured_workspace(int matrices = 5) {
        auto workspace = Workspace::create(path("w.sparsight").toStdString(), "test");
        EXPECT_TRUE(workspace.has_value());
        const auto laptop = recorded_machine(*workspace, "laptop");
        const auto server = recorded_machine(*workspace, "server");
        for (int i = 0; i < matrices; ++i) {
            const auto pattern = generate_matrix("banded", {{"size", 60 + 10 * i}}, 1);
            const auto id = add_matrix(*workspace, {fmt::format("m{}", i), "generated", {}}, *pattern);
            EXPECT_TRUE(id.has_value());
            for (const MachineId machine : {*laptop, *server})
                for (const int chunk : {32, 16}) { // the first one is fixed CSR
                    SuperSchedule schedule = fixed_csr(Operator::SpMM, 1);
                    schedule.chunk = chunk;
                    Measurement measurement;
                    measurement.status = MeasurementStatus::Measured;
                    measurement.median = Milliseconds(1.0 + i + 32 / chunk);
                    EXPECT_TRUE(
                        record_measurement(*workspace, {*id, machine, 256, "waco"}, schedule, measurement)
                            .has_value());
                }
        }
        return path("w.sparsight");
    }

    /// Generated matrices that nothing was measured on.
    QString make_unmeasured_workspace(int matrices) {
        auto workspace = Workspace::create(path("w.sparsight").toStdString(), "test");
        EXPECT_TRUE(workspace.has_value());
        for (int i = 0; i < matrices; ++i)
            EXPECT_TRUE(add_matrix(*workspace, {fmt::format("m{}", i), "generated", {}},
                                   *generate_matrix("banded", {{"size", 60 + 10 * i}}, 1))
                            .has_value());
        return path("w.sparsight");
    }

    /// A simulated machine in the workspace, as the Machines page makes it; its fingerprint.
    QString add_simulated_machine(const std::string& name) {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        EXPECT_TRUE(workspace.has_value());
        MachineDescription machine = simulated_copy(find_machine_preset("epyc-7543").value().machine);
        machine.name = name;
        const auto added = add_machine(*workspace, machine);
        EXPECT_TRUE(added.has_value());
        return QString::fromStdString(added->record.fingerprint);
    }

    /// Fixed CSR of the first matrix on a machine, as the page of schedules stores it.
    void add_one_simulated_time(const QString& machine) {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(workspace.has_value());
        const auto record = find_named_machine(*workspace, machine.toStdString());
        const auto matrices = list_matrices(*workspace);
        ASSERT_TRUE(record && *record && matrices && !matrices->empty());
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        ASSERT_TRUE(record_measurement(
            *workspace, {matrices->front().id, (*record)->id, 256, std::string(simulated_protocol)},
            fixed_csr(Operator::SpMM, 1), measurement));
    }

    TrainPage& open_page(const QString& workspace) {
        open(workspace);
        window().show_page(QStringLiteral("train"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        EXPECT_EQ(window().current_page(), window().page(QStringLiteral("train")));
        return *qobject_cast<TrainPage*>(window().page(QStringLiteral("train")));
    }

    /// On the page that is shown: several pages have a header of a run.
    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name) {
        auto* found = window().current_page()->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void choose_method(const char* method) {
        auto* box = find<QComboBox>("method");
        box->setCurrentIndex(box->findData(QLatin1String(method)));
    }

    RunId add_run(const char* parameters, RunState state = RunState::Finished, int epochs = 4) {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        EXPECT_TRUE(workspace.has_value());
        const auto run = start_run(*workspace, "train", parameters);
        EXPECT_TRUE(in_one_transaction(*workspace, [&]() -> Result<void> {
                        const auto record = [&](const char* name, int step, double value) {
                            EXPECT_TRUE(record_metric(*workspace, *run, name, {step, value}).has_value());
                        };
                        for (int epoch = 1; epoch <= epochs; ++epoch) {
                            record("epoch/step", epoch, 10.0 * epoch);
                            record("epoch/seconds", epoch, 2.0 * epoch);
                            record("validation/loss", epoch, 1.0 / epoch);
                            record("validation/laptop/loss", epoch, 1.1 / epoch);
                            record("validation/server/loss", epoch, 0.9 / epoch);
                            record("validation/ordered_pair_accuracy", epoch, 0.5 + 0.05 * epoch);
                            record("validation/regret_at_20", epoch, 0.2 / epoch);
                            for (int step = 10 * epoch - 9; step <= 10 * epoch; ++step)
                                record("loss", step, 2.0 / step);
                        }
                        return {};
                    }).has_value());
        if (state != RunState::Running) {
            EXPECT_TRUE(end_run(*workspace, *run, state).has_value());
        }
        return *run;
    }

    void discard() {
        click(find<QPushButton>("discard-run"));
        click(find<QPushButton>("really-discard"));
    }

    /// From now on the worker is this script.
    void use_worker(const std::string& script) {
        const auto file = folder_ / "worker";
        std::ofstream(file) << "#!/bin/bash\n" << script;
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        program_->jobs().set_worker_program(QString::fromStdString(file.string()));
    }

    /// Of the lines and bars, without the marks on them.
    static QStringList names_of(const Chart& chart) {
        QStringList names;
        for (const ChartSeries& series : chart.view()->content().series)
            if (!std::holds_alternative<ScatterSeries>(series))
                names << name_of(series);
        return names;
    }
};

} // namespace sparsight::testing
