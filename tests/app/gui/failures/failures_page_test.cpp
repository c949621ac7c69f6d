// The Failures page of domains that have none of their own, on tuning records.
#include "app/gui/shell/window_fixture.h"

#include "domains/records/records.h"
#include "evaluation/model_reasons/choice_reasons.h"
#include "gui/domains/records/record_views.h"
#include "gui/failures/failure_case_view.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/failures_page.h"
#include "gui/failures/model_question.h"
#include "gui/page/domain_words.h"
#include "store/choices.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/sqlite.h"
#include "store/workloads.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "workflow/chosen_setting.h"
#include "workflow/evaluation/evaluation_plan.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class DomainFailures : public WindowTest {
protected:
    DomainFailures() {
        program_.reset();
        ApplicationOptions options;
        options.settings_file = path("settings.ini");
        options.jobs.folder = path("jobs");
        options.jobs.worker_program = QStringLiteral(SPARSIGHT_CLI);
        DomainRegistry domains = only_sparse();
        EXPECT_TRUE(domains.add(make_records_domain()).has_value());
        program_ = std::make_unique<Application>(std::move(domains), options);
        add_sparse_views(*program_);
        add_record_views(*program_);
        program_->start();
        window().show();
    }

    /// Times of all six ways to run two workloads on one GPU: unrolling halves the time, larger tiles help
    /// less.
    QString make_records() {
        const QString file = path("records.sparsight");
        workspace_ = Workspace::create(file.toStdString(), "test").value();
        EXPECT_TRUE(keep_domain(*workspace_, records()));
        const auto machine = recorded_machine(*workspace_, "gpu").value();
        for (const char* task : {"small", "large"}) {
            const auto workload = add_workload_name(*workspace_, "records", task, "test").value();
            for (const int tile : {8, 16, 32})
                for (const int unroll : {0, 1}) {
                    Measurement measurement;
                    measurement.status = MeasurementStatus::Measured;
                    measurement.median = Milliseconds((task == std::string("large") ? 10 : 1) *
                                                      (4 - tile / 16.0) * (unroll == 1 ? 1 : 2));
                    EXPECT_TRUE(record_measurement(
                        *workspace_,
                        {.workload = workload,
                         .machine = machine,
                         .setting = setting_,
                         .protocol = "recorded",
                         .condition = ""},
                        records().written(setting_, fmt::format("tile={} unroll={}", tile, unroll)).value(),
                        measurement));
                }
        }
        add_model_of_records("first");
        return file;
    }
    /// `more`: members of its description, with a comma behind each.
    void add_model_of_records(const std::string& name, const std::string& more = "") {
        const std::string description =
            "{" + more + R"("domain": "records", "input": {"space": "conv"}, "training": {}})";
        EXPECT_TRUE(add_model(*workspace_, {name, {}, {}, description}, {}));
    }

    /// The model chose these for both workloads.
    void evaluate(const std::vector<std::string>& texts, const std::string& model = "first") {
        const DomainRegistry& domains = program_->session().domains();
        const EvaluationRequest request{.models = {model}, .machine = "gpu", .k = 2};
        const ModelId chooser = find_model(*workspace_, model).value()->id;
        const auto plan = plan_evaluation(*workspace_, domains, {}, request);
        ASSERT_TRUE(plan) << plan.error().text();
        const auto run = start_run(*workspace_, "evaluate", parameters_of(*plan, request, 1).dump()).value();
        for (const WorkloadRecord& workload : plan->workloads) {
            std::vector<ConfigurationChoice> chosen;
            for (const std::string& text : texts)
                chosen.push_back(
                    {records().written(setting_, text).value(), static_cast<double>(chosen.size())});
            ASSERT_TRUE(record_choices(*workspace_, run, chooser, workload.id, chosen));
        }
        ASSERT_TRUE(end_run(*workspace_, run, RunState::Finished));
    }

    FailuresPage& open_failures(const std::vector<std::string>& chosen) {
        const QString file = make_records();
        evaluate(chosen);
        open(file);
        window().show_page(QStringLiteral("failures"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        return page();
    }

    [[nodiscard]] FailuresPage& page() { return *qobject_cast<FailuresPage*>(window().current_page()); }
    [[nodiscard]] const Domain& records() const { return *program_->session().domains().find("records"); }
    [[nodiscard]] std::string text(const char* label) {
        const auto* const found = page().findChild<QLabel*>(QLatin1String(label));
        return found == nullptr ? "" : found->text().toStdString();
    }
    [[nodiscard]] static std::string cell(const QAbstractItemModel& model, int row, int column) {
        return model.index(row, column).data().toString().toStdString();
    }

    void use_worker(const std::string& script) {
        const auto file = write_file(folder_ / "worker", "#!/bin/bash\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        program_->jobs().set_worker_program(QString::fromStdString(file.string()));
    }
    /// A worker that says why the choice was preferred, when it is let go.
    void use_model_that_answers() {
        const auto predicate = [](ReasonSubject subject, const char* title, const char* value) {
            return ReasonPredicate{subject, title, title, PredicateRelation::Is, value, std::nullopt, ""};
        };
        const ChoiceReasons reasons{
            .model = "first",
            .workload = "large",
            .machine = "gpu",
            .configuration = "tile=16 unroll=0",
            .against = "tile=32 unroll=1",
            .configuration_score = 0,
            .against_score = 1,
            .configuration_ms = 60,
            .against_ms = 20,
            .others = 6,
            .anchors =
                AnchorReason{.anchor = Anchor{{predicate(ReasonSubject::Configuration, "unroll", "0"),
                                               predicate(ReasonSubject::Against, "tile", "32")},
                                              {.value = 0.98, .lowest = 0.95, .highest = 1, .draws = 200},
                                              {.value = 0.25, .lowest = 0.2, .highest = 0.3, .draws = 900}}}};
        auto end = choice_reasons_json(reasons, records().words());
        end["event"] = "end";
        end["complete"] = true;
        use_worker(
            fmt::format("trap 'exit 3' INT TERM\n"
                        "echo '{{\"event\":\"progress\",\"stage\":\"anchors\",\"done\":1,\"total\":5}}'\n"
                        "while [ ! -e '{}' ]; do sleep 0.02; done\ncat <<'END'\n{}\nEND\n",
                        path("go").toStdString(), end.dump()));
    }

    const Setting setting_{"records", "conv"};
    std::optional<Workspace> workspace_;
};

TEST_F(DomainFailures, OfTheWorkspaceBeforeNothingIsShown) {
    open_failures({"tile=8 unroll=0"});
    ASSERT_GT(page().table().model()->rowCount(), 0);
    const QString other = path("other.sparsight");
    {
        auto file = Workspace::create(other.toStdString(), "test");
        ASSERT_TRUE(keep_domain(*file, records()).has_value());
    }
    open(other);
    window().show_page(QStringLiteral("failures"));
    EXPECT_EQ(page().table().model()->rowCount(), 0);
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(page().table().model()->rowCount(), 0);
}

TEST_F(DomainFailures, WithoutAnEvaluationItSaysWhatToDo) {
    open(make_records());
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_FALSE(page().exports().action().isEnabled());
    click(page().findChild<QPushButton*>(QStringLiteral("go-evaluating")));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("results"));
}

TEST_F(DomainFailures, TellsTheCasesInTheWordsOfTheDomain) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    const QAbstractItemModelTester tester(shown.table().model());
    EXPECT_EQ(text("failures-headline"),
              "2 of 2 choices are slower than they could be: 44.0\u00A0ms lost in all.");
    EXPECT_EQ(shown.table().model()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("Workload"));
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::Workload), "large");
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::CostliestDecision), "unroll: 0");
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::Chosen), "tile=16 unroll=0");
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::Against), "tile=32 unroll=1");
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::Time), "60.0\u00A0ms");
    EXPECT_EQ(shown.groups().model()->rowCount(), 2) << "all of them, and the one group";
    shown.groups().choose(1);
    EXPECT_EQ(shown.groups().currentIndex().data().toString(), QStringLiteral("Unroll: 0"));
    EXPECT_EQ(shown.table().model()->rowCount(), 2);
    for (const auto* const label : page().findChildren<QLabel*>())
        EXPECT_THAT(label->text().toStdString(),
                    Not(::testing::AnyOf(HasSubstr("CSR"), HasSubstr("matrix"), HasSubstr("schedule"))));
}

TEST_F(DomainFailures, TellsWhatHappenedWhichDecisionCostTheTimeAndWhatFixesIt) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    program_->selection().select_workload(QStringLiteral("large"));
    EXPECT_THAT(text("case-headline"),
                AllOf(HasSubstr("<b>large</b>"), HasSubstr("first"), HasSubstr("60.0\u00a0ms"),
                      HasSubstr("takes 3.00× as long as the best known"), HasSubstr("20.0\u00a0ms")));
    EXPECT_THAT(text("case-cause"),
                HasSubstr("Unroll as 0 instead of 1 costs 25.0\u00A0ms of the 40.0\u00A0ms that are lost."));
    EXPECT_THAT(text("case-change"),
                AllOf(HasSubstr("all 2 decisions"), HasSubstr("unroll 0 → 1: it takes 30.0\u00A0ms")));
    const WaterfallPicture& picture = shown.view().waterfall().picture();
    EXPECT_FALSE(picture.hatched) << "every mixture was recorded";
    ASSERT_EQ(picture.steps.size(), 2U);
    EXPECT_NEAR(picture.from.value + picture.steps[0].amount + picture.steps[1].amount, picture.to.value,
                1e-9);
    const QAbstractItemModelTester tester(shown.view().decisions().model());
    EXPECT_EQ(shown.view().decisions().model()->rowCount(), 2);
    EXPECT_EQ(cell(*shown.view().decisions().model(), 0, DecisionsModel::Against), "32");
    EXPECT_EQ(cell(*shown.view().decisions().model(), 0, DecisionsModel::Cost), "+15.00 ms");
}

/// Two ways to run a workload: the one makes a decision that the other does not have.
TEST_F(DomainFailures, ADecisionThatOnlyTheOtherSideMakesIsListed) {
    const FailureSign sign{.chosen = {"tile=8", 2}, .against = {"vector=4 tile=8", 1}};
    const FailureCase failure{.model_name = "first", .workload = "large", .signs = {sign}};
    const auto rows = differing_decisions(failure, records(), setting_);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].key.toStdString(), "vector");
    EXPECT_EQ(rows[0].against.toStdString(), "4");
    EXPECT_EQ(rows[0].chosen, unknown_text());
}

TEST_F(DomainFailures, AChangeOfAllThatDiffersIsKnownHoweverItIsWritten) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    FailureCase failure{
        .model_name = "first",
        .workload = "large",
        .signs = {{.chosen = {"tile=16 unroll=0", 2}, .against = {"tile=32 unroll=1", 1}}},
        .change = FailureChange{
            .configuration = "unroll=1 tile=32", .decisions = {}, .milliseconds = 1, .removes_loss = true}};
    const FailureWords words(records().words());
    shown.view().show_case(failure, setting_, {}, records(), words);
    EXPECT_THAT(text("case-change"), HasSubstr("Only changing all that differs"));
    failure.change->configuration = "unroll=1 tile=16";
    shown.view().show_case(failure, setting_, {}, records(), words);
    EXPECT_THAT(text("case-change"), HasSubstr("Change"));
}

TEST_F(DomainFailures, ADecisionThatCostsMoreThanIsLostIsNotToldAsAPartOfTheLoss) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    FailureCase failure{.model_name = "first",
                        .workload = "large",
                        .signs = {{.chosen = {"tile=16 unroll=0", 2}, .against = {"tile=32 unroll=1", 1}}},
                        .diagnosis = FailureDiagnosis{
                            .decisions = {{.decision = {0, "tile", "tile"}, .before = "32", .after = "16"}}}};
    const FailureWords words(records().words());
    failure.diagnosis->decisions[0].milliseconds = 3;
    shown.view().show_case(failure, setting_, {}, records(), words);
    EXPECT_EQ(text("case-cause"),
              "Tile as 16 instead of 32 costs 3.00\u00A0ms. Other decisions win a part of it back, "
              "so that 1.00\u00A0ms are lost.");
    failure.diagnosis->decisions[0].milliseconds = 1;
    shown.view().show_case(failure, setting_, {}, records(), words);
    EXPECT_EQ(text("case-cause"), "Tile as 16 instead of 32 costs the whole difference of 1.00\u00A0ms.");
}

TEST_F(DomainFailures, TheTableOfDecisionsWritesTheNumbersOfTheChart) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    FailureCase failure{
        .model_name = "first",
        .workload = "large",
        .signs = {{.chosen = {"tile=16 unroll=0", 2.5496}, .against = {"tile=32 unroll=1", 1.0004}}},
        .diagnosis = FailureDiagnosis{
            .decisions = {
                {.decision = {0, "tile", "tile"}, .before = "32", .after = "16", .milliseconds = 0.1452},
                {.decision = {1, "unroll", "unroll"}, .before = "1", .after = "0", .milliseconds = 1.404}}}};
    failure.diagnosis->decisions[0].is_significant = false;
    shown.view().show_case(failure, setting_, {}, records(), FailureWords(records().words()));
    const QAbstractItemModel& rows = *shown.view().decisions().model();
    ASSERT_EQ(rows.rowCount(), 2);
    const auto expect_as_in_chart = [&](int row, std::size_t bar) {
        const QModelIndex cost = rows.index(row, DecisionsModel::Cost);
        EXPECT_EQ(cost.data().toString(), amount_text(shown.view().waterfall().picture(), bar));
    };
    expect_as_in_chart(0, 1);
    expect_as_in_chart(1, 2);
    EXPECT_THAT(cell(rows, 0, DecisionsModel::Cost), ::testing::StartsWith("~ +0.14"));
    EXPECT_FALSE(rows.index(0, DecisionsModel::Cost).data(Qt::ForegroundRole).isValid()) << "it may be noise";
    EXPECT_TRUE(rows.index(1, DecisionsModel::Cost).data(Qt::ForegroundRole).isValid());
}

TEST_F(DomainFailures, TheSelectedWorkloadStaysWhereItHasNoFailure) {
    const QString file = make_records();
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    open(file);
    program_->selection().select_workload(QStringLiteral("another"));
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(page().table().model()->rowCount(), 2);
    EXPECT_EQ(program_->selection().current().workload, QStringLiteral("another"));
}

TEST_F(DomainFailures, ABarAndItsDecisionAreSelectedTogether) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    WaterfallChart& chart = shown.view().waterfall();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.place_of(1).toPoint());
    EXPECT_EQ(shown.view().decisions().current_source_row(), 1) << "unroll costs most and is the first bar";
    shown.view().decisions().select_source_row(0);
    EXPECT_EQ(chart.selected(), QStringLiteral("tile"));
}

TEST_F(DomainFailures, ACaseIsSelectedEverywhereAndFollowsTheSelection) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    TableView* const view = shown.table().view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                      view->visualRect(view->model()->index(1, 0)).center());
    const Selected now = program_->selection().current();
    EXPECT_EQ(now.workload, QStringLiteral("small"));
    EXPECT_EQ(now.model, QStringLiteral("first"));
    EXPECT_EQ(now.configuration, QStringLiteral("tile=16 unroll=0"));
    EXPECT_EQ(program_->session().machine(now.machine)->name, "gpu");
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>small</b>"));
    program_->selection().select_workload(QStringLiteral("large"));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>large</b>"));
}

TEST_F(DomainFailures, AnEarlierEvaluationCanBeLookedAt) {
    open_failures({"tile=32 unroll=1", "tile=8 unroll=0"});
    EXPECT_EQ(page().table().model()->rowCount(), 0) << "the best was chosen";
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    program_->session().refresh();
    auto* const choice = page().findChild<QComboBox*>(QStringLiteral("failure-source"));
    Q_EMIT program_->session().contents_changed();
    ASSERT_TRUE(wait_until([&] { return choice->count() == 2 && page_is_settled(); }));
    EXPECT_EQ(page().table().model()->rowCount(), 2) << "the newest is looked at";
    choice->setCurrentIndex(1);
    Q_EMIT choice->activated(1);
    ASSERT_TRUE(wait_until([&] { return page().table().model()->rowCount() == 0 && page_is_settled(); }));
}

TEST_F(DomainFailures, ALinkLeadsToTheNewestEvaluationThatItFits) {
    const QString file = make_records();
    add_model_of_records("second");
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"}, "second");
    open(file);
    window().open_link(
        from_link(QStringLiteral("page=failures&workload=small&machine=recorded:gpu&model=first")));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    const auto* const choice = page().findChild<QComboBox*>(QStringLiteral("failure-source"));
    EXPECT_THAT(choice->currentText().toStdString(), HasSubstr("first on gpu"));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>small</b>"));
    EXPECT_THAT(text("failures-remarks"), Not(HasSubstr("No evaluation")));
}

TEST_F(DomainFailures, ALinkThatNoEvaluationFitsIsToldAndStaysSelected) {
    const QString file = make_records();
    evaluate({"tile=16 unroll=0", "tile=8 unroll=0"});
    open(file);
    window().open_link(
        from_link(QStringLiteral("page=failures&workload=small&machine=recorded:gpu&model=third")));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_THAT(text("failures-remarks"),
                HasSubstr("No evaluation has model third, machine gpu and workload small. "
                          "The newest one is shown."));
    EXPECT_EQ(page().table().model()->rowCount(), 2);
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("third"));
}

TEST_F(DomainFailures, WhereNothingFailsTheLimitIsNamed) {
    open_failures({"tile=32 unroll=1", "tile=8 unroll=0"});
    EXPECT_EQ(text("failures-headline"),
              "None of 2 choices is more than 10 % slower than the best known, beyond the noise.");
}

TEST_F(DomainFailures, AReportHasTheSameCases) {
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    shown.exports().write(path("report.html"));
    ASSERT_TRUE(
        wait_until([&] { return !page().exports().is_busy() && QFile::exists(path("report.html")); }));
    QFile file(path("report.html"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const std::string html = file.readAll().toStdString();
    EXPECT_THAT(html, AllOf(HasSubstr("2 of 2 choices fail"), HasSubstr("unroll 0 instead of 1"),
                            HasSubstr("sparsight-cli report --evaluation"), Not(HasSubstr("CSR"))));
}

TEST_F(DomainFailures, TheModelIsAskedInTheBackgroundByWhichRuleItPreferredItsChoice) {
    open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    program_->selection().select_workload(QStringLiteral("large"));
    use_model_that_answers();
    auto* const button = page().findChild<QPushButton*>(QStringLiteral("ask-model"));
    EXPECT_EQ(text("model-reasons"), "");
    click(button);
    EXPECT_TRUE(wait_until([&] { return !button->isEnabled(); }));
    EXPECT_THAT(button->toolTip().toStdString(), HasSubstr("being asked"));
    EXPECT_EQ(text("model-reasons"), "") << "it has not answered yet";
    write_file(folder_ / "go", "");
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_THAT(program_->jobs().jobs().front().arguments.join(u' ').toStdString(),
                AllOf(HasSubstr("reasons"), HasSubstr("--model=first"), HasSubstr("--workload=large"),
                      HasSubstr("--configuration=tile=16 unroll=0"),
                      HasSubstr("--against=tile=32 unroll=1")));
    EXPECT_EQ(
        text("model-reasons"),
        "first prefers its choice, which is slower.\n"
        "It prefers its choice as long as unroll stays 0 in its choice, and tile stays 32 in the best "
        "known (true in 98.0\u00A0% of the variants tested). The rule covers 25.0\u00A0% of all variants.");
    program_->selection().select_workload(QStringLiteral("small"));
    EXPECT_EQ(text("model-reasons"), "") << "of this one it was not asked";
    program_->selection().select_workload(QStringLiteral("large"));
    EXPECT_THAT(text("model-reasons"), HasSubstr("as long as")) << "who comes back finds it again";
}

/// With a gray box that answers when it is let go.
class GrayBoxFailures : public DomainFailures {
protected:
    struct Answers {
        std::atomic<int> asked = 0;
        std::atomic<int> stopped = 0;
        std::atomic<bool> may_answer = false;
    };

    FailuresPage& open_failures_of_gray_box() {
        const QString file = make_records();
        add_model_of_records("gray", R"("architecture": "gray-box",)");
        evaluate({"tile=16 unroll=0", "tile=8 unroll=0"}, "gray");
        open(file);
        auto& page = *qobject_cast<FailuresPage*>(window().page(QStringLiteral("failures")));
        page.set_ask_gray_boxes([answers = answers_](const std::string&, const ReadFailures& failures,
                                                     const std::stop_token& stop) -> Result<MisleadingParts> {
            ++answers->asked;
            while (!answers->may_answer) {
                if (stop.stop_requested()) {
                    ++answers->stopped;
                    return fail(Fault::Cancelled, "stopped");
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            const MisleadingPart part{.known = 3, .simulated = 0.5, .corrected = 0.8};
            return MisleadingParts{{failures.cases.size(), part}, {}};
        });
        window().show_page(QStringLiteral("failures"));
        EXPECT_TRUE(wait_until([&] { return page.table().model()->rowCount() == 2; }));
        return page;
    }
    [[nodiscard]] static bool has_column(const FailuresPage& page) {
        return !page.table().view()->isColumnHidden(CasesModel::MisledBy);
    }

    const std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
};

TEST_F(GrayBoxFailures, AreShownBeforeItSaysWhatMisledIt) {
    FailuresPage& shown = open_failures_of_gray_box();
    EXPECT_FALSE(shown.is_settled());
    EXPECT_FALSE(has_column(shown));
    EXPECT_THAT(text("failures-remarks"), HasSubstr("The gray box is being asked what misled it."));
    EXPECT_THAT(text("case-blind-spots"), Not(HasSubstr("misled")));
    program_->selection().select_workload(QStringLiteral("small"));
    const int row = shown.table().current_source_row();

    answers_->may_answer = true;
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_TRUE(has_column(shown));
    EXPECT_EQ(shown.table().model()->rowCount(), 2) << "the same cases";
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::MisledBy), "simulator");
    EXPECT_EQ(shown.table().current_source_row(), row) << "who looks at a case stays there";
    EXPECT_THAT(text("case-blind-spots"), HasSubstr("The simulator misled gray: it says 0.500× instead of"));
    EXPECT_THAT(text("failures-remarks"), Not(HasSubstr("being asked")));
    EXPECT_EQ(answers_->asked, 1);
}

TEST_F(GrayBoxFailures, ItIsAskedOnlyWhileThePageIsSeen) {
    open_failures_of_gray_box();
    window().show_page(QStringLiteral("results"));
    EXPECT_TRUE(wait_until([&] { return answers_->stopped == 1; }));
    window().show_page(QStringLiteral("failures"));
    answers_->may_answer = true;
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(answers_->asked, 2);
    EXPECT_TRUE(has_column(page()));
}

TEST_F(GrayBoxFailures, WhatMisledItStaysKnownWhenThePageIsReadAgain) {
    FailuresPage& shown = open_failures_of_gray_box();
    answers_->may_answer = true;
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    answers_->may_answer = false; // whoever asks again waits
    Q_EMIT shown.findChild<QComboBox*>(QStringLiteral("failure-source"))->activated(0);
    EXPECT_FALSE(page_is_settled());
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_TRUE(has_column(shown));
    EXPECT_EQ(cell(*shown.table().model(), 0, CasesModel::MisledBy), "simulator");
    EXPECT_EQ(answers_->asked, 1) << "of the same pairs it is not asked again";
}

TEST_F(DomainFailures, WhyTheModelGaveNoReasonsStandsBesideTheButton) {
    open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    auto* const button = page().findChild<QPushButton*>(QStringLiteral("ask-model"));
    const auto ask = [&](const std::string& script) {
        use_worker(script);
        ASSERT_TRUE(wait_until([&] { return button->isEnabled(); }));
        click(button);
        ASSERT_TRUE(wait_until([&] { return !program_->jobs().jobs().empty() && no_job_is_under_way(); }));
    };
    program_->selection().select_workload(QStringLiteral("large"));
    ask("echo '{\"event\":\"error\",\"error\":\"no weights\",\"stopped\":false}'\nexit 2\n");
    EXPECT_TRUE(wait_until([&] { return !text("model-reasons").empty(); }));
    EXPECT_THAT(text("model-reasons"),
                AllOf(HasSubstr("The model gave no reasons"), HasSubstr("no weights")));
    program_->selection().select_workload(QStringLiteral("small"));
    ask("echo '{\"event\":\"end\",\"model\":\"first\",\"complete\":true}'\n");
    EXPECT_TRUE(wait_until([&] { return !text("model-reasons").empty(); }));
    EXPECT_THAT(text("model-reasons"), HasSubstr("The answer of the model can't be read"));
}

TEST_F(DomainFailures, AskingTheModelCanBeStopped) {
    open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    use_model_that_answers();
    auto* const button = page().findChild<QPushButton*>(QStringLiteral("ask-model"));
    click(button);
    ASSERT_TRUE(wait_until([&] { return !button->isEnabled(); }));
    const JobId id = program_->jobs().jobs().front().id;
    ASSERT_TRUE(wait_until([&] { return program_->jobs().job(id)->state == JobState::Running; }));
    program_->jobs().stop(id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_TRUE(wait_until([&] { return button->isEnabled(); })) << "it can be asked again";
    EXPECT_EQ(text("model-reasons"), "");
}

TEST_F(DomainFailures, NothingIsCutOffInASmallWindow) {
    window().resize(1280, 800);
    FailuresPage& shown = open_failures({"tile=16 unroll=0", "tile=8 unroll=0"});
    const auto* const scroll = shown.view().findChild<QScrollArea*>();
    EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width());
}

} // namespace
} // namespace sparsight::testing
