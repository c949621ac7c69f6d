// What the program is called, for files, settings and people.
#pragma once

#include <QString>

class QCoreApplication;

namespace sparsight {

/// The id that desktop file, metainfo, icon and settings share.
inline constexpr const char* application_id = "io.github.sparsight.Sparsight";

[[nodiscard]] QString application_name();    ///< "Sparsight"
[[nodiscard]] QString application_version(); ///< "0.1.0"

// The program in the user's language, where there is a translation.

/// For the locale of the system: the texts of Qt (dialog buttons) and ours. Without a translation the program
/// speaks English. To be called before the first text is shown.
void install_translations(QCoreApplication& application);

} // namespace sparsight
