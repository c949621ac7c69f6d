// Which names tell of one matrix in another form.
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// The name without what tells of a changed form: an end such as "_16x4_0", which WACO's resized matrices
/// have, and "_t", "_T" and "_transposed".
[[nodiscard]] std::string name_stem(std::string_view name);

} // namespace sparsight
