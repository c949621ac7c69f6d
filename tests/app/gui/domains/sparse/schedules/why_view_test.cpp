// The Why tab of the Schedules page, in the real window.
#include "gui/domains/sparse/details/why_view.h"

#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "machine/machine_description.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/number_text.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAbstractButton>
#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <fstream>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::int64_t dense = 256;

/// Stores every column of a row, and has smaller chunks.
SuperSchedule exploding() {
    return *parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 8");
}

SuperSchedule in_chunks() {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 2);
    schedule.chunk = 256;
    return schedule;
}

class WhyViewTest : public WindowTest {
protected:
    /// Fixed CSR and two others on a machine that is called laptop: they took what a simulation says, and the
    /// exploding one `surprise` times as long; all of them `slower` times as long. Fixed CSR took `drift`
    /// times as long at the moment of the others.
    void begin(bool is_here, double surprise = 1, double spread = 0.01, double slower = 1,
               const char* elsewhere = "recorded:laptop", double drift = 1) {
        const QString file = make_workspace();
        auto workspace = Workspace::open(file.toStdString());
        const MachineDescription machine =
            is_here ? *probe_this_computer({.measure = false, .stop = {}, .progress = {}})
                    : find_machine_preset("laptop")->machine;
        const std::string fingerprint = is_here ? machine.fingerprint() : elsewhere;
        const auto id = *record_machine(*workspace, "laptop", fingerprint, machine_to_text(machine));
        open(file);
        window().show_page(QStringLiteral("schedules"));
        auto* const page = qobject_cast<SchedulesPage*>(window().current_page());
        ASSERT_NE(page, nullptr);
        const CollectSchedulesJob asked = page->measure_panel().request();
        const int threads = is_here ? asked.threads : 2;
        const auto pattern = generate_matrix("banded", {{"size", 300}}, 1);
        const ProfiledPattern profiled(*pattern);
        SimulatedClock clock(profiled, dense, parameters_with_threads(machine, threads));
        const MeasurementSetting setting{(*find_matrix(*workspace, "banded"))->id, id, dense,
                                         std::string(name(asked.protocol))};
        for (SuperSchedule schedule : {fixed_csr(Operator::SpMM, 2), in_chunks(), exploding()}) {
            schedule.threads = threads;
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(*clock.time(configuration_of(schedule))->milliseconds);
            measurement.median *= slower;
            if (schedule.chunk == exploding().chunk)
                measurement.median *= surprise;
            measurement.spread = measurement.median * spread;
            measurement.repeats = 9;
            if (is_fixed_csr(schedule))
                fixed_csr_then_ = measurement.median * drift;
            else if (drift != 1)
                measurement.reference = fixed_csr_then_;
            if (is_here) // times of other code would be measured anew, and left out of the table
                measurement.engine = code_version(KernelTarget::of_this_computer());
            ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        }
        program_->session().refresh();
        Selected selected = program_->selection().current();
        selected.workload = QStringLiteral("banded");
        selected.machine = QString::fromStdString(fingerprint);
        selected.family = QStringLiteral("spmm");
        program_->selection().select(selected);
        ASSERT_TRUE(wait_until([&] { return page_is_settled() && table().model()->rowCount() == 3; }));
    }
    DataTable& table() { return *window().current_page()->findChild<DataTable*>(); }
    WhyView& why() { return *find<WhyView>("why"); }
    WaterfallChart& simulated() { return *find<WaterfallChart>("simulated-steps"); }
    WaterfallChart& measured() { return *find<WaterfallChart>("measured-steps"); }
    QAbstractButton* button(const char* name) { return find<QAbstractButton>(name); }
    [[nodiscard]] std::string text(const char* name) { return find<QLabel>(name)->text().toStdString(); }
    [[nodiscard]] std::int64_t selected_chunk() const {
        const auto selected =
            parse_schedule(Operator::SpMM, program_->selection().current().configuration.toStdString());
        return selected ? selected->chunk : 0;
    }
    /// As if it had been measured anew on this computer.
    void record_time(SuperSchedule schedule, Milliseconds median) {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const CollectSchedulesJob asked = window().findChild<SchedulesPage*>()->measure_panel().request();
        const auto machine = find_machine(*workspace, program_->selection().current().machine.toStdString());
        const MeasurementSetting setting{(*find_matrix(*workspace, "banded"))->id, (*machine)->id, dense,
                                         std::string(name(asked.protocol))};
        schedule.threads = asked.threads;
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = median;
        measurement.repeats = 9;
        measurement.engine = code_version(KernelTarget::of_this_computer());
        ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        program_->session().refresh();
    }
    Milliseconds fixed_csr_then_{}; ///< beside the others

    /// The row of the table whose schedule this is.
    void choose(SuperSchedule schedule) {
        const QAbstractItemModel& rows = *table().view()->model();
        for (int row = 0; row < rows.rowCount(); ++row) {
            const QModelIndex cell = rows.index(row, 1);
            QTest::mouseClick(table().view()->viewport(), Qt::LeftButton, {},
                              table().view()->visualRect(cell).center());
            const auto chosen =
                parse_schedule(Operator::SpMM, program_->selection().current().configuration.toStdString());
            schedule.threads = chosen->threads;
            if (*chosen == schedule)
                break;
        }
        ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    }
};

TEST_F(WhyViewTest, StandsFirstAmongTheDetailsAndExplainsTheSelectedScheduleAtOnce) {
    begin(false);
    choose(exploding());
    EXPECT_TRUE(why().isVisible());
    EXPECT_THAT(text("why-sentence"), HasSubstr("format of k1 as uncompressed"));
    EXPECT_EQ(text("why-setting"), "banded · SpMM, 256 columns · 2 threads");
    EXPECT_EQ(button("why-basis")->text(), QStringLiteral("simulated on laptop"));
    ASSERT_FALSE(simulated().picture().empty());
    EXPECT_TRUE(simulated().isVisible());
    EXPECT_TRUE(simulated().picture().hatched) << "nothing of it was measured";
    EXPECT_EQ(simulated().picture().from.label, QStringLiteral("fixed CSR"));
    EXPECT_GT(simulated().picture().to.value, simulated().picture().from.value);
    EXPECT_FALSE(measured().isVisible());
    EXPECT_FALSE(button("fold-simulated-steps")->isVisible()) << "simulation and clock say the same";
}

TEST_F(WhyViewTest, FollowsTheSelection) {
    begin(false);
    choose(exploding());
    const double exploded = simulated().picture().to.value;
    choose(in_chunks());
    EXPECT_NE(simulated().picture().to.value, exploded);
    ASSERT_EQ(simulated().picture().steps.size(), 1);
    EXPECT_EQ(simulated().picture().steps.front().label, QStringLiteral("chunk"));
    choose(fixed_csr(Operator::SpMM, 2));
    EXPECT_THAT(text("why-sentence"), HasSubstr("baseline itself. Select another schedule"));
    EXPECT_FALSE(simulated().isVisible());
    EXPECT_FALSE(button("measure-steps")->isVisible());
}

TEST_F(WhyViewTest, SaysWhatToDoWithoutAScheduleAndForOneThatIsTooLarge) {
    open_workspace_on(QStringLiteral("schedules"));
    program_->selection().select_workload(QStringLiteral("banded"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_THAT(text("why-sentence"), StartsWith("Select a schedule in the table"));
    {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const auto large = generate_matrix("banded", {{"size", 6000}}, 1);
        ASSERT_TRUE(add_matrix(*workspace, {"large", "generated", {}}, *large));
    }
    program_->session().refresh();
    ASSERT_TRUE(wait_until([&] { return program_->session().workload(QStringLiteral("large")) != nullptr; }));
    program_->selection().select_workload(QStringLiteral("large"));
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QString::fromStdString(to_text(exploding())));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_THAT(text("why-sentence"), StartsWith("The steps can’t be simulated"));
    EXPECT_THAT(text("why-sentence"), HasSubstr("Select a schedule that stores less"));
    EXPECT_FALSE(simulated().isVisible());
}

TEST_F(WhyViewTest, SaysFirstThatTheClockContradictsTheSimulationAndFoldsTheSimulatedSteps) {
    begin(true, 0.01);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), StartsWith("Measured: this schedule is "));
    EXPECT_THAT(text("why-sentence"), HasSubstr("× as fast as fixed CSR. Simulated on laptop: it takes "));
    EXPECT_THAT(text("why-sentence"), HasSubstr("× as long as fixed CSR"));
    EXPECT_THAT(text("why-sentence"), Not(HasSubstr("format of k1")));
    QAbstractButton* const fold = button("fold-simulated-steps");
    ASSERT_TRUE(fold->isVisible());
    EXPECT_FALSE(simulated().isVisible());
    EXPECT_THAT(text("why-method"), Not(HasSubstr("Shapley"))) << "no steps are shown";
    click(fold);
    EXPECT_TRUE(simulated().isVisible());
    click(fold);
    EXPECT_FALSE(simulated().isVisible());
    choose(in_chunks());
    EXPECT_FALSE(fold->isVisible());
    EXPECT_TRUE(simulated().isVisible());
}

TEST_F(WhyViewTest, CallsTimesMeasuredThatAnotherComputerMeasured) {
    begin(false, 0.01, 0.01, 1, "another-computer");
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), StartsWith("Measured: this schedule is "));
}

TEST_F(WhyViewTest, TakesNoDifferenceWithinTheStoredNoiseForAContradiction) {
    begin(true, 0.01, 500);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), HasSubstr("format of k1 as uncompressed"));
    EXPECT_FALSE(button("fold-simulated-steps")->isVisible());
}

TEST_F(WhyViewTest, SaysFirstThatTheSimulationIsFarOffTheClockThoughBothAgreeOnTheFactor) {
    begin(true, 1, 0.01, 3);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), StartsWith("The simulation takes "));
    EXPECT_THAT(text("why-sentence"), HasSubstr("; the measured time is "));
    EXPECT_THAT(text("why-sentence"), HasSubstr(". Read the parts below with care. "));
    EXPECT_FALSE(simulated().isVisible()) << "the steps are folded";
    EXPECT_TRUE(button("fold-simulated-steps")->isVisible());
}

TEST_F(WhyViewTest, SaysFirstThatTheSimulationOfFixedCsrAloneIsFarOff) {
    begin(true, 1.0 / 3, 0.01, 3);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), StartsWith("The simulation of fixed CSR takes "));
}

TEST_F(WhyViewTest, NamesTheTimeOfFixedCsrThatTheHeadlineNames) {
    begin(false, 1, 0.01, 1, "recorded:laptop", 3);
    choose(exploding());
    const std::string then = duration_text(fixed_csr_then_.count()).toStdString();
    EXPECT_THAT(text("headline"), HasSubstr(then + " at that moment"));
    EXPECT_THAT(text("why-sentence"), StartsWith("The simulation of fixed CSR takes "));
    EXPECT_THAT(text("why-sentence"), HasSubstr("; the recorded time is " + then + ". "));
    EXPECT_THAT(text("why-method"),
                StartsWith("The times of the ranking are " + then + " (fixed CSR at that moment) and "));
}

TEST_F(WhyViewTest, SaysNothingOfADistanceThatTheSimulatorsErrorExplains) {
    begin(true, 1, 0.01, 1.3);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), StartsWith("The most costly decision"));
}

TEST_F(WhyViewTest, CallsTheTimeOfAnotherComputerRecorded) {
    begin(false, 1, 0.01, 3);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), HasSubstr("; the recorded time is "));
}

TEST_F(WhyViewTest, MeasuresTheStepsOnOneClickAndShowsThemWithTheirErrors) {
    begin(true, 0.01);
    choose(exploding());
    click(button("measure-steps"));
    EXPECT_TRUE(wait_until([&] { return find<QWidget>("why-progress")->isVisible(); }));
    EXPECT_FALSE(button("measure-steps")->isEnabled()) << "it is being measured";
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && measured().isVisible(); }, 120));
    EXPECT_FALSE(find<QWidget>("why-progress")->isVisible());
    EXPECT_EQ(button("why-basis")->text(), QStringLiteral("measured here"));
    EXPECT_THAT(text("why-method"), StartsWith("The times of the ranking are ")) << "which others may be";
    EXPECT_FALSE(measured().picture().hatched);
    ASSERT_FALSE(measured().picture().steps.empty());
    if (!measured().picture().axis.logarithmic) { // factors, where shares exceed the times, have no error
        EXPECT_FALSE(std::isnan(measured().picture().steps.front().uncertainty));
    }
    EXPECT_TRUE(button("fold-simulated-steps")->isVisible());
    EXPECT_FALSE(simulated().isVisible()) << "what was measured leads";
    choose(in_chunks());
    EXPECT_FALSE(measured().isVisible());
    choose(exploding());
    EXPECT_TRUE(measured().isVisible()) << "the measured steps stay";
}

TEST_F(WhyViewTest, WhatOneAskedAboutStaysSelectedThoughAnotherBecomesTheBest) {
    begin(true, 0.01);
    ASSERT_TRUE(wait_until([&] { return selected_chunk() == exploding().chunk; })) << "the best so far";
    record_time(in_chunks(), Milliseconds(1e-6));
    ASSERT_TRUE(wait_until([&] { return selected_chunk() == in_chunks().chunk && page_is_settled(); }))
        << "nobody has chosen one, so the best is looked at";
    std::ofstream(folder_ / "worker") << "#!/bin/bash\nexec sleep 60\n";
    std::filesystem::permissions(folder_ / "worker", std::filesystem::perms::owner_all);
    program_->jobs().set_worker_program(path("worker"));
    click(button("measure-steps"));
    const std::string before = text("headline");
    record_time(exploding(), Milliseconds(1e-7));
    ASSERT_TRUE(wait_until([&] { return text("headline") != before && page_is_settled(); }))
        << "another one is the best";
    EXPECT_EQ(selected_chunk(), in_chunks().chunk);
}

TEST_F(WhyViewTest, AMeasurementThatIsStoppedLeavesTheSimulatedSteps) {
    begin(true);
    choose(exploding());
    std::ofstream(folder_ / "worker") << "#!/bin/bash\n"
                                         "echo '{\"event\":\"progress\",\"stage\":\"hybrids\",\"done\":1,"
                                         "\"total\":5}'\nexec sleep 60\n";
    std::filesystem::permissions(folder_ / "worker", std::filesystem::perms::owner_all);
    program_->jobs().set_worker_program(path("worker"));
    click(button("measure-steps"));
    auto* const line = find<QWidget>("why-progress");
    ASSERT_TRUE(wait_until([&] { return line->isVisible(); }));
    click(line->findChild<QAbstractButton*>(QStringLiteral("stop")));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && !line->isVisible(); }, 30));
    EXPECT_FALSE(measured().isVisible());
    EXPECT_TRUE(simulated().isVisible());
    EXPECT_TRUE(button("measure-steps")->isEnabled());
}

TEST_F(WhyViewTest, WaitsWithASimulationUntilAMeasurementIsOver) {
    begin(true);
    choose(in_chunks());
    std::ofstream(folder_ / "worker") << "#!/bin/bash\nexec sleep 60\n";
    std::filesystem::permissions(folder_ / "worker", std::filesystem::perms::owner_all);
    program_->jobs().set_worker_program(path("worker"));
    click(button("measure-steps"));
    auto* const line = find<QWidget>("why-progress");
    ASSERT_TRUE(wait_until([&] { return line->isVisible(); }));
    EXPECT_TRUE(simulated().isVisible()) << "what is known stays";
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), HasSubstr("once the measurement is over"));
    EXPECT_FALSE(simulated().isVisible());
    for (const Job& job : program_->jobs().jobs())
        program_->jobs().stop(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && simulated().isVisible(); }, 30));
}

TEST_F(WhyViewTest, MeasuresNothingForAnotherMachine) {
    begin(false, 0.01);
    choose(exploding());
    EXPECT_THAT(text("why-sentence"), StartsWith("Recorded: this schedule is "));
    EXPECT_FALSE(button("measure-steps")->isEnabled());
    EXPECT_THAT(button("measure-steps")->toolTip().toStdString(), HasSubstr("only on this computer"));
}

} // namespace
} // namespace sparsight::testing
