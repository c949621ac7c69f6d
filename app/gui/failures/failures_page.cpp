#include "gui/failures/failures_page.h"

#include "gui/comparison/comparison_dialog.h"
#include "gui/failures/case_view.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/failure_words.h"
#include "gui/failures/happened_section.h"
#include "gui/failures/remedy_section.h"
#include "gui/failures/story_list.h"
#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_service.h"
#include "gui/page/export_notices.h"
#include "gui/runs/training_runs.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/table/data_table.h"

#include <QComboBox>
#include <QDataStream>
#include <QFileDialog>
#include <QFileInfo>
#include <QIODevice>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr int open_a_table = -1; ///< in the combo box of sources
constexpr int the_open_table = -2;

} // namespace

FailuresPage::FailuresPage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(QStringLiteral("failures"), tr("Failures"), QStringLiteral("failures"), parent)
    , services_(services)
    , runs_(runs)
    , study_(services)
    , plan_(services, runs) {
    build();
    connect_all();
    tell_of_exports(*this);
    take(std::make_shared<const ReadFailures>());
}

void FailuresPage::connect_all() {
    for (const auto signal : {&CaseStudy::notice})
        connect(&study_, signal, this, &Page::notice);
    connect(&plan_, &TuningPlan::notice, this, &Page::notice);
    connect(exports_, &FailureExports::notice, this, &Page::notice);
    connect(stories_, &StoryList::chosen, this, &FailuresPage::show_cases);
    connect(&view_->happened(), &HappenedSection::compare_requested, this, &FailuresPage::compare);
    connect(choice_, &QComboBox::activated, this, &FailuresPage::choose_source);
    connect(&services_.selection, &Selection::changed, this, &FailuresPage::follow_selection);
    const auto read_when_seen = [this] {
        is_outdated_ = true;
        if (isVisible())
            read_again();
    };
    connect(&services_.session, &WorkspaceSession::opened, this, [this, read_when_seen] {
        wanted_.reset();
        table_file_.clear();
        read_when_seen();
    });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] {
        table_file_.clear();
        read_again();
    });
    connect(&services_.session, &WorkspaceSession::contents_changed, this, read_when_seen);
    connect(&runs_, &TrainingRuns::stored_changed, this, &FailuresPage::show_empty);
    connect(&services_.jobs, &JobService::job_finished, this, [this, read_when_seen](const JobId& id) {
        const auto job = services_.jobs.job(id);
        if (!job || job->workspace != services_.session.path() || job->kind != JobKind::Evaluate)
            return;
        wanted_.reset(); // what was evaluated last is what is looked at next
        read_when_seen();
    });
}

void FailuresPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (is_outdated_)
        read_again();
}

void FailuresPage::open_table(const QString& file) {
    table_file_ = file;
    read_again();
}

void FailuresPage::ask_for_table() {
    auto* const dialog = new QFileDialog(this, tr("Open a table of recorded choices"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Comma-separated values (*.csv)"));
    connect(dialog, &QFileDialog::fileSelected, this, &FailuresPage::open_table);
    dialog->open();
}

void FailuresPage::read_again() {
    is_outdated_ = false;
    if (!services_.session.is_open() && table_file_.isEmpty()) {
        reader_.cancel();
        return take(std::make_shared<const ReadFailures>());
    }
    const WantedFailures wanted{services_.session.path().toStdString(), wanted_, table_file_.toStdString(),
                                services_.settings.thread_count()};
    reader_.ask([wanted](const std::stop_token& stop) { return read_failures_of(wanted, stop); },
                [this](Result<std::shared_ptr<const ReadFailures>> answer, bool is_newest) {
                    if (is_newest)
                        take(std::move(answer));
                });
}

void FailuresPage::take(Result<std::shared_ptr<const ReadFailures>> answer) {
    Q_EMIT notice(answer ? QString() : QString::fromStdString(answer.error().text()), !answer,
                  QStringLiteral("read"));
    if (!answer) {
        table_file_ = read_ ? read_->setting.table : QString();
        return;
    }
    read_ = std::move(*answer);
    exports_->show_failures(read_);
    show_choice();
    show_headline();
    show_stories();
    show_empty();
}

void FailuresPage::show_choice() {
    is_filling_ = true;
    choice_->clear();
    for (std::size_t at = 0; at < read_->evaluations.size(); ++at) {
        choice_->addItem(entry_of(read_->evaluations[at]), static_cast<int>(at));
        if (read_->setting.table.isEmpty() && read_->evaluations[at].run == read_->setting.run)
            choice_->setCurrentIndex(choice_->count() - 1);
    }
    if (!read_->setting.table.isEmpty()) {
        choice_->addItem(tr("Table %1").arg(QFileInfo(read_->setting.table).fileName()), the_open_table);
        choice_->setCurrentIndex(choice_->count() - 1);
    }
    choice_->addItem(tr("Open a recorded table…"), open_a_table);
    if (read_->evaluations.empty() && read_->setting.table.isEmpty())
        choice_->setCurrentIndex(-1);
    is_filling_ = false;
}

QString FailuresPage::entry_of(const StoredEvaluation& one) const {
    const QString where = one.machine == services_.session.this_machine() ? tr("this computer")
                                                                          : runs_.machine_name(one.machine);
    return tr("%1 on %2, %3, %4")
        .arg(one.models.join(QStringLiteral(", ")), where, matrices_text(one.matrices),
             QLocale().toString(one.started.toLocalTime(), QLocale::ShortFormat));
}

void FailuresPage::choose_source(int row) {
    if (is_filling_)
        return;
    const int source = choice_->itemData(row).toInt();
    if (source == open_a_table) {
        show_choice(); // it is no source itself
        return ask_for_table();
    }
    if (source == the_open_table)
        return;
    table_file_.clear();
    wanted_ = read_->evaluations[static_cast<std::size_t>(source)].run;
    read_again();
}

void FailuresPage::show_headline() {
    const FailureSetting& setting = read_->setting;
    const auto compared = setting.matrices.size() * std::max(qsizetype{1}, setting.models.size());
    headline_->setText(
        read_->cases.empty()
            ? tr("Nothing failed in %1.").arg(matrices_text(setting.matrices.size()))
            : tr("%1 of %2 choices fail, told as %3.")
                  .arg(count_text(static_cast<qint64>(read_->cases.size())), count_text(compared),
                       read_->stories.size() == 1
                           ? tr("one story")
                           : tr("%1 stories").arg(count_text(static_cast<qint64>(read_->stories.size())))));
    QStringList remarks;
    if (setting.table.isEmpty() && setting.source != TimeSource::Measured)
        remarks << tr("Times are %1.")
                       .arg(setting.source == TimeSource::Simulated ? tr("simulated") : tr("recorded"));
    if (!setting.table.isEmpty())
        remarks << tr("Its decisions explain %1 of how much its choices gain or lose.")
                       .arg(share_text(setting.explained));
    if (setting.left_out == 1)
        remarks << tr("One line without a usable time is left out.");
    else if (setting.left_out > 1)
        remarks << tr("%1 lines without a usable time are left out.").arg(count_text(setting.left_out));
    remarks_->setText(remarks.join(u' '));
    remarks_->setVisible(!remarks.isEmpty());
    view_->remedy().show_comparison(before_after());
}

/// Of the last fine-tuning with failures, once both models were compared.
QString FailuresPage::before_after() const {
    const QString before = plan_.model();
    const QString after = plan_.tuned_model();
    if (after.isEmpty() || !read_->setting.models.contains(before) || !read_->setting.models.contains(after))
        return {};
    const auto cases_of = [&](const QString& model) {
        return std::ranges::count(read_->cases, model.toStdString(), &FailureCase::model_name);
    };
    return tr("On the same %1: %2 failures of %3 before, %4 of %5 after.")
        .arg(matrices_text(read_->setting.matrices.size()))
        .arg(cases_of(before))
        .arg(before)
        .arg(cases_of(after))
        .arg(after);
}

void FailuresPage::show_stories() {
    std::vector<ToldStory> told;
    const auto cases_text = [](std::size_t cases) {
        return cases == 1 ? tr("1 case") : tr("%1 cases").arg(count_text(static_cast<qint64>(cases)));
    };
    if (!read_->cases.empty())
        told.push_back({QStringLiteral("*"),
                        tr("All failures"),
                        tr("the greatest loss first"),
                        cases_text(read_->cases.size()),
                        {}});
    for (const FailureStory& story : read_->stories) {
        const QString title = story_title(story);
        const QString text = story_text(story);
        told.push_back(
            {title + u'|' + text.section(QStringLiteral(" · "), 1), title, text,
             cases_text(story.cases.size()),
             QStringLiteral("%1. %2").arg(kind_meaning(story.kind),
                                          story.basis ? tr("The decision: %1.").arg(basis_text(*story.basis))
                                                      : QString())});
    }
    stories_->set_stories(told);
    show_cases();
}

void FailuresPage::show_cases() {
    const int story = stories_->current_story();
    std::vector<FailureCase> shown;
    if (story == 0)
        shown = read_->cases;
    else if (story > 0)
        for (const std::size_t at : read_->stories[static_cast<std::size_t>(story) - 1].cases)
            shown.push_back(read_->cases[at]);
    const QString before = study_.failure() != nullptr ? key_of(*study_.failure()) : QString();
    is_filling_ = true;
    rows_.set_rows(std::move(shown));
    table_->set_column_shown(CasesModel::Model, read_->setting.models.size() > 1);
    is_filling_ = false;
    // There is always one to look at: the one before, else the selected matrix, else the greatest loss.
    const QString matrix = services_.selection.current().matrix;
    int row = rows_.rowCount() > 0 ? 0 : -1;
    for (int each = rows_.rowCount() - 1; each >= 0; --each)
        if (QString::fromStdString(rows_.row(each).matrix) == matrix)
            row = each;
    row = rows_.row_of(before).value_or(row);
    is_filling_ = true;
    table_->select_source_row(row);
    is_filling_ = false;
    const FailureCase* const failure = row < 0 ? nullptr : &rows_.row(row);
    study_.set_case(failure, read_->setting);
    plan_.set_case(study_);
    // Nobody has chosen anything yet: what is looked at is told beside the page, too.
    if (failure != nullptr && matrix.isEmpty() && isVisible())
        services_.selection.replace(selected_with(*failure));
}

void FailuresPage::choose_case(int row) {
    if (is_filling_ || row < 0)
        return;
    study_.set_case(&rows_.row(row), read_->setting);
    plan_.set_case(study_);
    services_.selection.select(selected_with(*study_.failure()));
}

Selected FailuresPage::selected_with(const FailureCase& failure) const {
    Selected target = services_.selection.current();
    if (services_.session.matrix(QString::fromStdString(failure.matrix)) != nullptr)
        target.matrix = QString::fromStdString(failure.matrix);
    if (!read_->setting.machine.isEmpty()) {
        target.machine = read_->setting.machine;
        target.model = QString::fromStdString(failure.model_name);
    }
    target.op = op_name(read_->setting.op);
    target.schedule = QString::fromStdString(failure.main().chosen.schedule);
    return target;
}

void FailuresPage::follow_selection() {
    const QString matrix = services_.selection.current().matrix;
    const int now = table_->current_source_row();
    if (now >= 0 && now < rows_.rowCount() && QString::fromStdString(rows_.row(now).matrix) == matrix)
        return;
    for (int row = 0; row < rows_.rowCount(); ++row)
        if (QString::fromStdString(rows_.row(row).matrix) == matrix) {
            is_filling_ = true; // following is not choosing
            table_->select_source_row(row);
            is_filling_ = false;
            study_.set_case(&rows_.row(row), read_->setting);
            return plan_.set_case(study_);
        }
}

void FailuresPage::compare() {
    if (!study_.subject() || study_.failure() == nullptr)
        return;
    const FailureSign& sign = study_.failure()->main();
    ComparedPair pair{
        *study_.subject(), study_.titles(), {timed_text(sign.against), timed_text(sign.chosen)}};
    (new ComparisonDialog(services_, std::move(pair), window()))->show();
}

bool FailuresPage::is_settled() const {
    return !reader_.is_busy() && !study_.is_busy() && !exports_->is_busy();
}

QByteArray FailuresPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << across_->saveState() << down_->saveState() << table_->save_state();
    return state;
}

void FailuresPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray across;
    QByteArray down;
    QByteArray table;
    in >> across >> down >> table;
    if (in.status() != QDataStream::Ok)
        return;
    across_->restoreState(across);
    down_->restoreState(down);
    table_->restore_state(table);
}

} // namespace sparsight
