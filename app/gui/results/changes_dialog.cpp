#include "gui/results/changes_dialog.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr int date_entry = -1; ///< data of the entry for another date; the others have their `since`

} // namespace

ChangesDialog& ChangesDialog::open_in(QWidget& window, Services services) {
    auto* dialog = window.findChild<ChangesDialog*>();
    if (dialog == nullptr)
        dialog = new ChangesDialog(services, &window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return *dialog;
}

ChangesDialog::ChangesDialog(Services services, QWidget* parent)
    : QDialog(parent)
    , services_(services)
    , domain_(services.session.domain())
    , rows_(domain_.words())
    , banner_(new Banner(this))
    , since_(new QComboBox(this))
    , date_(new QDateTimeEdit(this))
    , sentence_(new QLabel(this))
    , stack_(new QStackedWidget(this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this))
    , go_(new QAction(icon(QStringLiteral("schedules")),
                      tr("&Show this %1").arg(one(domain_.words().configuration)), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("changes"));
    setWindowTitle(tr("Changes in measured times"));
    setSizeGripEnabled(true);
    resize(1000, 560);
    build();
    connect(since_, &QComboBox::currentIndexChanged, this, [this] {
        date_->setVisible(since_->currentData() == date_entry);
        if (!is_filling_)
            read();
    });
    connect(date_, &QDateTimeEdit::dateTimeChanged, this, &ChangesDialog::read);
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, &ChangesDialog::read);
    connect(&services_.session, &WorkspaceSession::closed, this, &QDialog::close);
    connect(&services_.session, &WorkspaceSession::opened, this, &QDialog::close);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &QDialog::close);
    show_runs({});
    read();
}

void ChangesDialog::build() {
    since_->setObjectName(QStringLiteral("changes-since"));
    since_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    date_->setObjectName(QStringLiteral("changes-date"));
    date_->setAccessibleName(tr("Date of the comparison"));
    date_->setToolTip(tr("Times measured since then are compared with the newest from before"));
    date_->setCalendarPopup(true);
    date_->setDateTime(QDateTime(QDate::currentDate(), QTime(0, 0)));
    date_->hide();
    auto* const caption = new QLabel(tr("Changes s&ince"), this);
    caption->setBuddy(since_);
    keep_font(*sentence_, title_font);
    sentence_->setObjectName(QStringLiteral("changes-sentence"));
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    table_->setObjectName(QStringLiteral("changed-times"));
    table_->setAccessibleName(tr("Changed times"));
    table_->set_empty_text(tr("Reading the times …"));
    table_->set_model(&rows_);
    table_->set_selection_mode_single(false);
    table_->set_column_shown(ChangesModel::MeasuredBefore, false);
    table_->set_column_shown(ChangesModel::Code, false); // the tooltip has it; names need the room
    go_->setObjectName(QStringLiteral("show-changed"));
    go_->setToolTip(tr("Selects it with its %1 and machine, and shows its page. Return does the same")
                        .arg(one(domain_.words().workload)));
    go_->setEnabled(false);
    table_->add_tool(go_, true);
    connect(go_, &QAction::triggered, this, [this] { go_to_row(table_->current_source_row()); });
    connect(table_, &DataTable::activated_row, this, &ChangesDialog::go_to_row);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) { go_->setEnabled(row >= 0); });
    empty_->set_icon(icon(QStringLiteral("compare")));
    auto* const measure =
        empty_->add_button(tr("&Go to %1").arg(title_of_many(domain_.words().configuration)),
                           icon_on_accent(QStringLiteral("schedules")));
    measure->setObjectName(QStringLiteral("go-measuring-again"));
    connect(measure, &QPushButton::clicked, this, [this] {
        services_.selection.select_page(QStringLiteral("configurations"));
        close();
    });
    stack_->addWidget(table_);
    stack_->addWidget(empty_);
    auto* const exports = new ExportNotices(*this);
    connect(exports, &ExportNotices::notice, banner_, [this](const QString& text, bool is_problem) {
        banner_->show_message(is_problem ? Severity::Error : Severity::Information, text);
    });
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* const choice = new FlowLayout;
    choice->setSpacing(grid_step);
    for (QWidget* const each :
         {static_cast<QWidget*>(caption), static_cast<QWidget*>(since_), static_cast<QWidget*>(date_)})
        choice->addWidget(each);
    const int height = std::max(since_->sizeHint().height(), date_->sizeHint().height());
    for (QWidget* const each :
         {static_cast<QWidget*>(caption), static_cast<QWidget*>(since_), static_cast<QWidget*>(date_)})
        each->setMinimumHeight(height);
    auto* const column = new QVBoxLayout(this);
    column->setSpacing(grid_step);
    column->addWidget(banner_);
    column->addLayout(choice);
    column->addWidget(sentence_);
    column->addWidget(stack_, 1);
    column->addWidget(buttons);
    since_->setFocus();
}

QString ChangesDialog::since() const {
    if (since_->currentData() != date_entry)
        return since_->currentData().toString();
    return date_->dateTime().toUTC().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss"));
}

void ChangesDialog::read() {
    if (!services_.session.is_open() || &services_.session.domain() != &domain_)
        return;
    reader_.ask(
        [file = services_.session.path().toStdString(), &domain = domain_,
         since = since().toStdString()](const std::stop_token&) { return read_changes(file, domain, since); },
        [this](Result<ReadChanges> answer, bool is_newest) {
            if (is_newest)
                take(std::move(answer));
        });
}

void ChangesDialog::take(Result<ReadChanges> answer) {
    if (!answer) {
        banner_->show_message(Severity::Error, QString::fromStdString(answer.error().text()));
        return;
    }
    const QString asked = since();
    show_runs(answer->runs);
    if (since() != asked) // that run is not there any more
        return read();
    sentence_->setText(answer->sentence);
    sentence_->setVisible(!answer->sentence.isEmpty());
    const std::vector<ChangeRow>& rows = answer->rows;
    rows_.set_rows(rows);
    choose_columns();
    show_nothing();
    stack_->setCurrentWidget(rows.empty() ? static_cast<QWidget*>(empty_) : table_);
}

/// Those that say something, once there is something to say: then the user chooses.
void ChangesDialog::choose_columns() {
    const std::vector<ChangeRow>& rows = rows_.rows();
    if (rows.empty() || std::exchange(has_columns_, true))
        return;
    const auto varies = [&rows](const auto& value) {
        return std::ranges::any_of(rows,
                                   [&](const ChangeRow& row) { return value(row) != value(rows.front()); });
    };
    table_->set_column_shown(ChangesModel::Machine, varies([](const ChangeRow& row) {
                                 return row.change.later.machine_fingerprint;
                             }));
    table_->set_column_shown(ChangesModel::Conditions,
                             varies([](const ChangeRow& row) { return row.conditions; }));
}

/// Keeps the choice where it is still there.
void ChangesDialog::show_runs(const std::vector<RepeatedRun>& runs) {
    if (runs == runs_ && since_->count() > 0)
        return;
    runs_ = runs;
    is_filling_ = true;
    const QVariant chosen = since_->currentData();
    since_->clear();
    since_->addItem(tr("the previous time of each %1").arg(one(domain_.words().configuration)), QString());
    for (const RepeatedRun& run : runs)
        since_->addItem(tr("the run of %1 (%2)")
                            .arg(QLocale().toString(run.started.toLocalTime(), QLocale::ShortFormat),
                                 run.measurements == 1
                                     ? tr("1 measurement")
                                     : tr("%1 measurements").arg(count_text(run.measurements))),
                        run.since);
    since_->addItem(tr("another date"), date_entry);
    since_->setCurrentIndex(std::max(0, chosen.isValid() ? since_->findData(chosen) : 0));
    is_filling_ = false;
}

void ChangesDialog::show_nothing() {
    const DomainWords& words = domain_.words();
    if (!runs_.empty()) {
        empty_->set_title(tr("Nothing to compare since then"));
        empty_->set_text(tr("No %1 has times from before and after that date. Choose a run from the list, or "
                            "measure again now.")
                             .arg(one(words.configuration)));
        return;
    }
    empty_->set_title(tr("No time was measured twice"));
    empty_->set_text(
        tr("A comparison needs two times of one %1. Measure %2 again on this computer, or import "
           "newer times. Replaced times are kept.")
            .arg(one(words.configuration), many(words.configuration)));
}

void ChangesDialog::go_to_row(int row) {
    if (row < 0)
        return;
    const ResultRecord& now = rows_.row(row).change.later;
    Selected target = services_.selection.current();
    target.page = QStringLiteral("configurations");
    target.workload = QString::fromStdString(now.workload);
    target.machine = QString::fromStdString(now.machine_fingerprint);
    target.family = QString::fromStdString(now.family);
    target.configuration = QString::fromStdString(now.configuration);
    services_.selection.select(target);
}

} // namespace sparsight
