// The files that both experiments with a new machine write.
#pragma once

#include "command/session.h"
#include "domains/sparse/explanation/pages/transfer_experiment.h"

#include <CLI/CLI.hpp>
#include <string>

namespace sparsight {

/// Their names; empty: not asked for.
struct TransferFiles {
    std::string markdown;
    std::string csv;
    std::string figure;
    std::string report;
};

/// --markdown, --csv, --figure and --report. The names must live as long as the command.
void add_transfer_files(CLI::App& command, TransferFiles& files);
[[nodiscard]] Result<void> write_transfer_files(const Session& session, const TransferFiles& files,
                                                const TransferExperiment& experiment);

} // namespace sparsight
