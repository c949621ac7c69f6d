// What a model took a matrix and a schedule for: the nearest ones that it was trained on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Where distances are Euclidean ones.
enum class ReasonSpace : std::uint8_t {
    Embedding,  ///< what the network makes of a matrix, or of a schedule
    Statistics, ///< of matrices: statistics, or of schedules: decisions, each in its standard deviations
};
/// "embedding", "statistics".
[[nodiscard]] std::string_view name(ReasonSpace space);
[[nodiscard]] std::optional<ReasonSpace> parse_reason_space(std::string_view text);

struct NearestMatrix {
    std::string name{};
    double distance = 0;
    /// Score of `against` less that of the schedule on this matrix.
    double margin = 0;
    // As known on the machine, or on the first one that the model learned from; absent: never measured.
    std::optional<double> schedule_ms{};
    std::optional<double> against_ms{};
    // Where one of both was not measured there: simulated on NearestReason::simulated_on. Absent also where
    // its storage would be too large.
    std::optional<double> simulated_schedule_ms{};
    std::optional<double> simulated_against_ms{};
    std::optional<double> best_ms{};
    std::string best_schedule{}; ///< in WACO's form; empty: nothing was measured

    bool operator==(const NearestMatrix&) const = default;
};

struct NearestSchedule {
    std::string schedule{}; ///< in WACO's form
    double distance = 0;
    std::int64_t matrices = 0; ///< on which it was measured
    /// Median over them of fixed CSR's time over its own; absent where fixed CSR was not measured.
    std::optional<double> median_speedup{};

    bool operator==(const NearestSchedule&) const = default;
};

/// How far off something is, against how far apart those that were trained on are.
struct Distances {
    std::optional<double> nearest{}; ///< from the explained one; absent: nothing to compare with
    /// From each trained one to the nearest other one: half of them are nearer, and 95 % are.
    std::optional<double> typical{};
    std::optional<double> far{};

    bool operator==(const Distances&) const = default;

    /// Farther off than nearly all that it was trained on are from each other.
    [[nodiscard]] bool is_outside() const { return nearest && far && *nearest > *far; }
};

struct NearestReason {
    ReasonSpace space{};
    std::int64_t trained = 0; ///< matrices that were compared: learned from, and their patterns are here
    std::int64_t missing = 0; ///< learned from, but not in the workspace
    bool is_trained = false;  ///< the explained matrix is one of those that were learned from
    Distances matrix_distances{};
    std::vector<NearestMatrix> matrices{}; ///< the nearest first; never the explained one itself
    std::int64_t schedules = 0;            ///< different ones that were compared
    Distances schedule_distances{};
    Distances against_distances{};
    std::vector<NearestSchedule> schedule{}; ///< near the schedule; itself among them where it was measured
    std::vector<NearestSchedule> against{};  ///< near the other one, likewise
    std::string machine{};                   ///< whose runtimes are told
    std::string simulated_on{};              ///< the machine of simulated times; empty: this computer

    bool operator==(const NearestReason&) const = default;
};

} // namespace sparsight
