// What the About window and a bug report say about the program and the computer: libraries with their
// versions (as loaded, where a library can tell) and licences, and facts about the system. Nothing here names
// the user.
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

/// The libraries of the running program come first, then the libraries of its tests, which are marked as
/// such.
[[nodiscard]] std::vector<LibraryVersion> library_versions();

/// Facts as shown: name and value. Needs a QGuiApplication.
[[nodiscard]] std::vector<std::pair<QString, QString>> system_facts();

/// Version, facts and libraries as plain text, always in English, whatever language the program speaks.
[[nodiscard]] QString bug_report_text();

} // namespace sparsight
