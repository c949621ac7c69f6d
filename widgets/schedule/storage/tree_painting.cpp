#include "widgets/schedule/storage/tree_picture.h"

#include "widgets/look/number_text.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

namespace sparsight {

namespace {

struct TreePaintingText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CoordinateTreeView)
};

QString range_text(qint64 begin, qint64 length) {
    return length == 1
               ? count_text(begin)
               : TreePaintingText::tr("%1 to %2").arg(count_text(begin), count_text(begin + length - 1));
}

} // namespace

TreeFonts tree_fonts() {
    TreeFonts fonts{caption_font(), QApplication::font(), caption_font()};
    fonts.name.setWeight(QFont::DemiBold);
    return fonts;
}

TreeMetrics tree_metrics(const TreeFonts& fonts) {
    const QFontMetricsF node(fonts.node);
    const QFontMetricsF name(fonts.name);
    TreeMetrics metrics;
    metrics.node_height = std::round(node.height() + 5);
    metrics.node_padding = std::round(node.height() * 0.4);
    metrics.level_step =
        std::round(std::max(metrics.node_height * 2.6, name.height() + 2 * node.height() + 2 * grid_step));
    metrics.margin = 1.5 * grid_step;
    metrics.cell_height = std::round(node.height() + 4);
    metrics.array_step = metrics.cell_height + grid_step;
    metrics.text_width = [node](const QString& text) { return node.horizontalAdvance(text); };
    return metrics;
}

QString level_title(const TreePictureLevel& level) {
    return (level.is_compressed ? TreePaintingText::tr("%1 · compressed")
                                : TreePaintingText::tr("%1 · dense"))
        .arg(level.name);
}

QString level_storage_text(const TreePictureLevel& level) {
    return level.is_compressed ? TreePaintingText::tr("pos and crd stored")
                               : TreePaintingText::tr("nothing stored");
}

QString level_explanation(const TreePictureLevel& level) {
    if (level.is_compressed)
        return TreePaintingText::
            tr("<b>%1 is compressed.</b><br>Only coordinates that occur are stored. The children of parent p "
               "are the elements pos[p] to pos[p + 1] − 1 of crd, and crd holds their coordinates.")
                .arg(level.name);
    return TreePaintingText::tr("<b>%1 is dense (uncompressed).</b><br>Each parent has all %2 coordinates, "
                                "so none of them is stored: position = parent · %2 + coordinate. A dense "
                                "level below a sparse one stores explicit zeros, the padding.")
        .arg(level.name, count_text(level.extent));
}

QString array_title(const TreePicture& picture, const TreeArrayRow& row) {
    const QString& name = picture.levels[row.level].name;
    switch (row.array) {
    case TreeArray::Positions:
        return TreePaintingText::tr("%1 pos").arg(name);
    case TreeArray::Coordinates:
        return TreePaintingText::tr("%1 crd").arg(name);
    case TreeArray::Values:
        break;
    }
    return TreePaintingText::tr("values");
}

QString array_explanation(const TreePicture& picture, const TreeArrayRow& row) {
    const QString& name = picture.levels[row.level].name;
    switch (row.array) {
    case TreeArray::Positions:
        return TreePaintingText::tr(
                   "<b>%1 pos</b><br>Where the children of each parent begin in crd. They end where those of "
                   "the next parent begin, so there is one number more than there are parents.")
            .arg(name);
    case TreeArray::Coordinates:
        return TreePaintingText::tr(
                   "<b>%1 crd</b><br>The coordinate of each node of the level, one after the other.")
            .arg(name);
    case TreeArray::Values:
        break;
    }
    return TreePaintingText::tr(
        "<b>values</b><br>One number for each position of the last level. Padding is a stored zero: it "
        "takes memory and time and changes nothing.");
}

QString tree_summary(const TreePicture& picture) {
    const MatrixRange& window = picture.window;
    QString text =
        TreePaintingText::tr("rows %1, columns %2 · %3 in %4")
            .arg(range_text(window.row, window.rows), range_text(window.column, window.columns),
                 picture.entries == 1 ? TreePaintingText::tr("1 entry")
                                      : TreePaintingText::tr("%1 entries").arg(count_text(picture.entries)),
                 picture.positions == 1
                     ? TreePaintingText::tr("1 stored value")
                     : TreePaintingText::tr("%1 stored values").arg(count_text(picture.positions)));
    if (picture.positions > picture.entries)
        text += TreePaintingText::tr(" · %1 padding").arg(count_text(picture.positions - picture.entries));
    return text;
}

double caption_width(const TreePicture& picture, const TreeLayout& layout, const TreeFonts& fonts) {
    const QFontMetricsF name(fonts.name);
    const QFontMetricsF caption(fonts.caption);
    double width = name.horizontalAdvance(TreePaintingText::tr("A, this part of it"));
    for (const TreePictureLevel& level : picture.levels)
        width = std::max({width, name.horizontalAdvance(level_title(level)),
                          caption.horizontalAdvance(level.meaning),
                          caption.horizontalAdvance(level_storage_text(level))});
    for (const TreeArrayRow& row : layout.arrays)
        width = std::max(width, caption.horizontalAdvance(array_title(picture, row)));
    return std::round(width + 3.5 * grid_step);
}

TreePainting::TreePainting(const TreePicture& picture, const TreeLayout& layout, const TreeFonts& fonts,
                           const Theme& theme)
    : picture_(picture)
    , layout_(layout)
    , fonts_(fonts)
    , theme_(theme) {}

void TreePainting::paint(QPainter& painter, const QRectF& visible, std::optional<TreePlace> lit) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fonts_.node);
    std::vector<std::vector<bool>> family;
    if (lit)
        family = family_of(picture_, *lit);
    const auto is_lit = [&](std::size_t level, std::size_t node) { return lit && family[level][node]; };

    // Lit edges over the others.
    for (const bool over : {false, true})
        for (std::size_t level = 0; level < picture_.levels.size(); ++level)
            for (std::size_t n = 0; n < picture_.levels[level].nodes.size(); ++n) {
                const TreePictureNode& node = picture_.levels[level].nodes[n];
                const QRectF& to = layout_.nodes[level][n];
                const QRectF& from = level == 0 ? layout_.root : layout_.nodes[level - 1][node.parent];
                if (is_lit(level, n) == over && from.united(to).intersects(visible))
                    paint_edge(painter, from, to, !node.has_entry, over);
            }
    painter.setPen(QPen(lit ? theme_.accent : theme_.outline, 1.2));
    painter.setBrush(theme_.raised);
    painter.drawRoundedRect(layout_.root, layout_.root.height() / 2, layout_.root.height() / 2);
    painter.setPen(theme_.text);
    painter.drawText(layout_.root, Qt::AlignCenter, QStringLiteral("A"));
    for (std::size_t level = 0; level < picture_.levels.size(); ++level)
        for (std::size_t n = 0; n < picture_.levels[level].nodes.size(); ++n)
            if (layout_.nodes[level][n].adjusted(-3, -3, 3, 3).intersects(visible))
                paint_node(painter, {level, n}, is_lit(level, n), lit == TreePlace{level, n});
    for (const TreeArrayRow& row : layout_.arrays)
        paint_array(painter, row, visible, family, lit);
}

void TreePainting::paint_edge(QPainter& painter, const QRectF& from, const QRectF& to, bool is_padding,
                              bool is_lit) const {
    const QPointF start(from.center().x(), from.bottom());
    const QPointF end(to.center().x(), to.top());
    const double middle = (start.y() + end.y()) / 2;
    QPainterPath path(start);
    path.cubicTo({start.x(), middle}, {end.x(), middle}, end);
    QPen pen(is_lit ? theme_.accent : mixed(theme_.outline, theme_.dim_text, is_padding ? 0.0 : 0.3),
             is_lit ? 1.8 : 1.1);
    if (is_padding)
        pen.setDashPattern({2.5, 2.5});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void TreePainting::paint_node(QPainter& painter, TreePlace place, bool is_lit, bool is_current) const {
    const TreePictureNode& node = picture_.levels[place.level].nodes[place.node];
    const QRectF& box = layout_.nodes[place.level][place.node];
    const bool is_leaf = place.level + 1 == picture_.levels.size();
    const double radius = box.height() / 2;
    if (is_current) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(theme_.surface, theme_.accent, 0.35));
        painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), radius + 3, radius + 3);
    }
    QPen edge(is_lit           ? theme_.accent
              : node.has_entry ? mixed(theme_.outline, theme_.accent, 0.55)
                               : theme_.outline,
              is_lit ? 1.8 : 1.2);
    QColor inside = theme_.surface;
    QColor text = theme_.dim_text;
    if (!node.has_entry) {
        edge.setDashPattern({2.5, 2.0});
    } else if (is_leaf) {
        inside = theme_.accent;
        edge.setColor(theme_.accent);
        text = theme_.accent_text;
    } else {
        inside = mixed(theme_.surface, theme_.accent, is_lit ? 0.3 : 0.16);
        text = theme_.text;
    }
    painter.setPen(edge);
    painter.setBrush(inside);
    painter.drawRoundedRect(box, radius, radius);
    painter.setPen(text);
    painter.drawText(box, Qt::AlignCenter, count_text(node.coordinate));
}

void TreePainting::paint_array(QPainter& painter, const TreeArrayRow& row, const QRectF& visible,
                               const std::vector<std::vector<bool>>& family,
                               std::optional<TreePlace> lit) const {
    const auto is_lit = [&](std::size_t cell) {
        if (!lit)
            return false;
        if (row.array != TreeArray::Positions)
            return static_cast<bool>(family[row.level][cell]);
        // Both ends of the range in which the children of a lit parent stand.
        const auto parent_is_lit = [&](std::size_t parent) {
            return row.level == 0 ? parent == 0
                                  : parent < family[row.level - 1].size() && family[row.level - 1][parent];
        };
        return parent_is_lit(cell) || (cell > 0 && parent_is_lit(cell - 1));
    };
    for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
        const QRectF& box = row.cells[cell];
        if (!box.intersects(visible))
            continue;
        const bool is_padding =
            row.array == TreeArray::Values && !picture_.levels[row.level].nodes[cell].has_entry;
        const bool is_value = row.array == TreeArray::Values && !is_padding;
        QColor inside =
            is_padding ? theme_.surface : mixed(theme_.surface, theme_.accent, is_value ? 0.16 : 0.05);
        if (is_lit(cell))
            inside = mixed(inside, theme_.accent, 0.35);
        painter.setPen(QPen(theme_.outline, 1));
        painter.setBrush(inside);
        painter.drawRect(box);
        if (is_padding) {
            QColor stripes = theme_.outline;
            stripes.setAlpha(120);
            painter.fillRect(box, QBrush(stripes, Qt::BDiagPattern));
        }
        painter.setPen(is_padding ? theme_.dim_text : theme_.text);
        const QString& text = row.texts[static_cast<qsizetype>(cell)];
        painter.drawText(box, Qt::AlignCenter, text.isEmpty() ? QStringLiteral("•") : text);
    }
}

void TreePainting::paint_captions(QPainter& painter, double width) const {
    const double left = 1.5 * grid_step;
    const QFontMetricsF name(fonts_.name);
    const QFontMetricsF caption(fonts_.caption);
    const auto write = [&](double top, const QString& text, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        const QFontMetricsF metrics(font);
        painter.drawText(QRectF(left, top, width - left, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, width - left - grid_step));
    };
    write(layout_.root.center().y() - name.height() / 2, TreePaintingText::tr("A, this part of it"),
          fonts_.name, theme_.text);
    for (std::size_t level = 0; level < picture_.levels.size(); ++level) {
        const double top = layout_.level_tops[level] + (layout_.root.height() - name.height()) / 2;
        write(top, level_title(picture_.levels[level]), fonts_.name, theme_.text);
        write(top + name.height(), picture_.levels[level].meaning, fonts_.caption, theme_.dim_text);
        write(top + name.height() + caption.height(), level_storage_text(picture_.levels[level]),
              fonts_.caption, theme_.dim_text);
    }
    for (const TreeArrayRow& row : layout_.arrays) {
        const double height = row.cells.empty() ? layout_.root.height() : row.cells.front().height();
        write(row.top + (height - caption.height()) / 2, array_title(picture_, row), fonts_.caption,
              theme_.text);
    }
}

} // namespace sparsight
