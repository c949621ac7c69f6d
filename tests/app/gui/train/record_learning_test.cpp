// Tuning records from training to evaluation, as a user goes: the real worker learns from a small table.
#include "app/gui/workspace/only_sparse.h"
#include "domains/records/exchange/record_import.h"
#include "domains/records/records.h"
#include "gui/domains/records/record_views.h"
#include "gui/results/result_rows.h"
#include "learning_pages.h"
#include "widgets/table/data_table.h"

#include <QLabel>
#include <QRegularExpression>

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class RecordLearningTest : public LearningPagesTest {
protected:
    RecordLearningTest() {
        DomainRegistry domains = only_sparse();
        EXPECT_TRUE(domains.add(make_records_domain()).has_value());
        start_with(std::move(domains), [](Application& application) {
            add_sparse_views(application);
            add_record_views(application);
        });
    }

    /// Larger tiles are faster on all machines. A machine may be named with its run: "K20,2021".
    void write_table(const char* name, const char* machine_columns, int workloads,
                     const std::vector<std::pair<const char*, double>>& speeds) {
        std::ofstream table(folder_ / name);
        table << "workload," << machine_columns << ",tile,unroll,time_ms\n";
        for (int workload = 0; workload < workloads; ++workload)
            for (const auto& [machine, speed] : speeds)
                for (const int tile : {1, 2, 4, 8})
                    for (const int unroll : {1, 2, 4})
                        table << fmt::format("w{},{},{},{},{}\n", workload, machine, tile, unroll,
                                             speed * (10.0 / tile + 0.3 * unroll + 0.1 * workload));
    }

    /// Eight workloads on three machines.
    void open_records() {
        write_table("tiles.csv", "machine", 8, {{"old", 4}, {"new", 1}, {"other", 2}});
        open_tables({"tiles.csv"});
    }

    void open_tables(const std::vector<std::string>& names) {
        const QString file = path("records.sparsight");
        {
            auto workspace = Workspace::create(file.toStdString(), "test");
            std::ofstream(folder_ / "machines.csv") << "machine,vendor,cores\nold,Acme,13\n";
            RecordImportRequest request{.machines = folder_ / "machines.csv"};
            for (const std::string& name : names)
                request.files.push_back(folder_ / name);
            Observer observer;
            ASSERT_TRUE(import_records(*workspace, request, observer, {}).has_value());
        }
        open(file);
        if (program_->session().domain().name() != "records")
            program_->session().choose_domain(*program_->session().domains().find("records"));
        ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == "records"; }));
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
    int unknown = 0;
    for (int row = 0; row < facts.model()->rowCount(); ++row) {
        const QString value = facts.model()->index(row, 2).data().toString();
        if (value == QStringLiteral("–"))
            ++unknown;
        else
            values << facts.model()->index(row, 1).data().toString() + u'=' + value;
    }
    EXPECT_EQ(values, (QStringList{QStringLiteral("Cores=13"), QStringLiteral("Vendor=Acme")}));
    EXPECT_EQ(unknown, 7) << "of the parameters of hardware that are compared";
    expect_no_words_of_matrices();
}

TEST_F(RecordLearningTest, IsTrainedFineTunedAndEvaluatedFromTheWindow) {
    open_records();
    show("train");
    EXPECT_EQ(find<QComboBox>("architecture")->findData(QStringLiteral("waconet")), -1);
    EXPECT_TRUE(find<QComboBox>("simulated")->isHidden()) << "records have no simulator";
    expect_no_words_of_matrices();
    train(QStringLiteral("first"), {QStringLiteral("old"), QStringLiteral("other")});
    auto& trained = *qobject_cast<TrainPage*>(window().current_page());
    ASSERT_TRUE(wait_until([&] { return trained.runs_model().rowCount() == 1 && page_is_settled(); }));
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
    expect_no_words_of_matrices();
    fine_tune(QStringLiteral("tuned"));
    expect_no_words_of_matrices();

    evaluate(QStringLiteral("recorded: new"), QStringLiteral("test part of first"));
    EXPECT_EQ(find<QComboBox>("evaluated-machine")->findText(QStringLiteral("measured here")), -1)
        << "times of records are looked up";
    EXPECT_THAT(find<QLabel>("findings")->text().toStdString(),
                ::testing::ContainsRegex("slower than the fastest configuration( on average.*)?, exact|"
                                         "its choice is the fastest one on"))
        << "on average where the test part has several workloads, in words where it found all";
    expect_no_words_of_matrices();

    program_->session().choose_domain(*program_->session().domains().find("sparse"));
    ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == "sparse"; }));
    show("results");
    EXPECT_EQ(qobject_cast<ResultsPage*>(window().current_page())->table().model()->rowCount(), 0)
        << "evaluations of records are no evaluations of matrices";
}

/// Each table is a space of its own: a second one adds no workload to the first.
TEST_F(RecordLearningTest, FineTunesWithRowsWhereASpaceHasOneWorkload) {
    write_table("conv.csv", "machine", 1, {{"old", 4}, {"new", 1}});
    write_table("gemm.csv", "machine", 1, {{"old", 3}, {"new", 2}});
    std::ofstream(folder_ / "gemm.csv", std::ios::app) << "w1,new,1,1,5\n";
    open_tables({"conv.csv", "gemm.csv"});
    show("train");
    auto* const setting = find<QComboBox>("setting");
    setting->setCurrentIndex(setting->findText(QStringLiteral("configurations of conv")));
    EXPECT_EQ(find<QComboBox>("split")->currentText(), QStringLiteral("by configuration"))
        << "as the command does, since there is one workload";
    train(QStringLiteral("first"), {QStringLiteral("old")});

    EXPECT_EQ(program_->runs().model(QStringLiteral("first"))->workloads, QStringList{QStringLiteral("w0")})
        << "of which it learned from groups of rows";

    show("finetune");
    auto& form = qobject_cast<FineTunePage*>(window().current_page())->form();
    click(find<QPushButton>("shots-5"));
    EXPECT_EQ(form.request().machine, QStringLiteral("recorded:new"));
    EXPECT_EQ(form.request().rows, 5);
    EXPECT_TRUE(find<QPushButton>("shots-10")->isEnabled()) << "of 12 rows on the new machine";
    EXPECT_EQ(form.request().shots.join(u','), QStringLiteral("0,1,5")) << "and without any";
    fine_tune(QStringLiteral("tuned"));
    const auto* const table = window().current_page()->findChild<DataTable*>();
    EXPECT_EQ(table->model()->headerData(3, Qt::Horizontal).toString(), QStringLiteral("Learned from"));
    EXPECT_EQ(table->model()->index(0, 3).data().toString(), QStringLiteral("5 configurations"));
    auto* const chart = find<Chart>("shot-chart");
    ASSERT_TRUE(wait_until([&] { return names_of(*chart).contains(QStringLiteral("scratch")); }));
    EXPECT_EQ(chart->view()->content().x.title, QStringLiteral("configurations that were learned from"));
    expect_no_words_of_matrices();
}

TEST_F(RecordLearningTest, TwoInstallationsOfAMachineAreLearnedFromApart) {
    write_table("runs.csv", "machine,run", 8, {{"K20,2021", 4}, {"K20,2022", 1}});
    open_tables({"runs.csv"});
    const QString first = QStringLiteral("K20 (run=2021)");
    const QString second = QStringLiteral("K20 (run=2022)");
    show("train");
    EXPECT_EQ(find<QListWidget>("machines")->count(), 2);
    train(QStringLiteral("model"), {first});
    EXPECT_EQ(program_->runs().model(QStringLiteral("model"))->machines, QStringList{first});

    show("finetune");
    auto& form = qobject_cast<FineTunePage*>(window().current_page())->form();
    EXPECT_EQ(form.request().machine, second) << "the model does not know that installation";
    find<QCheckBox>("shot-curve")->setChecked(false);
    click(find<QPushButton>("shots-1"));
    fine_tune(QStringLiteral("tuned"));
    EXPECT_EQ(program_->runs().model(QStringLiteral("tuned"))->machines, QStringList{second});

    evaluate(QStringLiteral("recorded: ") + second, QStringLiteral("test part of model"));
    EXPECT_THAT(find<QComboBox>("evaluation")->currentText().toStdString(), HasSubstr(second.toStdString()));
}

} // namespace
} // namespace sparsight::testing
