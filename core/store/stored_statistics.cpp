#include "store/stored_statistics.h"

#include "store/stored_pattern.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace sparsight {

std::string statistics_text(const PatternStatistics& statistics) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const Statistic& statistic : sparsight::statistics()) {
        const double value = statistic.of(statistics);
        if (statistic.is_integer)
            json[statistic.name] = static_cast<std::int64_t>(value);
        else
            json[statistic.name] = value;
    }
    return json.dump();
}

std::optional<PatternStatistics> parse_statistics(std::string_view text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto known = statistics();
    if (!json.is_object() || json.size() != known.size())
        return std::nullopt;
    PatternStatistics parsed;
    for (const Statistic& statistic : known) {
        const auto found = json.find(statistic.name);
        if (found == json.end() || !found->is_number())
            return std::nullopt;
        statistic.set(parsed, found->get<double>());
    }
    return parsed;
}

Result<PatternStatistics> matrix_statistics(Workspace& workspace, const MatrixRecord& matrix, int threads) {
    if (const auto kept = parse_statistics(matrix.statistics))
        return *kept;
    const auto pattern = load_pattern(workspace, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    const PatternStatistics computed = compute_statistics(*pattern, threads);
    // A workspace that can't be written is no error here: nothing is lost but time.
    (void)set_statistics(workspace, matrix.id, statistics_text(computed));
    return computed;
}

} // namespace sparsight
