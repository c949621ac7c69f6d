#include "evaluation/tuner_experiment.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

TunerResult result_of(const Json& json) {
    TunerResult result{.space = json.at("space").get<std::string>(),
                       .split = json.at("split").get<std::string>(),
                       .tuner = json.at("tuner").get<std::string>(),
                       .sample = json.at("sample").get<std::string>(),
                       .seed = json.at("seed").get<int>(),
                       .figures = {},
                       .curve = {}};
    for (const auto& [name, value] : json.items())
        if (value.is_number() && name != "seed")
            result.figures.emplace(name, value.get<double>());
    for (const Json& point : json.at("curve"))
        result.curve.emplace_back(point.at(0).get<std::int64_t>(), point.at(1).get<double>());
    return result;
}

std::vector<std::string> different(const std::vector<TunerResult>& results, std::string TunerResult::* part) {
    std::vector<std::string> names;
    for (const TunerResult& result : results)
        if (std::ranges::find(names, result.*part) == names.end())
            names.push_back(result.*part);
    return names;
}

bool is_of(const TunerResult& result, const TunerCase& of) {
    return result.split == of.split && result.tuner == of.tuner && result.sample == of.sample;
}

std::optional<double> figure_of(const TunerResult& result, std::string_view figure) {
    const auto found = result.figures.find(figure);
    return found == result.figures.end() ? std::nullopt : std::optional(found->second);
}

/// The figure of the same training with all data.
std::optional<double> figure_with_all(const TunerExperiment& experiment, const TunerResult& result,
                                      std::string_view figure) {
    for (const TunerResult& other : experiment.results)
        if (is_of(other, {result.split, result.tuner, std::string(all_data)}) &&
            other.space == result.space && other.seed == result.seed)
            return figure_of(other, figure);
    return std::nullopt;
}

using ResultValue = std::function<std::optional<double>(const TunerResult&)>;

std::optional<Estimate> mean_over(const TunerExperiment& experiment, const TunerCase& of,
                                  const ResultValue& value) {
    std::map<std::string, std::size_t> families;
    std::map<int, std::size_t> seeds;
    std::vector<CrossedValue> values;
    for (const TunerResult& result : experiment.results) {
        if (!is_of(result, of))
            continue;
        if (const auto found = value(result))
            values.push_back({.value = *found,
                              .family = families.emplace(result.space, families.size()).first->second,
                              .seed = seeds.emplace(result.seed, seeds.size()).first->second});
    }
    return values.empty() ? std::nullopt : std::optional(estimate_crossed(values));
}

} // namespace

std::vector<std::string> TunerExperiment::splits() const {
    return different(results, &TunerResult::split);
}
std::vector<std::string> TunerExperiment::tuners() const {
    return different(results, &TunerResult::tuner);
}
std::vector<std::string> TunerExperiment::samples() const {
    return different(results, &TunerResult::sample);
}

Result<TunerExperiment> parse_tuner_experiment(const Json& json) {
    try {
        TunerExperiment experiment;
        for (const Json& cell : json.at("cells"))
            experiment.results.push_back(result_of(cell));
        experiment.notes = json.at("notes").get<std::vector<std::string>>();
        return experiment;
    } catch (const std::exception& error) { // of nlohmann::json
        return fail(Fault::Internal, std::string("the experiment's answer can't be read: ") + error.what());
    }
}

std::optional<Estimate> mean_figure(const TunerExperiment& experiment, const TunerCase& of,
                                    std::string_view figure) {
    return mean_over(experiment, of, [&](const TunerResult& result) { return figure_of(result, figure); });
}

std::optional<Estimate> figure_change(const TunerExperiment& experiment, const TunerCase& of,
                                      std::string_view figure) {
    return mean_over(experiment, of, [&](const TunerResult& result) -> std::optional<double> {
        const auto value = figure_of(result, figure);
        const auto with_all = figure_with_all(experiment, result, figure);
        return value && with_all ? std::optional(*value - *with_all) : std::nullopt;
    });
}

std::optional<Estimate> share_saved(const TunerExperiment& experiment, const TunerCase& of,
                                    std::string_view figure) {
    return mean_over(experiment, of, [&](const TunerResult& result) -> std::optional<double> {
        const auto value = figure_of(result, figure);
        const auto with_all = figure_with_all(experiment, result, figure);
        return value && with_all && *with_all > 0 ? std::optional(1 - *value / *with_all) : std::nullopt;
    });
}

std::vector<std::pair<double, double>> mean_curve(const TunerExperiment& experiment, const TunerCase& of) {
    std::map<std::int64_t, std::pair<double, double>> sums; // and counts
    for (const TunerResult& result : experiment.results)
        if (is_of(result, of))
            for (const auto& [epoch, error] : result.curve) {
                sums[epoch].first += error;
                sums[epoch].second += 1;
            }
    std::vector<std::pair<double, double>> curve;
    for (const auto& [epoch, sum] : sums)
        curve.emplace_back(static_cast<double>(epoch), sum.first / sum.second);
    return curve;
}

} // namespace sparsight
