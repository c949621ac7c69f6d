// What the program is made of: libraries, their versions as they are loaded where they can tell, and
// licences.
#pragma once

#include <QString>

#include <vector>

namespace sparsight {

struct LibraryVersion {
    QString name;
    QString version;
    QString licence; ///< SPDX expression, or "public domain"
    QString purpose;
    bool operator==(const LibraryVersion&) const = default;
};

/// Those of the running program first, then those of its tests, which are named as such.
[[nodiscard]] std::vector<LibraryVersion> library_versions();

} // namespace sparsight
