#include "app/gui/train/train_fixture.h"

#include "domains/sparse/storage/schedules.h"
#include "gui/results/evaluate_panel.h"
#include "gui/results/result_rows.h"
#include "gui/results/results_page.h"
#include "gui/shell/screenshot.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ResultsPageTest : public TrainTest {
protected:
    /// Two models that have chosen for the matrices of the workspace: the first takes the fast schedule, the
    /// second the slow one.
    void evaluate(const std::string& description = "{}") {
        make_measured_workspace();
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(workspace.has_value());
        const auto machine = find_machine(*workspace, "laptop");
        ASSERT_TRUE(machine.has_value() && machine->has_value());
        const auto first = add_model(*workspace, {"first", std::nullopt, std::nullopt, description}, {});
        const auto second = add_model(*workspace, {"second", std::nullopt, std::nullopt, "{}"}, {});
        std::string names;
        for (int i = 0; i < 5; ++i)
            names += fmt::format("{}\"m{}\"", i == 0 ? "" : ",", i);
        const auto run = start_run(
            *workspace, "evaluate",
            fmt::format(
                R"({{"models":["first","second"],"model_ids":[{},{}],"matrices":[{}],"k":20,"machine":"{}",
                            "operator":"spmm","dense":256,"protocol":"waco","threads":null,"seed":1}})",
                static_cast<std::int64_t>(*first), static_cast<std::int64_t>(*second), names,
                (*machine)->fingerprint));
        ASSERT_TRUE(run.has_value());
        for (int i = 0; i < 5; ++i) {
            const auto matrix = find_matrix(*workspace, fmt::format("m{}", i));
            for (const auto& [model, block] : {std::pair{*first, 4}, {*second, 8}}) {
                SuperSchedule schedule = fixed_csr(Operator::SpMM, 1);
                schedule.chunk = block;
                const double time = block == 4 ? 1.0 : 3.0 + i;
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(time);
                ASSERT_TRUE(record_measurement(*workspace, {(*matrix)->id, (*machine)->id, 256, "waco"},
                                               schedule, measurement)
                                .has_value());
                const std::vector<ChosenSchedule> chosen{{schedule, -1.0}};
                ASSERT_TRUE(record_choices(*workspace, *run, model, (*matrix)->id, chosen).has_value());
            }
        }
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
    }

    /// A newer evaluation, of the second model alone.
    void evaluate_second() {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto second = find_model(*workspace, "second");
        const auto matrix = find_matrix(*workspace, "m0");
        const auto machine = find_machine(*workspace, "laptop");
        const auto run =
            start_run(*workspace, "evaluate",
                      fmt::format(R"({{"models":["second"],"model_ids":[{}],"matrices":["m0"],"k":20,
                          "machine":"{}","operator":"spmm","dense":256,"protocol":"waco","threads":null,
                          "seed":1}})",
                                  static_cast<std::int64_t>((*second)->id), (*machine)->fingerprint));
        SuperSchedule schedule = fixed_csr(Operator::SpMM, 1);
        schedule.chunk = 8;
        const std::vector<ChosenSchedule> chosen{{schedule, -1.0}};
        ASSERT_TRUE(record_choices(*workspace, *run, (*second)->id, (*matrix)->id, chosen).has_value());
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
    }

    ResultsPage& open_results() {
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("results"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        return *qobject_cast<ResultsPage*>(window().current_page());
    }
};

TEST_F(ResultsPageTest, WithoutAnEvaluationItSaysWhatToDo) {
    make_measured_workspace();
    open_results();
    EXPECT_FALSE(find<QPushButton>("evaluate")->isEnabled());
    EXPECT_THAT(find<QPushButton>("evaluate")->toolTip().toStdString(), HasSubstr("train one first"));
    click(find<QPushButton>("go-training-first"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
}

TEST_F(ResultsPageTest, ShowsBarsFiguresAndRowsOfTheNewestEvaluation) {
    evaluate();
    ResultsPage& page = open_results();
    EXPECT_TRUE(wait_until([&] {
        return names_of(page.bars()) == QStringList{QStringLiteral("first"), QStringLiteral("second")};
    }));
    EXPECT_EQ(page.table().model()->rowCount(), 10);
    const std::string findings = find<QLabel>("findings")->text().toStdString();
    EXPECT_THAT(findings, HasSubstr("first: +"));
    EXPECT_THAT(findings, HasSubstr("slower on 0 of 5"));
    EXPECT_THAT(findings, HasSubstr("(5 with unknown noise)")) << "the second one is told of as well";
    EXPECT_EQ(find<QComboBox>("evaluation")->count(), 1);
    EXPECT_THAT(find<QComboBox>("evaluation")->currentText().toStdString(),
                HasSubstr("first, second on laptop"));
}

TEST_F(ResultsPageTest, SaysWhichMatricesAModelWasTrainedOn) {
    evaluate(R"({"training":{"matrices":["m1","m3"]}})");
    open_results();
    EXPECT_THAT(find<QLabel>("remarks")->text().toStdString(),
                HasSubstr("2 matrices among these that a model was trained on, as m1"));
}

TEST_F(ResultsPageTest, BarsAreSortedByTheModelThatIsChosen) {
    evaluate();
    ResultsPage& page = open_results();
    auto& order = *find<QComboBox>("bar-order");
    ASSERT_EQ(order.count(), 3) << "the best, first, second";
    order.setCurrentIndex(2);
    const auto bars = std::get<BarSeries>(page.bars().view()->content().series[1]).bars;
    EXPECT_TRUE(std::ranges::is_sorted(bars, std::ranges::greater_equal(), &Bar::value));
    EXPECT_THAT(page.bars().view()->content().x.title.toStdString(), HasSubstr("gain of second first"));
}

TEST_F(ResultsPageTest, TheFiguresKeepRoomForWhatTheyShowInALowWindow) {
    evaluate();
    ResultsPage& page = open_results();
    window().resize(1000, 500);
    QCoreApplication::processEvents();
    EXPECT_GE(page.scatter().height(), 200);
}

TEST_F(ResultsPageTest, TheTimesAreThoseOfTheSelectedMachineAndSelectIt) {
    make_measured_workspace();
    open_results();
    program_->selection().select_machine(QStringLiteral("recorded:server"));
    auto* const times = find<QComboBox>("evaluated-machine");
    EXPECT_EQ(times->currentText(), QStringLiteral("recorded: server"));
    program_->selection().select_machine(QStringLiteral("recorded:laptop"));
    EXPECT_EQ(times->currentText(), QStringLiteral("recorded: laptop"));
    times->setCurrentText(QStringLiteral("recorded: server"));
    EXPECT_EQ(program_->selection().current().machine, QStringLiteral("recorded:server"));
    times->setCurrentText(QStringLiteral("measured here"));
    Q_EMIT program_->session().contents_changed();
    EXPECT_EQ(times->currentText(), QStringLiteral("measured here"))
        << "the workspace does not know this computer, which can't be selected";
}

TEST_F(ResultsPageTest, TheTimesMayBeSimulatedOnAMachineThatHasNone) {
    make_measured_workspace();
    const QString machine = add_simulated_machine("imagined");
    ResultsPage& page = open_results();
    program_->selection().select_machine(machine);
    EXPECT_EQ(find<QComboBox>("evaluated-machine")->currentText(), QStringLiteral("simulated: imagined"));
    EXPECT_EQ(page.panel().request().machine, machine);
}

TEST_F(ResultsPageTest, ANameThatSaysHowItsTimesAreKnownStandsAloneAndIsToldInFull) {
    make_measured_workspace();
    const QString machine = add_simulated_machine("AMD EPYC, 2 threads (simulated)");
    open_results();
    program_->selection().select_machine(machine);
    const auto* const times = find<QComboBox>("evaluated-machine");
    EXPECT_EQ(times->currentText(), QStringLiteral("AMD EPYC, 2 threads (simulated)"));
    EXPECT_TRUE(times->toolTip().startsWith(times->currentText() + u'\n')) << times->toolTip().toStdString();
    EXPECT_GE(times->width(), times->fontMetrics().horizontalAdvance(times->currentText()));
}

TEST_F(ResultsPageTest, AClickOnABarSelectsItsMatrixEverywhere) {
    evaluate();
    ResultsPage& page = open_results();
    Q_EMIT page.bars().view()->picked(QStringLiteral("m3"));
    EXPECT_EQ(program_->selection().current().workload, QStringLiteral("m3"));
    EXPECT_EQ(page.bars().selected().toString(), QStringLiteral("m3"));
    const auto* rows = dynamic_cast<const WorkloadResultsModel*>(page.table().model());
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(rows->workload(page.table().current_source_row()), QStringLiteral("m3"));
    page.table().select_source_row(0);
    EXPECT_EQ(program_->selection().current().workload, rows->workload(0));
}

TEST_F(ResultsPageTest, CopiesItsTablesAsMarkdown) {
    evaluate();
    open_results();
    find<QAction>("copy-markdown")->trigger();
    EXPECT_THAT(QGuiApplication::clipboard()->text().toStdString(),
                ::testing::AllOf(HasSubstr("| first |"), HasSubstr("| m3 |")));
}

TEST_F(ResultsPageTest, TheScatterCanShowTheSelectedMatrixAlone) {
    evaluate();
    ResultsPage& page = open_results();
    program_->selection().select_workload(QStringLiteral("m2"));
    for (const ChartSeries& one : page.scatter().view()->content().series)
        if (const QString& name = std::get<ScatterSeries>(one).name; name.contains(QStringLiteral("τ"))) {
            EXPECT_THAT(name.toStdString(), HasSubstr(" on m2: ")) << "of the dots in colour";
        }
    find<QCheckBox>("selected-only")->setChecked(true);
    const auto& series = page.scatter().view()->content().series;
    ASSERT_EQ(series.size(), 2U);
    EXPECT_EQ(std::get<ScatterSeries>(series[0]).points.size(), 1U);
    EXPECT_THAT(page.scatter().view()->content().title.toStdString(), HasSubstr("on m2"));
}

TEST_F(ResultsPageTest, EvaluatesTheModelsThatAreTicked) {
    evaluate();
    ResultsPage& page = open_results();
    auto* models = find<QListWidget>("evaluated-models");
    ASSERT_EQ(models->count(), 2);
    models->item(0)->setCheckState(Qt::Checked);
    models->item(1)->setCheckState(Qt::Checked);
    auto* machine = find<QComboBox>("evaluated-machine");
    machine->setCurrentIndex(machine->findText(QStringLiteral("recorded: server")));
    const EvaluateJob job = page.panel().request();
    EXPECT_EQ(job.models.size(), 2);
    EXPECT_EQ(job.machine, QStringLiteral("recorded:server"));
    EXPECT_TRUE(job.workloads.isEmpty()) << "those that no model has seen";
    use_worker(
        "echo '{\"event\":\"end\",\"models\":[],\"seconds\":1,\"complete\":true,\"stopped\":false}'\n");
    click(find<QPushButton>("evaluate"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && page_is_settled(); }));
    ASSERT_EQ(program_->jobs().jobs().size(), 1U);
    EXPECT_EQ(program_->jobs().jobs().front().kind, JobKind::Evaluate);
    EXPECT_EQ(program_->jobs().jobs().front().state, JobState::Finished);
}

TEST_F(ResultsPageTest, TheRowsThatAreSelectedCanBeEvaluatedAlone) {
    evaluate();
    ResultsPage& page = open_results();
    auto* workloads = find<QComboBox>("evaluated-workloads");
    workloads->setCurrentIndex(workloads->findText(QStringLiteral("the selected rows")));
    page.table().select_source_rows({});
    EXPECT_FALSE(find<QPushButton>("evaluate")->isEnabled());
    EXPECT_THAT(find<QLabel>("evaluate-refusal")->text().toStdString(), HasSubstr("Select rows"));
    const auto* rows = dynamic_cast<const WorkloadResultsModel*>(page.table().model());
    std::vector<int> chosen;
    for (int row = 0; row < rows->rowCount(); ++row) // of both models
        if (rows->workload(row) == QStringLiteral("m1") || rows->workload(row) == QStringLiteral("m3"))
            chosen.push_back(row);
    page.table().select_source_rows(chosen);
    QStringList asked = page.panel().request().workloads;
    asked.sort();
    EXPECT_EQ(asked, (QStringList{QStringLiteral("m1"), QStringLiteral("m3")}));
    EXPECT_EQ(workloads->currentText(), QStringLiteral("the selected rows (2)"));
}

/// An evaluation that has just begun has nothing to show yet.
TEST_F(ResultsPageTest, TheFinishedEvaluationStaysUntilTheNextOneHasAMatrix) {
    evaluate();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto first = find_model(*workspace, "first");
        ASSERT_TRUE(start_run(*workspace, "evaluate",
                              fmt::format(R"({{"models":["first"],"model_ids":[{}],"matrices":["m0"],"k":20,
                                  "machine":"recorded:server","operator":"spmm","dense":256,
                                  "protocol":"waco","threads":null,"seed":1}})",
                                          static_cast<std::int64_t>((*first)->id)))
                        .has_value());
    }
    ResultsPage& page = open_results();
    const auto* choice = find<QComboBox>("evaluation");
    ASSERT_EQ(choice->count(), 2);
    EXPECT_EQ(choice->currentIndex(), 1);
    EXPECT_EQ(page.table().model()->rowCount(), 10);
    EXPECT_THAT(choice->itemText(0).toStdString(), HasSubstr("interrupted")) << "nobody works at it";
}

TEST_F(ResultsPageTest, ALinkLeadsToTheNewestEvaluationThatItFits) {
    evaluate();
    evaluate_second();
    ResultsPage& page = open_results();
    const auto* choice = find<QComboBox>("evaluation");
    EXPECT_EQ(choice->currentIndex(), 0) << "the newest";
    window().open_link(from_link(QStringLiteral("page=results&workload=m3&model=first")));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(choice->currentIndex(), 1);
    EXPECT_EQ(page.table().model()->rowCount(), 10);
    EXPECT_THAT(find<QLabel>("remarks")->text().toStdString(), Not(HasSubstr("No evaluation")));
    window().open_link(from_link(QStringLiteral("page=results&workload=m3&model=third")));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(choice->currentIndex(), 0);
    EXPECT_THAT(find<QLabel>("remarks")->text().toStdString(),
                HasSubstr("No evaluation has model third and matrix m3. The newest one is shown."));
    EXPECT_THAT(choice->currentText().toStdString(), HasSubstr("1 matrix, best of 20"));
    program_->selection().select_workload(QStringLiteral("m0"));
    EXPECT_EQ(page.scatter().view()->content().title, QStringLiteral("Predicted against recorded"))
        << "one alone stands out of nothing";
}

TEST_F(ResultsPageTest, ShowsTheSelectedModelOrSaysWhyNot) {
    evaluate();
    evaluate_second();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(add_model(*workspace, {"third", std::nullopt, std::nullopt, "{}"}, {}).has_value());
    }
    ResultsPage& page = open_results();
    const auto* choice = find<QComboBox>("evaluation");
    auto* chip = find<QLabel>("results-other-model");
    ASSERT_EQ(choice->currentIndex(), 0);
    program_->selection().select_model(QStringLiteral("first"));
    ASSERT_TRUE(wait_until([&] { return choice->currentIndex() == 1; })) << "the newest that it is in";
    EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_FALSE(chip->isVisible());
    EXPECT_EQ(page.panel().request().models, QStringList{QStringLiteral("first")});

    Q_EMIT find<EvaluationChoice>("evaluation")
        ->chosen(find<QComboBox>("evaluation")->itemData(0).toLongLong());
    ASSERT_TRUE(wait_until([&] { return chip->isVisible(); }));
    EXPECT_THAT(chip->text().toStdString(), HasSubstr("first is not in this evaluation, which is of second"));
    Q_EMIT chip->linkActivated(QStringLiteral("action"));
    ASSERT_TRUE(wait_until([&] { return choice->currentIndex() == 1 && page_is_settled(); }));
    EXPECT_FALSE(chip->isVisible());

    program_->selection().select_model(QStringLiteral("third"));
    ASSERT_TRUE(wait_until([&] { return chip->isVisible(); }));
    EXPECT_THAT(chip->text().toStdString(), HasSubstr("third was not evaluated yet"));
    Q_EMIT chip->linkActivated(QStringLiteral("select"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("first"));
    EXPECT_FALSE(chip->isVisible());
}

TEST_F(ResultsPageTest, SaysWhyNothingCanBeEvaluated) {
    make_measured_workspace();
    open_results();
    EXPECT_TRUE(find<QLabel>("evaluate-refusal")->isVisible());
    EXPECT_THAT(find<QLabel>("evaluate-refusal")->text().toStdString(), HasSubstr("train one first"));
}

TEST_F(ResultsPageTest, AnEvaluationOfRemovedModelsSaysSo) {
    evaluate();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        for (const char* name : {"first", "second"})
            ASSERT_TRUE(remove_model(*workspace, (*find_model(*workspace, name))->id).has_value());
    }
    open_results();
    EXPECT_THAT(find<QLabel>("findings")->text().toStdString(), HasSubstr("not in the workspace any more"));
    EXPECT_FALSE(find<QAction>("copy-markdown")->isEnabled());
}

TEST_F(ResultsPageTest, ItsPictureCanBeTaken) {
    evaluate();
    open_results();
    const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS", path(""));
    EXPECT_TRUE(take_screenshot(window(), QStringLiteral("results"), folder + QStringLiteral("/results.png"),
                                std::chrono::seconds(20))
                    .has_value());
}

} // namespace
} // namespace sparsight::testing
