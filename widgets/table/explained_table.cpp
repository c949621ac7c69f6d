#include "widgets/table/explained_table.h"

#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace sparsight {

ExplainedTable::ExplainedTable(const QString& name, std::function<Explanation(int)> explanation,
                               QWidget* parent)
    : QWidget(parent)
    , explanation_(std::move(explanation))
    , table_(new DataTable(this))
    , text_(new QLabel(this)) {
    table_->set_selection_mode_single(true);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::RichText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    text_->setMargin(grid_step);
    text_->setAccessibleName(name);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(table_, 1);
    column->addWidget(text_);
    connect(table_, &DataTable::current_row_changed, this, &ExplainedTable::explain);
    dress();
}

void ExplainedTable::choose_first() {
    if (table_->current_source_row() < 0)
        table_->select_source_row(0);
    explain(table_->current_source_row());
}

void ExplainedTable::explain(int row) {
    if (row < 0) {
        text_->clear();
        return;
    }
    const Explanation explained = explanation_(row);
    text_->setText(
        QStringLiteral("<b>%1.</b> %2").arg(explained.title.toHtmlEscaped(), explained.text.toHtmlEscaped()));
}

/// Room for the longest, so that the table does not jump from one row to the next.
void ExplainedTable::dress() {
    constexpr int lines = 2;
    text_->setMinimumHeight(lines * text_->fontMetrics().lineSpacing() + 2 * grid_step);
}

void ExplainedTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        dress();
}

} // namespace sparsight
