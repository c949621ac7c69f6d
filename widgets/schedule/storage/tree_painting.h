// Paints the picture of a coordinate tree: on the screen and into files.
#pragma once

#include "widgets/look/theme.h"
#include "widgets/schedule/storage/tree_picture.h"

#include <QFont>

class QPainter;

namespace sparsight {

struct TreeFonts {
    QFont node;    ///< coordinates and cells
    QFont name;    ///< names of levels
    QFont caption; ///< what they mean
};

[[nodiscard]] TreeFonts tree_fonts();
[[nodiscard]] TreeMetrics tree_metrics(const TreeFonts& fonts);

/// "i1 · compressed", and what that stores, for the column of captions.
[[nodiscard]] QString level_title(const TreePictureLevel& level);
[[nodiscard]] QString level_storage_text(const TreePictureLevel& level);
/// What the format of the level means, as a tooltip.
[[nodiscard]] QString level_explanation(const TreePictureLevel& level);
/// "k1 crd", "values"
[[nodiscard]] QString array_title(const TreePicture& picture, const TreeArrayRow& row);
[[nodiscard]] QString array_explanation(const TreePicture& picture, const TreeArrayRow& row);
/// "rows 0 to 7, columns 16 to 23 · 12 entries in 32 stored values · 20 of them padding"
[[nodiscard]] QString tree_summary(const TreePicture& picture);

/// Wide enough for every caption.
[[nodiscard]] double caption_width(const TreePicture& picture, const TreeLayout& layout,
                                   const TreeFonts& fonts);

class TreePainting {
public:
    TreePainting(const TreePicture& picture, const TreeLayout& layout, const TreeFonts& fonts,
                 const Theme& theme);

    /// What lies within `visible`, with this node and its path lit up.
    void paint(QPainter& painter, const QRectF& visible, std::optional<TreePlace> lit) const;
    void paint_captions(QPainter& painter, double width) const;

private:
    void paint_edge(QPainter& painter, const QRectF& from, const QRectF& to, bool is_padding,
                    bool is_lit) const;
    void paint_node(QPainter& painter, TreePlace place, bool is_lit, bool is_current) const;
    void paint_array(QPainter& painter, const TreeArrayRow& row, const QRectF& visible,
                     const std::vector<std::vector<bool>>& family, std::optional<TreePlace> lit) const;

    const TreePicture& picture_;
    const TreeLayout& layout_;
    TreeFonts fonts_;
    const Theme& theme_;
};

} // namespace sparsight
