// Forms that OSACA's tables of Sandy Bridge and Ivy Bridge lack, or do not tell apart.
#pragma once

#include "domains/blocks/tables/instruction_cost.h"

namespace sparsight {

/// By the names of osaca_form_names(). They stand before those of the table.
[[nodiscard]] InstructionCosts osaca_defaults();

} // namespace sparsight
