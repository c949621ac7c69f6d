// Validating and calibrating on the page Machines, in the real window, with the real worker.
#include "calibrated_workspace.h"

#include "app/gui/shell/window_fixture.h"
#include "gui/domains/sparse/validation/validation_results.h"
#include "gui/domains/sparse/validation/validation_view.h"
#include "gui/help/help_page.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/machines/machine_actions.h"
#include "gui/machines/machine_editor.h"
#include "gui/machines/machines_page.h"
#include "gui/page/machine_words.h"
#include "gui/selection/selection.h"
#include "gui/shell/screenshot.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/runs.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/table/data_table.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using P = MachineParameter;
using State = ValidationStudy::State;

class CalibrationPageTest : public WindowTest {
protected:
    void open_measured() {
        make_measured_computer(path("w.sparsight").toStdString());
        open_machines();
    }
    void open_machines() {
        window().resize(1280, 800);
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("machines"));
        select(computer_fingerprint);
        ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    }
    void select(const char* machine) { program_->selection().select_machine(QLatin1String(machine)); }
    void show_validation() { tabs().setCurrentWidget(&view()); }
    void wait_for(State state) {
        ASSERT_TRUE(wait_until([&] { return view().study().state() == state; }))
            << view().study().reason().toStdString();
    }

    [[nodiscard]] MachinesPage& page() {
        return dynamic_cast<MachinesPage&>(*window().page(QStringLiteral("machines")));
    }
    [[nodiscard]] QTabWidget& tabs() {
        return *page().findChild<QTabWidget*>(QStringLiteral("machine-tabs"));
    }
    [[nodiscard]] ValidationView& view() { return dynamic_cast<ValidationView&>(*page().study()); }
    [[nodiscard]] ValidationResults& results() { return view().results(); }
    [[nodiscard]] std::string text(const char* label) { return find<QLabel>(label)->text().toStdString(); }
    [[nodiscard]] std::string cell(const DataTable& table, int row, int column) {
        return table.model()->index(row, column).data().toString().toStdString();
    }
    [[nodiscard]] MachineDescription stored() {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        return *description_of(**find_machine(*workspace, computer_fingerprint));
    }
    [[nodiscard]] bool empty_state_says(const char* title) {
        const auto labels = view().findChild<EmptyState*>()->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [title](const QLabel* label) {
            return label->isVisible() && label->text() == QLatin1String(title);
        });
    }
    void press(const QAction* action) {
        for (auto* button : page().findChildren<QToolButton*>())
            if (button->defaultAction() == action && button->isVisible())
                return click(button);
        FAIL() << "no button for " << action->text().toStdString();
    }
    /// From now on the worker is this script.
    void use_worker(const std::string& script) {
        const auto file = write_file(folder_ / "worker", "#!/bin/bash\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        program_->jobs().set_worker_program(QString::fromStdString(file.string()));
    }
    /// Works until the file "go" is there, or it is stopped.
    void use_waiting_worker() {
        use_worker(fmt::format(
            "trap 'echo "
            "\"{{\\\"event\\\":\\\"error\\\",\\\"error\\\":\\\"stopped\\\",\\\"stopped\\\":true}}\"; exit 3' "
            "INT\n"
            "echo "
            "'{{\"event\":\"progress\",\"stage\":\"fitting\",\"done\":30,\"total\":600,\"seconds_left\":40}}'"
            "\n"
            "while [ ! -e '{}' ]; do sleep 0.02; done\n"
            "echo '{{\"event\":\"end\",\"name\":\"here\",\"complete\":true,\"stopped\":false}}'\n",
            path("go").toStdString()));
    }
    void let_go() { write_file(folder_ / "go", ""); }
};

TEST_F(CalibrationPageTest, ShowsInWhatTheMachineIsUnlikeItsSimulator) {
    make_measured_computer(path("w.sparsight").toStdString(), 4, 1, 4);
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto run = start_run(*workspace, "finetune", R"({"name":"adapted","model":"gray"})");
        for (const auto& [metric, value] : {std::pair{"deviation/chunk_us/factor", 1.4},
                                            {"deviation/chunk_us/low", 1.1},
                                            {"deviation/chunk_us/high", 1.8},
                                            {"deviation/l2_bytes/factor", 0.5},
                                            {"deviation/l2_bytes/low", 0.45},
                                            {"deviation/l2_bytes/high", 0.55}})
            ASSERT_TRUE(record_metric(*workspace, *run, metric, {0, value}).has_value());
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
        ASSERT_TRUE(add_model(*workspace,
                              {"adapted", *run, std::nullopt,
                               R"({"architecture":"gray-box","input":{"operator":"spmm"},
                                   "training":{"method":"fine-tuned","machines":["Old server"]}})"},
                              {})
                        .has_value());
        MachineDescription other = known_computer();
        other.name = "Other server";
        ASSERT_TRUE(record_machine(*workspace, other.name, "other", machine_to_text(other)).has_value());
    }
    open_machines();
    auto* const deviations = page().findChild<QWidget*>(QStringLiteral("deviations"));
    const int tab = tabs().indexOf(deviations);
    ASSERT_TRUE(wait_until([&] { return tabs().isTabVisible(tab); }));
    tabs().setCurrentIndex(tab);
    const auto& table = *deviations->findChild<DataTable*>();
    const auto row = [&](int at) {
        return fmt::format("{}, {}, {}, {}", cell(table, at, 0), cell(table, at, 1), cell(table, at, 2),
                           cell(table, at, 3));
    };
    ASSERT_EQ(table.model()->rowCount(), 2);
    EXPECT_EQ(row(0), parameter_words(P::L2Bytes).name.toStdString() + ", 0.50×, 0.45× to 0.55×, adapted")
        << "the clearest first";
    EXPECT_EQ(row(1), parameter_words(P::ChunkCost).name.toStdString() + ", 1.40×, 1.10× to 1.80×, adapted");
    select("other");
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && !tabs().isTabVisible(tab); }));
    EXPECT_NE(tabs().currentIndex(), tab) << "nothing is known of this one";
    select(computer_fingerprint);
    ASSERT_TRUE(wait_until([&] { return tabs().currentIndex() == tab; })) << "it is shown again";
}

TEST_F(CalibrationPageTest, ShowsHowTrueTheSimulationIsOfTheMatricesThatAreKeptBack) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    const auto held_out = matrix_names(true, 2);
    const MachineValidation& validation = *view().study().validation();
    ASSERT_EQ(validation.matrices.size(), 2U);
    EXPECT_THAT(text("validation-finding"), HasSubstr("measuring once more would reach"));
    EXPECT_THAT(text("validation-remark"),
                AllOf(HasSubstr("on 2 matrices that no calibration saw"), HasSubstr("Not calibrated")));
    const auto& points = std::get<ScatterSeries>(results().scatter().view()->content().series[0]).points;
    EXPECT_EQ(points.size(), static_cast<std::size_t>(validation.runs));
    const auto& bars = std::get<BarSeries>(results().agreement().view()->content().series[0]).bars;
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_GE(bars[0].value, bars[1].value);
    EXPECT_EQ(results().terms().picture().bars.size(), time_term_count);
    EXPECT_EQ(results().matrices().model()->rowCount(), 2);
    EXPECT_EQ(cell(results().matrices(), 0, 0), held_out[0]);
    EXPECT_EQ(results().parameters().model()->rowCount(), 0) << "it was not calibrated";

    auto* const which = find<QComboBox>("validated-matrices");
    which->setCurrentIndex(1);
    ASSERT_TRUE(wait_until([&] { return results().matrices().model()->rowCount() == 12; }));
    EXPECT_THAT(text("validation-remark"), HasSubstr("those that calibrations are fitted to among them"));
}

TEST_F(CalibrationPageTest, AClickOnAPointOrABarSelectsItsMatrixEverywhere) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    const ValidatedMatrix& matrix = view().study().validation()->matrices[1];
    const QString name = QString::fromStdString(matrix.name);
    ChartView& scatter = *results().scatter().view();
    ASSERT_TRUE(wait_until([&] { return scatter.isVisible() && !scatter.visibleRegion().isEmpty(); }));
    for (int turn = 0; turn < 5; ++turn) // what scrolls is laid out
        QCoreApplication::processEvents();
    const ChartTransform& transform = scatter.chart_layout().transform;
    program_->selection().select_workload({});
    const QPointF point(transform.pixel_x(matrix.measured_ms[0]), transform.pixel_y(matrix.simulated_ms[0]));
    QTest::mouseMove(scatter.viewport(), point.toPoint());
    QTest::mouseClick(scatter.viewport(), Qt::LeftButton, {}, point.toPoint());
    EXPECT_FALSE(program_->selection().current().workload.isEmpty()) << "one of those that lie there";

    ChartView& bars = *results().agreement().view();
    const auto& shown = std::get<BarSeries>(bars.content().series[0]).bars;
    const std::size_t at = shown[0].label == name ? 0 : 1;
    const ChartTransform& places = bars.chart_layout().transform;
    QTest::mouseClick(
        bars.viewport(), Qt::LeftButton, {},
        QPointF(places.pixel_x(static_cast<double>(at) + 0.5), places.area.bottom() - 5).toPoint());
    EXPECT_EQ(program_->selection().current().workload, name);
    EXPECT_EQ(results().agreement().selected().toString(), name);
    EXPECT_EQ(cell(results().matrices(), results().matrices().current_source_row(), 0), matrix.name);
    EXPECT_EQ(std::get<ScatterSeries>(scatter.content().series[1]).name, name) << "its points stand out";

    program_->selection().select_workload(QString::fromStdString(matrix_names(true, 1)[0]));
    EXPECT_EQ(results().matrices().current_source_row(), 0) << "selected elsewhere";
    results().matrices().select_source_row(1);
    EXPECT_EQ(program_->selection().current().workload, name) << "by its row";
}

TEST_F(CalibrationPageTest, CalibratingFitsTheMachineAndEverythingFollows) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    const double before = view().study().validation()->mean.kendall_tau;
    tabs().setCurrentIndex(0);
    press(page().jobs().calibrate());
    EXPECT_EQ(tabs().currentWidget(), &view()) << "that is where it shows";
    EXPECT_FALSE(page().jobs().calibrate()->isEnabled());
    EXPECT_THAT(page().jobs().calibrate()->toolTip().toStdString(), HasSubstr("being calibrated now"));
    EXPECT_TRUE(page().jobs().progress_line()->isVisible());
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    ASSERT_EQ(program_->jobs().jobs().front().state, JobState::Finished)
        << program_->jobs().jobs().front().error.toStdString();
    EXPECT_FALSE(page().jobs().progress_line()->isVisible());
    EXPECT_TRUE(page().jobs().calibrate()->isEnabled());
    EXPECT_TRUE(stored().coefficients.contains(P::DenseIteration));

    ASSERT_TRUE(wait_until([&] {
        const auto now = view().study().validation();
        return view().study().state() == State::Done && now && now->uncalibrated.has_value();
    }));
    EXPECT_DOUBLE_EQ(view().study().validation()->uncalibrated->kendall_tau, before);
    EXPECT_GT(view().study().validation()->mean.kendall_tau, before);
    EXPECT_THAT(text("validation-remark"), HasSubstr("Uncalibrated: τ "));
    const DataTable& parameters = results().parameters();
    const QAbstractItemModelTester tester(parameters.model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_GT(parameters.model()->rowCount(), 10);
    for (int row = 0; row < parameters.model()->rowCount(); ++row)
        EXPECT_THAT(cell(parameters, row, 4), HasSubstr("determined")) << cell(parameters, row, 0);
    auto& editor = *page().findChild<MachineEditor*>();
    EXPECT_THAT(editor.mark(P::DenseIteration)->text().toStdString(), HasSubstr("fitted"));
    EXPECT_THAT(editor.mark(P::DenseIteration)->toolTip().toStdString(),
                HasSubstr("it was 1.50\u00A0cycles before"));
    EXPECT_THAT(program_->jobs().jobs().front().summary.toStdString(),
                HasSubstr("τ on 2 matrices kept back"));
}

TEST_F(CalibrationPageTest, ACalibrationThatIsStoppedLeavesTheMachineAsItWas) {
    open_measured();
    use_waiting_worker();
    press(page().jobs().calibrate());
    auto* const line = page().jobs().progress_line();
    ASSERT_TRUE(wait_until([&] { return line->isVisible(); }));
    const auto says = [&](const char* words) {
        return std::ranges::any_of(line->findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->text().contains(QString::fromUtf8(words));
        });
    };
    ASSERT_TRUE(wait_until([&] { return says("fitting: 30 of 600"); }));
    EXPECT_TRUE(says("40\u00A0s left"));
    EXPECT_FALSE(line->findChild<QPushButton*>(QStringLiteral("pause"))->isVisible());
    click(line->findChild<QPushButton*>(QStringLiteral("stop")));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_EQ(program_->jobs().jobs().front().state, JobState::Stopped);
    EXPECT_EQ(stored(), known_computer());
    EXPECT_TRUE(page().jobs().calibrate()->isEnabled());
}

TEST_F(CalibrationPageTest, SaysWhyAMachineCantBeCalibratedAndWhatToDo) {
    open_measured();
    const QAction& calibrate = *page().jobs().calibrate();
    EXPECT_TRUE(calibrate.isEnabled());

    page().findChild<QAction*>(QStringLiteral("preset-laptop"))->trigger();
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_FALSE(calibrate.isEnabled());
    EXPECT_THAT(calibrate.toolTip().toStdString(), HasSubstr("simulated machine were chosen"));
    show_validation();
    EXPECT_TRUE(view().findChild<EmptyState*>()->isVisible());

    program_->session().write(&program_->session(),
                              [](Workspace& workspace) -> Result<void> {
                                  const auto id = recorded_machine(workspace, "Xeon");
                                  return id ? Result<void>() : std::unexpected(id.error());
                              },
                              {});
    ASSERT_TRUE(wait_until([&] { return program_->session().machine(QStringLiteral("recorded:Xeon")); }));
    select("recorded:Xeon");
    EXPECT_FALSE(calibrate.isEnabled());
    EXPECT_THAT(calibrate.toolTip().toStdString(), HasSubstr("No runtimes of this machine are known"));
    show_validation();
    click(find<QPushButton>("validation-go-measuring"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("schedules"));
}

TEST_F(CalibrationPageTest, ComputingCanBeCancelledAndBegunAgain) {
    open_measured();
    show_validation();
    ASSERT_EQ(view().study().state(), State::Computing);
    click(find<QPushButton>("stop-validation"));
    EXPECT_EQ(view().study().state(), State::Stopped);
    EXPECT_FALSE(find<QPushButton>("stop-validation")->isVisible());
    click(find<QPushButton>("compute-validation"));
    wait_for(State::Done);
    EXPECT_EQ(results().matrices().model()->rowCount(), 2);
}

TEST_F(CalibrationPageTest, NothingIsComputedBesideAMeasurement) {
    open_measured();
    use_waiting_worker();
    ASSERT_TRUE(program_->jobs().start(ProbeJob{program_->session().path()}).has_value());
    ASSERT_TRUE(wait_until([&] { return program_->jobs().has_active_jobs(); }));
    show_validation();
    EXPECT_EQ(view().study().state(), State::Waiting);
    EXPECT_TRUE(view().findChild<EmptyState*>()->isVisible());
    let_go();
    wait_for(State::Done);
}

TEST_F(CalibrationPageTest, AMeasurementThatBeginsIsNotDisturbed) {
    open_measured();
    use_waiting_worker();
    show_validation();
    ASSERT_EQ(view().study().state(), State::Computing);
    ASSERT_TRUE(program_->jobs().start(ProbeJob{program_->session().path()}).has_value());
    EXPECT_EQ(view().study().state(), State::Waiting) << "at once, as the worker has begun";
    let_go();
    wait_for(State::Done);
}

TEST_F(CalibrationPageTest, FiguresOfAnotherChoiceAreNotShownUnderTheNewOne) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    use_waiting_worker();
    ASSERT_TRUE(program_->jobs().start(ProbeJob{program_->session().path()}).has_value());
    ASSERT_TRUE(wait_until([&] { return program_->jobs().has_active_jobs(); }));
    find<QComboBox>("validated-matrices")->setCurrentIndex(1);
    EXPECT_EQ(view().study().state(), State::Waiting);
    EXPECT_EQ(view().study().validation(), nullptr) << "those of the matrices that are kept back";
    EXPECT_TRUE(view().findChild<EmptyState*>()->isVisible());
    EXPECT_TRUE(empty_state_says("A measurement is running"));
    view().study().stop();
    EXPECT_EQ(view().study().state(), State::Stopped);
    EXPECT_TRUE(empty_state_says("Stopped"));
    EXPECT_TRUE(find<QPushButton>("compute-validation")->isVisible());
    let_go();
}

TEST_F(CalibrationPageTest, FiguresFromBeforeAMeasurementAreCalledThat) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    use_waiting_worker();
    ASSERT_TRUE(program_->jobs().start(ProbeJob{program_->session().path()}).has_value());
    ASSERT_TRUE(wait_until([&] { return program_->jobs().has_active_jobs(); }));
    view().study().compute();
    ASSERT_EQ(view().study().state(), State::Waiting);
    EXPECT_EQ(results().matrices().model()->rowCount(), 2);
    EXPECT_THAT(text("validation-remark"), HasSubstr("These are earlier figures: a measurement is running"));
    let_go();
    wait_for(State::Done);
    EXPECT_THAT(text("validation-remark"), ::testing::Not(HasSubstr("These are earlier figures")));
}

TEST_F(CalibrationPageTest, WhatIsCancelledWhileItIsComputedAnewIsStopped) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    view().study().compute();
    click(find<QPushButton>("stop-validation"));
    EXPECT_EQ(view().study().state(), State::Stopped);
    EXPECT_TRUE(empty_state_says("Stopped"));
    click(find<QPushButton>("compute-validation"));
    wait_for(State::Done);
}

TEST_F(CalibrationPageTest, WhereNothingWasKeptBackAllMatricesAreOffered) {
    {
        auto workspace = Workspace::create(path("w.sparsight").toStdString(), "test");
        const auto machine =
            record_machine(*workspace, "Old server", computer_fingerprint, machine_to_text(known_computer()));
        std::uint64_t seed = 1;
        for (const std::string& name : matrix_names(false, 12))
            measure_as_it_is(*workspace, *machine, name, seed++, 8);
    }
    open_machines();
    show_validation();
    wait_for(State::Failed);
    EXPECT_THAT(view().study().reason().toStdString(), HasSubstr("is kept back"));
    click(find<QPushButton>("validate-all"));
    wait_for(State::Done);
    EXPECT_EQ(results().matrices().model()->rowCount(), 12);
}

TEST_F(CalibrationPageTest, OfFewMatricesItSaysThatTheCalibrationHasSeenAll) {
    make_measured_computer(path("w.sparsight").toStdString(), 3, 1, 12);
    open_machines();
    show_validation();
    wait_for(State::Done);
    EXPECT_EQ(results().matrices().model()->rowCount(), 4) << "before, it has seen none";
    press(page().jobs().calibrate());
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    EXPECT_EQ(stored().calibration.fitted_matrices.size(), 4U);
    ASSERT_TRUE(wait_until([&] {
        return view().study().state() == State::Done && view().study().validation()->all_were_fitted;
    }));
    EXPECT_THAT(text("validation-finding"), HasSubstr("Cross-validated on left-out matrices: Kendall’s τ"));
    EXPECT_THAT(text("validation-remark"), HasSubstr("Cross-validated: "));
    EXPECT_TRUE(stored().calibration.cross_validation);
    EXPECT_EQ(find<QComboBox>("validated-matrices")->currentText(),
              QStringLiteral("none was kept back: all that were fitted"));
    EXPECT_THAT(program_->jobs().jobs().front().summary.toStdString(),
                HasSubstr("4 matrices, each left out"));
}

TEST_F(CalibrationPageTest, NewMeasurementsAreTakenInAndAnotherMachineIsAnotherAnswer) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto machine = find_machine(*workspace, computer_fingerprint);
        measure_as_it_is(*workspace, (*machine)->id, matrix_names(true, 3).back(), 19, 20);
    }
    program_->session().refresh();
    ASSERT_TRUE(wait_until([&] { return results().matrices().model()->rowCount() == 3; }));
    page().findChild<QAction*>(QStringLiteral("preset-laptop"))->trigger();
    show_validation();
    EXPECT_EQ(view().study().validation(), nullptr);
}

TEST_F(CalibrationPageTest, APictureOfTheTabIsOfWhatItShowsOnceThatIsComputed) {
    open_measured();
    const auto taken = take_screenshot(window(), QStringLiteral("machines:validation"), path("tab.png"),
                                       std::chrono::seconds(30));
    ASSERT_TRUE(taken.has_value()) << taken.error().toStdString();
    EXPECT_EQ(tabs().currentWidget(), &view());
    EXPECT_EQ(view().study().state(), State::Done);
    EXPECT_GT(QImage(path("tab.png")).width(), 800);
    const auto refused =
        take_screenshot(window(), QStringLiteral("machines:no-tab"), path("no.png"), std::chrono::seconds(1));
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().toStdString(), HasSubstr("has no tab “no-tab”. Tabs: "));
    EXPECT_THAT(refused.error().toStdString(), HasSubstr("validation"));
    EXPECT_TRUE(take_screenshot(window(), QStringLiteral("machines:Validation"), path("case.png"),
                                std::chrono::seconds(30))
                    .has_value())
        << "as it is called in the window";
}

TEST_F(CalibrationPageTest, ItsHelpIsTheSectionAboutIt) {
    open_measured();
    show_validation();
    Q_EMIT view().findChild<InfoButton*>()->help_requested(view().findChild<InfoButton*>()->topic());
    const auto& help = dynamic_cast<HelpPage&>(*window().current_page());
    EXPECT_EQ(help.topic(), QStringLiteral("machines"));
}

TEST_F(CalibrationPageTest, ItsPicturesAreWritten) {
    open_measured();
    show_validation();
    wait_for(State::Done);
    for (Chart* const chart : {&results().scatter(), &results().agreement()})
        for (const char* file : {"a.png", "a.svg", "a.csv"}) {
            ASSERT_TRUE(chart->write(path(file)).has_value()) << file;
            EXPECT_GT(QFile(path(file)).size(), 100) << file;
        }
    EXPECT_THAT(results().scatter().csv().toStdString(), HasSubstr("measured time,simulated time"));
}

} // namespace
} // namespace sparsight::testing
