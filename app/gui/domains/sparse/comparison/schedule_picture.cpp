#include "gui/domains/sparse/comparison/schedule_picture.h"

#include "base/parallel.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/storage/coordinate_tree.h"
#include "domains/sparse/kernel/storage/storage_format.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

constexpr std::int64_t window_side = 8; ///< rows and columns of the matrix: more is no longer legible
constexpr std::size_t most_nodes = 120;

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SchedulePicture)
};

MatrixRange range_of(const MatrixWindow& window) {
    return {window.row, window.column, window.rows, window.columns};
}

QString meaning_of(const StorageLevel& level) {
    const QString items = level.is_row() ? Texts::tr("rows") : Texts::tr("columns");
    if (level.loop.part == Part::Inner)
        return Texts::tr("%1 within a block").arg(items);
    return level.split == 1 ? items : Texts::tr("blocks of %1 %2").arg(level.split).arg(items);
}

TreePicture tree_picture(const CoordinateTree& tree) {
    TreePicture picture;
    picture.window = range_of(tree.window);
    picture.entries = tree.entries;
    picture.positions = tree.positions;
    picture.left_out = tree.left_out;
    picture.values.assign(tree.values.begin(), tree.values.end());
    for (const CoordinateLevel& level : tree.levels) {
        TreePictureLevel shown;
        shown.name = QString::fromStdString(name(level.shape.loop));
        shown.meaning = meaning_of(level.shape);
        shown.is_compressed = level.shape.format == LevelFormat::Compressed;
        shown.extent = level.shape.extent;
        shown.pos.assign(level.pos.begin(), level.pos.end());
        shown.crd.assign(level.crd.begin(), level.crd.end());
        shown.left_out = level.left_out;
        for (const CoordinateNode& node : level.nodes)
            shown.nodes.push_back({node.coordinate, node.parent, range_of(node.covers), node.has_entry});
        picture.levels.push_back(std::move(shown));
    }
    return picture;
}

StorageBar storage_bar(const QString& title, const StorageBreakdown& breakdown) {
    StorageBar bar;
    bar.title = title;
    for (const LevelBytes& level : breakdown.levels) {
        const QString loop = QString::fromStdString(name(level.level.loop));
        if (level.pos > 0)
            bar.segments.push_back({loop, StorageArray::Positions, level.pos, 0});
        if (level.crd > 0)
            bar.segments.push_back({loop, StorageArray::Coordinates, level.crd, 0});
    }
    bar.segments.push_back({{}, StorageArray::Values, breakdown.values, breakdown.padding});
    return bar;
}

} // namespace

SchedulePicture picture_of(const SuperSchedule& schedule, const CsrPattern& pattern, std::int64_t dense) {
    SchedulePicture picture;
    const Extents extents = sparsight::extents(schedule.op, pattern.rows, pattern.cols, dense);
    picture.code =
        QString::fromStdString(print_c(lower(schedule, extents, KernelTarget::of_this_computer())));

    const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
    const MatrixWindow window = first_window(pattern, format, window_side, window_side);
    picture.tree = tree_picture(coordinate_tree(pattern, format, window, most_nodes));

    const auto breakdown = storage_breakdown(pattern, format, available_threads());
    if (!breakdown) {
        picture.storage_problem = QString::fromStdString(breakdown.error().message);
        return picture;
    }
    picture.storage = {storage_bar(Texts::tr("This schedule"), *breakdown),
                       storage_bar(Texts::tr("Fixed CSR"), csr_breakdown(pattern, schedule.op))};
    return picture;
}

} // namespace sparsight
