#include "widgets/table/data_table.h"

#include "widgets/look/glyph.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QDataStream>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {
constexpr qint32 state_version = 2;
} // namespace

DataTable::DataTable(QWidget* parent)
    : QWidget(parent)
    , filter_edit_(new QLineEdit(this))
    , tools_(new QHBoxLayout)
    , count_(new OptionalLabel(this))
    , menu_button_(new QToolButton(this))
    , view_(new TableView(this))
    , delegate_(new TableDelegate(view_)) {
    filter_edit_->setPlaceholderText(tr("Filter…"));
    filter_edit_->setAccessibleName(tr("Filter rows"));
    filter_edit_->setClearButtonEnabled(true);
    filter_edit_->addAction(glyph_icon(Glyph::Search), QLineEdit::LeadingPosition);
    filter_edit_->setSizePolicy(QSizePolicy::Ignored,
                                QSizePolicy::Fixed); // gives way first and takes the remaining space
    filter_edit_->installEventFilter(this);
    count_->setForegroundRole(QPalette::PlaceholderText);
    menu_button_->setIcon(glyph_icon(Glyph::Menu));
    menu_button_->setAutoRaise(true);
    menu_button_->setPopupMode(QToolButton::InstantPopup);
    menu_button_->setToolTip(tr("Columns, copy, export"));
    menu_button_->setAccessibleName(menu_button_->toolTip());
    menu_button_->setFocusPolicy(Qt::TabFocus);
    view_->setItemDelegate(delegate_);
    view_->setModel(&filter_);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setAccessibleName(tr("Table"));

    auto* const line = new QHBoxLayout;
    line->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    line->setSpacing(grid_step);
    line->addWidget(filter_edit_, 3);
    line->addWidget(count_);
    line->addStretch(1);
    line->addLayout(tools_);
    line->addWidget(menu_button_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    column->addWidget(view_, 1);

    make_actions();
    numbers_changed_.setSingleShot(true);
    numbers_changed_.setInterval(0);
    connect(&numbers_changed_, &QTimer::timeout, this, &DataTable::keep_numbers_whole);
    connect(filter_edit_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_.set_filter_text(text);
        update_texts();
        announce_current();
    });
    connect(&filter_, &QAbstractItemModel::rowsInserted, this, &DataTable::rows_changed);
    connect(&filter_, &QAbstractItemModel::rowsRemoved, this, &DataTable::rows_changed);
    connect(&filter_, &QAbstractItemModel::modelReset, this, &DataTable::rows_changed);
    connect(&filter_, &QAbstractItemModel::layoutChanged, this, &DataTable::rows_changed);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &DataTable::announce_current);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        copy_->setEnabled(view_->selectionModel()->hasSelection());
        Q_EMIT selection_changed();
    });
    connect(view_, &QTableView::activated, this,
            [this](const QModelIndex& cell) { Q_EMIT activated_row(filter_.mapToSource(cell).row()); });
    connect(view_, &QWidget::customContextMenuRequested, this, &DataTable::show_row_menu);
    connect(view_->horizontalHeader(), &QWidget::customContextMenuRequested, this,
            &DataTable::show_columns_menu);
    fonts_changed();
    update_texts();
}

DataTable::~DataTable() {
    // The proxy is a member and is destroyed before the view, a child: the view must not access it any more.
    view_->setModel(nullptr);
}

void DataTable::set_model(QAbstractItemModel* model) {
    fitted_ = false;
    announced_row_ = -1;
    filter_.setSourceModel(model);
    for (const QMetaObject::Connection& connection : source_connections_)
        disconnect(connection);
    source_connections_.clear();
    if (model != nullptr) // hidden rows count, too
        source_connections_ = {
            connect(model, &QAbstractItemModel::rowsInserted, this, &DataTable::rows_arrived),
            connect(model, &QAbstractItemModel::rowsRemoved, this, &DataTable::update_texts),
            connect(model, &QAbstractItemModel::dataChanged, &numbers_changed_, qOverload<>(&QTimer::start)),
            connect(model, &QAbstractItemModel::modelReset, this, &DataTable::update_texts)};
    rows_changed();
}

void DataTable::set_empty_text(const QString& text) {
    empty_text_ = text;
    update_texts();
}

void DataTable::set_thumbnail_side(int side) {
    delegate_->set_thumbnail_side(side);
    update_row_height();
}

void DataTable::set_selection_mode_single(bool single) {
    view_->setSelectionMode(single ? QAbstractItemView::SingleSelection
                                   : QAbstractItemView::ExtendedSelection);
    select_all_->setEnabled(!single);
}

QToolButton* DataTable::add_tool(QAction* action, bool also_in_row_menu) {
    auto* const button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    add_tool_widget(button);
    if (also_in_row_menu)
        row_actions_.push_back(action);
    return button;
}

void DataTable::add_tool_widget(QWidget* widget) {
    QLayoutItem* const last = tools_->itemAt(tools_->count() - 1);
    tools_->addWidget(widget);
    // The keyboard goes through the line as one reads it.
    setTabOrder(last == nullptr || last->widget() == nullptr ? filter_edit_ : last->widget(), widget);
}

void DataTable::set_filter_text(const QString& text) {
    filter_edit_->setText(text);
}

QString DataTable::filter_text() const {
    return filter_.filter_text();
}

void DataTable::sort_by(int column, Qt::SortOrder order) {
    view_->sortByColumn(column, order);
}

void DataTable::set_column_shown(int column, bool shown) {
    if (!shown && shown_columns() == std::vector{column})
        return;
    view_->setColumnHidden(column, !shown);
    keep_columns_fitted();
}

std::vector<int> DataTable::shown_columns() const {
    const QHeaderView* const header = view_->horizontalHeader();
    std::vector<int> columns;
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (!header->isSectionHidden(column))
            columns.push_back(column);
    }
    return columns;
}

QByteArray DataTable::save_state() const {
    if (!fitted_) // widths set without any row are not worth storing
        return {};
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << state_version << static_cast<qint32>(filter_.columnCount()) << view_->columns_are_fitted()
           << view_->horizontalHeader()->saveState();
    return state;
}

bool DataTable::restore_state(const QByteArray& state) {
    QDataStream stream(state);
    stream.setVersion(QDataStream::Qt_6_4);
    qint32 version = 0;
    qint32 columns = 0;
    bool columns_are_fitted = false;
    QByteArray header;
    stream >> version >> columns >> columns_are_fitted >> header;
    if (stream.status() != QDataStream::Ok || version != state_version || columns != filter_.columnCount())
        return false;
    if (!view_->horizontalHeader()->restoreState(header))
        return false;
    fitted_ = true;
    filter_.sort(view_->horizontalHeader()->sortIndicatorSection(),
                 view_->horizontalHeader()->sortIndicatorOrder());
    if (columns_are_fitted)
        fit_columns();
    return true;
}

void DataTable::fit_columns() {
    view_->fit_columns();
}

void DataTable::keep_columns_fitted() {
    if (fitted_ && view_->columns_are_fitted())
        fit_columns();
}

void DataTable::keep_numbers_whole() {
    if (fitted_ && view_->columns_are_fitted() && view_->cuts_numbers())
        fit_columns();
}

void DataTable::rows_arrived() {
    keep_columns_fitted();
    update_texts();
}

void DataTable::rows_changed() {
    if (!fitted_ && filter_.columnCount() > 0 && filter_.rowCount() > 0) {
        fitted_ = true;
        fit_columns();
    }
    update_texts();
    announce_current();
}

void DataTable::update_texts() {
    const int all = model() == nullptr ? 0 : model()->rowCount();
    const int shown = filter_.rowCount();
    if (filter_.filter_text().isEmpty())
        count_->setText(all == 1 ? tr("1 row") : tr("%1 rows").arg(count_text(all)));
    else
        count_->setText(tr("%1 of %2").arg(count_text(shown), count_text(all)));
    filter_edit_->setToolTip(
        filter_.filter_is_plain_text()
            ? tr("This is not a regular expression: rows that hold the text as it stands are shown.")
            : tr("Rows in which any column matches are shown: a text or a regular expression, such as "
                 "^bcs|pwt"));
    view_->set_empty_text(all == 0 ? (empty_text_.isEmpty() ? tr("Nothing here yet.") : empty_text_)
                                   : tr("No row matches “%1”.").arg(filter_.filter_text()));
    export_->setEnabled(shown > 0);
}

void DataTable::update_row_height() {
    const int text = view_->fontMetrics().height() + 3 * grid_step / 2;
    const int side = delegate_->thumbnail_side();
    view_->verticalHeader()->setMinimumSectionSize(8);
    view_->verticalHeader()->setDefaultSectionSize(std::max(text, side > 0 ? side + grid_step : 0));
    view_->horizontalHeader()->setMinimumHeight(view_->fontMetrics().height() + 2 * grid_step);
}

void DataTable::fonts_changed() {
    filter_edit_->setMinimumWidth(filter_edit_->fontMetrics().averageCharWidth() * 12);
    filter_edit_->setMaximumWidth(filter_edit_->fontMetrics().averageCharWidth() * 48);
    update_row_height();
    keep_columns_fitted();
}

void DataTable::announce_current() {
    const int row = current_source_row();
    if (row == announced_row_)
        return;
    announced_row_ = row;
    Q_EMIT current_row_changed(row);
}

void DataTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fonts_changed();
    if (event->type() == QEvent::LanguageChange) { // the number style may change, too
        update_texts();
        keep_columns_fitted();
        view_->viewport()->update();
    }
}

bool DataTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_edit_ && event->type() == QEvent::KeyPress) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        const bool leave =
            key->key() == Qt::Key_Down || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (leave && filter_.rowCount() > 0) {
            view_->setFocus(Qt::OtherFocusReason);
            if (!view_->currentIndex().isValid())
                select_source_row(displayed_source_rows().front());
            return true;
        }
        if (key->key() == Qt::Key_Escape && !filter_edit_->text().isEmpty()) {
            filter_edit_->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

// Maps between rows of the model and rows as shown (sorted and filtered).

int DataTable::current_source_row() const {
    return filter_.mapToSource(view_->selectionModel()->currentIndex()).row();
}

std::vector<int> DataTable::selected_proxy_rows() const {
    std::vector<int> rows;
    for (const QItemSelectionRange& range : view_->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::vector<int> DataTable::selected_source_rows() const {
    std::vector<int> rows = selected_proxy_rows();
    for (int& row : rows)
        row = filter_.mapToSource(filter_.index(row, 0)).row();
    return rows;
}

std::vector<int> DataTable::displayed_source_rows() const {
    std::vector<int> rows(static_cast<std::size_t>(filter_.rowCount()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = filter_.mapToSource(filter_.index(static_cast<int>(i), 0)).row();
    return rows;
}

void DataTable::select_source_row(int row) {
    if (row < 0 || model() == nullptr || row >= model()->rowCount()) {
        view_->clearSelection();
        view_->setCurrentIndex({});
        return;
    }
    const QModelIndex cell = filter_.mapFromSource(model()->index(row, 0));
    if (!cell.isValid())
        return; // filtered out: the program's selection stays, but this table cannot show it
    const std::vector<int> columns = shown_columns();
    const QModelIndex shown = columns.empty() ? cell : cell.siblingAtColumn(columns.front());
    view_->selectionModel()->setCurrentIndex(shown,
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    view_->scrollTo(shown);
}

void DataTable::select_source_rows(const std::vector<int>& rows) {
    QItemSelection selection;
    for (const int row : rows) {
        const QModelIndex cell = filter_.mapFromSource(model()->index(row, 0));
        if (cell.isValid())
            selection.select(cell, cell);
    }
    view_->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void DataTable::select_all() {
    view_->selectAll();
}

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
