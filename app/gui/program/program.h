// What the program is called, for files, settings and people.
#pragma once

#include <QString>

namespace sparsight {

/// The id that desktop file, metainfo, icon and settings share.
inline constexpr const char* application_id = "io.github.sparsight.Sparsight";

[[nodiscard]] QString application_name();    ///< "Sparsight"
[[nodiscard]] QString application_version(); ///< "0.1.0"

} // namespace sparsight
