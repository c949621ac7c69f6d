// What only sparse matrices have among the commands of sparsight-learn. Its main() adds them.
#pragma once

#include "learn/commands.h"

#include <memory>

namespace sparsight {

void add_reasons_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_transfer_command(CLI::App& app, Session& session, const LearningDomains& domains);

/// WACO's weights (.pth).
[[nodiscard]] std::unique_ptr<ForeignModels> published_weights_files();

} // namespace sparsight
