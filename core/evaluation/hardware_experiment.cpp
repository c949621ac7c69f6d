#include "evaluation/hardware_experiment.h"

#include "study/student.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

/// Equal but for rounding.
constexpr double equal_regret = 1e-9;

HardwareTarget target_of(const Json& json) {
    return {.space = json.at("space").get<std::string>(),
            .workload = json.at("workload").get<std::string>(),
            .machine = json.at("machine").get<std::string>(),
            .configurations = json.at("configurations").get<std::size_t>(),
            .sources = json.at("sources").get<std::size_t>(),
            .best = json.at("best_ms").get<double>(),
            .headroom = json.at("median_over_best").get<double>(),
            .nearest = json.at("nearest").get<std::string>(),
            .distance = json.at("distance").get<double>(),
            .most_alike = json.at("most_alike").get<std::string>(),
            .tau = json.at("tau").get<double>()};
}

HardwareExperiment read(const Json& json) {
    HardwareExperiment experiment;
    for (const Json& pair : json.at("pairs"))
        experiment.targets.push_back(target_of(pair));
    for (const Json& pair : json.at("flat"))
        experiment.flat.push_back(target_of(pair));
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < experiment.targets.size(); ++i) {
        const HardwareTarget& target = experiment.targets[i];
        places[{target.space, target.workload, target.machine}] = i;
    }
    const auto place_of = [&](const Json& of) {
        return places.at({of.at("space").get<std::string>(), of.at("workload").get<std::string>(),
                          of.at("machine").get<std::string>()});
    };
    for (const Json& point : json.at("points"))
        experiment.points.push_back({.target = place_of(point),
                                     .rule = point.at("rule").get<std::string>(),
                                     .measurements = point.at("measurements").get<std::size_t>(),
                                     .seed = point.at("seed").get<int>(),
                                     .regret = point.at("regret").get<double>()});
    for (const Json& tuning : json.at("tunings"))
        experiment.tunings.push_back({.target = place_of(tuning),
                                      .rule = tuning.at("rule").get<std::string>(),
                                      .seed = tuning.at("seed").get<int>(),
                                      .steps = read_steps(tuning.at("steps"))});
    for (const Json& order : json.at("orders"))
        experiment.orders.push_back({.target = place_of(order),
                                     .is_without_kind = order.at("is_without_kind").get<bool>(),
                                     .seed = order.at("seed").get<int>(),
                                     .corrected = order.at("corrected").get<double>(),
                                     .source = order.at("source").get<double>()});
    for (const Json& network : json.at("networks"))
        experiment.networks.push_back(read_network(network));
    experiment.notes = json.at("notes").get<std::vector<std::string>>();
    return experiment;
}

/// Targets of one workload in one setting depend on each other: they are one family.
std::pair<std::string, std::string> family_of(const HardwareTarget& target) {
    return {target.space, target.workload};
}

/// On how many targets something holds.
class ShareCount {
public:
    void add(const HardwareTarget& target, bool holds) {
        families_.insert(family_of(target));
        share_.holding += holds ? 1 : 0;
        ++share_.targets;
    }
    [[nodiscard]] std::optional<HardwareShare> share() const {
        if (share_.targets == 0)
            return std::nullopt;
        HardwareShare share = share_;
        const ShareBounds bounds = wilson(share.value(), static_cast<double>(families_.size()));
        share.interval = {bounds.lowest, bounds.highest};
        return share;
    }

private:
    HardwareShare share_{};
    std::set<std::pair<std::string, std::string>> families_;
};

std::optional<Estimate> by_workload(const HardwareExperiment& experiment,
                                    const std::vector<std::optional<double>>& values,
                                    const SampleStatistic& statistic) {
    std::map<std::pair<std::string, std::string>, std::size_t> families;
    std::vector<SampledValue> sampled;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i])
            sampled.push_back(
                {.value = *values[i],
                 .family =
                     families.emplace(family_of(experiment.targets[i]), families.size()).first->second});
    if (sampled.empty())
        return std::nullopt;
    return estimate_by_family(sampled, statistic, Scale::Plain);
}

} // namespace

Result<HardwareExperiment> parse_hardware_experiment(const Json& json) {
    try {
        return read(json);
    } catch (const std::exception& error) { // of nlohmann::json, and a point of no pair
        return fail(Fault::Internal, std::string("the experiment's answer can't be read: ") + error.what());
    }
}

const std::vector<std::string>& unmeasured_rules() {
    static const std::vector<std::string> rules{"blend", "copy", "trees", "median", "nearest", "oracle"};
    return rules;
}

const std::vector<std::string>& unmeasured_baselines() {
    static const std::vector<std::string> rules{"median", "nearest", "oracle"};
    return rules;
}

const std::vector<std::string>& measuring_rules() {
    static const std::vector<std::string> rules{"corrected", "sources", "scratch", "random"};
    return rules;
}

std::string rule_title(std::string_view rule) {
    static const std::map<std::string_view, std::string_view> titles{
        {"blend", "copy, with trees on far machines"},
        {"copy", "copy weighted by sheets"},
        {"trees", "boosted trees with launch features"},
        {"median", "best median of other machines"},
        {"nearest", "best of the nearest by sheet"},
        {"oracle", "best of the most alike by τ (oracle)"},
        {"corrected", "corrected copy"},
        {"sources", "best of each source in turn"},
        {"scratch", "trees from scratch"},
        {"random", "random search"},
        {"plain", "same search without other machines"},
    };
    const auto found = titles.find(rule);
    return std::string(found == titles.end() ? rule : found->second);
}

HardwareExperiment of_workload(const HardwareExperiment& experiment, std::string_view space,
                               std::string_view workload) {
    const auto is_of_it = [&](const HardwareTarget& target) {
        return target.space == space && target.workload == workload;
    };
    HardwareExperiment part;
    part.notes = experiment.notes;
    part.created_by = experiment.created_by;
    std::vector<std::optional<std::size_t>> places(experiment.targets.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        if (is_of_it(experiment.targets[i])) {
            places[i] = part.targets.size();
            part.targets.push_back(experiment.targets[i]);
        }
    std::ranges::copy_if(experiment.flat, std::back_inserter(part.flat), is_of_it);
    for (HardwarePoint point : experiment.points)
        if (const auto place = places[point.target]) {
            point.target = *place;
            part.points.push_back(std::move(point));
        }
    for (WorkloadTuning tuning : experiment.tunings)
        if (const auto place = places[tuning.target]) {
            tuning.target = *place;
            part.tunings.push_back(std::move(tuning));
        }
    return part;
}

std::vector<std::size_t> measured_counts(const HardwareExperiment& experiment) {
    std::set<std::size_t> counts;
    for (const HardwarePoint& point : experiment.points)
        if (point.measurements > 0)
            counts.insert(point.measurements);
    return {counts.begin(), counts.end()};
}

std::vector<std::optional<double>> regrets_of(const HardwareExperiment& experiment, std::string_view rule,
                                              std::size_t measurements) {
    std::vector<double> sums(experiment.targets.size(), 0.0);
    std::vector<std::size_t> counts(sums.size(), 0);
    for (const HardwarePoint& point : experiment.points)
        if (point.rule == rule && point.measurements == measurements) {
            sums[point.target] += point.regret;
            ++counts[point.target];
        }
    std::vector<std::optional<double>> regrets(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (counts[i] > 0)
            regrets[i] = sums[i] / static_cast<double>(counts[i]);
    return regrets;
}

std::optional<Estimate> mean_regret(const HardwareExperiment& experiment, std::string_view rule,
                                    std::size_t measurements) {
    auto estimate = by_workload(experiment, regrets_of(experiment, rule, measurements), mean);
    if (estimate && estimate->interval) // no choice is faster than the best
        estimate->interval->low = std::max(estimate->interval->low, 0.0);
    return estimate;
}

std::vector<std::pair<double, double>> mean_progress(const HardwareExperiment& experiment,
                                                     std::string_view rule) {
    std::size_t longest = 0;
    double count = 0;
    for (const WorkloadTuning& tuning : experiment.tunings)
        if (tuning.rule == rule) {
            longest = std::max(longest, tuning.steps.back().measurements);
            ++count;
        }
    std::vector<std::pair<double, double>> progress;
    for (std::size_t measurements = 1; measurements <= longest; ++measurements) {
        double sum = 0;
        for (const WorkloadTuning& tuning : experiment.tunings)
            if (tuning.rule == rule)
                sum += step_within(tuning.steps, measurements).milliseconds /
                           experiment.targets[tuning.target].best -
                       1;
        progress.emplace_back(static_cast<double>(measurements), sum / count);
    }
    return progress;
}

std::optional<TuningSaving> tuning_saving(const HardwareExperiment& experiment,
                                          std::string_view scratch_rule) {
    const std::vector<TargetSaving> savings = target_savings(experiment.tunings, scratch_rule);
    if (savings.empty())
        return std::nullopt;
    std::vector<std::optional<double>> measurements(experiment.targets.size());
    std::vector<std::optional<double>> times(measurements.size());
    std::vector<double> scratch;
    std::vector<double> transfer;
    TuningSaving saving{.targets = savings.size(), .measurements = {}, .time = {}};
    for (const TargetSaving& target : savings) {
        measurements[target.target] = target.measurements;
        times[target.target] = target.time;
        scratch.push_back(target.scratch);
        transfer.push_back(target.transfer);
        saving.reached += target.is_reached ? 1 : 0;
        saving.mostly_saved += target.measurements >= most_saved ? 1 : 0;
    }
    saving.scratch = median(scratch);
    saving.transfer = median(transfer);
    saving.measurements = *by_workload(experiment, measurements, median);
    saving.time = *by_workload(experiment, times, median);
    for (Estimate* const estimate : {&saving.measurements, &saving.time})
        if (estimate->interval) // no more than all can be saved
            estimate->interval->high = std::min(estimate->interval->high, 1.0);
    return saving;
}

std::vector<OrderEstimate> order_estimates(const HardwareExperiment& experiment, bool is_without_kind) {
    std::vector<OrderEstimate> estimates;
    std::vector<std::size_t> machines; // of each target; several may be of one machine
    std::map<std::string, std::size_t> places;
    const auto over_machines = [&](const std::vector<double>& values) {
        std::vector<SampledValue> sampled;
        for (std::size_t i = 0; i < values.size(); ++i)
            sampled.push_back({.value = values[i], .family = machines[i]});
        return estimate_by_family(sampled, mean, Scale::Plain);
    };
    const auto estimate = [](std::size_t target, const std::vector<double>& corrected,
                             const std::vector<double>& source) {
        std::vector<double> differences(corrected.size());
        std::ranges::transform(corrected, source, differences.begin(), std::minus{});
        return OrderEstimate{target, bootstrap(corrected, mean), bootstrap(source, mean),
                             bootstrap(differences, mean)};
    };
    std::vector<double> all_corrected;
    std::vector<double> all_source;
    for (std::size_t target = 0; target < experiment.targets.size(); ++target) {
        std::vector<double> corrected;
        std::vector<double> source;
        for (const HardwareOrder& order : experiment.orders)
            if (order.target == target && order.is_without_kind == is_without_kind) {
                corrected.push_back(order.corrected);
                source.push_back(order.source);
            }
        if (corrected.empty())
            continue;
        estimates.push_back(estimate(target, corrected, source));
        all_corrected.push_back(mean(corrected));
        all_source.push_back(mean(source));
        machines.push_back(places.emplace(experiment.targets[target].machine, places.size()).first->second);
    }
    if (estimates.empty())
        return estimates;
    std::vector<double> differences(all_corrected.size());
    std::ranges::transform(all_corrected, all_source, differences.begin(), std::minus{});
    estimates.push_back(
        {std::nullopt, over_machines(all_corrected), over_machines(all_source), over_machines(differences)});
    return estimates;
}

std::optional<HardwareShare> share_within(const HardwareExperiment& experiment, std::string_view rule,
                                          std::string_view other, std::size_t measurements, double factor) {
    const auto regrets = regrets_of(experiment, rule, measurements);
    const auto others = regrets_of(experiment, other, measurements);
    ShareCount count;
    for (std::size_t i = 0; i < regrets.size(); ++i)
        if (regrets[i] && others[i])
            count.add(experiment.targets[i], *regrets[i] <= factor * *others[i] + equal_regret);
    return count.share();
}

std::optional<HardwareShare> share_below(const HardwareExperiment& experiment, std::string_view rule,
                                         std::size_t measurements, double limit, bool is_far) {
    const auto regrets = regrets_of(experiment, rule, measurements);
    ShareCount count;
    for (std::size_t i = 0; i < regrets.size(); ++i)
        if (regrets[i] && experiment.targets[i].is_far() == is_far)
            count.add(experiment.targets[i], *regrets[i] <= limit);
    return count.share();
}

} // namespace sparsight
