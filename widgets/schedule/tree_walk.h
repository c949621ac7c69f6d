// Around in the picture of a coordinate tree: what a node says, where the arrow keys lead, all nodes as a
// table.
#pragma once

#include "widgets/schedule/tree_layout.h"

#include <QString>

namespace sparsight {

/// "i1 = 3, rows 12 to 15, columns 0 to 7, has entries"; rich text, a line each.
[[nodiscard]] QString node_explanation(const TreePicture& picture, TreePlace place);

/// The neighbour, parent or first child that an arrow key leads to; the place itself where there is none.
[[nodiscard]] TreePlace beside(const TreePicture& picture, TreePlace place, Qt::Key key);

[[nodiscard]] QString tree_csv(const TreePicture& picture);

} // namespace sparsight
