// What a network is, apart from its weights.
#pragma once

#include "matrix/statistics.h"
#include "model/schedule_layout.h"
#include "model/standardisation.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sparsight {

enum class Architecture {
    /// WACO's: sparse convolutions over the pattern (Won, Mendis, Emer, Amarasinghe: WACO, ASPLOS 2023).
    WacoNet,
    /// A multilayer perceptron over the pattern's statistics instead of the convolutions.
    StatisticsNet,
};

/// "waconet", "statistics".
[[nodiscard]] std::string_view name(Architecture architecture);
[[nodiscard]] std::optional<Architecture> parse_architecture(std::string_view text);

inline constexpr int embedding_width = 128; ///< of matrices and of schedules
inline constexpr int last_layer_width = 64; ///< of what the predictor's last layer reads

struct NetworkDescription {
    Architecture architecture = Architecture::WacoNet;
    ScheduleLayout schedules;
    /// Of matrix_numbers(architecture, …).
    Standardisation standardisation;
    /// Whether the description of a machine (machine_features.h) is an input.
    bool machine = false;
    /// Whether a perceptron 128 → 64 → 1 ("head") narrows the matrix embedding to one number before the
    /// predictor, as in the third-party meta_model.pth.
    bool narrowed = false;

    bool operator==(const NetworkDescription&) const = default;
};

/// What the standardisation is of: for WACONet rows, columns and non-zeros as they are; for StatisticsNet
/// every statistic of matrix/statistics.h, sizes and counts as log(1 + x).
[[nodiscard]] std::vector<double> matrix_numbers(Architecture architecture,
                                                 const PatternStatistics& statistics);

} // namespace sparsight
