// Compares machines by the known times of one workload: what it costs to copy the fastest configuration from
// one to another, and how alike their orders are.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "evaluation/machine_matrix.h"
#include "study/domain.h"
#include "workflow/chosen_setting.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct MachineComparisonRequest {
    std::string workload{};              ///< empty: the only one that has times
    std::vector<std::string> machines{}; ///< names or fingerprints; empty: all that have times
    SettingChoice setting{};             ///< empty: the one in which most machines have times
};

/// The times of one machine; of one of its conditions, where it has several.
struct ComparedMachine {
    std::string name;  ///< of the machine
    std::string label; ///< the same, with the condition where there are several: "Titan_RTX (run=hub_bat)"
    std::string fingerprint;
    std::string condition;
    std::string protocol;
    int threads = 1;
    std::int64_t tried = 0; ///< configurations
    std::int64_t ran = 0;   ///< of these, those with a time
    double best_ms = 0;
    std::string best;   ///< the fastest configuration
    std::string family; ///< of the configuration

    bool operator==(const ComparedMachine&) const = default;
};

struct MachineComparison {
    std::string workload;
    Setting setting;
    std::vector<ComparedMachine> machines;   ///< similar ones together; at least two
    MachineMatrix matrix;                    ///< in the same order
    std::vector<std::string> configurations; ///< MachinePair::copied counts in these
    std::vector<std::string> notes;          ///< sentences: what is left out, and why
};

/// Errors (Input): an unknown workload, machine or setting; times of fewer than two machines; Cancelled.
[[nodiscard]] Result<MachineComparison> compare_machines(Workspace& workspace, const Domain& domain,
                                                         const MachineComparisonRequest& request,
                                                         const std::stop_token& stop = {});

/// The figures of a pair that a picture or a table shows.
enum class MachineFigure { Slowdown, KendallTau, PairAccuracy };
/// "slowdown", "tau", "accuracy".
[[nodiscard]] std::string_view name(MachineFigure figure);
[[nodiscard]] std::optional<MachineFigure> parse_machine_figure(std::string_view text);
[[nodiscard]] std::optional<double> figure_of(const MachinePair& pair, MachineFigure figure);

/// What copying costs in the median, and at worst.
[[nodiscard]] std::string comparison_sentence(const Domain& domain, const MachineComparison& comparison);
/// The sentence, a table of the figure with a row for each machine that is copied to, and a table of the
/// machines.
[[nodiscard]] std::string comparison_text(const Domain& domain, const MachineComparison& comparison,
                                          MachineFigure figure);
/// {"workload", parts of the setting, "sentence", "notes", "machines", "pairs"}, in the domain's words.
[[nodiscard]] Json comparison_json(const Domain& domain, const MachineComparison& comparison);
/// A line for each pair of machines.
[[nodiscard]] std::string comparison_csv(const Domain& domain, const MachineComparison& comparison);

} // namespace sparsight
