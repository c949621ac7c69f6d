#include "gui/jobs/views/import_report.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/json_values.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

QString tab_separated(const std::vector<ImportProblem>& problems) {
    QString text;
    for (const ImportProblem& each : problems)
        text += QStringLiteral("%1\t%2\t%3\n").arg(each.file, each.line, each.text);
    return text;
}

} // namespace

QString new_name_text(const QString& name) {
    return ImportReport::tr("%1 · new").arg(name);
}

ImportReport::ImportReport(JobService& jobs, QWidget* parent)
    : QWidget(parent)
    , jobs_(jobs)
    , banner_(new Banner(this)) {
    setObjectName(QStringLiteral("import-report"));
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(banner_);
    hide();
    connect(banner_, &Banner::action_triggered, this, &ImportReport::show_details);
    connect(banner_, &Banner::closed, this, &QWidget::hide);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&jobs_, signal, this, &ImportReport::refresh);
}

void ImportReport::set_workspace(const QString& path) {
    workspace_ = path;
    refresh();
}

bool ImportReport::is_new(const std::string& added) const {
    return !since_.empty() && added >= since_;
}

void ImportReport::refresh() {
    std::optional<Job> last;
    for (const Job& job : jobs_.jobs())
        if (job.adds_workloads() && job.workspace == workspace_ && job.started >= jobs_.opened() &&
            (!last || job.started > last->started))
            last = job;
    const bool is_as_before =
        last ? last->id == job_ && last->runs == run_ && last->state == state_ : job_.isNull();
    if (is_as_before)
        return;
    job_ = last ? last->id : JobId();
    run_ = last ? last->runs : 0;
    state_ = last ? last->state : JobState::Waiting;
    title_ = last ? last->title : QString();
    since_ = last ? last->started.toUTC().toString(Qt::ISODateWithMs).toStdString() : std::string();
    problems_.clear();
    all_ = 0;
    if (last && is_over(state_))
        read_problems(*last);
    setVisible(all_ > 0);
    if (all_ > 0) {
        const ImportProblem& first = problems_.front();
        const QString where = first.file.isEmpty() ? QString()
                              : first.line.isEmpty()
                                  ? tr("%1: ").arg(QFileInfo(first.file).fileName())
                                  : tr("%1, line %2: ").arg(QFileInfo(first.file).fileName(), first.line);
        const QString count =
            all_ == 1 ? tr("1 problem") : tr("%1 problems, the first").arg(count_text(all_));
        banner_->show_message(Severity::Warning,
                              QStringLiteral("%1 · %2: %3%4").arg(title_, count, where, first.text),
                              tr("&Details"));
    }
    Q_EMIT changed();
}

/// From the disk: the page may have been made after they were told.
void ImportReport::read_problems(const Job& job) {
    for (const QString& line : jobs_.event_lines(job.id)) {
        const QJsonObject event = QJsonDocument::fromJson(line.toUtf8()).object();
        const QString name = member(event, "event").toString();
        if (name == QLatin1String("start")) { // of this run or a later one
            problems_.clear();
            all_ = 0;
        } else if (name == QLatin1String("failed"))
            problems_.push_back({member(event, "file").toString(),
                                 member(event, "line").isDouble()
                                     ? QString::number(member(event, "line").toInteger())
                                     : QString(),
                                 member(event, "error").toString()});
        else if (name == QLatin1String("end"))
            all_ = std::max(member(event, "failed").toInteger(), member(event, "problems").toInteger());
    }
    if (problems_.empty() && job.state == JobState::Failed)
        problems_.push_back({{}, {}, job.error});
    const qint64 listed = std::ssize(problems_);
    all_ = listed == 0 ? 0 : std::max(all_, listed);
}

void ImportReport::show_details() {
    auto* const dialog = new QDialog(window());
    dialog->setObjectName(QStringLiteral("import-problems"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("What “%1” could not take").arg(title_));
    auto* const list = new QTreeWidget(dialog);
    list->setAccessibleName(tr("Problems"));
    list->setRootIsDecorated(false);
    list->setWordWrap(true);
    list->setHeaderLabels({tr("File"), tr("Line"), tr("Problem")});
    for (const ImportProblem& each : problems_) {
        auto* const item = new QTreeWidgetItem(list, {QFileInfo(each.file).fileName(), each.line, each.text});
        item->setToolTip(0, each.file);
        item->setToolTip(2, each.text);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    list->resizeColumnToContents(0);
    list->resizeColumnToContents(1);
    auto* const column = new QVBoxLayout(dialog);
    column->addWidget(list);
    if (all_ > std::ssize(problems_))
        column->addWidget(new QLabel(tr("The first %1 of %2 problems are listed.")
                                         .arg(count_text(std::ssize(problems_)), count_text(all_)),
                                     dialog));
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    auto* const copy = buttons->addButton(tr("&Copy all"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copy-problems"));
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, dialog,
            [text = tab_separated(problems_)] { QApplication::clipboard()->setText(text); });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    const int letter = fontMetrics().averageCharWidth();
    dialog->resize(110 * letter, 50 * letter);
    dialog->open();
}

} // namespace sparsight
