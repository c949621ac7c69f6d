// Measurements as users read them: with names, and beside fixed CSR on the same matrix, machine, operator,
// dense extent, protocol and number of threads.
#pragma once

#include "base/error.h"
#include "kernel/measurement.h"
#include "schedule/operator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct ResultRow {
    std::string matrix;
    std::string machine;
    Operator op = Operator::SpMM;
    std::int64_t dense = 0;
    std::string protocol;
    int threads = 0;      ///< of the schedule
    std::string schedule; ///< as it was written
    bool is_fixed_csr = false;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< absent where there is no time
    std::optional<double> spread_ms;
    std::optional<double> speedup_over_fixed_csr; ///< absent unless both were measured
    std::uint64_t bytes = 0;
    std::string reason;
    std::string measured; ///< UTC, ISO 8601

    bool operator==(const ResultRow&) const = default;
};

/// What is empty admits all.
struct ResultFilter {
    std::string matrix{};
    std::string machine{}; ///< name or fingerprint
    std::optional<Operator> op{};
    std::optional<std::int64_t> dense{};
    std::string protocol{};
    std::optional<int> threads{};

    bool operator==(const ResultFilter&) const = default;
};

/// As they were first recorded.
[[nodiscard]] Result<std::vector<ResultRow>> list_results(Workspace& workspace,
                                                          const ResultFilter& filter = {});

/// The protocols of all measurements, each once, in alphabetical order.
[[nodiscard]] Result<std::vector<std::string>> measured_protocols(Workspace& workspace);

} // namespace sparsight
