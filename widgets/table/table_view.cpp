#include "widgets/table/table_view.h"

#include "widgets/look/theme.h"
#include "widgets/table/cell_values.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>
#include <QStyleOptionFocusRect>
#include <QToolTip>
#include <algorithm>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// No column that can shrink is wider than the level.
std::vector<int> widths_at(const std::vector<ColumnNeed>& columns, int level) {
    std::vector<int> widths;
    for (const ColumnNeed& column : columns)
        widths.push_back(std::min(column.wanted, std::max(column.least, level)));
    return widths;
}

int sum(const std::vector<int>& widths) {
    return std::accumulate(widths.begin(), widths.end(), 0);
}

} // namespace

std::vector<int> fitted_widths(const std::vector<ColumnNeed>& columns, int room) {
    int level = 0;
    for (const ColumnNeed& column : columns)
        level = std::max(level, column.wanted);
    while (level > 0 && sum(widths_at(columns, level)) > room)
        --level;
    std::vector<int> widths = widths_at(columns, level);
    const auto elastic = std::ranges::find(columns, true, &ColumnNeed::takes_rest);
    if (const int rest = room - sum(widths); elastic != columns.end() && rest > 0)
        widths[static_cast<std::size_t>(elastic - columns.begin())] += rest;
    return widths;
}

std::vector<int> without_cut_column(std::vector<int> widths, int room, std::size_t name) {
    int used = 0;
    std::size_t seen = 0;
    while (seen < widths.size() && used + widths[seen] <= room)
        used += widths[seen++];
    if (seen < widths.size() && name < seen)
        widths[name] += room - used;
    return widths;
}

namespace {

constexpr int cell_margin = grid_step;

bool has_picture(const QModelIndex& cell) {
    const int type = cell.data(Qt::DecorationRole).typeId();
    return type == QMetaType::QImage || type == QMetaType::QPixmap;
}

/// On whole device pixels, so that single entries of a pattern stay crisp.
void paint_thumbnail(QPainter& painter, const QRect& place, const QVariant& value) {
    const QImage image =
        value.typeId() == QMetaType::QImage ? value.value<QImage>() : value.value<QPixmap>().toImage();
    if (image.isNull())
        return;
    QSize size = image.size().scaled(place.size(), Qt::KeepAspectRatio).expandedTo({1, 1});
    QRect target({}, size);
    target.moveCenter(place.center());
    const double ratio = painter.device()->devicePixelRatioF();
    painter.save();
    QPainterPath corners;
    corners.addRoundedRect(target, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(corners);
    painter.drawImage(target, image.scaled(size * ratio, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.setClipping(false);
    painter.setPen(QPen(current_theme().border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(target).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.restore();
}

/// In two lines of about the same length; a title of one word stays as it is.
QString in_two_lines(const QString& title) {
    qsizetype best = -1;
    for (qsizetype at = title.indexOf(u' '); at >= 0; at = title.indexOf(u' ', at + 1))
        if (best < 0 || std::max(at, title.size() - at) < std::max(best, title.size() - best))
            best = at;
    return best < 0 ? title : title.left(best) + u'\n' + title.mid(best + 1);
}

/// A hint does not hide what is cut off.
QString text_and_hint(const QString& text, const QString& hint) {
    if (hint.isEmpty() || hint.contains(text))
        return hint.isEmpty() ? text : hint;
    return Qt::mightBeRichText(hint) ? QStringLiteral("<p>%1</p>%2").arg(text.toHtmlEscaped(), hint)
                                     : text + u'\n' + hint;
}

} // namespace

/// The titles of the columns, which take two lines where one line has no room for them.
class TableHeader : public QHeaderView {
public:
    explicit TableHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent) {}

    [[nodiscard]] bool is_wrapped() const { return wrapped_; }
    /// Its height follows with the next layout of the table.
    void set_wrapped(bool wrapped) { wrapped_ = wrapped; }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int column) const override {
        QHeaderView::initStyleOptionForIndex(option, column);
        if (wrapped_)
            option->text = in_two_lines(option->text);
    }

    QSize sectionSizeFromContents(int column) const override {
        const QSize size = QHeaderView::sectionSizeFromContents(column);
        const QString title = title_of(column);
        if (!wrapped_ || !title.contains(u' '))
            return size;
        const QSize line = fontMetrics().size(Qt::TextSingleLine, title);
        const QSize lines = fontMetrics().size(0, in_two_lines(title));
        return size + QSize(lines.width() - line.width(), lines.height() - line.height());
    }

    bool viewportEvent(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) {
            const auto* const help = static_cast<QHelpEvent*>(event);
            const int column = logicalIndexAt(help->pos());
            if (column >= 0 && sectionSize(column) < sectionSizeFromContents(column).width()) {
                const QString hint = model()->headerData(column, orientation(), Qt::ToolTipRole).toString();
                QToolTip::showText(help->globalPos(), text_and_hint(title_of(column), hint), this);
                return true;
            }
        }
        return QHeaderView::viewportEvent(event);
    }

private:
    [[nodiscard]] QString title_of(int column) const {
        if (model() == nullptr) // which the view is leaving
            return {};
        return model()->headerData(column, orientation(), Qt::DisplayRole).toString();
    }

    bool wrapped_ = false;
};

void TableDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& cell) const {
    QStyledItemDelegate::initStyleOption(option, cell);
    if (!cell.data(Qt::TextAlignmentRole).isValid())
        option->displayAlignment =
            Qt::AlignVCenter | (is_number(cell.data(raw_value_role)) ? Qt::AlignRight : Qt::AlignLeft);
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                          const QModelIndex& cell) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, cell);
    const QWidget* const view = option.widget;
    const QStyle* const style = view == nullptr ? QApplication::style() : view->style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, view);

    const Theme& theme = current_theme();
    painter->save();
    painter->setPen(theme.grid);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    QRect place = option.rect.adjusted(cell_margin, 0, -cell_margin, 0);
    if (has_picture(cell)) {
        const int side = std::max(8, option.rect.height() - cell_margin);
        const QRect square(place.left(), option.rect.center().y() - side / 2, side, side);
        paint_thumbnail(*painter, square, cell.data(Qt::DecorationRole));
        place.setLeft(square.right() + cell_margin);
    } else if (option.features.testFlag(QStyleOptionViewItem::HasDecoration)) {
        const int side = option.fontMetrics.height();
        const QRect square(place.left(), option.rect.center().y() - side / 2, side, side);
        option.icon.paint(painter, square);
        place.setLeft(square.right() + cell_margin);
    }
    if (option.features.testFlag(QStyleOptionViewItem::HasCheckIndicator)) {
        QStyleOptionViewItem box = option;
        box.rect = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, view);
        box.state.setFlag(QStyle::State_On, option.checkState == Qt::Checked);
        box.state.setFlag(QStyle::State_NoChange, option.checkState == Qt::PartiallyChecked);
        box.state.setFlag(QStyle::State_Off, option.checkState == Qt::Unchecked);
        style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter, view);
        place.setLeft(box.rect.right() + cell_margin);
    }

    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    painter->setFont(option.font);
    painter->setPen(option.palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    painter->drawText(place, static_cast<int>(option.displayAlignment) | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(option.text, option.textElideMode, place.width()));
    painter->restore();
}

bool TableDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                              const QModelIndex& cell) {
    if (event->type() == QEvent::ToolTip && sizeHint(option, cell).width() > option.rect.width()) {
        const QString hint = cell.data(Qt::ToolTipRole).toString();
        QToolTip::showText(event->globalPos(), text_and_hint(cell.data(Qt::DisplayRole).toString(), hint),
                           view);
        return true;
    }
    return QStyledItemDelegate::helpEvent(event, view, option, cell);
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& cell) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, cell);
    int width = option.fontMetrics.horizontalAdvance(option.text) + 2 * cell_margin + 2;
    int height = option.fontMetrics.height() + 3 * grid_step / 2;
    if (has_picture(cell)) {
        const int side = thumbnail_side_ > 0 ? thumbnail_side_ : height - cell_margin;
        width += side + cell_margin;
        height = std::max(height, side + cell_margin);
    } else if (option.features.testFlag(QStyleOptionViewItem::HasDecoration)) {
        width += option.fontMetrics.height() + cell_margin;
    }
    if (option.features.testFlag(QStyleOptionViewItem::HasCheckIndicator))
        width += 3 * grid_step;
    return {width, height};
}

namespace {
constexpr int widest_fitted_column = 420;
constexpr int narrowest_text = 12; // characters
constexpr int readable_name = 44;  // likewise, of the texts that tell rows apart
constexpr int worth_a_line = 5 * grid_step;

int least_sum(const std::vector<ColumnNeed>& columns) {
    return std::accumulate(columns.begin(), columns.end(), 0, [](int all, const ColumnNeed& column) {
        return all + std::min(column.least, column.wanted);
    });
}
} // namespace

TableView::TableView(QWidget* parent)
    : QTableView(parent)
    , header_(new TableHeader(this)) {
    setHorizontalHeader(header_);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setSortingEnabled(true);
    setShowGrid(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false); // Tab leaves the table; the arrow keys move in it
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setFrameShape(NoFrame);
    verticalHeader()->hide();

    QHeaderView* const header = horizontalHeader();
    header->setSectionsClickable(true);
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setMinimumSectionSize(40);
    header->setResizeContentsPrecision(100); // number of rows considered when a width is fitted
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionResized, this, [this](int, int before, int now) {
        if (!fitting_ && before > 0 && now > 0) // otherwise a column is being shown or hidden
            fitted_ = false;                    // the user has set a width
    });
}

void TableView::set_empty_text(const QString& text) {
    if (text == empty_text_)
        return;
    empty_text_ = text;
    viewport()->update();
}

/// Numbers are right-aligned, marks are centred.
bool TableView::holds_texts(int column) const {
    const QVariant alignment = model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    return !(Qt::Alignment(alignment.toInt()) & (Qt::AlignRight | Qt::AlignHCenter));
}

int TableView::least_width(int column) const {
    const bool has_pictures = model()->index(0, column).data(Qt::DecorationRole).isValid();
    return narrowest_text * fontMetrics().averageCharWidth() + 2 * grid_step +
           (has_pictures ? verticalHeader()->defaultSectionSize() : 0);
}

int TableView::wanted_width(int column) const {
    return std::min(std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column)),
                    widest_fitted_column);
}

void TableView::set_wide_column(int column) {
    wide_column_ = column;
    if (fitted_)
        fit_columns();
}

void TableView::set_name_column(int column) {
    name_column_ = column;
    if (fitted_)
        fit_columns();
}

std::vector<ColumnNeed> TableView::needs_of(const std::vector<int>& columns) const {
    const bool is_wide_shown = std::ranges::find(columns, wide_column_) != columns.end();
    std::vector<ColumnNeed> needs;
    int before = 0; // the width of what stands before, where it gives way
    for (const int column : columns) {
        const int wanted = wanted_width(column);
        const bool texts = holds_texts(column);
        int least = texts ? least_width(column) : wanted;
        if (column == name_column_)
            least = std::max(least, std::min({wanted, readable_name * fontMetrics().averageCharWidth(),
                                              viewport()->width() - before}));
        needs.push_back({wanted, least, is_wide_shown ? column == wide_column_ : texts});
        before += std::min(least, wanted);
    }
    return needs;
}

void TableView::fit_columns() {
    fitting_ = true;
    std::vector<int> shown;
    for (int place = 0; place < header_->count(); ++place)
        if (const int column = header_->logicalIndex(place); !isColumnHidden(column))
            shown.push_back(column);
    const bool was_wrapped = header_->is_wrapped();
    header_->set_wrapped(false);
    const std::vector<ColumnNeed> needs = needs_of(shown);
    const int room = viewport()->width();
    std::vector<int> widths = fitted_widths(needs, room);
    bool cuts_titles = sum(widths) > room;
    bool cuts_texts = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        cuts_titles = cuts_titles || widths[i] < header_->sectionSizeHint(shown[i]);
        cuts_texts = cuts_texts || widths[i] < needs[i].wanted;
    }
    if (cuts_titles || cuts_texts) { // titles of two lines may leave texts more room
        header_->set_wrapped(true);
        const std::vector<ColumnNeed> wrapped = needs_of(shown);
        const bool is_worth_a_line = least_sum(needs) - least_sum(wrapped) >= worth_a_line;
        header_->set_wrapped(cuts_titles || is_worth_a_line);
        if (header_->is_wrapped())
            widths = fitted_widths(wrapped, room);
    }
    if (const auto name = std::ranges::find(shown, name_column_); name != shown.end())
        widths = without_cut_column(std::move(widths), room, static_cast<std::size_t>(name - shown.begin()));
    for (std::size_t i = 0; i < shown.size(); ++i)
        setColumnWidth(shown[i], widths[i]);
    fitting_ = false;
    fitted_ = true;
    if (header_->is_wrapped() == was_wrapped || header_->count() == 0)
        return;
    header_->headerDataChanged(Qt::Horizontal, 0, header_->count() - 1); // it keeps its size hint otherwise
    updateGeometries();
}

bool TableView::cuts_numbers() const {
    for (int column = 0; column < horizontalHeader()->count(); ++column)
        if (!isColumnHidden(column) && !holds_texts(column) && columnWidth(column) < wanted_width(column))
            return true;
    return false;
}

void TableView::focusInEvent(QFocusEvent* event) {
    if (!currentIndex().isValid())
        setCurrentIndex({}); // otherwise Qt makes the first row current, which the user has not chosen
    QTableView::focusInEvent(event);
}

void TableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (fitted_ && event->size().width() != event->oldSize().width())
        fit_columns();
}

/// Around the whole row, because rows are selected.
void TableView::paint_focus() {
    if (!hasFocus() || !currentIndex().isValid())
        return;
    QStyleOptionFocusRect focus;
    focus.initFrom(this);
    focus.rect = visualRect(currentIndex());
    focus.rect.setLeft(0);
    focus.rect.setRight(std::min(viewport()->width(), horizontalHeader()->length()) - 1);
    QPainter painter(viewport());
    style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
}

void TableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    paint_focus();
    if (empty_text_.isEmpty() || (model() != nullptr && model()->rowCount(rootIndex()) > 0))
        return;
    QPainter painter(viewport());
    painter.setPen(current_theme().dim_text);
    const int margin = 3 * grid_step;
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
}

} // namespace sparsight
