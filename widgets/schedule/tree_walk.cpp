#include "widgets/schedule/tree_walk.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CoordinateTreeView)
};

} // namespace

QString node_explanation(const TreePicture& picture, TreePlace place) {
    const TreePictureLevel& level = picture.levels[place.level];
    const TreePictureNode& node = level.nodes[place.node];
    const auto range = [](qint64 begin, qint64 length, const QString& one, const QString& many) {
        return length == 1 ? one.arg(count_text(begin))
                           : many.arg(count_text(begin), count_text(begin + length - 1));
    };
    const QString where =
        range(node.covers.row, node.covers.rows, Text::tr("row %1"), Text::tr("rows %1 to %2")) +
        QStringLiteral(", ") +
        range(node.covers.column, node.covers.columns, Text::tr("column %1"), Text::tr("columns %1 to %2"));
    const bool is_leaf = place.level + 1 == picture.levels.size();
    const QString what = node.has_entry
                             ? (is_leaf ? Text::tr("an entry of the matrix") : Text::tr("has entries"))
                         : is_leaf ? Text::tr("padding: a stored zero")
                                   : Text::tr("no entries: all below is padding or empty");
    QString text =
        Text::tr("<b>%1 = %2</b><br>%3<br>%4").arg(level.name, count_text(node.coordinate), where, what);
    if (is_leaf)
        text += Text::tr("<br>value %1").arg(significant(picture.values[place.node], 6));
    return text;
}

TreePlace beside(const TreePicture& picture, TreePlace place, Qt::Key key) {
    const auto& nodes = picture.levels[place.level].nodes;
    if (key == Qt::Key_Left && place.node > 0) {
        --place.node;
    } else if (key == Qt::Key_Right && place.node + 1 < nodes.size()) {
        ++place.node;
    } else if (key == Qt::Key_Up && place.level > 0) {
        place = {place.level - 1, nodes[place.node].parent};
    } else if (key == Qt::Key_Down && place.level + 1 < picture.levels.size()) {
        const auto& below = picture.levels[place.level + 1].nodes;
        const auto child = std::ranges::find(below, place.node, &TreePictureNode::parent);
        if (child != below.end())
            place = {place.level + 1, static_cast<std::size_t>(child - below.begin())};
    }
    return place;
}

QString tree_csv(const TreePicture& picture) {
    QString csv = QStringLiteral("level,format,coordinate,parent,row,column,rows,columns,has_entry\n");
    for (const TreePictureLevel& level : picture.levels)
        for (const TreePictureNode& node : level.nodes)
            csv += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9\n")
                       .arg(level.name, level.is_compressed ? QStringLiteral("compressed")
                                                            : QStringLiteral("uncompressed"))
                       .arg(node.coordinate)
                       .arg(node.parent)
                       .arg(node.covers.row)
                       .arg(node.covers.column)
                       .arg(node.covers.rows)
                       .arg(node.covers.columns)
                       .arg(node.has_entry ? 1 : 0);
    return csv;
}

} // namespace sparsight
