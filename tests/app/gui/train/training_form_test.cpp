#include "app/gui/workspace/only_sparse.h"
#include "gui/domains/sparse/sparse_views.h"
#include "gui/train/hyper_parameters.h"
#include "gui/train/learning_choices.h"
#include "gui/train/run_configuration.h"
#include "gui/train/training_fields.h"
#include "gui/train/training_form.h"
#include "train_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QToolButton>
#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

QString option(const TrainJob& job, const char* name) {
    for (const auto& [option, value] : job.options)
        if (option == QLatin1String(name))
            return value;
    return QStringLiteral("(none)");
}

TEST(TrainingFields, TeachAndHaveDefaultsThatMayBe) {
    for (const TrainingField& field : training_fields(sparse_words())) {
        EXPECT_GT(field.tip.size(), 40) << field.option;
        if (field.kind == FieldKind::Whole || field.kind == FieldKind::Real) {
            EXPECT_LE(field.least, field.fallback) << field.option;
            EXPECT_LE(field.fallback, field.most) << field.option;
        }
    }
    for (const auto& choices : {training_methods(sparse_words()), sparse_training().architectures})
        for (const TrainingChoice& choice : choices)
            EXPECT_GT(choice.explanation.size(), 40) << choice.value.toStdString();
}

TEST(TrainingPresets, NameOnlyWhatThereIs) {
    QStringList options{QStringLiteral("method"), QStringLiteral("architecture"), QStringLiteral("simulated"),
                        QStringLiteral("machines")};
    for (const TrainingField& field : training_fields(sparse_words()))
        options << QLatin1String(field.option);
    for (const TrainingPreset& preset : sparse_training().presets)
        for (const auto& [option, value] : preset.values)
            EXPECT_TRUE(options.contains(option)) << preset.id.toStdString() << ": " << option.toStdString();
}

TEST(TrainingPresets, KeepTheSimulatedMachinesOfTheCommandLine) {
    QStringList simulated;
    for (const TrainingPreset& preset : sparse_training().presets)
        if (const auto found = preset.values.find(QStringLiteral("simulated")); found != preset.values.end())
            simulated << found->second;
    EXPECT_EQ(simulated, (QStringList{QStringLiteral("family:6"), QStringLiteral("A,B"),
                                      QStringLiteral("family:6"), QStringLiteral("deviating:24")}));
}

TEST_F(TrainTest, SimulatedMachinesAreTasksBesideTheRealOnes) {
    SourceChoice choice(sparse_words(), sparse_training());
    choice.set_simulated(QStringLiteral("family:6"));
    EXPECT_EQ(choice.simulated(), QStringLiteral("family:6"));
    EXPECT_EQ(choice.task_count(), 6) << "they are given generated matrices, if there are no others";
    choice.set_simulated(QStringLiteral("EPYC 7543")); // of a run that was started in a terminal
    EXPECT_EQ(choice.simulated(), QStringLiteral("EPYC 7543"));
    choice.set_simulated({});
    EXPECT_EQ(choice.simulated(), QString());
}

TEST_F(TrainTest, TheDataSaysWhenMachinesHaveTimesOfDifferentlyManyMatrices) {
    SourceChoice choice(sparse_words(), sparse_training());
    StoredLearning learning;
    for (const auto& [name, workloads] : {std::pair("laptop", 8), {"server", 32}}) {
        LearningSource source;
        source.machine = source.name = QLatin1String(name);
        source.setting = setting_of(Operator::SpMM, 256);
        source.setting_text = QStringLiteral("SpMM");
        source.workloads = workloads;
        source.measurements = std::int64_t{100} * workloads;
        learning.sources.push_back(std::move(source));
    }
    choice.set_learning(learning, {});
    const auto* const summary = choice.findChild<QLabel*>(QStringLiteral("source-summary"));
    EXPECT_THAT(summary->text().toStdString(), HasSubstr("2 machines with 8 to 32 matrices each · "))
        << "Fine-tune says 8 for the one and 32 for the other";
    learning.sources[0].workloads = 32;
    choice.set_learning(learning, {});
    EXPECT_THAT(summary->text().toStdString(), HasSubstr("2 machines × 32 matrices · "));
}

TEST_F(TrainTest, TheQuickDemoOfAnEmptyWorkspaceGeneratesMatrices) {
    ASSERT_TRUE(Workspace::create(path("empty.sparsight").toStdString(), "test"));
    TrainPage& page = open_page(path("empty.sparsight"));
    EXPECT_TRUE(find<QPushButton>("preset-quick-demo")->isChecked());
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled());
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(),
                ::testing::AllOf(HasSubstr("12 are generated"), HasSubstr("About "), HasSubstr("a guess")))
        << "what it does, and how long that takes";
    const TrainJob job = page.form().request();
    EXPECT_EQ(job.machines, QStringList{QStringLiteral("none")});
    EXPECT_EQ(option(job, "simulated"), QStringLiteral("family:6"));
    EXPECT_EQ(job.setting.setting.text, "spmm dense=256");
}

TEST_F(TrainTest, ANewWorkspaceSaysWhatToDoFirst) {
    TrainPage& page = open_page(make_workspace());
    auto* start = find<QPushButton>("start-training");
    find<QComboBox>("simulated")->setCurrentIndex(0); // none
    EXPECT_FALSE(start->isEnabled());
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(), HasSubstr("Nothing is measured yet"));
    click(page.findChild<QPushButton*>(QStringLiteral("go-measuring")));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("schedules"));
}

TEST_F(TrainTest, TheFormOffersWhatWasMeasured) {
    TrainPage& page = open_page(make_measured_workspace());
    auto* machines = find<QListWidget>("machines");
    ASSERT_EQ(machines->count(), 2);
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    TrainJob job = page.form().request();
    EXPECT_EQ(job.machines.size(), 2);
    EXPECT_EQ(job.setting.setting.text, "spmm dense=256");
    machines->item(0)->setCheckState(Qt::Unchecked);
    EXPECT_EQ(page.form().request().machines.size(), 1);
    auto* start = find<QPushButton>("start-training");
    const auto place = [&] {
        QApplication::processEvents(); // what waits to be laid out
        return start->mapTo(&window(), QPoint()).y();
    };
    const int before = place();
    choose_method("fomaml");
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(),
                HasSubstr("no differences between machines"))
        << "a hint, and no refusal";
    EXPECT_EQ(place(), before) << "nobody clicks beside it because something was said";
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled());
    machines->item(1)->setCheckState(Qt::Unchecked);
    EXPECT_FALSE(find<QPushButton>("start-training")->isEnabled());
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(), HasSubstr("nothing to learn from"));
    auto* sources = page.findChild<SourceChoice*>();
    sources->set_simulated(QStringLiteral("family:6"));
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled()) << "what is simulated is enough";
    EXPECT_EQ(page.form().request().machines, QStringList{QStringLiteral("none")});
    EXPECT_EQ(sources->task_count(), 6);
}

TEST_F(TrainTest, ASimulatedMachineOfTheWorkspaceCanBeATask) {
    make_measured_workspace();
    const QString mine = add_simulated_machine("mine");
    TrainPage& page = open_page(path("w.sparsight"));
    auto* machines = find<QListWidget>("machines");
    ASSERT_EQ(machines->count(), 3);
    EXPECT_THAT(machines->item(2)->text().toStdString(), HasSubstr("mine  ·  simulated"));
    EXPECT_EQ(page.form().request().machines.size(), 2) << "it is learned from where the user says so";
    machines->item(2)->setCheckState(Qt::Checked);
    EXPECT_EQ(page.form().request().machines.size(), 3);
    auto* sources = page.findChild<SourceChoice*>();
    EXPECT_EQ(sources->task_count(), 3);
    EXPECT_FALSE(sources->learns_from_simulated_alone());
    machines->item(0)->setCheckState(Qt::Unchecked);
    machines->item(1)->setCheckState(Qt::Unchecked);
    EXPECT_EQ(page.form().request().machines, QStringList{mine});
    EXPECT_TRUE(sources->learns_from_simulated_alone());
    EXPECT_EQ(sources->workload_count(), 5);
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled());
}

TEST_F(TrainTest, ASimulatedMachineWithFewTimesIsSimulatedOnTheOtherMatricesToo) {
    make_measured_workspace();
    const QString mine = add_simulated_machine("mine");
    add_one_simulated_time(mine);
    TrainPage& page = open_page(path("w.sparsight"));
    auto* machines = find<QListWidget>("machines");
    ASSERT_EQ(machines->count(), 3);
    EXPECT_THAT(machines->item(2)->text().toStdString(), HasSubstr("mine  ·  simulated"));
    for (const int row : {0, 1})
        machines->item(row)->setCheckState(Qt::Unchecked);
    machines->item(2)->setCheckState(Qt::Checked);
    EXPECT_EQ(page.findChild<SourceChoice*>()->workload_count(), 5);
    EXPECT_EQ(page.form().refusal().toStdString(), "");
}

TEST_F(TrainTest, TheQuickDemoNeedsNoMeasurements) {
    TrainPage& page = open_page(make_unmeasured_workspace(4));
    EXPECT_TRUE(find<QPushButton>("preset-quick-demo")->isChecked());
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled());
    const TrainJob job = page.form().request();
    EXPECT_EQ(job.machines, QStringList{QStringLiteral("none")});
    EXPECT_EQ(option(job, "simulated"), QStringLiteral("family:6"));
    EXPECT_EQ(job.method, QStringLiteral("fomaml"));
    EXPECT_EQ(job.architecture, QStringLiteral("statistics"));
    EXPECT_EQ(job.setting.setting.text, "spmm dense=256");
    click(find<QPushButton>("preset-best"));
    EXPECT_EQ(page.form().request().architecture, QStringLiteral("waconet"));
    click(find<QPushButton>("preset-quick-demo"));
    EXPECT_EQ(page.form().request().method, QStringLiteral("fomaml"));
    auto* simulated = find<QComboBox>("simulated");
    EXPECT_TRUE(simulated->isVisible());
    simulated->setCurrentIndex(0);
    EXPECT_THAT(page.form().refusal().toStdString(), HasSubstr("Nothing is measured yet"));
}

TEST_F(TrainTest, TheQuickDemoIsGivenTheMatricesThatAreMissing) {
    TrainPage& page = open_page(make_unmeasured_workspace(2));
    EXPECT_TRUE(find<QPushButton>("preset-quick-demo")->isChecked());
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled());
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(),
                HasSubstr("The workspace has only 2 matrices: 10 more are generated and stay in it."));
}

TEST_F(TrainTest, TheQuickDemoIsGivenMatricesBesideMeasuredOnesThatAreTooFew) {
    TrainPage& page = open_page(make_measured_workspace(1));
    EXPECT_NE(page.form().refusal().toStdString(), "");
    click(find<QPushButton>("preset-quick-demo"));
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(),
                HasSubstr("The workspace has only 1 matrix: 11 more are generated and stay in it."));
    auto* split = find<QComboBox>("split");
    split->setCurrentIndex(split->findText(QStringLiteral("by schedule")));
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(), ::testing::Not(HasSubstr("generated")))
        << "schedules of the same matrix are the test";
}

TEST_F(TrainTest, TheQuickDemoLearnsFromSimulatedMachinesWhateverWasMeasured) {
    TrainPage& page = open_page(make_measured_workspace());
    EXPECT_EQ(page.form().request().machines.size(), 2);
    click(find<QPushButton>("preset-quick-demo"));
    EXPECT_TRUE(find<QPushButton>("preset-quick-demo")->isChecked());
    const TrainJob job = page.form().request();
    EXPECT_EQ(job.machines, QStringList{QStringLiteral("none")});
    EXPECT_EQ(option(job, "simulated"), QStringLiteral("family:6"));
    EXPECT_EQ(job.method, QStringLiteral("fomaml"));
    EXPECT_EQ(job.architecture, QStringLiteral("statistics"));
    EXPECT_EQ(page.form().refusal().toStdString(), "");
}

TEST_F(TrainTest, WhatIsMeasuredMeanwhileIsTickedUnlessNoneIsToBeLearnedFrom) {
    SourceChoice choice(sparse_words(), sparse_training());
    StoredLearning learning;
    const auto measure = [&](const char* name) {
        LearningSource source;
        source.machine = source.name = QLatin1String(name);
        source.setting = setting_of(Operator::SpMM, 256);
        source.setting_text = QStringLiteral("SpMM");
        source.workloads = 8;
        source.measurements = 800;
        learning.sources.push_back(std::move(source));
        choice.set_learning(learning, {});
    };
    measure("laptop");
    measure("server");
    EXPECT_EQ(choice.machines().size(), 2);
    choice.set_simulated(QStringLiteral("family:6"));
    choice.learn_from_machines(false);
    measure("desktop");
    EXPECT_EQ(choice.machines(), QStringList{QStringLiteral("none")});
    choice.learn_from_machines(true);
    EXPECT_EQ(choice.machines().size(), 3);
}

TEST_F(TrainTest, TooFewMatricesAreNoTaskSet) {
    TrainPage& page = open_page(make_measured_workspace(2));
    EXPECT_THAT(page.form().refusal().toStdString(),
                HasSubstr("At least 3 measured matrices are needed (you have 2): some are kept for testing. "
                          "Measure more of them, or take the preset Quick demo, which generates some."));
    auto* split = find<QComboBox>("split");
    split->setCurrentIndex(split->findText(QStringLiteral("by schedule")));
    EXPECT_EQ(page.form().refusal().toStdString(), "") << "schedules of the same matrices are the test";
}

TEST_F(TrainTest, KeepsMatricesSchedulesOrMachinesForTheTest) {
    TrainPage& page = open_page(make_measured_workspace());
    auto* split = find<QComboBox>("split");
    EXPECT_EQ(split->currentText(), QStringLiteral("by matrix"));
    EXPECT_EQ(page.form().request().split_by, QString()) << "as the command does on its own";
    split->setCurrentIndex(split->findText(QStringLiteral("by schedule")));
    EXPECT_EQ(page.form().request().split_by, QStringLiteral("row"));
    split->setCurrentIndex(split->findText(QStringLiteral("by machine")));
    EXPECT_EQ(page.form().request().split_by, QStringLiteral("machine"));
    EXPECT_THAT(page.form().refusal().toStdString(),
                HasSubstr("At least 3 machines are needed (you have 2)"));
}

TEST_F(TrainTest, APresetSetsEverythingAndStaysMarkedUntilAFieldIsChanged) {
    TrainPage& page = open_page(make_measured_workspace());
    EXPECT_FALSE(find<QPushButton>("preset-quick-demo")->isChecked())
        << "the form begins with what was measured";
    EXPECT_EQ(page.form().request().method, QStringLiteral("supervised"));
    click(find<QPushButton>("preset-report"));
    const TrainJob report = page.form().request();
    EXPECT_EQ(report.method, QStringLiteral("report"));
    EXPECT_EQ(report.architecture, QStringLiteral("waconet"));
    EXPECT_EQ(option(report, "epochs"), QStringLiteral("80"));
    EXPECT_EQ(option(report, "rate").toDouble(), 1e-4);
    EXPECT_TRUE(find<QPushButton>("preset-report")->isChecked());
    EXPECT_FALSE(find<QPushButton>("preset-quick-demo")->isChecked());
    find<QDoubleSpinBox>("epochs")->setValue(81);
    EXPECT_FALSE(find<QPushButton>("preset-report")->isChecked());
    click(find<QPushButton>("preset-best"));
    EXPECT_EQ(option(page.form().request(), "inner-steps"), QStringLiteral("3"));
    EXPECT_TRUE(find<QPushButton>("preset-best")->isChecked());
}

TEST_F(TrainTest, TheGrayBoxLearnsFromMachinesUnlikeTheSimulatorAlone) {
    TrainPage& page = open_page(make_measured_workspace());
    auto* machines = find<QListWidget>("machines");
    machines->item(0)->setCheckState(Qt::Unchecked);
    click(find<QPushButton>("preset-gray-box"));
    EXPECT_TRUE(find<QPushButton>("preset-gray-box")->isChecked());
    const TrainJob job = page.form().request();
    EXPECT_EQ(job.architecture, QStringLiteral("gray-box"));
    EXPECT_EQ(job.method, QStringLiteral("closed-form"));
    EXPECT_EQ(option(job, "loss"), QStringLiteral("top"));
    EXPECT_EQ(option(job, "epochs"), QStringLiteral("25"));
    EXPECT_EQ(option(job, "simulated"), QStringLiteral("deviating:24"));
    EXPECT_EQ(job.machines, QStringList{QStringLiteral("none")}) << "a real one is what it is adapted to";
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_THAT(find<QLabel>("source-summary")->text().toStdString(), HasSubstr("24 machines × "));
    EXPECT_THAT(find<QLabel>("start-refusal")->text().toStdString(),
                ::testing::Not(HasSubstr("single machine")));
    auto* simulated = find<QComboBox>("simulated");
    EXPECT_TRUE(simulated->isVisible());
    EXPECT_EQ(simulated->currentText(), QStringLiteral("Add 24 deviating machines"));
    EXPECT_EQ(find<QComboBox>("loss")->currentText(), QStringLiteral("pairs near the fastest"));
    machines->item(1)->setCheckState(Qt::Checked);
    EXPECT_FALSE(find<QPushButton>("preset-gray-box")->isChecked()) << "it learns from a real machine, too";
    click(find<QPushButton>("preset-gray-box"));
    EXPECT_TRUE(find<QPushButton>("preset-gray-box")->isChecked());
    click(find<QPushButton>("preset-report"));
    EXPECT_EQ(machines->item(0)->checkState(), Qt::Unchecked) << "the user's choice is there again";
    EXPECT_EQ(machines->item(1)->checkState(), Qt::Checked);
}

TEST_F(TrainTest, OnlyAGrayBoxIsTrainedInClosedForm) {
    TrainPage& page = open_page(make_measured_workspace());
    auto* method = find<QComboBox>("method");
    auto* architecture = find<QComboBox>("architecture");
    const int place = method->findData(QStringLiteral("closed-form"));
    ASSERT_GE(place, 0);
    const auto is_offered = [&] {
        return method->model()->flags(method->model()->index(place, 0)).testFlag(Qt::ItemIsEnabled);
    };
    const auto tip = [&] { return method->itemData(place, Qt::ToolTipRole).toString().toStdString(); };
    EXPECT_FALSE(is_offered());
    EXPECT_THAT(tip(), HasSubstr("Only a gray box"));
    architecture->setCurrentIndex(architecture->findData(QStringLiteral("gray-box")));
    EXPECT_TRUE(is_offered());
    EXPECT_THAT(tip(), HasSubstr("Solves for the last layer"));
    choose_method("closed-form");
    EXPECT_EQ(page.form().request().method, QStringLiteral("closed-form"));
    EXPECT_FALSE(find<QWidget>("query-matrices")->isHidden());
    EXPECT_TRUE(find<QWidget>("inner-steps")->isHidden()) << "it makes no inner steps";
    architecture->setCurrentIndex(architecture->findData(QStringLiteral("waconet")));
    EXPECT_EQ(page.form().request().method, QStringLiteral("supervised"));
    EXPECT_FALSE(is_offered());
    EXPECT_TRUE(find<QWidget>("query-matrices")->isHidden());
}

TEST_F(TrainTest, OnlyWhatTheMethodUsesIsAskedAndPassedOn) {
    TrainPage& page = open_page(make_measured_workspace());
    auto* method = find<QComboBox>("method");
    const auto is_asked = [&](const char* field) { return !find<QWidget>(field)->isHidden(); };
    choose_method("fomaml");
    EXPECT_TRUE(is_asked("inner-steps"));
    method->setCurrentIndex(method->findData(QStringLiteral("supervised")));
    EXPECT_FALSE(is_asked("inner-steps"));
    EXPECT_EQ(option(page.form().request(), "inner-steps"), QStringLiteral("(none)"));
    EXPECT_EQ(option(page.form().request(), "schedules-per-matrix"), QStringLiteral("32"));
    auto* architecture = find<QComboBox>("architecture");
    architecture->setCurrentIndex(architecture->findData(QStringLiteral("trees")));
    EXPECT_FALSE(is_asked("epochs"));
    EXPECT_EQ(option(page.form().request(), "epochs"), QStringLiteral("(none)"));
    EXPECT_EQ(page.form().request().method, QStringLiteral("supervised"));
}

TEST_F(TrainTest, TheRareSettingsAreFoldedAway) {
    open_page(make_measured_workspace());
    auto* seed = find<QWidget>("seed");
    EXPECT_FALSE(seed->isVisible());
    auto* more = find<QToolButton>("more-settings");
    QTest::mouseClick(more, Qt::LeftButton);
    EXPECT_TRUE(seed->isVisible());
}

TEST_F(TrainTest, NamesAreSuggestedUntilOneIsTyped) {
    make_measured_workspace();
    add_run(R"({"name":"statistics-supervised"})");
    TrainPage& page = open_page(path("w.sparsight"));
    EXPECT_EQ(page.form().request().name, QStringLiteral("statistics-supervised-2"));
    auto* name = find<QLineEdit>("model-name");
    name->clear();
    QTest::keyClicks(name, QStringLiteral("mine"));
    click(find<QPushButton>("preset-report"));
    EXPECT_EQ(page.form().request().name, QStringLiteral("mine"));
    auto workspace = Workspace::open(path("w.sparsight").toStdString());
    ASSERT_TRUE(add_model(*workspace, {"mine", std::nullopt, std::nullopt, "{}"}, {}).has_value());
    ASSERT_TRUE(wait_until([&] { return !page.form().refusal().isEmpty(); }));
    EXPECT_THAT(page.form().refusal().toStdString(), HasSubstr("a model “mine” already"));
}

ConfiguredRun run(const char* name, const char* json) {
    const auto machine_name = [](const QString& fingerprint) { return fingerprint.toUpper(); };
    return {QString::fromUtf8(name), settings_in_words(QJsonDocument::fromJson(json).object(), machine_name,
                                                       *make_sparse_domain(), sparse_training())};
}

std::string printed(const std::vector<ConfigurationRow>& rows) {
    std::string text;
    for (const ConfigurationRow& row : rows)
        text += (row.differs ? "* " : "  ") + row.setting.toStdString() + ": " +
                row.values.join(QStringLiteral(" | ")).toStdString() + "\n";
    return text;
}

TEST(ConfigurationDiff, HasWhatDiffersFirstInTheWordsOfTheForm) {
    EXPECT_EQ(
        printed(compare_configurations(
            {run("a", R"({"name":"a","epochs":80,"method":"maml","machines":["x","y"],"baseline":true})"),
             run("b", R"({"name":"b","epochs":80,"method":"report","machines":["x"],"rate":0.0001})")})),
        "* Machines: X, Y | X\n"
        "* Method: MAML | The report’s loop\n"
        "* Boosted trees beside it: yes | –\n"
        "* Rate: – | 0.0001\n"
        "  Epochs: 80 | 80\n");
}

TEST(ConfigurationDiff, LooksIntoObjectsThatItDoesNotKnow) {
    EXPECT_EQ(printed(compare_configurations({run("a", R"({"future":{"steps":1,"rate":0.01}})"),
                                              run("b", R"({"future":{"steps":3,"rate":0.01}})")})),
              "* future.steps: 1 | 3\n"
              "  future.rate: 0.01 | 0.01\n");
}

TEST(ConfigurationDiff, SaysWhetherTheMeasurementsAreTheSameAndNeverADigest) {
    const char* first = R"({"data":{"laptop":{"runtimes":864,"digest":"31ab"}}})";
    EXPECT_EQ(printed(compare_configurations({run("a", first), run("b", first)})),
              "  Measurements of laptop: 864 | 864\n");
    EXPECT_EQ(printed(compare_configurations(
                  {run("a", first), run("b", R"({"data":{"laptop":{"runtimes":864,"digest":"77cd"}}})"),
                   run("c", R"({"data":{"laptop":{"runtimes":900,"digest":"88ef"}}})")})),
              "* Measurements of laptop: 864 | 864, other ones | 900\n");
}

TEST(ConfigurationDiff, LeavesOutWhatAMethodDoesNotRead) {
    EXPECT_EQ(printed(compare_configurations({run("a", R"({"method":"supervised","inner_steps":1})"),
                                              run("b", R"({"method":"fomaml","inner_steps":3})"),
                                              run("c", R"({"architecture":"trees","epochs":80})")})),
              "* Method: Supervised | FOMAML | –\n"
              "* Inner steps: – | 3 | –\n"
              "* Model: – | – | Boosted trees\n");
}

TEST(ConfigurationModel, IsASoundModelWhateverIsChosen) {
    ConfigurationModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_runs({run("a", R"({"epochs":80})"), run("b", R"({"epochs":40})")});
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("b"));
    EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("40"));
    model.set_runs({run("a", R"({"epochs":80,"rate":1})")});
    EXPECT_EQ(model.rowCount(), 2);
    model.set_runs({});
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace sparsight::testing
