#include "gui/failures/failures_page.h"

#include "gui/failures/failure_case_view.h"
#include "gui/failures/model_question.h"
#include "gui/jobs/job_service.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/runtime_text.h"
#include "widgets/table/data_table.h"
#include "workflow/explanation/failures_study.h"

#include <QComboBox>
#include <QLabel>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

FailuresPage::FailuresPage(Services services, TrainingRuns& runs, QWidget* parent)
    : CommonFailuresPage(services, runs, parent)
    , view_(new FailureCaseView(services, this)) {
    lay_out(view_, nullptr, {420, 480});
    take_words();
    connect_all();
    tell_of_exports(*this);
}

void FailuresPage::connect_all() {
    connect(&view_->question(), &ModelQuestion::notice, this, &Page::notice);
    connect(choice_, &QComboBox::activated, this, &FailuresPage::choose_evaluation);
    connect(table_, &DataTable::activated_row, this, [this](int row) {
        choose_case(row);
        services_.selection.select_page(QStringLiteral("configurations"));
    });
    connect(&runs_, &TrainingRuns::stored_changed, this, &FailuresPage::show_empty);
    WorkspaceSession& session = services_.session;
    connect(&session, &WorkspaceSession::domain_changed, this, &FailuresPage::take_words);
    connect(&session, &WorkspaceSession::measurements_changed, this, &FailuresPage::read_when_seen);
    connect(&services_.jobs, &JobService::job_finished, this, [this](const JobId& id) {
        const auto job = services_.jobs.job(id);
        if (!job || job->workspace != services_.session.path() || job->kind != JobKind::Evaluate)
            return;
        wish({}); // what was evaluated last is what is looked at next
    });
}

void FailuresPage::take_words() {
    auto words = std::make_unique<const FailureWords>(services_.session.domain().words());
    auto rows = std::make_unique<CasesModel>(*words);
    is_filling_ = true;
    table_->set_model(rows.get());
    is_filling_ = false;
    rows_ = std::move(rows);
    words_ = std::move(words);
    for (const int column : {CasesModel::Lost, CasesModel::Family, CasesModel::Rank, CasesModel::Kind,
                             CasesModel::Model, CasesModel::Noise, CasesModel::Time, CasesModel::AgainstTime,
                             CasesModel::Chosen, CasesModel::Against})
        table_->set_column_shown(column, false); // the case itself says so
    lead_with_names();
    forget();
    wish(wish_of_selection());
}

void FailuresPage::forget() {
    reader_.cancel();
    take(std::make_shared<const ReadFailures>());
}

void FailuresPage::read_again() {
    if (!services_.session.is_open())
        return forget();
    reader_.ask(
        [wanted =
             WantedEvaluationFailures{.workspace = services_.session.path().toStdString(), .wish = wanted_},
         &domain = services_.session.domain(),
         &domains = services_.session.domains()](const std::stop_token& stop) {
            return read_failures_by_known_times(wanted, domain, domains, stop);
        },
        [this](Result<std::shared_ptr<const ReadFailures>> answer, bool is_newest) {
            if (is_newest)
                take(std::move(answer));
        });
}

void FailuresPage::take(Result<std::shared_ptr<const ReadFailures>> answer) {
    Q_EMIT notice(answer ? QString() : QString::fromStdString(answer.error().text()), !answer,
                  QStringLiteral("read"));
    if (!answer)
        return;
    auto read = std::make_shared<ReadFailures>(**answer);
    keep_misleading_parts(*read, *read_);
    read_ = std::move(read);
    ask_what_misled(read_);
    offer_report();
    show_choice();
    show_models(read_->evaluations, read_->shown);
    show_headline();
    show_groups(*words_, read_->cases, read_->groups);
    show_empty();
}

/// The cases stay as they are looked at.
void FailuresPage::show_what_misled(const MisleadingParts& parts) {
    auto read = std::make_shared<ReadFailures>(*read_);
    take_misleading_parts(*read, parts);
    read_ = std::move(read);
    offer_report();
    show_headline();
    show_cases(false);
}

void FailuresPage::offer_report() {
    FailureExports::Write write;
    if (!read_->cases.empty())
        write = [read = read_, &domain = services_.session.domain(),
                 created_by = program_and_version()](const std::stop_token&) -> Result<WrittenFailures> {
            FailuresAnswer told = answer_about(read->shown->run, read->evaluation, domain);
            told.cases = read->cases;
            told.groups = read->groups;
            for (const QString& remark : read->remarks)
                told.remarks.push_back(remark.toStdString());
            const std::string command =
                fmt::format("sparsight-cli report --evaluation {} --domain {} -o report.html",
                            static_cast<std::int64_t>(read->shown->run), domain.name());
            return WrittenFailures{failures_page(told, {.created_by = created_by, .command = command})};
        };
    exports_->set_report(std::move(write));
}

void FailuresPage::show_choice() {
    is_filling_ = true;
    choice_->clear();
    for (const StoredEvaluation& each : read_->evaluations)
        choice_->addItem(entry_of(each, words_->domain().workload));
    const auto shown = std::ranges::find_if(read_->evaluations, [this](const StoredEvaluation& each) {
        return read_->shown && each.run == read_->shown->run;
    });
    choice_->setCurrentIndex(
        shown == read_->evaluations.end() ? -1 : static_cast<int>(shown - read_->evaluations.begin()));
    is_filling_ = false;
}

void FailuresPage::choose_evaluation(int row) {
    if (is_filling_ || row < 0)
        return;
    wanted_ = {.run = read_->evaluations[static_cast<std::size_t>(row)].run};
    read_again();
}

void FailuresPage::show_headline() {
    const auto compared =
        static_cast<qint64>(read_->evaluation.workloads() * read_->evaluation.models.size());
    const auto costly =
        std::ranges::count_if(read_->cases, [](const FailureCase& each) { return each.lost_ms() > 0; });
    double lost = 0;
    for (const FailureCase& failure : read_->cases)
        lost += failure.lost_ms();
    const QString all = compared == 1 ? tr("1 choice") : tr("%1 choices").arg(count_text(compared));
    headline_->setText(costly == 1
                           ? tr("1 of %1 is slower than it could be: %2 lost.").arg(all, runtime_text(lost))
                       : costly > 1 ? tr("%1 of %2 are slower than they could be: %3 lost in all.")
                                          .arg(count_text(costly), all, runtime_text(lost))
                                    : tr("None of %1 is %2.").arg(all, words_->threshold()));
    QStringList remarks;
    if (const QString missing = remark_on_link(read_->shown); !missing.isEmpty())
        remarks << missing;
    if (const auto beliefs = std::ssize(read_->cases) - costly; beliefs > 0)
        remarks << (beliefs == 1 ? tr("One ranking is wrong at no cost: a better choice was tried, too.")
                                 : tr("%1 rankings are wrong at no cost: a better choice was tried, too.")
                                       .arg(count_text(beliefs)));
    if (costly > 0 && costly < compared)
        remarks << tr("A choice counts where it is %1.").arg(words_->threshold());
    if (!read_->cases.empty() && read_->evaluation.source == TimeSource::Recorded)
        remarks << tr("All times are recorded.");
    if (std::ranges::any_of(read_->cases, &FailureCase::is_of_turns))
        remarks << turns_remark(words_->domain());
    remarks << read_->remarks;
    if (is_asking_what_misled())
        remarks << asking_remark();
    remarks_->setText(remarks.join(u' '));
    remarks_->setVisible(!remarks.isEmpty());
}

void FailuresPage::show_cases(bool is_chosen) {
    const int row =
        set_cases(*rows_, chosen_cases(read_->cases, read_->groups), read_->evaluation.models.size() > 1);
    look_at(row);
    const Selected selected = services_.selection.current();
    const auto is_free = [](const QString& part, const std::string& shown) {
        return part.isEmpty() || part == QString::fromStdString(shown);
    };
    const bool is_open =
        row >= 0 && is_free(selected.model, rows_->row(row).model_name) &&
        (selected.workload.isEmpty() ||
         (selected.configuration.isEmpty() && is_free(selected.workload, rows_->row(row).workload)));
    if (row >= 0 && isVisible() && (is_chosen || is_open))
        services_.selection.replace(selected_with(rows_->row(row)));
}

void FailuresPage::look_at(int row) {
    if (row >= 0)
        view_->show_case(rows_->row(row), read_->evaluation.setting,
                         QString::fromStdString(read_->evaluation.exact_machine()),
                         services_.session.domain(), *words_);
}

Selected FailuresPage::selected_with(const FailureCase& failure) const {
    Selected target = services_.selection.current();
    target.workload = QString::fromStdString(failure.workload);
    target.machine = QString::fromStdString(read_->evaluation.machine_fingerprint);
    target.model = QString::fromStdString(failure.model_name);
    target.configuration = QString::fromStdString(failure.main().chosen.configuration);
    const auto written =
        services_.session.domain().written(read_->evaluation.setting, failure.main().chosen.configuration);
    target.family = written ? QString::fromStdString(written->family) : QString();
    return target;
}

/// What to do next.
void FailuresPage::show_empty() {
    show_cases_or_next(!read_->cases.empty());
    const DomainWords& words = words_->domain();
    if (read_->evaluation.workloads() > 0) {
        empty_->set_title(headline_->text());
        empty_->set_text(
            tr("Every choice is near the best known. Evaluate on more %1.").arg(many(words.workload)));
        return;
    }
    empty_->set_title(tr("No failures yet"));
    const QString what = tr("This page shows where the %1 that a model chose are slower than necessary, and "
                            "which decision costs the time.")
                             .arg(many(words.configuration));
    const QString next =
        !read_->problem.isEmpty() ? read_->problem
        : !runs_.stored().models.empty()
            ? tr("Evaluate a model on %1 that it was not trained on.").arg(many(words.workload))
            : tr("Train a model and evaluate it.");
    empty_->set_text(what + u' ' + next);
}

bool FailuresPage::is_settled() const {
    return !reader_.is_busy() && !is_asking_what_misled() && !exports_->is_busy();
}

} // namespace sparsight
