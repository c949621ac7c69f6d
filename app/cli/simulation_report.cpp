#include "cli/simulation_report.h"

#include "base/plural.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

std::string_view words_of(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::GaveUp:
        return "were given up as far too slow";
    case MeasurementStatus::TooLarge:
        return "would have been too large to store";
    case MeasurementStatus::Mismatch:
        return "had a wrong result";
    case MeasurementStatus::Measured:
    case MeasurementStatus::Failed:
        break;
    }
    return "failed";
}

} // namespace

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

Json without_pattern_json(std::span<const UnreadPattern> matrices) {
    Json json = Json::array();
    for (const auto& [matrix, reason] : matrices)
        json.push_back({{"matrix", matrix}, {"reason", reason.message}});
    return json;
}

Json left_out_json(const LeftOutRuns& runs) {
    Json json = Json::object();
    for (const auto& [status, count] : runs.without_time)
        json[std::string(name(status))] = count;
    if (runs.too_short > 0)
        json["too short"] = runs.too_short;
    return json;
}

void remark_on_left_out(const Session& session, std::span<const UnreadPattern> matrices,
                        const LeftOutRuns& runs) {
    constexpr std::size_t most_named = 5;
    std::vector<std::string> names;
    for (const UnreadPattern& each : matrices.first(std::min(most_named, matrices.size())))
        names.push_back(each.matrix);
    if (matrices.size() > most_named)
        names.push_back(fmt::format("{} more", matrices.size() - most_named));
    if (!names.empty())
        session.remark(fmt::format("without {} whose pattern can't be read ({}): {}",
                                   counted(matrices.size(), "matrix", "matrices"), fmt::join(names, ", "),
                                   matrices.front().reason.message));
    std::vector<std::string> reasons;
    for (const auto& [status, count] : runs.without_time)
        reasons.push_back(fmt::format("{} {}", count, words_of(status)));
    if (runs.too_short > 0)
        reasons.push_back(fmt::format("{} took less than a microsecond", runs.too_short));
    if (!reasons.empty())
        session.remark(fmt::format("without {} that have no time to compare with: {}",
                                   counted(runs.count(), "run", "runs"), fmt::join(reasons, ", ")));
}

} // namespace sparsight
