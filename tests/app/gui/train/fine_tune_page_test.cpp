#include "train_fixture.h"

#include "domains/sparse/sparse_domain.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/run_actions.h"
#include "gui/shell/screenshot.h"
#include "gui/train/advised_measuring.h"
#include "gui/train/chart_lines.h"
#include "gui/train/fine_tune_form.h"
#include "gui/train/fine_tune_page.h"
#include "gui/train/learned_workloads.h"
#include "gui/train/learning_choices.h"
#include "gui/train/sentence_chart.h"
#include "machine/probe/probe.h"
#include "widgets/table/table_view.h"

#include <QCheckBox>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRadioButton>
#include <QSpinBox>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* neural = R"({"architecture":"statistics","input":{"operator":"spmm"},
    "training":{"method":"fomaml","machines":["laptop"]}})";
constexpr const char* trees = R"({"architecture":"trees","input":{"operator":"spmm"},
    "training":{"method":"trees","machines":["laptop"]}})";

class FineTuneTest : public TrainTest {
protected:
    void make_models() {
        make_measured_workspace(12);
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        for (const auto& [name, description] :
             {std::pair{"meta", neural}, {"other", neural}, {"trees", trees}})
            ASSERT_TRUE(
                add_model(*workspace, {name, std::nullopt, std::nullopt, description}, {}).has_value());
    }

    FineTunePage& open_fine_tuning() {
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("finetune"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        return *qobject_cast<FineTunePage*>(window().current_page());
    }

    static void choose(QListWidget* list, int row) {
        const QRect place = list->visualItemRect(list->item(row));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, place.center());
    }
};

QJsonObject shot(const char* contender, int shots, double mean) {
    return QJsonDocument::fromJson(
               QByteArray::fromStdString(fmt::format(
                   R"({{"event":"shot","contender":"{}","shots":{},"mean":{{"ordered_pair_accuracy":
                      {{"mean":{},"low":{},"high":{}}}}}}})",
                   contender, shots, mean, mean - 0.05, mean + 0.05)))
        .object();
}

TEST(ChoiceList, AnEntryThatIsWiderThanTheListTakesSeveralLines) {
    ChoiceList list(QStringLiteral("machines"), QStringLiteral("Machine"), {});
    const QListWidgetItem* const wide =
        list.add(QStringLiteral("AMD EPYC, 2 threads (recorded)  ·  already trained on it"), {});
    const QListWidgetItem* const narrow = list.add(QStringLiteral("Laptop"), {});
    list.resize(150, 300);
    list.show();
    const int line = list.fontMetrics().height();
    EXPECT_TRUE(QTest::qWaitFor([&] { return list.visualItemRect(wide).height() >= 2 * line; }));
    EXPECT_LT(list.visualItemRect(narrow).height(), 2 * line);
    EXPECT_LE(list.visualItemRect(wide).width(), list.viewport()->width());
}

TEST(ShotLines, HaveABandForEachContender) {
    ShotPoints points;
    points.take(shot("scratch", 0, 0.5));
    points.take(shot("meta", 0, 0.6));
    points.take(shot("meta", 5, 0.8));
    const auto lines = shot_lines(points, QStringLiteral("ordered_pair_accuracy"), QStringLiteral("meta"));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].name, QStringLiteral("meta")) << "what was adapted comes first";
    EXPECT_THAT(lines[0].x, ElementsAre(0, 5));
    EXPECT_THAT(lines[0].y, ElementsAre(0.6, 0.8));
    EXPECT_EQ(lines[0].low.size(), 2U);
    EXPECT_NE(lines[0].colour, lines[1].colour);
}

TEST(ShotLines, HaveNoBandBeyondWhatTheFigureCanBe) {
    ShotPoints points;
    points.take(shot("meta", 0, 0.98));
    points.take("shots/meta/kendall_tau/mean", {{5, -0.9}});
    points.take("shots/meta/kendall_tau/low", {{5, -1.2}});
    points.take("shots/meta/kendall_tau/high", {{5, -0.6}});
    points.take("shots/meta/regret_at_1/mean", {{5, 0.2}}); // of one draw, which has no interval
    const auto line = [&](const char* metric) {
        return shot_lines(points, QLatin1String(metric), QStringLiteral("meta")).front();
    };
    EXPECT_THAT(line("ordered_pair_accuracy").high, ElementsAre(1));
    EXPECT_THAT(line("ordered_pair_accuracy").low, ElementsAre(::testing::DoubleNear(0.93, 1e-9)));
    EXPECT_THAT(line("kendall_tau").low, ElementsAre(-1));
    EXPECT_THAT(line("regret_at_1").low, ElementsAre(0.2));
    EXPECT_THAT(line("regret_at_1").high, ElementsAre(0.2));
    EXPECT_EQ(shot_axis({line("kendall_tau")}, sparse_words().workload).format, ValueFormat::Count)
        << "there are no half matrices";
}

TEST(ShotSentence, SaysWhatEarlierTrainingIsWorth) {
    const QString accuracy = QStringLiteral("ordered_pair_accuracy");
    const QString meta = QStringLiteral("meta");
    ShotPoints points;
    for (const auto& [contender, shots, mean] : {std::tuple{"meta", 0, 0.6},
                                                 {"scratch", 0, 0.5},
                                                 {"meta", 1, 0.78},
                                                 {"scratch", 1, 0.55},
                                                 {"meta", 10, 0.8},
                                                 {"scratch", 10, 0.75}})
        points.take(shot(contender, shots, mean));
    EXPECT_EQ(shot_sentence(points, accuracy, meta, sparse_words().workload),
              QStringLiteral("meta with 1 matrix is as good as training from scratch with 10 matrices."));
    points.take(shot("scratch", 10, 0.86));
    EXPECT_EQ(
        shot_sentence(points, accuracy, meta, sparse_words().workload),
        QStringLiteral("meta and training from scratch differ by no more than chance with 10 matrices."));
    points.take(shot("scratch", 10, 0.95));
    EXPECT_EQ(shot_sentence(points, accuracy, meta, sparse_words().workload),
              QStringLiteral("meta is not as good as training from scratch with 10 matrices."));
    EXPECT_TRUE(shot_sentence(ShotPoints(), accuracy, meta, sparse_words().workload).isEmpty());
}

TEST(ShotSentence, SaysThatFineTuningMadeTheModelWorse) {
    const QString accuracy = QStringLiteral("ordered_pair_accuracy");
    const QString meta = QStringLiteral("meta");
    ShotPoints points;
    points.take(shot("meta", 0, 0.8));
    points.take(shot("meta", 10, 0.75));
    EXPECT_TRUE(shot_sentence(points, accuracy, meta, sparse_words().workload).isEmpty())
        << "no more than the draws differ";
    points.take(shot("meta", 10, 0.6));
    EXPECT_THAT(shot_sentence(points, accuracy, meta, sparse_words().workload).toStdString(),
                ::testing::AllOf(::testing::StartsWith("Fine-tuning made meta worse: 80"),
                                 HasSubstr("with 0 matrices, 60"), HasSubstr("with 10 matrices.")));
    points.take(shot("scratch", 10, 0.7));
    EXPECT_THAT(shot_sentence(points, accuracy, meta, sparse_words().workload).toStdString(),
                ::testing::AllOf(
                    ::testing::StartsWith("Fine-tuning made meta worse"),
                    HasSubstr("meta with 0 matrices is as good as training from scratch with 10 matrices.")));
}

TEST_F(FineTuneTest, AFineTuningThatMadeTheModelWorseSaysSo) {
    make_models();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto run = start_run(*workspace, "finetune",
                                   R"({"name":"tuned","model":"meta","machine":"recorded:server",
                                       "operator":"spmm","matrices":["10"]})");
        ASSERT_TRUE(run.has_value());
        const std::vector<NamedMetric> metrics{{"before/ordered_pair_accuracy", {1, 0.8}},
                                               {"test/ordered_pair_accuracy", {1, 0.7}}};
        ASSERT_TRUE(record_metrics(*workspace, *run, metrics).has_value());
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
    }
    const auto* const verdict = open_fine_tuning().findChild<QLabel*>(QStringLiteral("baseline-verdict"));
    ASSERT_TRUE(wait_until([&] { return !verdict->text().isEmpty(); }));
    EXPECT_THAT(verdict->text().toStdString(),
                ::testing::AllOf(HasSubstr("made the model worse: 80.0\u00A0%"), HasSubstr("Keep meta.")));
    const auto* const facts = verdict->parentWidget()->findChild<QLabel*>(QStringLiteral("run-facts"));
    EXPECT_THAT(facts->text().toStdString(), ::testing::Not(HasSubstr("80.0"))) << "said once";
}

TEST_F(FineTuneTest, WithoutAModelItLeadsToTraining) {
    make_measured_workspace();
    open_fine_tuning();
    EXPECT_FALSE(find<QPushButton>("start-fine-tuning")->isEnabled());
    EXPECT_THAT(find<QLabel>("fine-tune-refusal")->text().toStdString(), HasSubstr("train one"));
    click(find<QPushButton>("go-training"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
}

TEST_F(FineTuneTest, TheTargetIsTheSelectedMachineAndSelectsIt) {
    make_models();
    FineTunePage& page = open_fine_tuning();
    const auto target = [&page] { return page.form().request().machine.toStdString(); };
    program_->selection().select_machine(QStringLiteral("recorded:server"));
    EXPECT_EQ(target(), "recorded:server");
    EXPECT_THAT(page.form().request().name.toStdString(), HasSubstr("on server"));
    program_->selection().select_machine(QStringLiteral("recorded:laptop"));
    EXPECT_EQ(target(), "recorded:laptop") << "though the model knows it";
    choose(find<QListWidget>("fine-tune-machine"), 1);
    EXPECT_EQ(program_->selection().current().machine.toStdString(), target());
    EXPECT_EQ(target(), "recorded:server");
}

TEST_F(FineTuneTest, ASimulatedMachineWithoutRuntimesIsATarget) {
    make_models();
    const QString mine = add_simulated_machine("mine");
    FineTunePage& page = open_fine_tuning();
    auto* machines = find<QListWidget>("fine-tune-machine");
    ASSERT_EQ(machines->count(), 3);
    EXPECT_EQ(page.form().request().machine, QStringLiteral("recorded:server"))
        << "what was measured comes first";
    machines->setCurrentRow(2);
    EXPECT_EQ(page.form().request().machine, mine);
    EXPECT_EQ(program_->selection().current().machine, mine);
    EXPECT_THAT(page.form().request().name.toStdString(), HasSubstr("on mine"));
    EXPECT_EQ(page.form().request().setting.setting.text, "spmm dense=256");
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_TRUE(find<QPushButton>("start-fine-tuning")->isEnabled());
    EXPECT_TRUE(find<QPushButton>("shots-10")->isEnabled()) << "there are twelve";
}

TEST_F(FineTuneTest, TakesThreeClicks) {
    make_models();
    FineTunePage& page = open_fine_tuning();
    auto* models = find<QListWidget>("fine-tune-model");
    ASSERT_EQ(models->count(), 2) << "trees are grown, not adapted";
    choose(models, 1);
    EXPECT_EQ(page.form().request().model, QStringLiteral("meta"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("meta"));
    auto* machines = find<QListWidget>("fine-tune-machine");
    EXPECT_EQ(page.form().request().machine, QStringLiteral("recorded:server"))
        << "the one that it does not know";
    choose(machines, 0);
    EXPECT_EQ(page.form().request().machine, QStringLiteral("recorded:laptop"));
    click(find<QPushButton>("shots-5"));
    const FineTuneJob job = page.form().request();
    EXPECT_EQ(job.workloads, 5);
    EXPECT_EQ(job.name, QStringLiteral("meta on laptop"));
    EXPECT_EQ(job.shots, (QStringList{QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("5")}));
    EXPECT_EQ(job.against, QStringList{QStringLiteral("scratch")});
    EXPECT_EQ(page.form().refusal().toStdString(), "");
    EXPECT_EQ(find<QLineEdit>("tuned-name")->cursorPosition(), 0) << "its beginning is in sight";
    EXPECT_FALSE(find<QPushButton>("shots-25")->isEnabled()) << "there are twelve";
}

TEST(Advice, IsReadFromTheLastEventOfAdvise) {
    const auto read = [](const char* text) {
        return read_advice(QJsonDocument::fromJson(text).object(), sparse_words());
    };
    const auto advice = read(R"({"event":"end","setting":"spmm dense=64","known":0,
        "matrices":[{"matrix":"m1","doubt_left":0.6},{"matrix":"m0","doubt_left":0.5}]})");
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->names(), (QStringList{QStringLiteral("m1"), QStringLiteral("m0")}));
    EXPECT_EQ(advice->workloads[1].doubt_left, 0.5);
    EXPECT_EQ(advice->setting, QStringLiteral("spmm dense=64"));
    EXPECT_FALSE(read(R"({"event":"end","matrices":[]})")) << "a search ends like this";
}

TEST_F(FineTuneTest, ChoosesWhatToMeasureForAGrayBoxOnThisComputerAlone) {
    make_models();
    const auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    const std::string fingerprint = here->fingerprint();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(add_model(*workspace,
                              {"gray", std::nullopt, std::nullopt,
                               R"({"architecture":"gray-box","input":{"operator":"spmm","dense":256},
                                   "training":{"method":"closed-form","machines":["laptop"]}})"},
                              {}));
        ASSERT_TRUE(record_machine(*workspace, "mine", fingerprint, machine_to_text(*here)));
    }
    FineTunePage& page = open_fine_tuning();
    auto* const models = find<QListWidget>("fine-tune-model");
    auto* const machines = find<QListWidget>("fine-tune-machine");
    auto* const ask = find<QPushButton>("ask-what-to-measure");
    const auto choose_named = [](QListWidget* list, const char* name) {
        list->setCurrentItem(list->findItems(QLatin1String(name), Qt::MatchStartsWith).value(0));
    };
    choose_named(models, "meta");
    EXPECT_FALSE(ask->isEnabled());
    EXPECT_THAT(ask->toolTip().toStdString(), HasSubstr("meta is no gray box"));
    auto* const by_advice = find<QRadioButton>("learn-from-advised");
    auto* const by_number = find<QRadioButton>("learn-from-number");
    const auto why_not = [&] { return find<QLabel>("not-from-advised")->text().toStdString(); };
    EXPECT_FALSE(by_advice->isVisibleTo(&page)) << "it gives no advice, so that there is only the number";
    EXPECT_TRUE(machines->findItems(QStringLiteral("mine"), Qt::MatchStartsWith).isEmpty());
    choose_named(models, "gray");
    choose_named(machines, "server");
    EXPECT_FALSE(ask->isEnabled());
    EXPECT_THAT(ask->toolTip().toStdString(), HasSubstr("Only this computer can be measured"));
    EXPECT_TRUE(by_advice->isVisibleTo(&page));
    EXPECT_FALSE(by_advice->isEnabled());
    EXPECT_TRUE(by_number->isChecked());
    EXPECT_EQ(why_not(), "Only this computer can be measured.");
    choose_named(machines, "mine");
    EXPECT_TRUE(ask->isEnabled()) << ask->toolTip().toStdString();
    EXPECT_THAT(page.form().refusal().toStdString(), HasSubstr("choose what to measure first"));
    EXPECT_EQ(why_not(), "Choose what to measure first.");

    const AdviseJob question{path("w.sparsight"), QStringLiteral("gray"), QString::fromStdString(fingerprint),
                             5};
    ASSERT_TRUE(program_->jobs().add_recorded(
        describe(question), R"({"event":"end","known":0,"setting":"spmm dense=256","matrices":[)"
                            R"({"matrix":"m3","doubt_left":0.6},{"matrix":"m7","doubt_left":0.41}]})"));
    auto* const advised = find<QListWidget>("advised-workloads");
    ASSERT_EQ(advised->count(), 2);
    EXPECT_EQ(advised->item(1)->text().toStdString(), "m7  ·  leaves 41.0\u00A0% of the doubt");
    EXPECT_EQ(why_not(), "Measure them first.");
    auto* const measure = find<QPushButton>("measure-advised");
    EXPECT_EQ(measure->text().remove(u'&').toStdString(), "Measure 2 matrices");
    find<QSpinBox>("advised-configurations")->setValue(1);
    click(measure);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    const auto collected = program_->jobs().jobs();
    const auto job = std::ranges::find(collected, JobKind::Collect, &Job::kind);
    ASSERT_NE(job, collected.end());
    EXPECT_EQ(job->state, JobState::Finished) << program_->jobs().log_text(job->id).toStdString();
    for (const char* word : {"--workload=m3", "--workload=m7", "--dense=256", "--configurations=1"})
        EXPECT_TRUE(job->arguments.contains(QLatin1String(word))) << word;
    ASSERT_TRUE(wait_until(
        [&] { return why_not() == "No other matrix is measured here that could test the model."; }));
    EXPECT_FALSE(by_advice->isEnabled());
    EXPECT_EQ(by_advice->text().toStdString(), "The advised 2 matrices alone");
    EXPECT_FALSE(measure->isEnabled());
    EXPECT_EQ(measure->toolTip(), QStringLiteral("They are measured."));
}

TEST(LearnedWorkloads, AreANumberOrTheAdvisedOnesAndNeverBoth) {
    LearnedWorkloads choice;
    const Noun noun = sparse_words().workload;
    auto* const number = choice.findChild<QRadioButton*>(QStringLiteral("learn-from-number"));
    auto* const advised = choice.findChild<QRadioButton*>(QStringLiteral("learn-from-advised"));
    const QStringList names{QStringLiteral("m3"), QStringLiteral("m7")};
    choice.shots().set_available(30, noun);
    choice.set_advice(AdvisedWorkloads{names, {}}, noun);
    EXPECT_TRUE(advised->isEnabled());
    EXPECT_TRUE(choice.shots().isEnabled());
    EXPECT_THAT(choice.advised(), IsEmpty());
    EXPECT_EQ(choice.up_to_chosen().join(u','), QStringLiteral("0,1,5,10"));
    advised->click();
    EXPECT_EQ(choice.advised(), names);
    EXPECT_FALSE(choice.shots().isEnabled()) << "a number would contradict it";
    EXPECT_EQ(choice.up_to_chosen().join(u','), QStringLiteral("0,1,2")) << "of the curve";
    choice.set_advice(AdvisedWorkloads{names, QStringLiteral("Measure them first.")}, noun);
    EXPECT_TRUE(number->isChecked());
    EXPECT_TRUE(choice.shots().isEnabled());
    EXPECT_THAT(choice.advised(), IsEmpty());
    choice.set_advice(AdvisedWorkloads{names, {}}, noun);
    EXPECT_EQ(choice.advised(), names) << "who wanted it still does";
    number->click();
    EXPECT_THAT(choice.advised(), IsEmpty());
    choice.set_advice(std::nullopt, noun);
    EXPECT_FALSE(advised->isVisibleTo(&choice));
    EXPECT_FALSE(number->isVisibleTo(&choice));
}

TEST_F(FineTuneTest, BeginsWithTheNewestModelThatAMachineIsNewTo) {
    make_models();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto run = start_run(*workspace, "finetune", R"({"name":"tuned","model":"meta"})");
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
        ASSERT_TRUE(add_model(*workspace,
                              {"tuned", *run, std::nullopt,
                               R"({"architecture":"statistics","input":{"operator":"spmm"},
                                   "training":{"method":"finetune","machines":["laptop","server"]}})"},
                              {})
                        .has_value());
    }
    FineTunePage& page = open_fine_tuning();
    EXPECT_EQ(find<QListWidget>("fine-tune-model")->count(), 3);
    ASSERT_EQ(page.runs_model().rowCount(), 1) << "whose run is looked at";
    EXPECT_EQ(page.form().request().model, QStringLiteral("other")) << "the newest one knows both machines";
    EXPECT_EQ(page.form().request().machine, QStringLiteral("recorded:server"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("other"));
}

TEST_F(FineTuneTest, ASelectionThatItDoesNotHaveLeavesEverythingAsItIs) {
    make_models();
    FineTunePage& page = open_fine_tuning();
    choose(find<QListWidget>("fine-tune-model"), 1);
    program_->selection().select_model(QStringLiteral("trees"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("trees"));
    EXPECT_EQ(page.form().request().model, QStringLiteral("meta"));
}

TEST_F(FineTuneTest, SaysWhyTheSelectedModelIsNotTheOneThatIsAdapted) {
    make_models();
    FineTunePage& page = open_fine_tuning();
    choose(find<QListWidget>("fine-tune-model"), 1);
    auto* chip = find<QLabel>("selected-model");
    EXPECT_FALSE(chip->isVisible());
    program_->selection().select_model(QStringLiteral("trees"));
    EXPECT_TRUE(chip->isVisible());
    EXPECT_THAT(chip->text().toStdString(), AllOf(HasSubstr("boosted trees"), HasSubstr("meta is used")));
    Q_EMIT chip->linkActivated(QStringLiteral("select"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("meta"));
    EXPECT_FALSE(chip->isVisible());
    EXPECT_EQ(page.form().request().model, QStringLiteral("meta"));
}

TEST_F(FineTuneTest, OneThatCrashedGoesOnOrIsDiscarded) {
    make_models();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(start_run(*workspace, "finetune",
                              R"({"name":"tuned","model":"meta","machine":"recorded:server","matrices":["10"],
                                  "seed":100000,"rule":"","shots":[]})")
                        .has_value());
    }
    FineTunePage& page = open_fine_tuning();
    ASSERT_EQ(page.table().model()->rowCount(), 1);
    const std::string csv = page.table().displayed_as_csv().toStdString();
    EXPECT_THAT(csv, HasSubstr("interrupted"));
    EXPECT_THAT(csv, ::testing::Not(HasSubstr("recorded:server"))) << "a machine is called by its name";
    EXPECT_FALSE(find<QPushButton>("keep-model")->isVisible()) << "it has no weights yet";
    use_worker("exec sleep 60\n");
    click(find<QPushButton>("go-on"));
    ASSERT_EQ(program_->jobs().jobs().size(), 1U);
    const Job job = program_->jobs().jobs().front();
    EXPECT_EQ(job.kind, JobKind::FineTune);
    for (const char* word : {"--name=tuned", "--model=meta", "--matrices=10", "--seed=100000"})
        EXPECT_TRUE(job.arguments.contains(QLatin1String(word))) << word;
    EXPECT_FALSE(find<QPushButton>("go-on")->isVisible()) << "it is at it";
    EXPECT_FALSE(find<QPushButton>("discard-run")->isVisible());
    program_->jobs().kill(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    ASSERT_TRUE(wait_until([&] { return find<QPushButton>("discard-run")->isVisible(); }));
    discard();
    ASSERT_TRUE(wait_until([&] { return page.table().model()->rowCount() == 0; }));
}

TEST_F(FineTuneTest, ADoubleClickStartsOneJob) {
    make_models();
    open_fine_tuning();
    use_worker("exec sleep 60\n");
    auto* start = find<QPushButton>("start-fine-tuning");
    click(start);
    EXPECT_FALSE(start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_EQ(program_->jobs().jobs().size(), 1U);
    program_->jobs().kill(program_->jobs().jobs().front().id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(FineTuneTest, TheCurveGrowsPointByPoint) {
    make_models();
    FineTunePage& page = open_fine_tuning();
    RunId run{};
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        run = *start_run(*workspace, "finetune",
                         R"({"name":"tuned","model":"meta","machine":"server","matrices":["10"]})");
    }
    program_->session().refresh();
    const auto print = [](const QJsonObject& event) {
        return "echo '" + QJsonDocument(event).toJson(QJsonDocument::Compact).toStdString() + "'\n";
    };
    use_worker(
        fmt::format(
            "echo "
            "'{{\"event\":\"start\",\"job\":\"finetune\",\"run\":{},\"name\":\"tuned\",\"epochs\":5}}'\n",
            static_cast<std::int64_t>(run)) +
        print(shot("meta", 0, 0.6)) + print(shot("scratch", 0, 0.5)) +
        "echo "
        "'{\"event\":\"progress\",\"stage\":\"shot curve\",\"done\":3,\"total\":6,\"seconds_left\":1}'\n" +
        "while [ ! -e " + (folder_ / "gate").string() + " ]; do sleep 0.02; done\n" +
        print(shot("meta", 5, 0.8)) +
        "echo "
        "'{\"event\":\"end\",\"before\":{},\"after\":{},\"seconds\":1,\"complete\":true,\"stopped\":false}'"
        "\n");
    click(find<QPushButton>("start-fine-tuning"));
    const auto points = [&] {
        const auto& series = page.chart().view()->content().series;
        return series.empty() ? std::size_t{0} : std::get<LineSeries>(series.front()).x.size();
    };
    ASSERT_TRUE(wait_until([&] { return points() == 1; }, 30));
    EXPECT_EQ(names_of(page.chart()), (QStringList{QStringLiteral("meta"), QStringLiteral("scratch")}));
    EXPECT_TRUE(find<QLabel>("shot-difference")->isVisible()) << "why Before and After are no points of it";
    const auto facts = [&] {
        return find<QLabel>("run-facts")->text().replace(QChar::Nbsp, u' ').toStdString();
    };
    ASSERT_TRUE(wait_until([&] { return facts().find("shot curve, 3 of 6") != std::string::npos; }, 30))
        << facts();
    EXPECT_THAT(facts(), ::testing::Not(HasSubstr("step")));
    std::ofstream(folder_ / "gate") << "go on";
    ASSERT_TRUE(wait_until([&] { return points() == 2; }, 30));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 30));
}

TEST_F(FineTuneTest, ABlendOfAnEarlierVersionIsShownAsWhatItIs) {
    make_models();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto add = [&](const char* name, const std::string& blend) {
            const auto run = start_run(*workspace, "finetune", fmt::format(R"({{"name":"{}"}})", name));
            for (const auto& [metric, value] : {std::pair{"network/ordered_pair_accuracy", 0.85},
                                                {"simulator/ordered_pair_accuracy", 0.93},
                                                {"test/ordered_pair_accuracy", 0.925},
                                                {"shots/meta/ordered_pair_accuracy/mean", 0.8}})
                ASSERT_TRUE(record_metric(*workspace, *run, metric, {0, value}).has_value());
            ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
            ASSERT_TRUE(
                add_model(*workspace,
                          {name, *run, std::nullopt,
                           R"({"architecture":"statistics","input":{"operator":"spmm"})" + blend + "}"},
                          {})
                    .has_value());
        };
        add("alone", "");
        add("both", R"(,"blend":{"network":0.3,"simulator":0.9})");
    }
    FineTunePage& page = open_fine_tuning();
    EXPECT_THAT(find<QLabel>("blend")->text().toStdString(),
                AllOf(HasSubstr("score = 0.300 · network + 0.900 · ln(simulated ms)"),
                      HasSubstr("The curve shows the network alone")));
    EXPECT_FALSE(find<QLabel>("gray-box-table")->isVisible()) << "nothing corrects its simulator";
    page.table().select_source_row(1);
    EXPECT_FALSE(find<QLabel>("blend")->isVisible());
    EXPECT_FALSE(find<Chart>("explained-order")->isVisible());
    EXPECT_FALSE(find<Chart>("reliability")->isVisible());
}

TEST_F(FineTuneTest, BeginsWithTheRunOfTheSelectedModelUntilAnotherIsClicked) {
    make_models();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        for (const char* name : {"first", "second"}) {
            const auto run = start_run(*workspace, "finetune", fmt::format(R"({{"name":"{}"}})", name));
            ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
            ASSERT_TRUE(add_model(*workspace, {name, *run, std::nullopt, neural}, {}).has_value());
        }
    }
    open(path("w.sparsight"));
    program_->selection().select_model(QStringLiteral("first"));
    window().show_page(QStringLiteral("finetune"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    auto& page = *qobject_cast<FineTunePage*>(window().current_page());
    const auto shown = [&] {
        return page.runs_model().row(page.table().current_source_row()).run.name.toStdString();
    };
    EXPECT_EQ(shown(), "first") << "although the other is newer";
    program_->selection().select_model(QStringLiteral("second"));
    EXPECT_EQ(shown(), "second");
    auto* const view = page.table().view();
    const int newer = page.table().current_source_row();
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualRect(view->model()->index(row, 0)).center());
        if (page.table().current_source_row() != newer)
            break;
    }
    EXPECT_EQ(shown(), "first");
    program_->selection().select_model(QStringLiteral("second"));
    EXPECT_EQ(shown(), "first") << "the user has chosen it";
}

TEST_F(FineTuneTest, AGrayBoxSaysWhatItsCorrectionGainedOverItsSimulator) {
    make_models();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        constexpr const char* gray = R"({"architecture":"gray-box","input":{"operator":"spmm"},
            "training":{"method":"closed-form","machines":["deviating-1"]}})";
        ASSERT_TRUE(add_model(*workspace, {"gray", std::nullopt, std::nullopt, gray}, {}).has_value());
        const auto run =
            start_run(*workspace, "finetune", R"({"name":"adapted","model":"gray","machine":"server"})");
        for (const auto& [metric, value] : {std::pair{"before/ordered_pair_accuracy", 0.8},
                                            {"simulator/ordered_pair_accuracy", 0.89},
                                            {"test/ordered_pair_accuracy", 0.91},
                                            {"shots/gray/ordered_pair_accuracy/mean", 0.9},
                                            {"shots/simulator/ordered_pair_accuracy/mean", 0.88}})
            ASSERT_TRUE(record_metric(*workspace, *run, metric, {0, value}).has_value());
        const Reliability reliability =
            reliability_of(std::vector<StatedDifference>{{0, 1, 1.2, 0.5}, {1, -1, 0.2, 1}}, {});
        for (const auto& [name, places] : to_numbers(reliability))
            for (const auto& [place, number] : places)
                ASSERT_TRUE(record_metric(*workspace, *run, "reliability/" + name, {place, number}));
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
        ASSERT_TRUE(add_model(*workspace, {"adapted", *run, std::nullopt, gray}, {}).has_value());
    }
    FineTunePage& page = open_fine_tuning();
    const auto text_of = [this](const char* label) {
        return find<QLabel>(label)->text().replace(QChar::Nbsp, u' ').toStdString();
    };
    EXPECT_THAT(text_of("baseline-verdict"),
                AllOf(HasSubstr("Pairs in the right order: 80.0 % before, 91.0 % after"),
                      HasSubstr("the learned correction gained 2.0 percentage points over the calibrated "
                                "simulator (89.0 %).")));
    ASSERT_TRUE(find<QLabel>("gray-box-table")->isVisible());
    QString table = find<QLabel>("gray-box-table")->text();
    table.replace(QStringLiteral("&nbsp;"), QStringLiteral(" ")).replace(QChar::Nbsp, u' ');
    EXPECT_THAT(table.toStdString(),
                AllOf(HasSubstr("before"), HasSubstr("simulator alone (calibrated)"), HasSubstr("after"),
                      HasSubstr("80.0 %"), HasSubstr("89.0 %"), HasSubstr("91.0 %")));
    EXPECT_FALSE(find<QLabel>("blend")->isVisible()) << "it has the simulator inside, and no shares";
    EXPECT_THAT(page.chart().view()->content().title.toStdString(),
                ::testing::StrEq("Value of measurements: adapted"));
    ASSERT_TRUE(wait_until([&] { return !text_of("explained-order-sentence").empty(); }))
        << "the curve is read in the background";
    EXPECT_THAT(text_of("explained-order-sentence"),
                HasSubstr("The simulator orders 88.0 % of the pairs; learning adds 2.0 points."));
    EXPECT_TRUE(find<Chart>("explained-order")->isVisible());
    EXPECT_TRUE(find<Chart>("reliability")->isVisible());
    EXPECT_THAT(text_of("reliability-sentence"), HasSubstr("(2 pairs of 2 matrices)"));
    find<ChoiceList>("fine-tune-model")->choose(QStringLiteral("gray"));
    EXPECT_TRUE(find<ChoiceList>("rivals")->ticked().contains(QStringLiteral("simulator")));
    find<ChoiceList>("fine-tune-model")->choose(QStringLiteral("meta"));
    EXPECT_FALSE(find<ChoiceList>("rivals")->has(QStringLiteral("simulator")));
}

TEST_F(FineTuneTest, ItsPictureCanBeTaken) {
    make_models();
    open_fine_tuning();
    const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS", path(""));
    EXPECT_TRUE(take_screenshot(window(), QStringLiteral("finetune"),
                                folder + QStringLiteral("/finetune.png"), std::chrono::seconds(20))
                    .has_value());
}

TEST(RunJob, SaysEverySettingOfTheRun) {
    TrainingRun run;
    run.name = QStringLiteral("half");
    run.method = QStringLiteral("fomaml");
    run.architecture = QStringLiteral("statistics");
    run.parameters =
        QJsonDocument::fromJson(R"({"machines":[],"simulated":["A","B"],"operator":"spmm","dense":64,
        "architecture":"statistics","method":"fomaml","epochs":400,"rate":0.001,"inner_rate":0.05,"split":"",
        "machine_features":true,"baseline":false,"parent":"","seed":7,"threads":2,"name":"half",
        "data":{"laptop":12}})")
            .object();
    const QStringList words = keeping_job(QStringLiteral("/w"), run).arguments;
    for (const char* word : {"train", "--name=half", "--operator=spmm", "--dense=64", "--simulated=A,B",
                             "--epochs=400", "--rate=0.001", "--inner-rate=0.05", "--machine-features",
                             "--no-baseline", "--seed=7", "--threads=2", "--finish"})
        EXPECT_TRUE(words.contains(QLatin1String(word))) << word << " in " << words.join(u' ').toStdString();
    for (const char* word : {"--machines", "--split", "--parent", "--data"})
        EXPECT_TRUE(words.filter(QLatin1String(word)).isEmpty()) << word;
}

} // namespace
} // namespace sparsight::testing
