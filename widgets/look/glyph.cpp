#include "widgets/look/glyph.h"

#include "widgets/look/theme.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <memory>
#include <optional>

namespace sparsight {

namespace {

/// What stands inside the svg element: strokes of width 1.75 unless it says otherwise.
const char* drawing(Glyph glyph) {
    switch (glyph) {
    case Glyph::ChevronDown:
        return "<path d='M6 9l6 6 6-6'/>";
    case Glyph::Close:
        return "<path d='M6 6l12 12M18 6L6 18'/>";
    case Glyph::Columns:
        return "<rect x='4' y='4.5' width='16' height='15' rx='2'/><path d='M9.5 4.5v15M14.5 4.5v15'/>";
    case Glyph::Copy:
        return "<rect x='8.5' y='8.5' width='11' height='11' rx='2'/>"
               "<path d='M15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2'/>";
    case Glyph::Error:
        return "<circle cx='12' cy='12' r='8.5'/><path d='M9 9l6 6M15 9l-6 6'/>";
    case Glyph::Export:
        return "<path d='M12 4v11M7.500 10.500L12 15l4.500-4.500M4.500 16v2a2 2 0 0 0 2 2h11a2 2 0 0 0 "
               "2-2v-2'/>";
    case Glyph::Image:
        return "<rect x='4' y='4.500' width='16' height='15' rx='2'/><circle cx='9' cy='9.500' r='1.500'/>"
               "<path d='M4.500 17l5-4.500 3 2.500 3-3 4.500 4'/>";
    case Glyph::Information:
        return "<circle cx='12' cy='12' r='8.5'/><path d='M12 11v5.500M12 7.700v.1'/>";
    case Glyph::Menu:
        return "<path stroke-width='2.500' d='M5.500 12h.1M12 12h.1M18.500 12h.1'/>";
    case Glyph::Question:
        return "<circle cx='12' cy='12' r='8.5'/><path d='M9.700 9.700a2.400 2.400 0 1 1 3.300 2.200c-.7.3-1 "
               ".8-1 "
               "1.600M12 16.400v.1'/>";
    case Glyph::Search:
        return "<circle cx='10.500' cy='10.500' r='6'/><path d='M15 15l5 5'/>";
    case Glyph::Warning:
        return "<path d='M12 4.500L20.500 19h-17zM12 10v4.500M12 16.700v.1'/>";
    case Glyph::ZoomFit:
        return "<path d='M4.500 9V4.500H9M15 4.500h4.500V9M19.500 15v4.500H15M9 19.500H4.500V15'/>"
               "<rect x='8.500' y='8.500' width='7' height='7' rx='1'/>";
    }
    return "";
}

class GlyphEngine : public QIconEngine {
public:
    GlyphEngine(Glyph glyph, std::optional<QColor> colour)
        : glyph_(glyph)
        , colour_(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        const Theme& theme = current_theme();
        const QColor colour = mode == QIcon::Disabled ? theme.disabled_text : colour_.value_or(theme.text);
        const QString text = QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' "
                                            "fill='none' stroke='%1' stroke-width='1.75' "
                                            "stroke-linecap='round' stroke-linejoin='round'>%2</svg>")
                                 .arg(colour.name(), QString::fromLatin1(drawing(glyph_)));
        QSvgRenderer renderer(text.toUtf8());
        const int side = std::min(rect.width(), rect.height());
        QRect square(0, 0, side, side);
        square.moveCenter(rect.center());
        renderer.render(painter, square);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }

    QIconEngine* clone() const override { return std::make_unique<GlyphEngine>(*this).release(); }

private:
    Glyph glyph_;
    std::optional<QColor> colour_;
};

QIcon made(Glyph glyph, std::optional<QColor> colour) {
    return QIcon(std::make_unique<GlyphEngine>(glyph, colour).release()); // the icon owns it
}

} // namespace

QIcon glyph_icon(Glyph glyph) {
    return made(glyph, std::nullopt);
}
QIcon glyph_icon(Glyph glyph, const QColor& colour) {
    return made(glyph, colour);
}

} // namespace sparsight
