// The program's name, id and version, and its translations.
#pragma once

#include <QString>

class QCoreApplication;

namespace sparsight {

/// The id that the desktop file, metainfo, icon and settings share.
inline constexpr const char* application_id = "io.github.sparsight.Sparsight";

[[nodiscard]] QString application_name();    ///< "Sparsight"
[[nodiscard]] QString application_version(); ///< "0.1.0"
/// What it is for, as a sentence without a subject: "Finds the fastest way …".
[[nodiscard]] QString application_summary();

/// Installs the translations of Qt's texts (dialog buttons) and ours for the system's locale; without a
/// translation the program is in English. Call it before the first text is shown.
void install_translations(QCoreApplication& application);

} // namespace sparsight
