#include "workflow/learning/experiments/hardware_tuning.h"

#include "model/boosted_trees.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view tuning_kind = "experiment hardware: tuning";
constexpr std::array tuned_rules{MeasuringRule::Corrected, MeasuringRule::Plain, MeasuringRule::Scratch};

using Points = std::vector<std::pair<ExperimentRecord::Place, double>>;

MeasuringRule rule_of(std::string_view text) {
    return *std::ranges::find(tuned_rules, text, [](MeasuringRule rule) { return name(rule); });
}

// The steps of a tuning are two series: the steps of both are numbers of measurements.
std::string best_series(const std::string& of) {
    return of + "/best";
}
std::string spent_series(const std::string& of) {
    return of + "/spent";
}

std::string series_of(const TuningCell& cell) {
    return fmt::format("tuning/{}/{}/{}", cell.pair, cell.seed, cell.rule);
}

std::string series_of(std::size_t network, int seed, std::size_t task, std::string_view what) {
    return fmt::format("network/{}/{}/{}/{}", network, seed, task, what);
}

void add_steps(Points& points, const std::string& series, const std::vector<TuningStep>& steps) {
    for (const TuningStep& step : steps) {
        const auto place = static_cast<std::int64_t>(step.measurements);
        points.push_back({{best_series(series), place}, step.milliseconds});
        points.push_back({{spent_series(series), place}, step.spent});
    }
}

Json steps_json(const std::vector<TuningStep>& steps) {
    Json json = Json::array();
    for (const TuningStep& step : steps)
        json.push_back({step.measurements, step.milliseconds, step.spent});
    return json;
}

Json tuning_parameters(const HardwareRequest& request, const HardwareStudy& study,
                       const HardwareOutcome& outcome) {
    Json pairs = Json::array();
    for (const HardwarePair& pair : outcome.pairs)
        pairs.push_back({pair.setting, pair.workload, pair.machine});
    Json networks = Json::array();
    for (const NetworkTarget& network : study.networks) {
        Json layers = Json::array();
        for (const NetworkLayer& layer : network.layers)
            layers.push_back({layer.workload, layer.occurrences, layer.gflop});
        networks.push_back({network.network, network.machine, std::move(layers)});
    }
    return {{"pairs", std::move(pairs)},
            {"networks", std::move(networks)},
            {"tuning", request.tuning},
            {"significant", request.significant},
            {"seeds", request.seeds},
            {"seed", request.seed},
            {"data", fmt::format("{:016x}", digest_of(study.spaces, study.sheets))},
            {"layers", fmt::format("{:016x}", digest_of(study.layers, study.sheets))},
            {"environment", trees_environment(request.threads)}};
}

} // namespace

HardwareTuning::HardwareTuning(const HardwareRequest& request, const HardwareStudy& study)
    : request_(request)
    , study_(study) {
    if (request.tuning == 0)
        return;
    for (std::size_t network = 0; network < study.networks.size(); ++network)
        for (int seed = 1; seed <= request.seeds; ++seed)
            networks_.push_back({network, seed});
    for (std::size_t pair = 0; pair < study.targets.size(); ++pair)
        for (const MeasuringRule rule : tuned_rules)
            for (int seed = 1; seed <= (is_drawn(rule) ? request.seeds : 1); ++seed)
                cells_.push_back({pair, std::string(name(rule)), seed});
}

Result<HardwareTuning> HardwareTuning::claim(Workspace& workspace, const HardwareRequest& request,
                                             const HardwareStudy& study, const HardwareOutcome& outcome) {
    HardwareTuning tuning(request, study);
    if (tuning.all() == 0)
        return tuning;
    auto record = ExperimentRecord::claim(workspace, tuning_kind, tuning_parameters(request, study, outcome));
    if (!record)
        return std::unexpected(std::move(record).error());
    tuning.record_.emplace(*std::move(record));
    return tuning;
}

std::vector<TuningStep> HardwareTuning::steps_at(const std::string& series) const {
    std::vector<TuningStep> steps;
    const auto& points = record_->points();
    const std::string best = best_series(series);
    for (auto at = points.lower_bound({best, 0}); at != points.end() && at->first.first == best; ++at) {
        const std::int64_t place = at->first.second;
        const auto spent = points.find({spent_series(series), place});
        steps.push_back(
            {static_cast<std::size_t>(place), at->second, spent == points.end() ? 0 : spent->second});
    }
    return steps;
}

bool HardwareTuning::is_known(const TuningCell& cell) const {
    return !steps_at(series_of(cell)).empty();
}

bool HardwareTuning::is_known(const NetworkCell& cell) const {
    return !steps_at(series_of(cell.network, cell.seed, 0, "scratch")).empty();
}

std::uint64_t HardwareTuning::done() const {
    const auto known = [this](const auto& cell) { return is_known(cell); };
    return static_cast<std::uint64_t>(std::ranges::count_if(cells_, known)) +
           static_cast<std::uint64_t>(std::ranges::count_if(networks_, known));
}

Result<void> HardwareTuning::run(const HardwareOutcome& outcome, Observer& observer,
                                 const std::stop_token& stop, std::uint64_t before, std::uint64_t behind) {
    const auto show = [&](const std::string& stage) {
        observer.progress({.stage = stage, .done = before + done(), .total = before + all() + behind});
    };
    for (const NetworkCell& cell : networks_) {
        if (is_known(cell))
            continue;
        const NetworkTarget& target = study_.networks[cell.network];
        show(fmt::format("tuning {} on {}", target.network, target.machine));
        if (auto done = tune(cell, observer, stop); !done)
            return done;
    }
    for (const TuningCell& cell : cells_) {
        if (is_known(cell))
            continue;
        const HardwarePair& pair = outcome.pairs[cell.pair];
        show(fmt::format("tuning {} on {}: {}", pair.workload, pair.machine, cell.rule));
        if (auto done = tune(cell, outcome, observer, stop); !done)
            return done;
    }
    return {};
}

Result<void> HardwareTuning::tune(const TuningCell& cell, const HardwareOutcome& outcome, Observer& observer,
                                  const std::stop_token& stop) {
    const TransferTarget& target = study_.targets[cell.pair];
    MeasuringOptions options;
    options.seed = options.trees.seed = request_.seed + static_cast<std::uint64_t>(cell.seed) - 1;
    options.trees.threads = request_.threads;
    const auto order =
        measuring_order(target, rule_of(cell.rule), study_.sheets, request_.tuning, options, stop);
    if (!order)
        return std::unexpected(order.error());
    const std::vector<TuningStep> steps = tuning_steps(target.truth(), *order);
    Points points;
    add_steps(points, series_of(cell), steps);
    if (auto kept = record_->add(points); !kept)
        return kept;
    observer.event("tuning", tuning_json(outcome, cell, steps));
    return {};
}

Result<void> HardwareTuning::tune(const NetworkCell& cell, Observer& observer, const std::stop_token& stop) {
    const NetworkTarget& target = study_.networks[cell.network];
    NetworkTuningOptions options;
    options.measurements = request_.tuning;
    options.seed = request_.seed + static_cast<std::uint64_t>(cell.seed) - 1;
    options.trees.threads = options.measuring.trees.threads = request_.threads;
    const auto tunings = tune_network(target, study_.sheets, options, stop);
    if (!tunings)
        return std::unexpected(tunings.error());
    Points points;
    for (std::size_t task = 0; task < tunings->size(); ++task) {
        const NetworkTaskTuning& tuning = (*tunings)[task];
        const auto series = [&](std::string_view what) {
            return series_of(cell.network, cell.seed, task, what);
        };
        add_steps(points, series("scratch"), tuning.scratch);
        add_steps(points, series("transfer"), tuning.transfer);
        points.push_back({{series("unmeasured"), 0}, tuning.unmeasured});
        points.push_back({{series("chosen"), 0}, tuning.is_chosen ? 1.0 : 0.0});
    }
    if (auto kept = record_->add(points); !kept)
        return kept;
    observer.event("tuning", {{"network", target.network}, {"machine", target.machine}, {"seed", cell.seed}});
    return {};
}

std::vector<NetworkTaskTuning> HardwareTuning::tunings_of(const NetworkCell& cell) const {
    const auto& points = record_->points();
    std::vector<NetworkTaskTuning> tunings;
    for (std::size_t task = 0; task < study_.networks[cell.network].tasks.size(); ++task) {
        const auto series = [&](std::string_view what) {
            return series_of(cell.network, cell.seed, task, what);
        };
        const auto number = [&](std::string_view what) {
            const auto found = points.find({series(what), 0});
            return found == points.end() ? 0 : found->second;
        };
        tunings.push_back({.scratch = steps_at(series("scratch")),
                           .transfer = steps_at(series("transfer")),
                           .unmeasured = number("unmeasured"),
                           .is_chosen = number("chosen") > 0});
    }
    return tunings;
}

void HardwareTuning::read(HardwareOutcome& outcome) const {
    if (!record_)
        return;
    for (const TuningCell& cell : cells_)
        if (auto steps = steps_at(series_of(cell)); !steps.empty())
            outcome.tunings.emplace(cell, std::move(steps));
    for (const NetworkTarget& target : study_.networks) {
        NetworkTimes& network =
            outcome.networks.emplace_back(NetworkTimes{target.network,
                                                       target.source,
                                                       target.machine,
                                                       target.layers,
                                                       {target.missing.begin(), target.missing.end()},
                                                       target.significant,
                                                       {},
                                                       {}});
        for (const NetworkTask& task : target.tasks)
            network.tasks.push_back({task.layer, task.target.space.setting, task.target.truth().best()});
    }
    for (const NetworkCell& cell : networks_)
        if (is_known(cell))
            outcome.networks[cell.network].tunings.emplace(cell.seed, tunings_of(cell));
}

Json tuning_json(const HardwareOutcome& outcome, const TuningCell& cell,
                 const std::vector<TuningStep>& steps) {
    const HardwarePair& pair = outcome.pairs[cell.pair];
    return {{"space", pair.setting}, {"workload", pair.workload}, {"machine", pair.machine},
            {"rule", cell.rule},     {"seed", cell.seed},         {"steps", steps_json(steps)}};
}

Json network_json(const NetworkTimes& network) {
    Json layers = Json::array();
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
        layers.push_back({{"workload", network.layers[layer].workload},
                          {"occurrences", network.layers[layer].occurrences},
                          {"gflop", network.layers[layer].gflop},
                          {"is_significant", layer < network.significant}});
    Json tasks = Json::array();
    for (const NetworkTaskTimes& task : network.tasks)
        tasks.push_back({{"layer", task.layer}, {"space", task.setting}, {"best", task.best}});
    Json tunings = Json::array();
    for (const auto& [seed, of] : network.tunings) {
        Json list = Json::array();
        for (const NetworkTaskTuning& tuning : of)
            list.push_back({{"scratch", steps_json(tuning.scratch)},
                            {"transfer", steps_json(tuning.transfer)},
                            {"unmeasured", tuning.unmeasured},
                            {"is_chosen", tuning.is_chosen}});
        tunings.push_back({{"seed", seed}, {"tasks", std::move(list)}});
    }
    return {{"network", network.network},   {"source", network.source},    {"machine", network.machine},
            {"missing", network.missing},   {"layers", std::move(layers)}, {"tasks", std::move(tasks)},
            {"tunings", std::move(tunings)}};
}

} // namespace sparsight
