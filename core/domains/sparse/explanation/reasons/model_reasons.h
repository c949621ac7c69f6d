// Why a model prefers one schedule to another on a matrix: all results of `sparsight-learn reasons`, as
// plain values for any kind of output.
#pragma once

#include "base/error.h"
#include "evaluation/model_reasons/anchor_reason.h"
#include "evaluation/model_reasons/last_layer.h"
#include "evaluation/model_reasons/nearest_points.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// How patterns were changed.
enum class PatternDraws : std::uint8_t {
    /// The statistics of known matrices, except those in the rule, which are fixed: for models that read
    /// only statistics.
    Statistics,
    /// Whole patterns, known ones and changed forms of the explained one: those with the predicates.
    Matrices,
};
/// "statistics", "matrices".
[[nodiscard]] std::string_view name(PatternDraws draws);
[[nodiscard]] std::optional<PatternDraws> parse_pattern_draws(std::string_view text);

/// The rule, and what the changed cases of matrices and machines were drawn from.
struct SparseAnchorReason : AnchorReason {
    PatternDraws pattern_draws{};
    std::int64_t patterns = 0; ///< that statistics, or whole patterns, were drawn from
    std::int64_t machines = 0; ///< that machines were drawn from; 0: the model reads none

    bool operator==(const SparseAnchorReason&) const = default;
};

/// What its reasons call a schedule and a pattern, in JSON and in texts.
[[nodiscard]] const SubjectWords& sparse_subject_words();

/// What is varied to see how a model's preference moves, beside how the times do.
enum class VariedKind : std::uint8_t {
    Decision,  ///< of the schedule; the other one stays
    Statistic, ///< of the pattern, set alone: there is no such matrix, so no time
    Pattern,   ///< the pattern itself, with all its statistics
    Machine,   ///< a parameter of the machine
};
/// "decision", "statistic", "pattern", "machine".
[[nodiscard]] std::string_view name(VariedKind kind);
[[nodiscard]] std::optional<VariedKind> parse_varied_kind(std::string_view text);

enum class TimeOrigin : std::uint8_t { Simulated, Measured };
/// "simulated", "measured".
[[nodiscard]] std::string_view name(TimeOrigin origin);
[[nodiscard]] std::optional<TimeOrigin> parse_time_origin(std::string_view text);

/// The times of two schedules; absent: unknown, or the schedule can't be built.
struct PairTimes {
    std::optional<double> schedule_ms{};
    std::optional<double> against_ms{};
    TimeOrigin origin{};

    bool operator==(const PairTimes&) const = default;

    /// log2(against / schedule): above 0 where the schedule is the faster one.
    [[nodiscard]] std::optional<double> log2_gain() const;
};

struct SensitivityPoint {
    std::string value{};            ///< for people: "16", "compressed"
    std::optional<double> number{}; ///< where the value is one
    bool is_present = false;        ///< as it is in the explained case
    /// Score of `against` less that of the schedule: above 0 where the model prefers the schedule.
    double margin = 0;
    PairTimes times{};
    std::string schedule{}; ///< VariedKind::Decision: the one at this point, in WACO's form

    bool operator==(const SensitivityPoint&) const = default;
};

/// Two points that the model puts in the wrong order. Points with equal scores have no order.
struct MisorderedPair {
    std::size_t better = 0; ///< place of the point with the larger real gain
    std::size_t worse = 0;  ///< place of the one that the model prefers to it
    double factor = 1;      ///< between both gains, above 1

    bool operator==(const MisorderedPair&) const = default;
};

struct SensitivityCurve {
    VariedKind kind{};
    std::string key{}; ///< "chunk", "row_length_gini", "thinned", "cores"
    std::string title{};
    std::string unit{};
    bool is_read = true;                    ///< whether the model reads it at all
    std::vector<SensitivityPoint> points{}; ///< numbers ascending
    /// Kendall's τ of margins and gains over the points with times; absent with fewer than two different
    /// values of each.
    std::optional<double> kendall_tau{};
    std::optional<MisorderedPair> widest{}; ///< where the curves differ most; absent: nowhere
    std::int64_t with_times = 0;            ///< points
    std::int64_t wrong_sides = 0;           ///< of these, those where the model prefers the slower schedule
    double swing = 0;                       ///< largest less smallest margin

    bool operator==(const SensitivityCurve&) const = default;
};

/// Computes the figures of a curve from its points. Gains that differ by less than the factor count as equal.
void compare_curves(SensitivityCurve& curve, double equal_factor = 1.01);

struct SensitivityReason {
    std::vector<SensitivityCurve> curves{}; ///< the largest difference between prediction and reality first
    bool complete = true;                   ///< false: the budget was over before

    bool operator==(const SensitivityReason&) const = default;
};

/// The space of the Euclidean distances to training data.
enum class ReasonSpace : std::uint8_t {
    Embedding,  ///< the network's embedding of a matrix, or of a schedule
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
    /// Simulated on NearestReason::simulated_on where one of both was not measured there. Absent also where
    /// its storage would be too large.
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

/// The matrices and schedules of the training data that are nearest to the explained ones.
struct NearestReason {
    ReasonSpace space{};
    std::int64_t trained = 0; ///< matrices that were compared: learned from, and their patterns are here
    std::int64_t missing = 0; ///< learned from, but not in the workspace
    bool is_trained = false;  ///< whether the model learned from the explained matrix
    Distances matrix_distances{};
    std::vector<NearestMatrix> matrices{}; ///< the nearest first; never the explained one itself
    std::int64_t schedules = 0;            ///< different ones that were compared
    Distances schedule_distances{};
    Distances against_distances{};
    std::vector<NearestSchedule> schedule{}; ///< near the schedule; itself among them where it was measured
    std::vector<NearestSchedule> against{};  ///< near the other one, likewise
    std::string machine{};                   ///< machine of the runtimes
    std::string simulated_on{};              ///< the machine of simulated times; empty: this computer

    bool operator==(const NearestReason&) const = default;
};

/// A cell of the density picture that holds entries.
struct SaliencyCell {
    std::int64_t row = 0; ///< of the grid
    std::int64_t column = 0;
    std::int64_t entries = 0;
    /// The drop of the margin without the cell's entries: above 0 where they favour the schedule, below 0
    /// for the other one. Absent: the budget was used up before.
    std::optional<double> support{};

    bool operator==(const SaliencyCell&) const = default;
};

/// The parts of a pattern that move the preference of a model.
struct SaliencyReason {
    /// The edges of the grid's rows and columns, ascending, one more than there are cells, in rows and
    /// columns of the matrix.
    std::vector<std::int64_t> row_edges{};
    std::vector<std::int64_t> column_edges{};
    double margin = 0; ///< of the whole pattern: score of `against` less that of the schedule
    /// The share of a cell's entries that is removed: 1, or less where all of them are in one cell.
    double removed_share = 1;
    std::vector<SaliencyCell> cells{}; ///< by row, then column
    bool complete = true;              ///< false: the budget was over before

    bool operator==(const SaliencyReason&) const = default;
};

enum class ReasonPart : std::uint8_t { Anchors, Sensitivity, Nearest, Uncertainty, Saliency };
inline constexpr std::array all_reason_parts{ReasonPart::Anchors, ReasonPart::Sensitivity,
                                             ReasonPart::Nearest, ReasonPart::Uncertainty,
                                             ReasonPart::Saliency};
/// "anchors", "sensitivity", "nearest", "uncertainty", "saliency".
[[nodiscard]] std::string_view name(ReasonPart part);
[[nodiscard]] std::optional<ReasonPart> parse_reason_part(std::string_view text);
/// The same; an error (Fault::Input) says which parts there are.
[[nodiscard]] Result<ReasonPart> read_reason_part(std::string_view text);

/// A requested part without a result.
struct MissingReason {
    ReasonPart part{};
    std::string why{}; ///< a sentence without the full stop

    bool operator==(const MissingReason&) const = default;
};

struct ModelReasons {
    std::string model{};
    std::string architecture{}; ///< "waconet", "statistics", "trees"
    std::string op{};           ///< "spmm"
    std::int64_t dense = 256;   ///< 1 for SpMV
    std::string matrix{};
    std::string machine{}; ///< empty: this computer, which the workspace does not know
    std::uint64_t seed = 1;
    bool reads_machine = false;
    std::string schedule{};    ///< in WACO's form, canonical
    std::string against{};     ///< likewise
    double schedule_score = 0; ///< lower is faster; only the difference of both has a meaning
    double against_score = 0;
    PairTimes times{}; ///< measured on the machine where they are known there, otherwise simulated
    std::optional<SparseAnchorReason> anchors{};
    std::optional<SensitivityReason> sensitivity{};
    std::optional<NearestReason> nearest{};
    std::optional<UncertaintyReason> uncertainty{};
    std::optional<SaliencyReason> saliency{};
    std::vector<MissingReason> missing{};

    bool operator==(const ModelReasons&) const = default;

    /// Above 0 where the model prefers the schedule.
    [[nodiscard]] double margin() const { return against_score - schedule_score; }
    /// Whether it prefers the faster schedule; absent where no times are known.
    [[nodiscard]] std::optional<bool> is_right() const;
};

} // namespace sparsight
