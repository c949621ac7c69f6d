#include "domains/blocks/exchange/prediction_table.h"

#include "base/text.h"
#include "domains/blocks/exchange/block_table.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr double iterations = 100;
constexpr std::size_t blocks_at_once = 1000;

/// Reads some blocks, and predicts those that can be read.
class TablePrediction {
public:
    TablePrediction(BlockTable table, std::string_view machine, const PredictCycles& predict,
                    PredictionTable& into)
        : table_(std::move(table))
        , predict_(predict)
        , into_(into) {
        into_.machine = machine;
        if (const auto found = std::ranges::find(table_.machines(), machine);
            found != table_.machines().end())
            column_ = static_cast<std::size_t>(found - table_.machines().begin());
    }

    [[nodiscard]] const BlockTable& table() const { return table_; }
    [[nodiscard]] bool is_over() const { return table_.is_over(); }

    [[nodiscard]] Result<void> some() {
        std::vector<MachineCode> codes;
        std::vector<std::size_t> places; // of these among all blocks
        while (codes.size() < blocks_at_once && !table_.is_over()) {
            auto row = table_.next();
            if (!row && table_.is_over())
                into_.failed.push_back(std::move(row).error());
            else if (!row)
                into_.blocks.push_back({table_.name(), std::unexpected(std::move(row).error())});
            if (!row || !*row)
                continue;
            places.push_back(into_.blocks.size());
            codes.push_back(std::move((*row)->code));
            into_.blocks.push_back(
                {(*row)->name, 0.0, column_ ? (*row)->cycles[*column_] : std::optional<double>()});
        }
        auto cycles = predict_(codes);
        if (!cycles)
            return std::unexpected(std::move(cycles).error());
        for (std::size_t at = 0; at < places.size(); ++at) {
            Result<double>& of = into_.blocks[places[at]].cycles;
            of = std::move((*cycles)[at]);
            if (of)
                *of *= iterations;
        }
        return {};
    }

private:
    BlockTable table_;
    const PredictCycles& predict_;
    PredictionTable& into_;
    std::optional<std::size_t> column_;
};

} // namespace

std::optional<PredictionErrors> PredictionTable::errors() const {
    std::vector<double> predicted;
    std::vector<double> measured;
    for (const PredictedBlock& block : blocks)
        if (block.cycles && block.measured) {
            predicted.push_back(*block.cycles);
            measured.push_back(*block.measured);
        }
    return prediction_errors(predicted, measured);
}

std::string PredictionTable::csv() const {
    std::string csv = "block_id,predicted,reason\n";
    for (const PredictedBlock& block : blocks)
        csv += block.cycles
                   ? fmt::format("{},{},\n", csv_field(block.name), *block.cycles)
                   : fmt::format("{},,{}\n", csv_field(block.name), csv_field(block.cycles.error().message));
    return csv;
}

std::string PredictionTable::errors_text() const {
    const auto found = errors();
    if (!found)
        return fmt::format("No block of the table is both predicted and measured on {}.\n", machine);
    return fmt::format("Mean error {:.1f} %, median {:.1f} %, Kendall tau {} on {} measured on {}.\n",
                       100 * found->mean, 100 * found->median,
                       found->kendall_tau ? fmt::format("{:.3f}", *found->kendall_tau) : "–",
                       counted(found->blocks, "block", "blocks"), machine);
}

Json PredictionTable::json() const {
    Json listed = Json::array();
    for (const PredictedBlock& block : blocks)
        listed.push_back({{"block_id", block.name},
                          {"predicted", block.cycles ? Json(*block.cycles) : Json()},
                          {"reason", block.cycles ? Json() : Json(block.cycles.error().message)}});
    Json of_errors;
    if (const auto found = errors())
        of_errors = {{"blocks", found->blocks},
                     {"mape", found->mean},
                     {"median", found->median},
                     {"kendall_tau", found->kendall_tau ? Json(*found->kendall_tau) : Json()}};
    return {{"blocks", std::move(listed)}, {"errors", std::move(of_errors)}};
}

Result<PredictionTable> predict_table(const std::filesystem::path& file, std::string_view machine,
                                      const PredictCycles& predict, Observer& observer,
                                      const std::stop_token& stop) {
    auto table = BlockTable::open(file);
    if (!table)
        return std::unexpected(std::move(table).error());
    PredictionTable result;
    TablePrediction prediction(*std::move(table), machine, predict, result);
    while (!prediction.is_over() && !stop.stop_requested()) {
        if (auto done = prediction.some(); !done)
            return std::unexpected(std::move(done).error());
        observer.show({.stage = "predicting",
                       .done = prediction.table().consumed(),
                       .total = prediction.table().total()});
    }
    result.is_stopped = stop.stop_requested();
    return result;
}

} // namespace sparsight
