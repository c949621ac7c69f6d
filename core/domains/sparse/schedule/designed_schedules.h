// The schedules that somebody who knows sparse kernels would try first: a few hundred, for any extents.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"

#include <vector>

namespace sparsight {

/// Of these designs every combination of a few splits, formats and chunks; canonical, valid, parallel over
/// i1, no two of one meaning, fixed CSR not among them. They depend on nothing but the arguments, so that a
/// search knows them wherever nothing was measured yet:
/// - panels of rows, one row after the other, as CSR is gone through, in chunks of different sizes;
/// - blocks of rows, all of a block's rows inside each of its columns, so that what belongs to a column is
///   loaded once for all of them (register blocking: Im and Yelick, "Optimizing sparse matrix computations
///   for register reuse in SPARSITY", 2001);
/// - panels of rows cut into panels of columns, whose rows of B stay in a cache (cache blocking: Nishtala,
///   Vuduc, Demmel and Yelick, "When cache blocking of sparse matrix vector multiply works and why", 2007);
/// - all of these in strips of the dense index, where there is one outside A.
[[nodiscard]] std::vector<SuperSchedule> designed_schedules(Operator op, const Extents& extents, int threads);

} // namespace sparsight
