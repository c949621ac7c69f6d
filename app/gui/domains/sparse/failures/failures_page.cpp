#include "gui/domains/sparse/failures/failures_page.h"

#include "gui/domains/sparse/comparison/comparison_dialog.h"
#include "gui/domains/sparse/failures/cases/case_sections.h"
#include "gui/domains/sparse/failures/cases/case_view.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/failures_report.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/failures/failure_lists.h"
#include "gui/jobs/job_service.h"
#include "gui/page/page.h"
#include "gui/runs/training_runs.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/table/data_table.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <algorithm>
#include <utility>

namespace sparsight {

SparseFailuresPage::SparseFailuresPage(SparseServices services, TrainingRuns& runs, QWidget* parent)
    : CommonFailuresPage(services, runs, parent)
    , sparse_(services)
    , study_(services)
    , plan_(services, runs)
    , newer_evaluation_(new QLabel(this))
    , view_(new CaseView(services, study_, plan_, this)) {
    build();
    connect_all();
    tell_of_exports(*this);
    forget();
    wanted_ = wish_of_selection();
}

void SparseFailuresPage::connect_all() {
    for (const auto signal : {&CaseStudy::notice})
        connect(&study_, signal, this, &Page::notice);
    connect(&plan_, &TuningPlan::notice, this, &Page::notice);
    connect(&view_->happened(), &OutcomeSection::compare_requested, this, &SparseFailuresPage::compare);
    connect(choice_, &QComboBox::activated, this, &SparseFailuresPage::choose_source);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, [this] {
        wanted_.link.reset(); // it was of the other domain
    });
    connect(&runs_, &TrainingRuns::stored_changed, this, &SparseFailuresPage::show_empty);
    connect(&services_.jobs, &JobService::job_finished, this, [this](const JobId& id) {
        const auto job = services_.jobs.job(id);
        if (!job || job->workspace != services_.session.path() || job->kind != JobKind::Evaluate)
            return;
        // What was evaluated last is what is looked at next, but for a comparison that was asked for beside a
        // case: what it says belongs to that case.
        wanted_ = plan_.is_comparison(*job) && read_->setting.table.isEmpty()
                      ? EvaluationWish{.run = read_->setting.run}
                      : EvaluationWish{};
        read_when_seen();
    });
}

void SparseFailuresPage::wish(EvaluationWish wanted) {
    table_file_.clear();
    CommonFailuresPage::wish(std::move(wanted));
}

void SparseFailuresPage::forget() {
    table_file_.clear();
    reader_.cancel();
    comparison_reader_.cancel();
    take(std::make_shared<const SparseFailures>());
}

void SparseFailuresPage::open_table(const QString& file) {
    table_file_ = file;
    is_source_chosen_ = true;
    read_again();
}

void SparseFailuresPage::ask_for_table() {
    auto* const dialog = new QFileDialog(this, tr("Open a table of recorded choices"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Comma-separated values (*.csv)"));
    connect(dialog, &QFileDialog::fileSelected, this, &SparseFailuresPage::open_table);
    dialog->open();
}

void SparseFailuresPage::read_again() {
    if (!services_.session.is_open() && table_file_.isEmpty())
        return forget();
    const WantedFailures wanted{{.workspace = services_.session.path().toStdString(), .wish = wanted_},
                                table_file_.toStdString(),
                                services_.settings.thread_count()};
    reader_.ask([wanted](const std::stop_token& stop) { return read_failures_of(wanted, stop); },
                [this](Result<std::shared_ptr<const SparseFailures>> answer, bool is_newest) {
                    if (is_newest)
                        take(std::move(answer));
                });
}

void SparseFailuresPage::take(Result<std::shared_ptr<const SparseFailures>> answer) {
    Q_EMIT notice(answer ? QString() : QString::fromStdString(answer.error().text()), !answer,
                  QStringLiteral("read"));
    const bool is_chosen = std::exchange(is_source_chosen_, false) && answer;
    if (!answer) {
        table_file_ = read_ ? read_->setting.table : QString();
        return;
    }
    auto read = std::make_shared<SparseFailures>(**answer);
    if (read_)
        keep_misleading_parts(*read, *read_);
    read_ = std::move(read);
    ask_what_misled(read_);
    offer_report();
    show_choice();
    show_models(read_->evaluations, read_->shown);
    show_newer_evaluation();
    show_headline();
    plan_.take_failures(*read_);
    show_groups(failure_words(), read_->cases, read_->groups);
    if (is_chosen)
        show_cases(true);
    show_empty();
    read_comparison();
}

/// The cases stay as they are looked at.
void SparseFailuresPage::show_what_misled(const MisleadingParts& parts) {
    auto read = std::make_shared<SparseFailures>(*read_);
    take_misleading_parts(*read, parts);
    read_ = std::move(read);
    offer_report();
    show_headline();
    show_cases(false);
}

void SparseFailuresPage::offer_report() {
    FailureExports::Write write;
    if (!read_->cases.empty())
        write = [read = read_, file = services_.session.path().toStdString()](const std::stop_token& stop) {
            return failures_report(*read, file, stop);
        };
    exports_->set_report(std::move(write));
}

void SparseFailuresPage::read_comparison() {
    const auto wanted = plan_.wanted_comparison();
    if (!wanted)
        return;
    comparison_reader_.ask(
        [wanted = *wanted](const std::stop_token& stop) { return read_failures_of(wanted, stop); },
        [this](const Result<std::shared_ptr<const SparseFailures>>& answer, bool is_newest) {
            if (is_newest && answer.has_value())
                plan_.take_failures(*answer.value());
        });
}

void SparseFailuresPage::show_cases(bool is_chosen) {
    const int row =
        set_cases(rows_, chosen_cases(read_->cases, read_->groups), read_->setting.models.size() > 1);
    look_at(row);
    // What is looked at is told beside the page, too: where it was chosen, or nothing was yet.
    const Selected selected = services_.selection.current();
    const bool is_open = selected.workload.isEmpty() &&
                         (selected.model.isEmpty() || read_->setting.models.contains(selected.model));
    if (row >= 0 && (is_open || is_chosen) && isVisible())
        services_.selection.replace(selected_with(rows_.row(row)));
}

void SparseFailuresPage::look_at(int row) {
    study_.set_case(row < 0 ? nullptr : &rows_.row(row), read_->setting);
    plan_.set_case(study_);
}

Selected SparseFailuresPage::selected_with(const FailureCase& failure) const {
    Selected target = services_.selection.current();
    // Of a matrix that the workspace does not have there is nothing to tell beside the page: another one
    // would be told for it.
    const QString matrix = QString::fromStdString(failure.workload);
    target.workload = services_.session.workload(matrix) != nullptr ? matrix : QString();
    const bool is_evaluated = !read_->setting.machine.isEmpty();
    if (is_evaluated)
        target.machine = read_->setting.machine;
    target.model = is_evaluated ? QString::fromStdString(failure.model_name) : QString();
    target.family = op_name(read_->setting.op);
    target.configuration = QString::fromStdString(failure.main().chosen.configuration);
    return target;
}

void SparseFailuresPage::compare() {
    if (!study_.pair() || study_.failure() == nullptr)
        return;
    const FailureSign& sign = study_.failure()->main();
    ComparedTimes times{.against = timed_text(sign.against), .schedule = timed_text(sign.chosen)};
    if (read_->setting.source != TimeSource::Simulated) {
        times.known_against.milliseconds = sign.against.milliseconds;
        times.known_schedule.milliseconds = sign.chosen.milliseconds;
        times.sign = sign;
    }
    ComparedPair pair{*study_.pair(), study_.titles(), std::move(times), {}};
    // What was measured stays in a window that is open, too: it is of the same pair.
    if (const ExplanationValues* const shown = study_.shown(); shown != nullptr && shown->is_measured)
        pair.measured = *shown;
    (new ComparisonDialog(sparse_, std::move(pair), window()))->show();
}

bool SparseFailuresPage::is_settled() const {
    return !reader_.is_busy() && !is_asking_what_misled() && !comparison_reader_.is_busy() &&
           !study_.is_busy() && !exports_->is_busy();
}

} // namespace sparsight
