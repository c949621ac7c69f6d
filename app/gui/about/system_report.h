// What the program is made of: libraries, their versions as they are loaded where they can tell, and
// licences.
#pragma once

#include <QString>
#include <utility>
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

// What a bug report should say about the program and the computer; nothing that names its user.

/// Facts as they are shown: name and value. Needs a QGuiApplication.
[[nodiscard]] std::vector<std::pair<QString, QString>> system_facts();

/// Version, facts and libraries as plain text, in English whatever the program speaks.
[[nodiscard]] QString bug_report_text();

} // namespace sparsight
