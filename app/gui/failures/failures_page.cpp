#include "gui/failures/failures_page.h"

#include "gui/failures/failure_case_view.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/model_question.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/card.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "workflow/explanation/failures_study.h"

#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

FailuresPage::FailuresPage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(PagePlace::Failures, QStringLiteral("failures"), tr("Failures"), QStringLiteral("failures"),
           parent)
    , services_(services)
    , runs_(runs)
    , choice_(new QComboBox(this))
    , headline_(new QLabel(this))
    , remarks_(new QLabel(this))
    , groups_(new FailureGroupList(this))
    , table_(new DataTable(this))
    , view_(new FailureCaseView(services, this))
    , empty_(new EmptyState(this))
    , exports_(new FailureExports(this))
    , across_(new QSplitter(Qt::Horizontal, this))
    , down_(new QSplitter(Qt::Vertical, this))
    , stack_(new QStackedWidget(this)) {
    build();
    take_words();
    connect_all();
    tell_of_exports(*this);
}

void FailuresPage::build() {
    choice_->setObjectName(QStringLiteral("failure-source"));
    choice_->setAccessibleName(tr("Evaluation"));
    choice_->setPlaceholderText(tr("No evaluation yet"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(16);
    keep_font(*headline_, title_font);
    headline_->setObjectName(QStringLiteral("failures-headline"));
    keep_font(*remarks_, caption_font);
    remarks_->setObjectName(QStringLiteral("failures-remarks"));
    remarks_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* const label : {headline_, remarks_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    table_->setObjectName(QStringLiteral("failure-cases"));
    table_->setAccessibleName(tr("Failure cases"));
    table_->view()->setTextElideMode(Qt::ElideMiddle);
    empty_->set_icon(icon(QStringLiteral("failures")));
    go_evaluating_ = empty_->add_button(tr("&Evaluate a model"), icon_on_accent(QStringLiteral("results")));
    go_evaluating_->setObjectName(QStringLiteral("go-evaluating"));
    go_training_ = empty_->add_button(tr("&Train a model first"), icon(QStringLiteral("train")));
    go_training_->setObjectName(QStringLiteral("go-training"));

    across_->addWidget(make_left());
    across_->addWidget(view_);
    across_->setSizes({420, 480});
    across_->setStretchFactor(1, 1);
    across_->setChildrenCollapsible(false);
    stack_->addWidget(across_);
    stack_->addWidget(empty_);
    auto* const tools = new QHBoxLayout;
    tools->setSpacing(grid_step);
    tools->addWidget(choice_, 4);
    auto* const info =
        new InfoButton(tr("What failures, groups and blame are"), QStringLiteral("failures"), this);
    connect(info, &InfoButton::help_requested, this, &Page::help_requested);
    tools->addWidget(info);
    tools->addStretch(1);
    auto* const report = new QToolButton(this);
    report->setDefaultAction(&exports_->action());
    report->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tools->addWidget(report);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addLayout(tools);
    column->addWidget(stack_, 1);
    setFocusProxy(groups_);
}

QWidget* FailuresPage::make_left() {
    auto* const box = new QWidget(this);
    auto* const column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(headline_);
    column->addWidget(remarks_);
    for (QWidget* const list : std::initializer_list<QWidget*>{groups_, table_}) {
        auto* const card = new Card({}, box);
        card->set_content_margins(0);
        card->set_content(list);
        down_->addWidget(card);
    }
    down_->setSizes({300, 320});
    down_->setStretchFactor(1, 1);
    down_->setChildrenCollapsible(false);
    column->addWidget(down_, 1);
    return box;
}

void FailuresPage::connect_all() {
    connect(exports_, &FailureExports::notice, this, &Page::notice);
    connect(&view_->question(), &ModelQuestion::notice, this, &Page::notice);
    connect(groups_, &FailureGroupList::chosen, this, [this] { show_cases(true); });
    connect(choice_, &QComboBox::activated, this, &FailuresPage::choose_evaluation);
    connect(table_, &DataTable::current_row_changed, this, &FailuresPage::choose_case);
    connect(table_, &DataTable::activated_row, this, [this](int row) {
        choose_case(row);
        services_.selection.select_page(QStringLiteral("configurations"));
    });
    connect(go_evaluating_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("results")); });
    connect(go_training_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("train")); });
    connect(&services_.selection, &Selection::changed, this, &FailuresPage::follow_selection);
    connect(&runs_, &TrainingRuns::stored_changed, this, &FailuresPage::show_empty);
    WorkspaceSession& session = services_.session;
    connect(&session, &WorkspaceSession::domain_changed, this, &FailuresPage::take_words);
    connect(&session, &WorkspaceSession::closed, this, &FailuresPage::read_when_seen);
    connect(&session, &WorkspaceSession::contents_changed, this, &FailuresPage::read_when_seen);
    connect(&session, &WorkspaceSession::measurements_changed, this, &FailuresPage::read_when_seen);
    connect(&session, &WorkspaceSession::opened, this, [this] {
        wanted_.reset();
        read_when_seen();
    });
    connect(&services_.jobs, &JobService::job_finished, this, [this](const JobId& id) {
        const auto job = services_.jobs.job(id);
        if (!job || job->workspace != services_.session.path() || job->kind != JobKind::Evaluate)
            return;
        wanted_.reset(); // what was evaluated last is what is looked at next
        read_when_seen();
    });
}

void FailuresPage::take_words() {
    reader_.cancel();
    wanted_.reset();
    auto words = std::make_unique<const FailureWords>(services_.session.domain().words());
    auto rows = std::make_unique<CasesModel>(*words);
    is_filling_ = true;
    table_->set_model(rows.get());
    is_filling_ = false;
    rows_ = std::move(rows);
    words_ = std::move(words);
    for (const int column :
         {CasesModel::Lost, CasesModel::Family, CasesModel::Rank, CasesModel::Model, CasesModel::Noise,
          CasesModel::Time, CasesModel::AgainstTime, CasesModel::Chosen, CasesModel::Against})
        table_->set_column_shown(column, false);
    take(std::make_shared<const ReadFailures>());
    read_when_seen();
}

void FailuresPage::read_when_seen() {
    is_outdated_ = true;
    if (isVisible())
        read();
}

void FailuresPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (is_outdated_)
        read();
}

void FailuresPage::read() {
    is_outdated_ = false;
    if (!services_.session.is_open()) {
        reader_.cancel();
        return take(std::make_shared<const ReadFailures>());
    }
    reader_.ask(
        [wanted =
             WantedEvaluationFailures{.workspace = services_.session.path().toStdString(), .run = wanted_},
         &domain = services_.session.domain(),
         &domains = services_.session.domains()](const std::stop_token& stop) {
            return read_failures_by_known_times(wanted, domain, domains, stop);
        },
        [this, file = services_.session.path()](Result<std::shared_ptr<const ReadFailures>> answer,
                                                bool is_newest) {
            if (is_newest && file == services_.session.path())
                take(std::move(answer));
        });
}

void FailuresPage::take(Result<std::shared_ptr<const ReadFailures>> answer) {
    Q_EMIT notice(answer ? QString() : QString::fromStdString(answer.error().text()), !answer,
                  QStringLiteral("read"));
    if (!answer)
        return;
    read_ = std::move(*answer);
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
    show_choice();
    show_headline();
    show_groups();
    show_empty();
}

void FailuresPage::show_choice() {
    is_filling_ = true;
    choice_->clear();
    for (const StoredEvaluation& each : read_->evaluations)
        choice_->addItem(entry_of(each));
    const auto shown = std::ranges::find_if(read_->evaluations, [this](const StoredEvaluation& each) {
        return read_->shown && each.run == read_->shown->run;
    });
    choice_->setCurrentIndex(
        shown == read_->evaluations.end() ? -1 : static_cast<int>(shown - read_->evaluations.begin()));
    choice_->setToolTip(choice_->currentText()); // the field may cut it
    is_filling_ = false;
}

QString FailuresPage::entry_of(const StoredEvaluation& one) const {
    const QString name = one.machine == services_.session.this_machine() ? tr("this computer")
                                                                         : runs_.machine_name(one.machine);
    const QString where = one.condition.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, one.condition);
    return tr("%1 on %2, %3, %4")
        .arg(one.models.join(QStringLiteral(", ")), where, counted(one.workloads, words_->domain().workload),
             QLocale().toString(one.started.toLocalTime(), QLocale::ShortFormat));
}

void FailuresPage::choose_evaluation(int row) {
    if (is_filling_ || row < 0)
        return;
    wanted_ = read_->evaluations[static_cast<std::size_t>(row)].run;
    read();
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
                           ? tr("1 of %1 is slower than it could be: %2 lost.").arg(all, duration_text(lost))
                       : costly > 1 ? tr("%1 of %2 are slower than they could be: %3 lost in all.")
                                          .arg(count_text(costly), all, duration_text(lost))
                                    : tr("None of %1 is slower than it could be.").arg(all));
    QStringList remarks;
    if (const auto beliefs = std::ssize(read_->cases) - costly; beliefs > 0)
        remarks << (beliefs == 1 ? tr("One ranking is wrong at no cost: a better choice was tried, too.")
                                 : tr("%1 rankings are wrong at no cost: a better choice was tried, too.")
                                       .arg(count_text(beliefs)));
    if (!read_->cases.empty() && read_->evaluation.source == TimeSource::Recorded)
        remarks << tr("All times are recorded.");
    remarks << read_->remarks;
    remarks_->setText(remarks.join(u' '));
    remarks_->setVisible(!remarks.isEmpty());
}

void FailuresPage::show_groups() {
    const auto cases_text = [](std::size_t cases) {
        return cases == 1 ? tr("1 case") : tr("%1 cases").arg(count_text(static_cast<qint64>(cases)));
    };
    std::vector<FailureGroupText> texts;
    if (!read_->cases.empty())
        texts.push_back({QStringLiteral("*"),
                         tr("All failures"),
                         tr("The greatest loss first"),
                         cases_text(read_->cases.size()),
                         {}});
    for (const FailureGroup& group : read_->groups) {
        const QString title = words_->group_title(group);
        texts.push_back({QStringLiteral("%1|%2").arg(title, QString::fromStdString(group.undiagnosed)), title,
                         words_->group_text(group), cases_text(group.cases.size()),
                         words_->group_hint(group)});
    }
    groups_->set_groups(texts);
    show_cases();
}

void FailuresPage::show_cases(bool is_chosen) {
    const int group = groups_->current_group();
    std::vector<FailureCase> shown;
    if (group == 0)
        shown = read_->cases;
    else if (group > 0)
        for (const std::size_t at : read_->groups[static_cast<std::size_t>(group) - 1].cases)
            shown.push_back(read_->cases[at]);
    const int now = table_->current_source_row();
    const QString before = now >= 0 && now < rows_->rowCount() ? rows_->key(now) : QString();
    is_filling_ = true;
    rows_->set_rows(std::move(shown));
    table_->set_column_shown(CasesModel::Model, read_->evaluation.models.size() > 1);
    // One is always looked at: the one before, else the selected workload, else the greatest loss.
    int row = row_of_selection();
    if (row < 0 && rows_->rowCount() > 0)
        row = 0;
    row = rows_->row_of(before).value_or(row);
    table_->select_source_row(row);
    is_filling_ = false;
    look_at(row);
    const Selected selected = services_.selection.current();
    const bool is_open = selected.workload.isEmpty() ||
                         (selected.configuration.isEmpty() && row >= 0 &&
                          QString::fromStdString(rows_->row(row).workload) == selected.workload);
    if (row >= 0 && isVisible() && (is_chosen || is_open))
        services_.selection.replace(selected_with(rows_->row(row)));
}

void FailuresPage::look_at(int row) {
    if (row >= 0)
        view_->show_case(rows_->row(row), read_->evaluation.setting,
                         QString::fromStdString(read_->evaluation.machine_fingerprint),
                         services_.session.domain(), *words_);
}

void FailuresPage::choose_case(int row) {
    if (is_filling_ || row < 0)
        return;
    look_at(row);
    services_.selection.select(selected_with(rows_->row(row)));
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

int FailuresPage::row_of_selection() const {
    const Selected now = services_.selection.current();
    int found = -1;
    for (int row = 0; row < rows_->rowCount(); ++row) {
        if (QString::fromStdString(rows_->row(row).workload) != now.workload)
            continue;
        if (QString::fromStdString(rows_->row(row).model_name) == now.model)
            return row;
        found = found < 0 ? row : found;
    }
    return found;
}

void FailuresPage::follow_selection() {
    const int row = row_of_selection();
    const int now = table_->current_source_row();
    const bool is_as_good =
        row >= 0 && now >= 0 && now < rows_->rowCount() &&
        rows_->row(now).workload == rows_->row(row).workload &&
        QString::fromStdString(rows_->row(row).model_name) != services_.selection.current().model;
    if (row < 0 || row == now || is_as_good)
        return;
    is_filling_ = true; // following is not choosing
    table_->select_source_row(row);
    is_filling_ = false;
    look_at(row);
}

/// What to do next.
void FailuresPage::show_empty() {
    stack_->setCurrentWidget(read_->cases.empty() ? static_cast<QWidget*>(empty_) : across_);
    const bool has_model = !runs_.stored().models.empty();
    go_evaluating_->setVisible(has_model);
    go_training_->setVisible(!has_model);
    const DomainWords& words = words_->domain();
    if (read_->evaluation.workloads() > 0) {
        empty_->set_title(headline_->text());
        empty_->set_text(
            tr("Every choice is near the best known. Evaluate on more %1.").arg(many(words.workload)));
        return;
    }
    empty_->set_title(tr("No failures yet"));
    const QString what =
        tr("This page shows where the %1 that a model chose are slower than they need to be, "
           "and which decision costs the time.")
            .arg(many(words.configuration));
    const QString next =
        !read_->problem.isEmpty() ? read_->problem
        : has_model ? tr("Evaluate a model on %1 that it was not trained on.").arg(many(words.workload))
                    : tr("Train a model and evaluate it.");
    empty_->set_text(what + u' ' + next);
}

bool FailuresPage::is_settled() const {
    return !reader_.is_busy() && !exports_->is_busy();
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
