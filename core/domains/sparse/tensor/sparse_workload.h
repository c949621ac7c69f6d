// Matrices as workloads: their patterns as payloads, their statistics as plain vectors, and which of them are
// one matrix in different forms.
#pragma once

#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "study/workload.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

[[nodiscard]] std::shared_ptr<const Payload> payload_of(CsrPattern pattern);
/// Shares the pattern.
[[nodiscard]] std::shared_ptr<const Payload> payload_of(std::shared_ptr<const CsrPattern> pattern);
/// Of what payload_of() returned.
[[nodiscard]] const CsrPattern& pattern_of(const Payload& payload);

/// One number for each of statistics(), in their order. Models are trained on such vectors: length and order
/// are part of their checkpoints.
[[nodiscard]] std::vector<double> statistics_vector(const PatternStatistics& statistics);
/// Of what statistics_vector() returned.
[[nodiscard]] PatternStatistics pattern_statistics(std::span<const double> statistics);

/// Numbers that are the same for a pattern, its transpose, and both with rows and columns in any order and
/// with any number of empty ones among them, and hardly ever for others: how long rows and columns are. A
/// pattern that is resized as a picture has other rows; only its name tells that (name_stem()).
[[nodiscard]] std::vector<double> family_key(const PatternStatistics& statistics);

/// The name without what tells of a changed form: an end such as "_16x4_0", which WACO's resized matrices
/// have, and "_t", "_T" and "_transposed".
[[nodiscard]] std::string name_stem(std::string_view name);

} // namespace sparsight
