// What the families share, and the families themselves; only core/matrix/generators includes it.
#pragma once

#include "domains/sparse/tensor/generators/generator.h"

namespace sparsight {

Generator uniform_generator();
Generator banded_generator();
Generator multi_diagonal_generator();
Generator stencil_2d_generator();
Generator stencil_3d_generator();
Generator block_diagonal_generator();
Generator scattered_blocks_generator();
Generator power_law_generator();
Generator kronecker_generator();
Generator row_skewed_generator();
Generator arrow_generator();
Generator hyper_sparse_generator();
Generator pruned_random_generator();
Generator pruned_n_m_generator();
Generator pruned_block_generator();
Generator attention_window_generator();
Generator attention_dilated_generator();
Generator attention_strided_generator();
Generator attention_longformer_generator();
Generator attention_bigbird_generator();

/// "rows" and "cols", as most families have them.
Parameter rows_parameter(double default_value);
Parameter cols_parameter(double default_value);
/// A square matrix's "size".
Parameter size_parameter(double default_value);
/// A share between 0 and 1.
Parameter share_parameter(std::string_view name, std::string_view description, double default_value);
Parameter switch_parameter(std::string_view name, std::string_view description, bool default_value);

/// Refuses (Limit) what would have too many entries, or too many rows. Takes double so that no product of
/// sizes can overflow on the way.
Result<void> refuse_above_limits(double rows, double entries);

} // namespace sparsight
