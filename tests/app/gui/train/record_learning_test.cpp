// Tuning records from training to evaluation, as a user goes: the real worker learns from a small table.
#include "app/gui/workspace/only_sparse.h"
#include "domains/records/record_import.h"
#include "domains/records/records.h"
#include "gui/domains/records/record_views.h"
#include "gui/results/result_rows.h"
#include "gui/results/results_page.h"
#include "gui/train/fine_tune_form.h"
#include "gui/train/fine_tune_page.h"
#include "gui/train/training_form.h"
#include "train_fixture.h"
#include "widgets/table/data_table.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr int patience_s = 120;

class RecordLearningTest : public TrainTest {
protected:
    RecordLearningTest() {
        program_.reset();
        ApplicationOptions options;
        options.settings_file = path("settings.ini");
        options.jobs.folder = path("jobs");
        options.jobs.worker_program = QStringLiteral(SPARSIGHT_CLI);
        options.jobs.poll_interval = std::chrono::milliseconds(20);
        DomainRegistry domains = only_sparse();
        EXPECT_TRUE(domains.add(make_records_domain()).has_value());
        program_ = std::make_unique<Application>(std::move(domains), options);
        add_sparse_views(*program_);
        add_record_views(*program_);
        program_->start();
        window().show();
    }

    /// Eight workloads on three machines; larger tiles are faster on all of them, up to the workload's size.
    void open_records() {
        std::ofstream table(folder_ / "tiles.csv");
        table << "workload,machine,tile,unroll,time_ms\n";
        for (int workload = 0; workload < 8; ++workload)
            for (const auto& [machine, speed] : {std::pair{"old", 4.0}, {"new", 1.0}, {"other", 2.0}})
                for (const int tile : {1, 2, 4, 8})
                    for (const int unroll : {1, 2, 4})
                        table << fmt::format("w{},{},{},{},{}\n", workload, machine, tile, unroll,
                                             speed * (10.0 / tile + 0.3 * unroll + 0.1 * workload));
        table.close();
        const QString file = path("records.sparsight");
        {
            auto workspace = Workspace::create(file.toStdString(), "test");
            std::ofstream(folder_ / "machines.csv") << "machine,vendor,cores\nold,Acme,13\n";
            const RecordImportRequest request{.tables = {folder_ / "tiles.csv"},
                                              .machines = folder_ / "machines.csv"};
            Observer observer;
            ASSERT_TRUE(import_records(*workspace, request, observer, {}).has_value());
        }
        open(file);
        if (program_->session().domain().name() != "records")
            program_->session().choose_domain(*program_->session().domains().find("records"));
        ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == "records"; }));
    }

    void show(const char* page) {
        window().show_page(QLatin1String(page));
        ASSERT_TRUE(wait_until(
            [&] { return window().current_page()->id() == QLatin1String(page) && page_is_settled(); }));
    }
    void wait_for_jobs() {
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, patience_s));
        for (const Job& job : program_->jobs().jobs())
            ASSERT_EQ(job.state, JobState::Finished)
                << job.title.toStdString() << ": " << job.error.toStdString();
    }
    void untick_all_but(QListWidget& list, const QStringList& kept) {
        for (int row = 0; row < list.count(); ++row)
            if (!kept.contains(list.item(row)->text()))
                list.item(row)->setCheckState(Qt::Unchecked);
    }
    /// What can be read on the page that is shown.
    [[nodiscard]] QString words_on_page() {
        QStringList words;
        for (const QWidget* const widget : window().current_page()->findChildren<QWidget*>()) {
            if (!widget->isVisible())
                continue;
            words << widget->toolTip();
            if (const auto* const label = qobject_cast<const QLabel*>(widget))
                words << label->text();
            if (const auto* const button = qobject_cast<const QAbstractButton*>(widget))
                words << button->text();
            if (const auto* const box = qobject_cast<const QComboBox*>(widget))
                for (int row = 0; row < box->count(); ++row)
                    words << box->itemText(row) << box->itemData(row, Qt::ToolTipRole).toString();
        }
        return words.join(u'\n');
    }
    void expect_no_words_of_matrices() {
        static const QRegularExpression of_matrices(
            QStringLiteral("matri|schedule|\\bCSR\\b|WACO|pattern|simulat|operator"),
            QRegularExpression::CaseInsensitiveOption);
        QStringList found;
        for (const QString& line : words_on_page().split(u'\n'))
            if (line.contains(of_matrices) && !line.contains(QStringLiteral("Rate over time")))
                found << line;
        EXPECT_TRUE(found.isEmpty()) << window().current_page()->id().toStdString() << ":\n"
                                     << found.join(u'\n').toStdString();
    }
};

TEST_F(RecordLearningTest, MachinesHaveTheFactsOfTheirSheet) {
    open_records();
    program_->selection().select_machine(QStringLiteral("recorded:old"));
    show("machines");
    const auto& facts = window().current_page()->findChild<ExplainedTable*>()->table();
    QStringList values;
    for (int row = 0; row < facts.model()->rowCount(); ++row)
        values << facts.model()->index(row, 1).data().toString() + u'=' +
                      facts.model()->index(row, 2).data().toString();
    EXPECT_EQ(values, (QStringList{QStringLiteral("cores=13"), QStringLiteral("vendor=Acme")}));
    expect_no_words_of_matrices();
}

TEST_F(RecordLearningTest, IsTrainedFineTunedAndEvaluatedFromTheWindow) {
    open_records();
    show("train");
    auto& train = *qobject_cast<TrainPage*>(window().current_page());
    EXPECT_EQ(find<QComboBox>("architecture")->findData(QStringLiteral("waconet")), -1);
    EXPECT_TRUE(find<QComboBox>("simulated")->isHidden()) << "records have no simulator";
    expect_no_words_of_matrices();
    untick_all_but(*find<QListWidget>("machines"), {QStringLiteral("old"), QStringLiteral("other")});
    find<QDoubleSpinBox>("epochs")->setValue(3);
    find<QLineEdit>("model-name")->clear();
    QTest::keyClicks(find<QLineEdit>("model-name"), QStringLiteral("first"));
    ASSERT_EQ(train.form().refusal().toStdString(), "");
    click(find<QPushButton>("start-training"));
    wait_for_jobs();
    ASSERT_TRUE(wait_until([&] { return program_->runs().model(QStringLiteral("first")) != nullptr; }));
    ASSERT_TRUE(wait_until([&] { return train.runs_model().rowCount() == 1 && page_is_settled(); }));
    EXPECT_EQ(program_->runs().stored().runs.front().parameters.value(QStringLiteral("domain")).toString(),
              QStringLiteral("records"));
    expect_no_words_of_matrices();

    show("finetune");
    auto& tune = *qobject_cast<FineTunePage*>(window().current_page());
    const FineTuneJob job = tune.form().request();
    EXPECT_EQ(job.model, QStringLiteral("first"));
    EXPECT_EQ(job.machine, QStringLiteral("recorded:new")) << "the one that the model does not know";
    find<QCheckBox>("shot-curve")->setChecked(false);
    click(find<QPushButton>("shots-1"));
    find<QLineEdit>("tuned-name")->clear();
    QTest::keyClicks(find<QLineEdit>("tuned-name"), QStringLiteral("tuned"));
    expect_no_words_of_matrices();
    ASSERT_EQ(tune.form().refusal().toStdString(), "");
    click(find<QPushButton>("start-fine-tuning"));
    wait_for_jobs();
    ASSERT_TRUE(wait_until([&] { return program_->runs().model(QStringLiteral("tuned")) != nullptr; }));
    expect_no_words_of_matrices();

    show("results");
    auto& results = *qobject_cast<ResultsPage*>(window().current_page());
    auto* const models = find<QListWidget>("evaluated-models");
    for (int row = 0; row < models->count(); ++row)
        models->item(row)->setCheckState(Qt::Checked);
    auto* const machine = find<QComboBox>("evaluated-machine");
    EXPECT_EQ(machine->findText(QStringLiteral("measured here")), -1) << "times of records are looked up";
    machine->setCurrentIndex(machine->findText(QStringLiteral("recorded: new")));
    auto* const which = find<QComboBox>("evaluated-workloads");
    which->setCurrentIndex(which->findText(QStringLiteral("test part of first")));
    click(find<QPushButton>("evaluate"));
    wait_for_jobs();
    ASSERT_TRUE(wait_until([&] { return results.table().model()->rowCount() > 0; }));
    EXPECT_THAT(find<QLabel>("findings")->text().toStdString(),
                HasSubstr("slower than the best known configuration"));
    expect_no_words_of_matrices();

    program_->session().choose_domain(*program_->session().domains().find("sparse"));
    ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == "sparse"; }));
    show("results");
    EXPECT_EQ(qobject_cast<ResultsPage*>(window().current_page())->table().model()->rowCount(), 0)
        << "evaluations of records are no evaluations of matrices";
}

} // namespace
} // namespace sparsight::testing
