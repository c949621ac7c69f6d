#include "widgets/schedule/code/code_view.h"

#include "widgets/look/glyph.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QTextBlock>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

namespace sparsight {

namespace {

enum State { InCode = 0, InComment = 1 };

const QSet<QString>& keywords() {
    static const QSet<QString> words{
        QStringLiteral("for"),    QStringLiteral("if"),       QStringLiteral("else"),
        QStringLiteral("while"),  QStringLiteral("do"),       QStringLiteral("return"),
        QStringLiteral("const"),  QStringLiteral("static"),   QStringLiteral("break"),
        QStringLiteral("inline"), QStringLiteral("continue"), QStringLiteral("restrict"),
        QStringLiteral("struct"), QStringLiteral("sizeof")};
    return words;
}

const QSet<QString>& types() {
    static const QSet<QString> words{
        QStringLiteral("void"), QStringLiteral("int"),  QStringLiteral("float"),    QStringLiteral("double"),
        QStringLiteral("char"), QStringLiteral("long"), QStringLiteral("unsigned"), QStringLiteral("bool")};
    return words;
}

QTextCharFormat coloured(const QColor& colour, bool bold = false, bool italic = false) {
    QTextCharFormat format;
    format.setForeground(colour);
    if (bold)
        format.setFontWeight(QFont::DemiBold);
    format.setFontItalic(italic);
    return format;
}

} // namespace

CodeHighlighter::CodeHighlighter(QTextDocument* document, const CodeColours& colours)
    : QSyntaxHighlighter(document)
    , colours_(colours) {}

void CodeHighlighter::set_colours(const CodeColours& colours) {
    colours_ = colours;
    rehighlight();
}

QTextCharFormat CodeHighlighter::format_of_word(const QString& word, bool is_called) const {
    if (keywords().contains(word))
        return coloured(colours_.keyword);
    if (types().contains(word) || word.endsWith(QStringLiteral("_t")))
        return coloured(colours_.type);
    return coloured(is_called ? colours_.function : colours_.text);
}

void CodeHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression token(QStringLiteral(
        R"((?<line>//.*)|(?<open>/\*)|(?<directive>^\s*#.*)|(?<word>[A-Za-z_]\w*)|(?<number>\b\d[\w.]*))"));
    setCurrentBlockState(InCode);
    qsizetype at = 0;
    const auto comment_from = [&](qsizetype begin) {
        const qsizetype end = text.indexOf(QStringLiteral("*/"), begin);
        setCurrentBlockState(end < 0 ? InComment : InCode);
        at = end < 0 ? text.size() : end + 2;
        setFormat(static_cast<int>(begin), static_cast<int>(at - begin),
                  coloured(colours_.comment, false, true));
    };
    if (previousBlockState() == InComment)
        comment_from(0);
    while (at < text.size()) {
        const QRegularExpressionMatch found = token.match(text, at);
        if (!found.hasMatch())
            return;
        const qsizetype begin = found.capturedStart();
        const auto colour = [&](const QTextCharFormat& format) {
            setFormat(static_cast<int>(begin), static_cast<int>(found.capturedLength()), format);
        };
        at = found.capturedEnd();
        if (found.hasCaptured(QStringLiteral("open")))
            comment_from(begin);
        else if (found.hasCaptured(QStringLiteral("line")))
            colour(coloured(colours_.comment, false, true));
        else if (found.hasCaptured(QStringLiteral("directive")))
            colour(coloured(colours_.keyword, true));
        else if (found.hasCaptured(QStringLiteral("number")))
            colour(coloured(colours_.number));
        else
            colour(format_of_word(found.captured(), at < text.size() && text[at] == u'('));
    }
}

class CodeView::LineNumbers : public QWidget {
public:
    explicit LineNumbers(CodeView* view)
        : QWidget(view)
        , view_(view) {}

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip)
            return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), view_->meaning_at(help->pos().y()), this);
        return true;
    }
    void paintEvent(QPaintEvent* event) override { view_->paint_line_numbers(event); }

private:
    CodeView* view_;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent)
    , highlighter_(new CodeHighlighter(document(), current_theme().code))
    , line_numbers_(new LineNumbers(this))
    , copy_(new QToolButton(this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    setAccessibleName(tr("Code of the schedule"));
    document()->setDocumentMargin(grid_step);
    copy_->setToolTip(tr("Copy the code"));
    copy_->setAccessibleName(copy_->toolTip());
    copy_->setAutoRaise(true);
    copy_->hide();
    qApp->installEventFilter(this);
    copy_->setCursor(Qt::ArrowCursor);
    setTabOrder(this, copy_);
    connect(copy_, &QToolButton::clicked, this, &CodeView::copy_all);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::place_margin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy != 0)
            line_numbers_->scroll(0, dy);
        else
            line_numbers_->update(0, area.y(), line_numbers_->width(), area.height());
    });
    dress();
}

void CodeView::set_code(const QString& code) {
    if (code == code_ && facing_.empty())
        return;
    code_ = code;
    facing_.clear();
    costs_.clear();
    // The final line break of a file would appear as an empty numbered line.
    show_text(code.endsWith(u'\n') ? code.chopped(1) : code);
}

void CodeView::set_facing_lines(const QString& code, std::vector<FacingLine> lines) {
    code_ = code;
    facing_ = std::move(lines);
    costs_.clear();
    QStringList texts;
    for (const FacingLine& line : facing_)
        texts << line.text;
    show_text(texts.join(u'\n'));
}

void CodeView::set_line_costs(std::vector<LineCostMark> costs) {
    costs_ = std::move(costs);
    mark_lines();
    place_margin();
    viewport()->update();
    line_numbers_->update();
}

void CodeView::show_text(const QString& text) {
    const int line = verticalScrollBar()->value();
    setPlainText(text);
    mark_lines();
    verticalScrollBar()->setValue(line);
    copy_->setVisible(!code_.isEmpty());
    place_margin();
}

void CodeView::mark_lines() {
    QList<QTextEdit::ExtraSelection> selections;
    mark_differences(selections);
    mark_costs(selections);
    setExtraSelections(selections);
}

/// The more of the whole a line costs, the warmer it is; text stays readable on it in both themes.
void CodeView::mark_costs(QList<QTextEdit::ExtraSelection>& selections) const {
    constexpr double warmest = 0.3;
    constexpr double noticeable = 0.02;
    const Theme& theme = current_theme();
    for (int line = 0; line < static_cast<int>(costs_.size()); ++line) {
        const double share = costs_[static_cast<std::size_t>(line)].share;
        if (share < noticeable)
            continue;
        QTextEdit::ExtraSelection whole;
        whole.cursor = QTextCursor(document()->findBlockByNumber(line));
        whole.format.setProperty(QTextFormat::FullWidthSelection, true);
        whole.format.setBackground(mixed(theme.surface, theme.warning, warmest * share));
        selections << whole;
    }
}

void CodeView::mark_differences(QList<QTextEdit::ExtraSelection>& selections) const {
    const Theme& theme = current_theme();
    for (int block = 0; block < static_cast<int>(facing_.size()); ++block) {
        const FacingLine& line = facing_[static_cast<std::size_t>(block)];
        if (!line.differs)
            continue;
        QTextEdit::ExtraSelection whole;
        whole.cursor = QTextCursor(document()->findBlockByNumber(block));
        whole.format.setProperty(QTextFormat::FullWidthSelection, true);
        whole.format.setBackground(line.number == 0 ? mixed(theme.surface, theme.window, 0.9)
                                                    : mixed(theme.surface, theme.accent, 0.16));
        selections << whole;
        for (const TextRange& mark : line.marks) {
            QTextEdit::ExtraSelection word;
            word.cursor = whole.cursor;
            word.cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, mark.begin);
            word.cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, mark.length);
            word.format.setBackground(mixed(theme.surface, theme.accent, 0.42));
            selections << word;
        }
    }
}

QString CodeView::number_of(int block) const {
    if (facing_.empty())
        return QString::number(block + 1);
    const int number = facing_[static_cast<std::size_t>(block)].number;
    return number == 0 ? QString() : QString::number(number);
}

void CodeView::set_empty_text(const QString& text) {
    setPlaceholderText(text);
}

void CodeView::copy_all() {
    QGuiApplication::clipboard()->setText(code_);
}

void CodeView::zoom(int steps) {
    zoom_steps_ = std::clamp(zoom_steps_ + steps, -4, 20);
    dress();
}

void CodeView::dress() {
    const Theme& theme = current_theme();
    QFont font = monospace_font();
    font.setPointSizeF(std::max(5.0, QFontInfo(font).pointSizeF() + zoom_steps_));
    if (font != this->font())
        setFont(font);
    setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(u' '));
    highlighter_->set_colours(theme.code);
    mark_lines();
    copy_->setIcon(glyph_icon(Glyph::Copy));
    place_margin();
    viewport()->update();
    line_numbers_->update();
}

int CodeView::costs_width() const {
    if (costs_.empty())
        return 0;
    int widest = 0;
    for (const LineCostMark& cost : costs_)
        widest = std::max(widest, fontMetrics().horizontalAdvance(cost.text));
    return widest + 2 * grid_step;
}

int CodeView::margin_width() const {
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return costs_width() + digits * fontMetrics().horizontalAdvance(u'9') + 2 * grid_step;
}

void CodeView::place_margin() {
    setViewportMargins(margin_width(), 0, 0, 0);
    const QRect inside = contentsRect();
    line_numbers_->setGeometry(inside.left(), inside.top(), margin_width(), viewport()->height());
    line_numbers_->setVisible(!document()->isEmpty());
    const QSize button = copy_->sizeHint();
    const int bar = verticalScrollBar()->isVisible() ? verticalScrollBar()->width() : 0;
    copy_->setGeometry(inside.right() - button.width() - bar - grid_step / 2, inside.top() + grid_step / 2,
                       button.width(), button.height());
    copy_->raise();
}

void CodeView::paint_line_numbers(QPaintEvent* event) {
    const Theme& theme = current_theme();
    QPainter painter(line_numbers_);
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    painter.setPen(theme.border);
    painter.drawLine(line_numbers_->width() - 1, event->rect().top(), line_numbers_->width() - 1,
                     event->rect().bottom());
    painter.setFont(font());
    painter.setPen(theme.disabled_text);
    QTextBlock block = firstVisibleBlock();
    for (double top = blockBoundingGeometry(block).translated(contentOffset()).top();
         block.isValid() && top <= event->rect().bottom();
         top += blockBoundingRect(block).height(), block = block.next()) {
        paint_cost(painter, block.blockNumber(), top);
        painter.setPen(theme.disabled_text);
        painter.drawText(QRectF(0, top, line_numbers_->width() - grid_step, fontMetrics().height()),
                         Qt::AlignRight | Qt::AlignTop, number_of(block.blockNumber()));
    }
}

/// The bar is hatched, as everything that is simulated.
void CodeView::paint_cost(QPainter& painter, int line, double top) const {
    if (line >= static_cast<int>(costs_.size()) || costs_[static_cast<std::size_t>(line)].text.isEmpty())
        return;
    const LineCostMark& cost = costs_[static_cast<std::size_t>(line)];
    const Theme& theme = current_theme();
    constexpr double strong = 0.55;
    const QRectF cell(0, top, costs_width() - grid_step / 2.0, fontMetrics().height());
    const QRectF bar(cell.left(), cell.top() + 1, cell.width() * std::clamp(cost.share, 0.0, 1.0),
                     cell.height() - 2);
    painter.fillRect(bar, mixed(theme.surface, theme.warning, strong / 2));
    painter.fillRect(bar, QBrush(mixed(theme.surface, theme.warning, strong), Qt::BDiagPattern));
    painter.setPen(theme.text);
    painter.drawText(cell.adjusted(0, 0, -grid_step / 2.0, 0), Qt::AlignRight | Qt::AlignTop, cost.text);
}

QRect CodeView::cost_cell(int line) const {
    const QTextBlock block = document()->findBlockByNumber(line);
    if (costs_.empty() || !block.isValid())
        return {};
    const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
    return {line_numbers_->x(), line_numbers_->y() + static_cast<int>(area.top()), costs_width(),
            static_cast<int>(area.height())};
}

QString CodeView::meaning_at(int y) const {
    const int line = cursorForPosition({0, y}).blockNumber();
    const QRectF area =
        blockBoundingGeometry(document()->findBlockByNumber(line)).translated(contentOffset());
    const bool is_there = line < static_cast<int>(costs_.size()) && y >= area.top() && y < area.bottom();
    return is_there ? costs_[static_cast<std::size_t>(line)].meaning : QString();
}

bool CodeView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !costs_.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), meaning_at(help->pos().y()), viewport());
        return true;
    }
    return QPlainTextEdit::viewportEvent(event);
}

/// Notes stand behind the code of their line and are no part of it.
void CodeView::paintEvent(QPaintEvent* event) {
    QPlainTextEdit::paintEvent(event);
    if (costs_.empty())
        return;
    const Theme& theme = current_theme();
    QPainter painter(viewport());
    painter.setFont(caption_font());
    const QFontMetrics metrics(caption_font());
    QTextBlock block = firstVisibleBlock();
    for (double top = blockBoundingGeometry(block).translated(contentOffset()).top();
         block.isValid() && top <= event->rect().bottom();
         top += blockBoundingRect(block).height(), block = block.next()) {
        const auto line = static_cast<std::size_t>(block.blockNumber());
        if (line >= costs_.size() || costs_[line].note.isEmpty())
            continue;
        const double width = metrics.horizontalAdvance(costs_[line].note) + grid_step;
        const double behind = contentOffset().x() + document()->documentMargin() +
                              QFontMetricsF(font()).horizontalAdvance(block.text()) + grid_step;
        const QRectF box(std::min(behind, viewport()->width() - width - 1.0), top, width,
                         blockBoundingRect(block).height() - 1);
        painter.setPen(theme.border);
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(box, corner_radius / 2.0, corner_radius / 2.0);
        painter.setPen(theme.dim_text);
        painter.drawText(box, Qt::AlignCenter, costs_[line].note);
    }
}

void CodeView::show_line(int line) {
    const QTextBlock block = document()->findBlockByNumber(line);
    const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
    if (block.isValid() && (area.top() < 0 || area.bottom() > viewport()->height()))
        verticalScrollBar()->setValue(line - viewport()->height() / fontMetrics().lineSpacing() / 2);
}

void CodeView::showEvent(QShowEvent* event) {
    QPlainTextEdit::showEvent(event);
    dress();
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    place_margin();
}

void CodeView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        dress();
}

bool CodeView::eventFilter(QObject* receiver, QEvent* event) {
    // Qt does not notify widgets with their own font that the application's font has changed.
    if (receiver == qApp && event->type() == QEvent::ApplicationFontChange)
        dress();
    return QPlainTextEdit::eventFilter(receiver, event);
}

void CodeView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) == 0) {
        QPlainTextEdit::wheelEvent(event);
        return;
    }
    zoom(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::ZoomIn))
        zoom(1);
    else if (event->matches(QKeySequence::ZoomOut))
        zoom(-1);
    else if (event->key() == Qt::Key_0 && event->modifiers() == Qt::ControlModifier)
        zoom(-zoom_steps_);
    else
        QPlainTextEdit::keyPressEvent(event);
}

} // namespace sparsight
