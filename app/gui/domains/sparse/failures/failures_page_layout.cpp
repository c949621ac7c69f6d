// How the page is put together.
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/failures/cases/case_view.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/failure_lists.h"
#include "gui/icons/icon.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/card.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

void SparseFailuresPage::build() {
    choice_ = new QComboBox(this);
    newer_evaluation_ = new QLabel(this);
    headline_ = new QLabel(this);
    remarks_ = new QLabel(this);
    groups_ = new FailureGroupList(this);
    table_ = new DataTable(this);
    view_ = new CaseView(services_, study_, plan_, this);
    empty_ = new EmptyState(this);
    exports_ = new FailureExports(this);
    across_ = new QSplitter(Qt::Horizontal, this);
    down_ = new QSplitter(Qt::Vertical, this);
    stack_ = new QStackedWidget(this);
    choice_->setObjectName(QStringLiteral("failure-source"));
    choice_->setAccessibleName(tr("Evaluation"));
    choice_->setPlaceholderText(tr("No evaluation yet"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(16);
    newer_evaluation_->setObjectName(QStringLiteral("newer-evaluation"));
    newer_evaluation_->setWordWrap(true);
    newer_evaluation_->setTextFormat(Qt::RichText);
    newer_evaluation_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    newer_evaluation_->hide();
    connect(newer_evaluation_, &QLabel::linkActivated, this,
            [this] { choose_evaluation(read_->evaluations.front().run); });
    keep_font(*headline_, title_font);
    headline_->setObjectName(QStringLiteral("failures-headline"));
    keep_font(*remarks_, caption_font);
    remarks_->setObjectName(QStringLiteral("failures-remarks"));
    remarks_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* const label : {headline_, remarks_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    build_table();
    build_empty();

    across_->addWidget(make_left());
    across_->addWidget(view_);
    across_->setSizes({392, 508}); // names of matrices in full beside three figures
    across_->setStretchFactor(0, 0);
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
    column->addWidget(newer_evaluation_);
    column->addWidget(stack_, 1);
    setFocusProxy(groups_);
}

QWidget* SparseFailuresPage::make_left() {
    auto* const box = new QWidget(this);
    auto* const column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(headline_);
    column->addWidget(remarks_);
    auto* const groups = new Card({}, box);
    groups->set_content_margins(0);
    groups->set_content(groups_);
    auto* const cases = new Card({}, box);
    cases->set_content_margins(0);
    cases->set_content(table_);
    down_->addWidget(groups);
    down_->addWidget(cases);
    down_->setSizes({300, 320});
    down_->setStretchFactor(1, 1);
    down_->setChildrenCollapsible(false);
    column->addWidget(down_, 1);
    return box;
}

void SparseFailuresPage::build_table() {
    table_->set_model(&rows_);
    table_->setObjectName(QStringLiteral("failure-cases"));
    table_->setAccessibleName(tr("Failure cases"));
    table_->view()->setTextElideMode(Qt::ElideMiddle); // names of matrices differ at their ends, too
    for (const int column : {CasesModel::Family, CasesModel::Kind, CasesModel::CostliestDecision,
                             CasesModel::Rank, CasesModel::Model, CasesModel::Noise, CasesModel::Time,
                             CasesModel::AgainstTime, CasesModel::Chosen, CasesModel::Against})
        table_->set_column_shown(column, false); // the group and the case itself say so
    new CompareAction(services_, *table_, [this](int row) {
        const FailureCase& failure = rows_.row(row);
        const TimedConfiguration& chosen = failure.main().chosen;
        return ComparableRow{QString::fromStdString(failure.workload),
                             read_->setting.machine,
                             op_name(read_->setting.op),
                             read_->setting.dense,
                             QString::fromStdString(chosen.configuration),
                             tr("%1’s choice").arg(QString::fromStdString(failure.model_name)),
                             timed_text(chosen),
                             read_->setting.source == TimeSource::Simulated
                                 ? std::nullopt
                                 : std::optional(chosen.milliseconds)};
    });
    connect(table_, &DataTable::current_row_changed, this, &SparseFailuresPage::choose_case);
    connect(table_, &DataTable::activated_row, this, [this](int row) {
        choose_case(row);
        services_.selection.select_page(QStringLiteral("schedules"));
    });
}

void SparseFailuresPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("failures")));
    go_evaluating_ = empty_->add_button(tr("&Evaluate a model"), icon_on_accent(QStringLiteral("results")));
    go_evaluating_->setObjectName(QStringLiteral("go-evaluating"));
    go_training_ = empty_->add_button(tr("&Train a model first"), icon(QStringLiteral("train")));
    go_training_->setObjectName(QStringLiteral("go-training"));
    auto* const table = empty_->add_button(tr("&Open a recorded table…"), icon(QStringLiteral("open")));
    table->setObjectName(QStringLiteral("open-recorded-table"));
    connect(go_evaluating_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("results")); });
    connect(go_training_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("train")); });
    connect(table, &QPushButton::clicked, this, &SparseFailuresPage::ask_for_table);
}

/// What to do next.
void SparseFailuresPage::show_empty() {
    const bool has_cases = read_ != nullptr && !read_->cases.empty();
    stack_->setCurrentWidget(has_cases ? static_cast<QWidget*>(across_) : empty_);
    const bool was_evaluated = read_ != nullptr && !read_->setting.matrices.isEmpty();
    const bool has_model = !runs_.stored().models.empty();
    go_evaluating_->setVisible(has_model);
    go_training_->setVisible(!has_model);
    if (was_evaluated) {
        empty_->set_title(headline_->text());
        empty_->set_text(
            tr("Whatever was chosen is as fast as fixed CSR and near the best known, but for the "
               "noise. Evaluate on more matrices, or look at a table that others recorded."));
        return;
    }
    empty_->set_title(tr("No failures yet"));
    const QString what =
        tr("Where the schedules that a model chose are slower than fixed CSR, or far from the "
           "best known, this page says which decision lost it and why.");
    const QString next =
        read_ != nullptr && !read_->problem.isEmpty() ? read_->problem
        : has_model
            ? tr("Evaluate a model on matrices that it was not trained on, or open a table of recorded "
                 "choices, such as best_vs_csr.csv.")
            : tr("Train a model and evaluate it, or open a table of recorded choices, such as "
                 "best_vs_csr.csv.");
    empty_->set_text(what + u' ' + next);
}

} // namespace sparsight
