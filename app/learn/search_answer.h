// What a search says of a matrix: for programs and for people.
#pragma once

#include "command/session.h"
#include "workflow/learning/search/matrix_choice.h"

#include <string>

namespace sparsight {

/// Without the map.
[[nodiscard]] Json choice_json(const std::string& matrix, const MatrixChoice& choice);
[[nodiscard]] Json map_json(const SearchMap& map);
[[nodiscard]] std::string choice_text(const std::string& matrix, const MatrixChoice& choice);

} // namespace sparsight
