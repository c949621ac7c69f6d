#include "gui/help/help_browser.h"

#include "gui/help/help_document.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QFile>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr int smallest_text = 60;
constexpr int largest_text = 300;

/// Relative to its page's folder, as in the Markdown: "diagrams/split.svg".
QByteArray diagram(const QString& name, const QColor& text) {
    QFile file(QStringLiteral(":/help/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().replace("currentColor", text.name().toLatin1());
}

QSizeF natural_size(const QString& name) {
    return QSvgRenderer(diagram(name, Qt::black)).defaultSize();
}

QFont scaled(QFont font, int percent) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * percent / 100);
    else
        font.setPixelSize(font.pixelSize() * percent / 100);
    return font;
}

} // namespace

HelpBrowser::HelpBrowser(QWidget* parent)
    : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Help page"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // its coming and going would move the text
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setUndoRedoEnabled(false);
}

void HelpBrowser::show_page(const QString& markdown) {
    markdown_ = markdown;
    marked_.clear();
    rebuild();
    verticalScrollBar()->setValue(0);
}

bool HelpBrowser::show_anchor(const QString& anchor) {
    verticalScrollBar()->setValue(0);
    if (anchor.isEmpty())
        return true;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().anchorNames().contains(anchor)) {
                QTextCursor cursor(block);
                const int top = cursorRect(cursor).top() + verticalScrollBar()->value();
                verticalScrollBar()->setValue(top - 2 * grid_step);
                return true;
            }
    return false;
}

void HelpBrowser::mark_words(const QStringList& words) {
    marked_ = words;
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    QColor colour = current_theme().warning;
    colour.setAlphaF(0.3F);
    format.setBackground(colour);
    for (const QString& word : words) {
        QTextCursor cursor(document());
        while (!(cursor = document()->find(word, cursor)).isNull()) {
            const int before = cursor.selectionStart() - 1;
            if (before < 0 || !document()->characterAt(before).isLetterOrNumber())
                marks.push_back({cursor, format});
        }
    }
    setExtraSelections(marks);
}

void HelpBrowser::set_text_size(int percent) {
    percent = std::clamp(percent, smallest_text, largest_text);
    if (percent == text_size_)
        return;
    text_size_ = percent;
    rebuild();
}

QVariant HelpBrowser::loadResource(int type, const QUrl& name) {
    if (type == QTextDocument::ImageResource)
        return draw(name.toString(), picture_size(name.toString()));
    return QTextBrowser::loadResource(type, name);
}

QImage HelpBrowser::draw(const QString& name, const QSizeF& size) const {
    QSvgRenderer drawing(diagram(name, current_theme().text));
    if (!drawing.isValid() || size.isEmpty())
        return {};
    const double scale = devicePixelRatioF();
    QImage picture((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(scale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    drawing.render(&painter, QRectF({}, size));
    return picture;
}

/// As wide as the text at most, and growing with it.
QSizeF HelpBrowser::picture_size(const QString& name) const {
    constexpr double drawn_for = 13; // pixels of type
    const QSizeF natural = natural_size(name);
    if (natural.isEmpty())
        return {};
    const QTextFrameFormat root = document()->rootFrame()->frameFormat();
    const double available = viewport()->width() - root.leftMargin() - root.rightMargin();
    const double grown = natural.width() * QFontInfo(text_font()).pixelSize() / drawn_for;
    const double width = std::max(1.0, std::floor(std::min(available, grown)));
    return {width, std::round(width * natural.height() / natural.width())};
}

void HelpBrowser::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange)
        rebuild();
}

void HelpBrowser::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fit();
}

/// QTextBrowser would walk a history of its own.
void HelpBrowser::keyPressEvent(QKeyEvent* event) {
    const bool is_way = event->modifiers().testFlag(Qt::AltModifier) || event->key() == Qt::Key_Backspace;
    if (is_way)
        event->ignore();
    else
        QTextBrowser::keyPressEvent(event);
}

/// QTextEdit would change its font; the page's sizes are ours.
void HelpBrowser::wheelEvent(QWheelEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier))
        event->ignore();
    else
        QTextBrowser::wheelEvent(event);
}

QFont HelpBrowser::text_font() const {
    return scaled(QApplication::font(), text_size_);
}

void HelpBrowser::rebuild() {
    if (markdown_.isEmpty() || is_fitting_)
        return;
    const int range = verticalScrollBar()->maximum();
    const double place = range > 0 ? static_cast<double>(verticalScrollBar()->value()) / range : 0;
    const QStringList marked = marked_;
    fill_help_document(*document(), markdown_,
                       {text_font(), scaled(monospace_font(), text_size_ * 19 / 20), current_theme()});
    fit();
    mark_words(marked);
    verticalScrollBar()->setValue(qRound(place * verticalScrollBar()->maximum()));
}

void HelpBrowser::fit() {
    if (is_fitting_)
        return;
    is_fitting_ = true;
    set_side_margins(*document(), viewport()->width(), comfortable_width(text_font()));
    fit_pictures();
    is_fitting_ = false;
}

void HelpBrowser::fit_pictures() {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            QTextImageFormat format = fragment.charFormat().toImageFormat();
            if (!format.isValid())
                continue;
            const QSizeF size = picture_size(format.name());
            if (size.isEmpty() || QSizeF(format.width(), format.height()) == size)
                break;
            document()->addResource(QTextDocument::ImageResource, QUrl(format.name()),
                                    draw(format.name(), size));
            format.setWidth(size.width());
            format.setHeight(size.height());
            QTextCursor cursor(document());
            cursor.setPosition(fragment.position());
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
            break; // one picture a paragraph; the walk is not valid after a change
        }
}

} // namespace sparsight
