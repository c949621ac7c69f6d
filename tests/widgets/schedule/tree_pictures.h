// Small trees to look at.
#pragma once

#include "widgets/schedule/storage/tree_picture.h"

namespace sparsight::testing {

/// CSR of 3 × 4 with the entries (0, 1), (0, 3), (2, 0): row 1 is empty.
inline TreePicture csr_picture() {
    TreePicture picture;
    picture.window = {0, 0, 3, 4};
    picture.entries = 3;
    picture.positions = 3;
    picture.levels.push_back(
        {QStringLiteral("i1"),
         QStringLiteral("rows"),
         false,
         3,
         {{0, 0, {0, 0, 1, 4}, true}, {1, 0, {1, 0, 1, 4}, false}, {2, 0, {2, 0, 1, 4}, true}},
         {},
         {},
         0});
    picture.levels.push_back(
        {QStringLiteral("k1"),
         QStringLiteral("columns"),
         true,
         4,
         {{1, 0, {0, 1, 1, 1}, true}, {3, 0, {0, 3, 1, 1}, true}, {0, 2, {2, 0, 1, 1}, true}},
         {0, 2, 2, 3},
         {1, 3, 0},
         0});
    picture.values = {1, 2, 2.5}; // the last one is wider than its cell
    return picture;
}

/// One level, dense, of `count` positions: every other one is padding.
inline TreePicture wide_picture(int count) {
    TreePicture picture;
    picture.window = {0, 0, 1, count};
    TreePictureLevel level{QStringLiteral("k1"), QStringLiteral("columns"), false, count, {}, {}, {}, 0};
    for (int c = 0; c < count; ++c) {
        level.nodes.push_back({c, 0, {0, c, 1, 1}, c % 2 == 0});
        picture.values.push_back(c % 2 == 0 ? 1 : 0);
    }
    picture.levels.push_back(level);
    picture.entries = (count + 1) / 2;
    picture.positions = count;
    return picture;
}

/// A level above such a picture: the only row.
inline TreePictureLevel one_row(int columns) {
    return {QStringLiteral("i1"),
            QStringLiteral("rows"),
            false,
            1,
            {{0, 0, {0, 0, 1, columns}, true}},
            {},
            {},
            0};
}

} // namespace sparsight::testing
