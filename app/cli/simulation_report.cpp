#include "cli/simulation_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

Json quality_json(const SimulationQuality& quality) {
    return {{"kendall_tau", quality.kendall_tau},
            {"ordered_pair_accuracy", quality.ordered_pair_accuracy},
            {"best_quarter",
             {{"kendall_tau", quality.best_quarter_tau},
              {"ordered_pair_accuracy", quality.best_quarter_accuracy}}},
            {"regret",
             {{"1", quality.top_1_regret - 1},
              {"5", quality.top_5_regret - 1},
              {"20", quality.top_20_regret - 1}}},
            {"median_error", quality.median_error}};
}

Table quality_table(std::string first_title) {
    return Table({{std::move(first_title)},
                  {"Kendall τ", Align::Right},
                  {"ordered pairs", Align::Right},
                  {"τ best ¼", Align::Right},
                  {"regret of 1", Align::Right},
                  {"of 5", Align::Right},
                  {"of 20", Align::Right},
                  {"median error", Align::Right}});
}

void add_quality(Table& table, std::string of, const SimulationQuality& quality) {
    const auto regret = [](double factor) { return fmt::format("{:.1f} %", 100 * (factor - 1)); };
    table.add_row({std::move(of), fmt::format("{:.3f}", quality.kendall_tau),
                   fmt::format("{:.3f}", quality.ordered_pair_accuracy),
                   fmt::format("{:.3f}", quality.best_quarter_tau), regret(quality.top_1_regret),
                   regret(quality.top_5_regret), regret(quality.top_20_regret),
                   fmt::format("×{:.2f}", quality.median_error)});
}

} // namespace sparsight
