// What a coordinate tree view shows, in plain values.
#pragma once

#include <QString>
#include <vector>

namespace sparsight {

/// A part of the matrix: rows [row, row + rows), columns [column, column + columns).
struct MatrixRange {
    qint64 row = 0;
    qint64 column = 0;
    qint64 rows = 0;
    qint64 columns = 0;
    bool operator==(const MatrixRange&) const = default;
};

struct TreePictureNode {
    qint64 coordinate = 0;
    std::size_t parent = 0; ///< which node of the level above; 0 on the first level
    MatrixRange covers;
    bool has_entry = true; ///< false: only padding below
};

struct TreePictureLevel {
    QString name;    ///< "i1"
    QString meaning; ///< "row blocks of 4"
    bool is_compressed = false;
    qint64 extent = 0;
    std::vector<TreePictureNode> nodes; ///< ordered by parent
    std::vector<qint64> pos;            ///< of compressed levels
    std::vector<qint64> crd;            ///< of compressed levels
    qint64 left_out = 0;                ///< nodes that are not among `nodes`
};

struct TreePicture {
    std::vector<TreePictureLevel> levels; ///< outermost first
    std::vector<double> values;           ///< one for each node of the last level
    MatrixRange window;                   ///< the part of the matrix that is shown
    qint64 entries = 0;                   ///< of the matrix in the window
    qint64 positions = 0;                 ///< values stored for them, padding included
    qint64 left_out = 0;                  ///< nodes on all levels
};

} // namespace sparsight
