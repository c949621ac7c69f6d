// How far a tuning is: all that it needs to go on after it was stopped or killed.
#pragma once

#include "base/error.h"
#include "domains/blocks/learning/surrogate/surrogate_learning.h"
#include "domains/blocks/tuning/parameter_verdicts.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct TuningState {
    SurrogateState surrogate{}; ///< of the methods that have one
    SimulatorTable table;       ///< as the search has it
    SimulatorTable best;        ///< by the validation blocks
    double best_error = 0;
    double first_error = 0;  ///< of the parameters that it began from
    std::size_t steps = 0;   ///< rounds, or classes over all sweeps
    std::size_t changes = 0; ///< of the sweep
    bool is_learned = false; ///< the verdicts remain
    std::vector<JudgedParameter> judged{};
    std::size_t classes_judged = 0; ///< with the processor
};

/// `identity` tells what is tuned and how.
[[nodiscard]] Result<void> save_tuning(const std::filesystem::path& path, const TuningState& state,
                                       const SimulatorTable& original, const std::string& identity);
/// Absent: there is no such file. Errors (Input): it is damaged, or of another tuning. `like` has the names
/// and shapes of the network; empty where there is none.
[[nodiscard]] Result<std::optional<TuningState>> load_tuning(const std::filesystem::path& path,
                                                             const std::string& identity,
                                                             const SimulatorTable& original,
                                                             std::span<const NamedShape> like);

} // namespace sparsight
