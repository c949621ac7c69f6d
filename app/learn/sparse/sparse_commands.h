// What sparsight-learn has for sparse matrices alone.
#pragma once

#include "learn/commands.h"

#include <memory>

namespace sparsight {

/// The domain with its learning, its commands and the weights that others published.
void add_sparse(Learner& learner);

[[nodiscard]] std::shared_ptr<DomainPart<AskedReasons>> make_sparse_reasons();
void add_transfer_command(CLI::App& app, Session& session, const LearningDomains& domains);

/// WACO's weights (.pth).
[[nodiscard]] std::unique_ptr<ForeignModels> published_weights_files();

} // namespace sparsight
