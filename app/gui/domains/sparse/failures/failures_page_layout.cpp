// How the page is put together.
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/failures/cases/case_view.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/icons/icon.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "widgets/look/link_label.h"
#include "widgets/look/page_states.h"
#include "widgets/table/data_table.h"

#include <QLabel>
#include <QPushButton>

namespace sparsight {

void SparseFailuresPage::build() {
    newer_evaluation_->setObjectName(QStringLiteral("newer-evaluation"));
    newer_evaluation_->setWordWrap(true);
    newer_evaluation_->setTextFormat(Qt::RichText);
    reach_links_by_keyboard(*newer_evaluation_);
    newer_evaluation_->hide();
    connect(newer_evaluation_, &QLabel::linkActivated, this,
            [this] { choose_evaluation(read_->evaluations.front().run); });
    build_table();
    auto* const table = empty_->add_button(tr("&Open a recorded table…"), icon(QStringLiteral("open")));
    table->setObjectName(QStringLiteral("open-recorded-table"));
    connect(table, &QPushButton::clicked, this, &SparseFailuresPage::ask_for_table);
    lay_out(view_, newer_evaluation_, {420, 480}); // names of matrices and models in full beside two figures
}

void SparseFailuresPage::build_table() {
    table_->set_model(&rows_);
    for (const int column : {CasesModel::Family, CasesModel::Kind, CasesModel::CostliestDecision,
                             CasesModel::Rank, CasesModel::Model, CasesModel::Noise, CasesModel::Time,
                             CasesModel::AgainstTime, CasesModel::Chosen, CasesModel::Against})
        table_->set_column_shown(column, false); // the group and the case itself say so
    lead_with_names();
    new CompareAction(sparse_, *table_, [this](int row) {
        const FailureCase& failure = rows_.row(row);
        const TimedConfiguration& chosen = failure.main().chosen;
        return ComparableRow{QString::fromStdString(failure.workload),
                             read_->setting.machine,
                             op_name(read_->setting.op),
                             read_->setting.dense,
                             QString::fromStdString(chosen.configuration),
                             tr("%1’s choice").arg(QString::fromStdString(failure.model_name)),
                             timed_text(chosen),
                             {.milliseconds = read_->setting.source == TimeSource::Simulated
                                                  ? std::nullopt
                                                  : std::optional(chosen.milliseconds),
                              .spread_ms = chosen.spread_ms.value_or(0),
                              .is_at_least = chosen.is_at_least}};
    });
    connect(table_, &DataTable::activated_row, this, [this](int row) {
        choose_case(row);
        services_.selection.select_page(QStringLiteral("schedules"));
    });
}

/// What to do next.
void SparseFailuresPage::show_empty() {
    show_cases_or_next(read_ != nullptr && !read_->cases.empty());
    const bool was_evaluated = read_ != nullptr && !read_->setting.matrices.isEmpty();
    const bool has_model = !runs_.stored().models.empty();
    if (was_evaluated) {
        empty_->set_title(headline_->text());
        empty_->set_text(
            tr("No choice is %1. Evaluate on more matrices, or look at a table that others recorded.")
                .arg(failure_words().threshold()));
        return;
    }
    empty_->set_title(tr("No failures yet"));
    const QString what = tr("This page explains schedules that a model chose and that are slower than fixed "
                            "CSR or than the best known. It says which decision cost the time, and why.");
    const QString next =
        read_ != nullptr && !read_->problem.isEmpty() ? read_->problem
        : has_model ? tr("Evaluate a model on matrices that it was not trained on, or open recorded choices, "
                         "such as best_vs_csr.csv.")
                    : tr("Train a model and evaluate it, or open a table of recorded choices, such as "
                         "best_vs_csr.csv.");
    empty_->set_text(what + u' ' + next);
}

} // namespace sparsight
