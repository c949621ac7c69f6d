#include "learning/transfer/network_tuning.h"

#include "learning/transfer/corrected_copy.h"
#include "learning/transfer/decision_factors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t fewest_layers = 2;

std::set<std::string> machines_of(const std::vector<TimedSpace>& spaces, const Network& network) {
    std::set<std::string> machines;
    for (const TimedSpace& space : spaces)
        if (std::ranges::find(network.layers, space.workload, &NetworkLayer::workload) !=
            network.layers.end())
            for (const TimedColumn& column : space.columns)
                machines.insert(column.task);
    return machines;
}

std::vector<TransferTarget> spaces_on(const std::vector<TimedSpace>& spaces, std::string_view workload,
                                      const std::string& machine) {
    std::vector<TransferTarget> targets;
    for (const TimedSpace& space : spaces) {
        const auto column = std::ranges::find(space.columns, machine, &TimedColumn::task);
        if (space.workload != workload || column == space.columns.end())
            continue;
        const auto place = static_cast<std::size_t>(column - space.columns.begin());
        targets.push_back({space, place, sources_of(space, place)});
    }
    return targets;
}

} // namespace

std::vector<NetworkTarget> network_targets(const std::vector<TimedSpace>& spaces,
                                           std::span<const Network> networks, double share) {
    std::vector<NetworkTarget> targets;
    for (const Network& network : networks)
        for (const std::string& machine : machines_of(spaces, network)) {
            NetworkTarget target{network.name, network.source, machine};
            for (const std::size_t place : significant_layers(network.layers, 1)) {
                const NetworkLayer& layer = network.layers[place];
                const auto on = spaces_on(spaces, layer.workload, machine);
                if (on.empty()) {
                    target.missing.push_back(layer.workload);
                    continue;
                }
                for (const TransferTarget& task : on)
                    target.tasks.push_back({target.layers.size(), task});
                target.layers.push_back(layer);
            }
            target.significant = significant_layers(target.layers, share).size();
            if (target.layers.size() >= fewest_layers)
                targets.push_back(std::move(target));
        }
    return targets;
}

namespace {

/// The decisions of several spaces as numbers that mean the same in all of them.
class SharedDecisions {
public:
    explicit SharedDecisions(std::span<const NetworkTask> tasks) {
        for (const NetworkTask& task : tasks) {
            const TimedSpace& space = task.target.space;
            for (std::size_t decision = 0; decision < space.decisions.size(); ++decision)
                for (const std::string& value : space.values[decision])
                    add(space.decisions[decision], value);
        }
        for (auto& [name, column] : columns_) {
            column.first = width_;
            width_ += 1 + column.factors;
        }
    }

    [[nodiscard]] TreeRows rows(const TimedSpace& space, std::span<const std::size_t> configurations) const {
        TreeRows rows{width_, std::vector<float>(configurations.size() * width_, -1.0F), {}, {}};
        for (std::size_t row = 0; row < configurations.size(); ++row)
            for (std::size_t decision = 0; decision < space.decisions.size(); ++decision) {
                const auto& values = space.values[decision];
                const std::size_t choice = space.choices[configurations[row]][decision];
                if (choice < values.size())
                    write(columns_.at(space.decisions[decision]), values[choice],
                          std::span(rows.numbers).subspan(row * width_, width_));
            }
        return rows;
    }

private:
    struct Column {
        std::size_t first = 0;
        std::size_t factors = 0;
        std::map<std::string, float, std::less<>> names{}; ///< of values without factors
    };

    void add(const std::string& name, const std::string& value) {
        Column& column = columns_[name];
        const std::size_t count = decision_factors(value).size();
        column.factors = std::max(column.factors, count);
        if (count == 0) // beyond any number of factors
            column.names.emplace(value, 100.0F + static_cast<float>(column.names.size()));
    }

    /// How many factors the value has, or which of the names it is; then the factors.
    static void write(const Column& column, const std::string& value, std::span<float> row) {
        const std::vector<double> factors = decision_factors(value);
        row[column.first] =
            factors.empty() ? column.names.find(value)->second : static_cast<float>(factors.size());
        for (std::size_t factor = 0; factor < factors.size(); ++factor)
            row[column.first + 1 + factor] = static_cast<float>(factors[factor]);
    }

    std::map<std::string, Column> columns_;
    std::size_t width_ = 0;
};

std::vector<std::size_t> all_places(const TimedSpace& space) {
    std::vector<std::size_t> places(space.configurations.size());
    for (std::size_t place = 0; place < places.size(); ++place)
        places[place] = place;
    return places;
}

/// What was measured of a task, to learn from.
struct MeasuredTask {
    const NetworkTask* task = nullptr;
    std::vector<std::size_t> order;
};

class NetworkSearch {
public:
    NetworkSearch(const NetworkTarget& target, const KnownSheets& sheets, const NetworkTuningOptions& options,
                  const std::stop_token& stop)
        : target_(target)
        , sheets_(sheets)
        , options_(options)
        , stop_(stop)
        , decisions_(target.tasks) {
        options_.measuring.seed = options_.measuring.trees.seed = options.seed;
        options_.trees.seed = options.seed;
    }

    [[nodiscard]] Result<std::vector<NetworkTaskTuning>> run() {
        std::vector<NetworkTaskTuning> tunings;
        for (const NetworkTask& task : target_.tasks) {
            const auto scratch = measuring_order(task.target, MeasuringRule::Plain, sheets_,
                                                 options_.measurements, options_.measuring, stop_);
            if (!scratch)
                return std::unexpected(scratch.error());
            NetworkTaskTuning& tuning = tunings.emplace_back();
            tuning.scratch = tuning_steps(task.target.truth(), *scratch);
            if (task.layer >= target_.significant)
                if (auto done = choose(task, tuning); !done)
                    return std::unexpected(std::move(done).error());
            auto order = transferred_order(task, *scratch);
            if (!order)
                return std::unexpected(std::move(order).error());
            tuning.transfer = tuning_steps(task.target.truth(), *order);
            measured_.push_back({&task, *std::move(order)});
        }
        choose_templates(tunings);
        return tunings;
    }

private:
    /// Those of significant layers alone: what is chosen without a measurement has no others to learn from.
    [[nodiscard]] std::vector<const MeasuredTask*> measured_before(bool are_significant) const {
        std::vector<const MeasuredTask*> before;
        for (const MeasuredTask& measured : measured_)
            if (!are_significant || measured.task->layer < target_.significant)
                before.push_back(&measured);
        return before;
    }

    /// One for each configuration: the logarithm of its time over the best.
    [[nodiscard]] Result<std::vector<double>> learned_copy(const NetworkTask& task,
                                                           bool from_significant) const {
        std::vector<TreeRows> groups;
        for (const MeasuredTask* const measured : measured_before(from_significant)) {
            const TimedColumn& column = measured->task->target.truth();
            TreeRows& rows =
                groups.emplace_back(decisions_.rows(measured->task->target.space, measured->order));
            double best = std::numeric_limits<double>::infinity();
            double slowest = 0;
            for (const std::size_t i : measured->order)
                if (std::isfinite(column.milliseconds[i])) {
                    best = std::min(best, column.milliseconds[i]);
                    slowest = std::max(slowest, column.milliseconds[i]);
                }
            for (const std::size_t i : measured->order)
                rows.milliseconds.push_back(std::isfinite(column.milliseconds[i])
                                                ? column.milliseconds[i] / best
                                                : 2 * slowest / best);
            if (!std::isfinite(best))
                groups.pop_back();
        }
        if (groups.empty())
            return std::vector<double>(task.target.space.configurations.size(), 0.0);
        const auto trees = RowTrees::train(groups, options_.trees, stop_);
        if (!trees)
            return std::unexpected(trees.error());
        const int every_round = 0;
        const auto scores = trees->scores(decisions_.rows(task.target.space, all_places(task.target.space)),
                                          std::span(&every_round, 1));
        if (!scores)
            return std::unexpected(scores.error());
        std::vector<double> copy(scores->front().begin(), scores->front().end());
        const double lowest = std::ranges::min(copy);
        for (double& log : copy)
            log -= lowest;
        return copy;
    }

    [[nodiscard]] Result<std::vector<std::size_t>>
    transferred_order(const NetworkTask& task, const std::vector<std::size_t>& scratch) const {
        if (!task.target.sources.empty())
            return measuring_order(task.target, MeasuringRule::Corrected, sheets_, options_.measurements,
                                   options_.measuring, stop_);
        if (measured_.empty())
            return scratch;
        auto copy = learned_copy(task, false);
        if (!copy)
            return std::unexpected(std::move(copy).error());
        return order_on_prior(prior_on(task.target, *std::move(copy)), task.target.truth(), {},
                              options_.measurements, stop_);
    }

    [[nodiscard]] Result<void> choose(const NetworkTask& task, NetworkTaskTuning& tuning) const {
        const auto scores = task.target.sources.empty()
                                ? learned_copy(task, true)
                                : unmeasured_scores(task.target, UnmeasuredRule::Copy, sheets_, {}, stop_);
        if (!scores)
            return std::unexpected(scores.error());
        const TimedColumn& truth = task.target.truth();
        const double time = truth.milliseconds[best_tried(task.target, *scores)];
        tuning.unmeasured = std::isfinite(time) ? time : truth.slowest();
        return {};
    }

    /// The fastest of both in the first measured layer that has both; nothing where none has.
    [[nodiscard]] std::optional<bool> is_faster(const std::string& one, const std::string& other,
                                                const std::vector<NetworkTaskTuning>& tunings) const {
        for (std::size_t layer = 0; layer < target_.significant; ++layer) {
            std::array<std::optional<double>, 2> times;
            for (std::size_t i = 0; i < target_.tasks.size(); ++i) {
                const NetworkTask& task = target_.tasks[i];
                if (task.layer != layer || tunings[i].transfer.empty())
                    continue;
                if (task.target.space.setting == one)
                    times[0] = tunings[i].transfer.back().milliseconds;
                if (task.target.space.setting == other)
                    times[1] = tunings[i].transfer.back().milliseconds;
            }
            if (times[0] && times[1])
                return *times[0] < *times[1];
        }
        return std::nullopt;
    }

    void choose_templates(std::vector<NetworkTaskTuning>& tunings) const {
        std::map<std::size_t, std::size_t> chosen; // of each layer its task
        for (std::size_t i = 0; i < target_.tasks.size(); ++i) {
            const NetworkTask& task = target_.tasks[i];
            const auto [known, is_first] = chosen.emplace(task.layer, i);
            if (!is_first && is_faster(task.target.space.setting,
                                       target_.tasks[known->second].target.space.setting, tunings)
                                 .value_or(false))
                known->second = i;
        }
        for (std::size_t i = 0; i < tunings.size(); ++i)
            tunings[i].is_chosen = chosen.at(target_.tasks[i].layer) == i;
    }

    const NetworkTarget& target_;
    const KnownSheets& sheets_;
    NetworkTuningOptions options_;
    const std::stop_token& stop_;
    SharedDecisions decisions_;
    std::vector<MeasuredTask> measured_;
};

} // namespace

Result<std::vector<NetworkTaskTuning>> tune_network(const NetworkTarget& target, const KnownSheets& sheets,
                                                    const NetworkTuningOptions& options,
                                                    const std::stop_token& stop) {
    return NetworkSearch(target, sheets, options, stop).run();
}

} // namespace sparsight
