#include "gui/failures/common_failures_page.h"

#include "gui/failures/failure_words.h"
#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/model_chip.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/card.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/eliding_combo_box.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QComboBox>
#include <QDataStream>
#include <QHeaderView>
#include <QIODevice>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

CommonFailuresPage::CommonFailuresPage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(PagePlace::Failures, QStringLiteral("failures"), tr("Failures"), QStringLiteral("failures"),
           parent)
    , services_(services)
    , runs_(runs)
    , choice_(new ElidingComboBox(this))
    , headline_(new QLabel(this))
    , remarks_(new QLabel(this))
    , groups_(new FailureGroupList(this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this))
    , exports_(new FailureExports(this))
    , other_model_(new ModelChip(services.selection, this))
    , across_(new QSplitter(Qt::Horizontal, this))
    , down_(new QSplitter(Qt::Vertical, this))
    , stack_(new QStackedWidget(this)) {
    other_model_->setObjectName(QStringLiteral("failures-other-model"));
    build_lists();
    build_empty();
    connect(exports_, &FailureExports::notice, this, &Page::notice);
    connect(groups_, &FailureGroupList::chosen, this, [this] { show_cases(true); });
    connect(table_, &DataTable::current_row_changed, this, &CommonFailuresPage::choose_case);
    connect(&services_.selection, &Selection::changed, this, &CommonFailuresPage::follow_selection);
    connect(other_model_, &ModelChip::action_chosen, this, &CommonFailuresPage::turn_to_selected_model);
    connect(&runs_, &TrainingRuns::stored_changed, this, &CommonFailuresPage::show_model_chip);
    follow_workspace();
}

/// What is shown is never that of another workspace, also where the new one can't be read: its runs have the
/// same numbers.
void CommonFailuresPage::follow_workspace() {
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        forget();
        wish(wish_of_selection());
    });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] { forget(); });
    connect(&services_.session, &WorkspaceSession::contents_changed, this,
            &CommonFailuresPage::read_when_seen);
    connect(&services_.selection, &Selection::link_followed, this, [this](const Selected& target) {
        wish({.link = EvaluationLink{target.workload, target.machine, target.model}});
    });
}

void CommonFailuresPage::wish(EvaluationWish wanted) {
    wanted_ = std::move(wanted);
    read_when_seen();
}

void CommonFailuresPage::read_when_seen() {
    is_outdated_ = !isVisible();
    if (!is_outdated_)
        read_again();
}

void CommonFailuresPage::build_lists() {
    choice_->setObjectName(QStringLiteral("failure-source"));
    choice_->setAccessibleName(tr("Evaluation"));
    choice_->setPlaceholderText(tr("No evaluation yet"));
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
    table_->view()->setTextElideMode(Qt::ElideMiddle); // names of workloads differ at their ends, too
}

/// Workload and model tell the cases apart.
void CommonFailuresPage::lead_with_names() {
    table_->view()->set_name_column(CasesModel::Workload);
    QHeaderView* const header = table_->view()->horizontalHeader();
    header->moveSection(header->visualIndex(CasesModel::Model), 1);
}

void CommonFailuresPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("failures")));
    go_evaluating_ = empty_->add_button(tr("&Evaluate a model"), icon_on_accent(QStringLiteral("results")));
    go_evaluating_->setObjectName(QStringLiteral("go-evaluating"));
    go_training_ = empty_->add_button(tr("&Train a model first"), icon(QStringLiteral("train")));
    go_training_->setObjectName(QStringLiteral("go-training"));
    connect(go_evaluating_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("results")); });
    connect(go_training_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("train")); });
}

void CommonFailuresPage::lay_out(QWidget* case_view, QWidget* note, const QList<int>& widths) {
    across_->addWidget(make_left());
    across_->addWidget(case_view);
    across_->setSizes(widths);
    across_->setStretchFactor(0, 0);
    across_->setStretchFactor(1, 1);
    across_->setChildrenCollapsible(false);
    stack_->addWidget(across_);
    stack_->addWidget(empty_);
    auto* const tools = new QHBoxLayout;
    tools->setSpacing(grid_step);
    tools->addWidget(choice_, 12); // its entries are long
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
    column->addWidget(other_model_);
    if (note != nullptr)
        column->addWidget(note);
    column->addWidget(stack_, 1);
    setFocusProxy(groups_);
}

QWidget* CommonFailuresPage::make_left() {
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
    // In a low window the lists keep a group and three cases, and the column scrolls.
    down_->widget(0)->setMinimumHeight(12 * grid_step);
    down_->widget(1)->setMinimumHeight(21 * grid_step);
    down_->setSizes({300, 320});
    down_->setStretchFactor(1, 1);
    down_->setChildrenCollapsible(false);
    column->addWidget(down_, 1);
    return new ColumnScroll(box, this);
}

QString CommonFailuresPage::entry_of(const StoredEvaluation& one, const Noun& workload) const {
    const QString name = one.machine == services_.session.this_machine() ? tr("this computer")
                                                                         : runs_.machine_name(one.machine);
    const QString where = one.condition.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, one.condition);
    return tr("%1 on %2, %3, best of %4, %5")
        .arg(one.models.join(QStringLiteral(", ")), where, counted(one.workloads.size(), workload),
             QString::number(one.k), QLocale().toString(one.started.toLocalTime(), QLocale::ShortFormat));
}

QString CommonFailuresPage::remark_on_link(const std::optional<StoredEvaluation>& shown) const {
    const bool fits = !shown || !wanted_.link || shown->is_of(*wanted_.link);
    return fits ? QString() : runs_.no_evaluation_of(*wanted_.link);
}

void CommonFailuresPage::show_groups(const FailureWords& words, const std::vector<FailureCase>& cases,
                                     const std::vector<FailureGroup>& groups) {
    const auto cases_text = [](std::size_t count) {
        return count == 1 ? tr("1 case") : tr("%1 cases").arg(count_text(static_cast<qint64>(count)));
    };
    std::vector<FailureGroupText> texts;
    if (!cases.empty())
        texts.push_back({QStringLiteral("*"),
                         tr("All failures"),
                         tr("The greatest loss first"),
                         cases_text(cases.size()),
                         {}});
    for (const FailureGroup& group : groups) {
        const QString title = words.group_title(group);
        const QString text = words.group_text(group);
        const QStringList key{title, QString::fromStdString(group.undiagnosed),
                              text.section(QStringLiteral(" · "), 1)}; // its loss changes with every case
        texts.push_back({key.join(u'|'), title, with_whole_numbers(text), cases_text(group.cases.size()),
                         words.group_hint(group)});
    }
    groups_->set_groups(texts);
    show_cases(false);
}

std::vector<FailureCase> CommonFailuresPage::chosen_cases(const std::vector<FailureCase>& cases,
                                                          const std::vector<FailureGroup>& groups) const {
    const int group = groups_->current_group();
    if (group <= 0)
        return group == 0 ? cases : std::vector<FailureCase>();
    std::vector<FailureCase> chosen;
    for (const std::size_t at : groups[static_cast<std::size_t>(group) - 1].cases)
        chosen.push_back(cases[at]);
    return chosen;
}

int CommonFailuresPage::set_cases(CasesModel& model, std::vector<FailureCase> cases,
                                  bool are_of_several_models) {
    const int now = table_->current_source_row();
    const QString before = now >= 0 && now < model.rowCount() ? model.key(now) : QString();
    is_filling_ = true;
    model.set_rows(std::move(cases));
    table_->set_column_shown(CasesModel::Model, are_of_several_models);
    table_->set_column_shown(CasesModel::Than, !are_of_several_models); // the room is for the names
    bool have_parts = false;
    for (int row = 0; row < model.rowCount(); ++row)
        have_parts = have_parts || model.row(row).misleading.has_value();
    table_->set_column_shown(CasesModel::MisledBy, have_parts);
    int row = row_of_selection();
    if (row < 0 && model.rowCount() > 0)
        row = 0;
    row = model.row_of(before).value_or(row);
    table_->select_source_row(row);
    is_filling_ = false;
    return row;
}

void CommonFailuresPage::show_cases_or_next(bool has_cases) {
    stack_->setCurrentWidget(has_cases ? static_cast<QWidget*>(across_) : empty_);
    const bool has_model = !runs_.stored().models.empty();
    go_evaluating_->setVisible(has_model);
    go_training_->setVisible(!has_model);
}

void CommonFailuresPage::choose_case(int row) {
    if (is_filling_ || row < 0)
        return;
    const FailureCase failure = rows().row(row);
    look_at(row);
    services_.selection.select(selected_with(failure));
}

bool CommonFailuresPage::is_selected(int row) const {
    const Selected now = services_.selection.current();
    return QString::fromStdString(rows().row(row).workload) == now.workload &&
           QString::fromStdString(rows().row(row).model_name) == now.model;
}

int CommonFailuresPage::row_of_selection() const {
    const std::string workload = services_.selection.current().workload.toStdString();
    int found = -1;
    for (int row = 0; row < rows().rowCount(); ++row) {
        if (is_selected(row))
            return row;
        if (found < 0 && rows().row(row).workload == workload)
            found = row;
    }
    return found;
}

void CommonFailuresPage::show_models(const std::vector<StoredEvaluation>& all,
                                     const std::optional<StoredEvaluation>& shown) {
    evaluations_ = all;
    const bool is_told = !remark_on_link(shown).isEmpty();
    shown_models_ = shown && !is_told ? shown->models : QStringList();
    show_model_chip();
}

void CommonFailuresPage::ask_what_misled(const std::shared_ptr<const ReadFailures>& failures) {
    parts_reader_.cancel();
    unasked_ = failures && failures->has_gray_box && !failures->is_misled_known ? failures : nullptr;
    ask_unasked();
}

QString CommonFailuresPage::asking_remark() {
    return tr("The gray box is being asked what misled it.");
}

void CommonFailuresPage::ask_unasked() {
    if (!unasked_ || !isVisible() || parts_reader_.is_busy())
        return;
    parts_reader_.ask(
        [ask = ask_gray_boxes_, failures = unasked_, file = services_.session.path().toStdString()](
            const std::stop_token& stop) { return ask(file, *failures, stop); },
        [this](Result<MisleadingParts> told, bool) {
            unasked_.reset();
            if (!told)
                told = MisleadingParts{{},
                                       {tr("What misled the gray box is not known: %1")
                                            .arg(QString::fromStdString(told.error().text()))
                                            .toStdString()}};
            show_what_misled(*told);
        });
}

void CommonFailuresPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (std::exchange(is_outdated_, false))
        return read_again();
    if (!unasked_)
        return;
    ask_unasked();
    show_headline();
}

void CommonFailuresPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    parts_reader_.cancel(); // it is asked again when the page is seen
}

EvaluationWish CommonFailuresPage::wish_of_selection() const {
    return {.model = services_.selection.current().model};
}

void CommonFailuresPage::turn_to_selected_model() {
    const bool is_of_none = shown_models_.isEmpty() && !evaluations_.empty(); // a table, or what a link names
    if (!is_of_none && wanted_.turn_to(services_.selection.current().model, evaluations_, shown_models_))
        read_when_seen();
}

void CommonFailuresPage::show_model_chip() {
    other_model_->show_evaluation(runs_, evaluations_, shown_models_);
}

void CommonFailuresPage::follow_selection(const Selected& selected, const Selected& before) {
    if (selected.model != before.model)
        turn_to_selected_model();
    show_model_chip();
    const int row = row_of_selection();
    const int now = table_->current_source_row();
    if (row < 0 || row == now)
        return;
    const bool is_of_workload =
        now >= 0 && now < rows().rowCount() && rows().row(now).workload == rows().row(row).workload;
    if (is_of_workload && !is_selected(row))
        return;         // as good as any other one
    is_filling_ = true; // following is not choosing
    table_->select_source_row(row);
    is_filling_ = false;
    look_at(row);
}

QByteArray CommonFailuresPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << across_->saveState() << down_->saveState() << table_->save_state();
    return state;
}

void CommonFailuresPage::restore_layout(const QByteArray& layout) {
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
