// A domain that only the tests have, in the window, from import to report: its own programs are the workers.
#include "gui/candidates/candidates_page.h"
#include "gui/configurations/measure_bar.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/failures_page.h"
#include "learning_pages.h"
#include "toy/lock_domain.h"
#include "widgets/table/data_table.h"

#include <QFile>
#include <QLabel>
#include <QSpinBox>
#include <sstream>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class ToyLearningTest : public LearningPagesTest {
protected:
    ToyLearningTest() {
        DomainRegistry domains;
        EXPECT_TRUE(domains.add(toy::make_lock_domain()).has_value());
        start_with(std::move(domains), [](Application& application) { application.add_measured("locks"); });
    }

    void import_locks() {
        std::ofstream locks(folder_ / "locks.txt");
        for (int number = 0; number < 24; ++number)
            locks << fmt::format("lock-{} {} {} {} {}\n", number, number % 5, number * 7 % 5,
                                 number * 3 / 5 % 5, number / 5 % 5);
        locks.close();
        EXPECT_TRUE(Workspace::create(path("w.sparsight").toStdString(), "test").has_value());
        open(path("w.sparsight"));
        ASSERT_TRUE(program_->jobs().start(ImportJob{.workspace = path("w.sparsight"),
                                                     .files = {path("locks.txt")},
                                                     .domain = QStringLiteral("locks")}));
        wait_for_jobs();
        ASSERT_TRUE(wait_until([&] { return program_->session().contents().workloads.size() == 24; }));
    }
    [[nodiscard]] std::string text_of(const char* label) { return find<QLabel>(label)->text().toStdString(); }
};

TEST_F(ToyLearningTest, GoesFromImportToReport) {
    import_locks();
    show("train");
    EXPECT_TRUE(find<QPushButton>("go-measuring")->isVisible());
    click(find<QPushButton>("go-measuring"));

    show("configurations");
    find<QComboBox>("measured-workloads")->setCurrentText(QStringLiteral("all"));
    find<QSpinBox>("measured-count")->setValue(40);
    click(find<QPushButton>("measure"));
    wait_for_jobs();
    auto* const times = find<DataTable>("configuration-list");
    ASSERT_TRUE(wait_until([&] { return times->model()->rowCount() > 40; })) << "all zeros besides";

    train(QStringLiteral("first"), {});
    EXPECT_GT(program_->runs().model(QStringLiteral("first"))->workloads.size(), 12) << "some are kept apart";

    show("finetune");
    find<QCheckBox>("shot-curve")->setChecked(false);
    click(find<QPushButton>("shots-5"));
    fine_tune(QStringLiteral("tuned"));

    show("search");
    find<QComboBox>("searching-model")->setCurrentText(QStringLiteral("first"));
    program_->selection().select_workload(QStringLiteral("lock-7"));
    click(find<QPushButton>("search"));
    wait_for_jobs();
    const auto& search = *qobject_cast<CandidatesPage*>(window().current_page());
    ASSERT_TRUE(wait_until([&] { return !search.rows().empty() && page_is_settled(); }));
    EXPECT_THAT(text_of("search-headline"), HasSubstr("combination"));

    evaluate(QStringLiteral("measured here"), QStringLiteral("never trained on"));
    EXPECT_THAT(text_of("findings"), HasSubstr("all zeros"));

    show("failures");
    EXPECT_THAT(text_of("failures-headline"), HasSubstr("choices"));
    auto& failures = *qobject_cast<FailuresPage*>(window().current_page());
    failures.exports().write(path("report.html"));
    ASSERT_TRUE(
        wait_until([&] { return !failures.exports().is_busy() && QFile::exists(path("report.html")); }));
    std::ostringstream report;
    report << std::ifstream(folder_ / "report.html").rdbuf();
    EXPECT_THAT(report.str(), HasSubstr("lock-"));
}

} // namespace
} // namespace sparsight::testing
