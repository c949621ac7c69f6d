// The description of a network apart from its weights: its architecture, the input made from schedules, and
// the names, shapes and initial values of its tensors.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/statistics.h"
#include "model/networks/encoder.h"
#include "study/configuration.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// How the schedules of an operator become the input of a network: its embedding tables.
enum class ScheduleTables {
    /// WACO's: 17 categories for the splits of A's indices, 8 for the dense one, 9 for the chunk (SDDMM: 6);
    /// the parallel loop for SDDMM only. Larger splits and chunks take the last category.
    Waco,
    /// Every category of schedule/encoding.h and the parallel loop.
    Full,
};

struct ScheduleLayout {
    Operator op = Operator::SpMM;
    ScheduleTables tables = ScheduleTables::Waco;
    /// The operator of the tables. It may be another operator with as many loops if the network was trained
    /// so: the third-party weights read SpMM schedules, place by place, with the network of SDDMM.
    Operator network = Operator::SpMM;

    bool operator==(const ScheduleLayout&) const = default;
};

[[nodiscard]] inline ScheduleLayout schedule_layout(Operator op, ScheduleTables tables) {
    return {op, tables, op};
}

struct CategoryTable {
    std::string name; ///< as in WACO's weights: "isplit", "formatk0", "paridx", "parchunk"
    int categories = 0;
};

/// A split for each of indices(op), a format for each of level_names(op), the parallel loop if it is an
/// input, the chunk.
[[nodiscard]] std::vector<CategoryTable> category_tables(const ScheduleLayout& layout);

struct ScheduleBatch {
    std::size_t count = 0;
    std::vector<std::int64_t> categories; ///< [count, category_tables(layout).size()]
    std::vector<float> orders;            ///< [count, loop_count²]: the matrices of ScheduleEncoding::order
};

/// The schedules must be valid schedules of layout.op. Schedules that mean the same have the same numbers.
/// WACO's own encoding does not ensure that, and its published weights lose up to 0.01 of their ordered pair
/// accuracy here (SDDMM; 0.003 for SpMM, nothing for SpMV).
[[nodiscard]] ScheduleBatch encode_batch(const ScheduleLayout& layout,
                                         std::span<const SuperSchedule> schedules);
/// The same of configurations.
[[nodiscard]] ScheduleBatch encode_batch(const ScheduleLayout& layout,
                                         std::span<const Configuration> configurations);

enum class Architecture {
    /// WACO's: sparse convolutions over the pattern (Won, Mendis, Emer, Amarasinghe: WACO, ASPLOS 2023).
    WacoNet,
    /// A multilayer perceptron over the pattern's statistics instead of the convolutions.
    StatisticsNet,
};

/// "waconet", "statistics".
[[nodiscard]] std::string_view name(Architecture architecture);
[[nodiscard]] std::optional<Architecture> parse_architecture(std::string_view text);

struct NetworkDescription {
    Architecture architecture = Architecture::WacoNet;
    ScheduleLayout schedules;
    /// The standardisation of matrix_numbers(architecture, …).
    Standardisation standardisation;
    /// Whether the description of a machine (encoder.h) is an input.
    bool machine = false;
    /// Whether a perceptron 128 → 64 → 1 ("head") narrows the matrix embedding to one number before the
    /// predictor, as in the third-party meta_model.pth.
    bool narrowed = false;

    bool operator==(const NetworkDescription&) const = default;
};

/// The numbers of a matrix that are standardised: for WACONet rows, columns and non-zeros as they are; for
/// StatisticsNet every statistic of domains/sparse/tensor/statistics.h, sizes and counts as log(1 + x).
[[nodiscard]] std::vector<double> matrix_numbers(Architecture architecture,
                                                 const PatternStatistics& statistics);

/// Every tensor of the network, in the order of WACO's weights and with their names.
[[nodiscard]] std::vector<NetworkParameter> parameters(const NetworkDescription& network);
[[nodiscard]] std::vector<NamedShape> parameter_shapes(const NetworkDescription& network);

/// The same on every machine for a seed.
[[nodiscard]] std::vector<NamedArray> initial_weights(const NetworkDescription& network, std::uint64_t seed);

/// How a model of this network, or trees over schedules of this operator, are described: keys and values are
/// part of checkpoints.
[[nodiscard]] ModelArchitecture describe(const NetworkDescription& network);
[[nodiscard]] ModelArchitecture describe_trees(Operator op);
/// Errors (Fault::Input) name the field that is wrong.
[[nodiscard]] Result<NetworkDescription> read_network(const ModelArchitecture& architecture);
/// A gray box (model/networks/gray_box.h): the setting that it simulates, and the standardisation of
/// matrix_numbers(Architecture::StatisticsNet, …).
struct GrayBoxDescription {
    SparseSetting setting;
    Standardisation standardisation;
};
[[nodiscard]] ModelArchitecture describe(const GrayBoxDescription& box);
[[nodiscard]] Result<GrayBoxDescription> read_gray_box(const ModelArchitecture& architecture);
/// Of a network, a gray box or trees; errors likewise.
[[nodiscard]] Result<Operator> read_model_operator(const ModelArchitecture& architecture);

} // namespace sparsight
