#include "widgets/code/assembly_edit.h"

#include <QHelpEvent>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QToolTip>
#include <QUrl>
#include <utility>

namespace sparsight {

namespace {

constexpr int bar_width = 4; ///< of lines of the critical chain; pixels

QTextCharFormat coloured(const QColor& colour, bool is_bold = false, bool is_italic = false) {
    QTextCharFormat format;
    format.setForeground(colour);
    if (is_bold)
        format.setFontWeight(QFont::DemiBold);
    format.setFontItalic(is_italic);
    return format;
}

QStringList local_paths(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

} // namespace

AssemblyHighlighter::AssemblyHighlighter(QTextDocument* document, const CodeColours& colours)
    : QSyntaxHighlighter(document)
    , colours_(colours) {}

void AssemblyHighlighter::set_colours(const CodeColours& colours) {
    colours_ = colours;
    rehighlight();
}

void AssemblyHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression line(
        QStringLiteral(R"(^\s*(?<label>[\w.$]+:)?\s*(?<mnemonic>[a-z]\w*)?)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression token(
        QStringLiteral(R"((?<register>%?\b(?:[re]?[abcd]x|[abcd][hl]|[re]?[sd]il?|[re]?[sb]pl?|r\d+[dwb]?|)"
                       R"([xyz]mm\d+|k[0-7]|st|rip)\b)|(?<number>\$?-?\b(?:0x[0-9a-f]+|\d+)\b)|)"
                       R"((?<size>\b(?:byte|[dqxyz]*(?:mm)?word|ptr)\b))"),
        QRegularExpression::CaseInsensitiveOption);
    const qsizetype comment = text.indexOf(u'#');
    const QString code = comment < 0 ? text : text.first(comment);
    const auto colour = [this](qsizetype begin, qsizetype length, const QTextCharFormat& format) {
        setFormat(static_cast<int>(begin), static_cast<int>(length), format);
    };
    const QRegularExpressionMatch first = line.match(code);
    if (first.hasCaptured(QStringLiteral("label")))
        colour(first.capturedStart(QStringLiteral("label")), first.capturedLength(QStringLiteral("label")),
               coloured(colours_.function));
    if (first.hasCaptured(QStringLiteral("mnemonic")))
        colour(first.capturedStart(QStringLiteral("mnemonic")),
               first.capturedLength(QStringLiteral("mnemonic")), coloured(colours_.keyword, true));
    for (auto each = token.globalMatch(code, first.capturedEnd()); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        const QColor& of = found.hasCaptured(QStringLiteral("register")) ? colours_.type
                           : found.hasCaptured(QStringLiteral("number")) ? colours_.number
                                                                         : colours_.comment;
        colour(found.capturedStart(), found.capturedLength(), coloured(of));
    }
    if (comment >= 0)
        colour(comment, text.size() - comment, coloured(colours_.comment, false, true));
}

class AssemblyEdit::Margin : public QWidget {
public:
    explicit Margin(AssemblyEdit* edit)
        : QWidget(edit)
        , edit_(edit) {}

protected:
    void paintEvent(QPaintEvent* event) override { edit_->paint_margin(event); }

private:
    AssemblyEdit* edit_;
};

AssemblyEdit::AssemblyEdit(QWidget* parent)
    : QPlainTextEdit(parent)
    , highlighter_(new AssemblyHighlighter(document(), current_theme().code))
    , margin_(new Margin(this)) {
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    setFrameShape(NoFrame);
    setAccessibleName(tr("Code of the block"));
    document()->setDocumentMargin(grid_step / 2.0);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &AssemblyEdit::place_margin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy != 0)
            margin_->scroll(0, dy);
        else
            margin_->update(0, area.y(), margin_->width(), area.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (const int now = textCursor().blockNumber(); std::exchange(line_, now) != now)
            Q_EMIT line_entered(now);
    });
    dress();
}

void AssemblyEdit::set_marks(std::vector<AssemblyMark> marks) {
    if (marks == marks_)
        return;
    marks_ = std::move(marks);
    mark_lines();
    viewport()->update();
    margin_->update();
}

void AssemblyEdit::set_error_line(std::optional<int> line) {
    if (std::exchange(error_line_, line) == line)
        return;
    mark_lines();
    margin_->update();
}

void AssemblyEdit::replace_text(const QString& text) {
    if (text == toPlainText())
        return;
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.insertText(text);
    moveCursor(QTextCursor::Start);
}

void AssemblyEdit::go_to_line(int line) {
    const QTextBlock block = document()->findBlockByNumber(line);
    if (block.isValid() && textCursor().blockNumber() != line)
        setTextCursor(QTextCursor(block));
}

const AssemblyMark* AssemblyEdit::mark_of(int line) const {
    const auto at = static_cast<std::size_t>(line);
    return at < marks_.size() ? &marks_[at] : nullptr;
}

void AssemblyEdit::mark_lines() {
    constexpr double faint = 0.28;
    const Theme& theme = current_theme();
    QList<QTextEdit::ExtraSelection> selections;
    for (int line = 0; line < std::min(blockCount(), static_cast<int>(marks_.size())); ++line) {
        if (!marks_[static_cast<std::size_t>(line)].is_explained)
            continue;
        QTextEdit::ExtraSelection whole;
        whole.cursor = QTextCursor(document()->findBlockByNumber(line));
        whole.format.setProperty(QTextFormat::FullWidthSelection, true);
        whole.format.setBackground(mixed(theme.surface, theme.warning, faint));
        selections << whole;
    }
    if (error_line_ && *error_line_ < blockCount()) {
        QTextEdit::ExtraSelection wrong;
        wrong.cursor = QTextCursor(document()->findBlockByNumber(*error_line_));
        wrong.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        wrong.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wrong.format.setUnderlineColor(theme.error);
        selections << wrong;
    }
    setExtraSelections(selections);
}

void AssemblyEdit::dress() {
    if (const QFont font = monospace_font(); font != this->font())
        setFont(font);
    highlighter_->set_colours(current_theme().code);
    mark_lines();
    place_margin();
}

int AssemblyEdit::margin_width() const {
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return digits * fontMetrics().horizontalAdvance(u'9') + 2 * grid_step + bar_width;
}

void AssemblyEdit::place_margin() {
    setViewportMargins(margin_width(), 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), margin_width(), viewport()->height());
}

void AssemblyEdit::paint_margin(QPaintEvent* event) {
    const Theme& theme = current_theme();
    QPainter painter(margin_);
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    for (double top = blockBoundingGeometry(block).translated(contentOffset()).top();
         block.isValid() && top <= event->rect().bottom();
         top += blockBoundingRect(block).height(), block = block.next()) {
        const int line = block.blockNumber();
        const AssemblyMark* const mark = mark_of(line);
        if (mark != nullptr && mark->is_critical)
            painter.fillRect(QRectF(margin_->width() - bar_width - grid_step / 4.0, top + 1, bar_width,
                                    blockBoundingRect(block).height() - 2),
                             theme.accent);
        painter.setPen(error_line_ == line ? theme.error : theme.disabled_text);
        painter.drawText(QRectF(0, top, margin_->width() - grid_step - bar_width, fontMetrics().height()),
                         Qt::AlignRight | Qt::AlignTop, QString::number(line + 1));
    }
}

/// They stand at the right, unless the code of the line reaches there.
void AssemblyEdit::paint_notes(QPainter& painter, int bottom) const {
    const Theme& theme = current_theme();
    painter.setFont(caption_font());
    const QFontMetrics metrics(caption_font());
    QTextBlock block = firstVisibleBlock();
    for (double top = blockBoundingGeometry(block).translated(contentOffset()).top();
         block.isValid() && top <= bottom; top += blockBoundingRect(block).height(), block = block.next()) {
        const AssemblyMark* const mark = mark_of(block.blockNumber());
        if (mark == nullptr || mark->note.isEmpty())
            continue;
        const double width = metrics.horizontalAdvance(mark->note) + 1.5 * grid_step;
        const double behind = contentOffset().x() + document()->documentMargin() +
                              QFontMetricsF(font()).horizontalAdvance(block.text()) + grid_step;
        const double left = viewport()->width() - width - grid_step / 2.0;
        if (behind > left)
            continue;
        const QRectF box(left, top + 1, width, blockBoundingRect(block).height() - 2);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.border);
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(box, corner_radius / 2.0, corner_radius / 2.0);
        painter.setPen(theme.dim_text);
        painter.drawText(box, Qt::AlignCenter, mark->note);
    }
}

void AssemblyEdit::paintEvent(QPaintEvent* event) {
    QPlainTextEdit::paintEvent(event);
    if (marks_.empty())
        return;
    QPainter painter(viewport());
    paint_notes(painter, event->rect().bottom());
}

bool AssemblyEdit::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const AssemblyMark* const mark = mark_of(cursorForPosition(help->pos()).blockNumber());
        QToolTip::showText(help->globalPos(), mark == nullptr ? QString() : mark->meaning, viewport());
        return true;
    }
    return QPlainTextEdit::viewportEvent(event);
}

bool AssemblyEdit::canInsertFromMimeData(const QMimeData* source) const {
    return !local_paths(*source).isEmpty() || QPlainTextEdit::canInsertFromMimeData(source);
}

void AssemblyEdit::insertFromMimeData(const QMimeData* source) {
    if (const QStringList paths = local_paths(*source); !paths.isEmpty())
        Q_EMIT files_dropped(paths);
    else
        QPlainTextEdit::insertFromMimeData(source);
}

void AssemblyEdit::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        dress();
}

void AssemblyEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    place_margin();
}

} // namespace sparsight
