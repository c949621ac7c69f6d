#include "learning/transfer/timed_space.h"

#include "learning/decisions/decision_input.h"
#include "learning/transfer/decision_factors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace sparsight {
namespace {

constexpr double untried = std::numeric_limits<double>::quiet_NaN();
const double failure_log = std::log(2.0); ///< beyond the slowest that ran

std::vector<double> finite(const std::vector<double>& milliseconds) {
    std::vector<double> ran;
    std::ranges::copy_if(milliseconds, std::back_inserter(ran),
                         [](double time) { return std::isfinite(time); });
    return ran;
}

} // namespace

double TimedColumn::best() const {
    double best = std::numeric_limits<double>::infinity();
    for (const double time : milliseconds)
        if (time < best)
            best = time;
    return best;
}

double TimedColumn::slowest() const {
    double slowest = 0;
    for (const double time : milliseconds)
        if (std::isfinite(time))
            slowest = std::max(slowest, time);
    return slowest;
}

double TimedColumn::median() const {
    std::vector<double> ran = finite(milliseconds);
    if (ran.empty())
        return 0;
    const auto middle = ran.begin() + static_cast<std::ptrdiff_t>(ran.size() / 2);
    std::ranges::nth_element(ran, middle);
    return *middle;
}

bool TimedColumn::was_tried(std::size_t configuration) const {
    return !std::isnan(milliseconds[configuration]);
}

double TimedColumn::regret(std::size_t configuration) const {
    const double time = milliseconds[configuration];
    return (std::isfinite(time) ? time : slowest()) / best() - 1;
}

std::vector<double> TimedColumn::relative_logs() const {
    const double least = std::log(best());
    const double failed = std::log(std::max(slowest(), best())) - least + failure_log;
    std::vector<double> logs;
    logs.reserve(milliseconds.size());
    for (const double time : milliseconds)
        logs.push_back(std::isnan(time) ? untried : std::isfinite(time) ? std::log(time) - least : failed);
    return logs;
}

namespace {

/// Mean 0 and deviation 1; false where all are equal.
bool standardise(std::vector<double>& column) {
    const auto count = static_cast<double>(column.size());
    double mean = 0;
    for (const double number : column)
        mean += number / count;
    double squares = 0;
    for (double& number : column) {
        number -= mean;
        squares += number * number;
    }
    const double deviation = std::sqrt(squares / count);
    if (deviation < 1e-9)
        return false;
    for (double& number : column)
        number /= deviation;
    return true;
}

/// Of each factor its number for every value; empty where a value has none, or another number of them.
std::vector<std::vector<double>> numbers_of(const std::vector<std::string>& values) {
    std::vector<std::vector<double>> numbers;
    for (const std::string& value : values) {
        const std::vector<double> factors = decision_factors(value);
        if (factors.empty() || (!numbers.empty() && factors.size() != numbers.size()))
            return {};
        numbers.resize(factors.size());
        for (std::size_t factor = 0; factor < factors.size(); ++factor)
            numbers[factor].push_back(factors[factor]);
    }
    for (auto& of : numbers)
        if (std::ranges::all_of(of, [](double number) { return number > 0; }))
            std::ranges::transform(of, of.begin(), [](double number) { return std::log2(number); });
    return numbers;
}

} // namespace

TimedSpace::Surface TimedSpace::response_surface() const {
    std::vector<std::vector<double>> main;
    std::vector<std::vector<double>> columns_of_surface;
    const auto keep = [&](std::vector<double> column, std::vector<std::vector<double>>& kept) {
        if (standardise(column))
            kept.push_back(std::move(column));
    };
    for (std::size_t decision = 0; decision < values.size(); ++decision) {
        const std::size_t size = values[decision].size();
        if (size < 2)
            continue;
        auto numbers = numbers_of(values[decision]);
        for (auto& of : numbers) {
            of.push_back(of.front()); // of those that do not make the decision
            std::vector<double> column;
            for (const auto& row : choices)
                column.push_back(of[row[decision]]);
            keep(std::move(column), main);
        }
        if (!numbers.empty())
            continue;
        for (std::size_t value = 0; value < size; ++value) {
            std::vector<double> column;
            for (const auto& row : choices)
                column.push_back(row[decision] == value ? 1 : 0);
            keep(std::move(column), columns_of_surface);
        }
    }
    for (std::size_t one = 0; one < main.size(); ++one)
        for (std::size_t other = one; other < main.size(); ++other) {
            std::vector<double> product(main[one].size());
            std::ranges::transform(main[one], main[other], product.begin(), std::multiplies{});
            keep(std::move(product), columns_of_surface);
        }
    std::ranges::move(main, std::back_inserter(columns_of_surface));
    const std::size_t width = columns_of_surface.size();
    Surface surface{width, std::vector<float>(configurations.size() * width)};
    const double share = 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(width, 1)));
    for (std::size_t column = 0; column < width; ++column)
        for (std::size_t row = 0; row < configurations.size(); ++row)
            surface.numbers[row * width + column] =
                static_cast<float>(columns_of_surface[column][row] * share);
    return surface;
}

TimedSpace::Surface TimedSpace::value_surface() const {
    std::vector<std::vector<double>> chosen;
    std::map<std::string, std::vector<double>> counts;
    std::map<std::string, int> decisions_with;
    for (std::size_t decision = 0; decision < values.size(); ++decision)
        for (std::size_t value = 0; value < values[decision].size(); ++value) {
            std::vector<double>& count = counts[values[decision][value]];
            count.resize(choices.size());
            ++decisions_with[values[decision][value]];
            std::vector<double> column;
            for (std::size_t row = 0; row < choices.size(); ++row) {
                column.push_back(choices[row][decision] == value ? 1 : 0);
                count[row] += column.back();
            }
            if (standardise(column))
                chosen.push_back(std::move(column));
        }
    std::vector<std::vector<double>> shared;
    for (auto& [value, count] : counts)
        if (decisions_with[value] > 1 && standardise(count))
            shared.push_back(std::move(count));
    const std::size_t width = chosen.size() + shared.size();
    Surface surface{width, std::vector<float>(configurations.size() * width)};
    std::size_t at = 0;
    for (const auto* const block : {&chosen, &shared})
        for (const std::vector<double>& column : *block) {
            const double share = 1 / std::sqrt(2 * static_cast<double>(block->size()));
            for (std::size_t row = 0; row < configurations.size(); ++row)
                surface.numbers[row * width + at] = static_cast<float>(column[row] * share);
            ++at;
        }
    return surface;
}

std::vector<float> TimedSpace::decision_numbers() const {
    std::vector<std::vector<float>> read(values.size());
    for (std::size_t decision = 0; decision < values.size(); ++decision) {
        const auto& of = values[decision];
        const bool are_numbers = std::ranges::all_of(
            of, [](const std::string& value) { return decision_number(value).has_value(); });
        for (std::size_t place = 0; place < of.size(); ++place)
            read[decision].push_back(
                static_cast<float>(are_numbers ? *decision_number(of[place]) : static_cast<double>(place)));
        read[decision].push_back(-1); // the configuration does not make this decision
    }
    std::vector<float> numbers;
    numbers.reserve(configurations.size() * values.size());
    for (const auto& row : choices)
        for (std::size_t decision = 0; decision < values.size(); ++decision)
            numbers.push_back(read[decision][row[decision]]);
    return numbers;
}

bool is_flat(const TimedColumn& column) {
    return column.median() < column.best() * (1 + flat_below);
}

namespace {

void read_decisions(TimedSpace& space, const ConfigurationCodec& codec) {
    std::vector<std::vector<DecisionValue>> made;
    std::map<std::string, std::set<std::string>> seen;
    for (const Configuration& configuration : space.configurations) {
        made.push_back(codec.decisions(configuration));
        for (const DecisionValue& each : made.back())
            seen[each.key].insert(each.value);
    }
    for (auto& [name, values] : seen) {
        space.decisions.push_back(name);
        space.values.emplace_back(values.begin(), values.end());
    }
    for (const auto& row : made) {
        std::vector<std::uint16_t> places;
        for (const auto& of : space.values)
            places.push_back(static_cast<std::uint16_t>(of.size()));
        for (const DecisionValue& each : row) {
            const auto decision = static_cast<std::size_t>(
                std::ranges::lower_bound(space.decisions, each.key) - space.decisions.begin());
            const auto& of = space.values[decision];
            places[decision] =
                static_cast<std::uint16_t>(std::ranges::lower_bound(of, each.value) - of.begin());
        }
        space.choices.push_back(std::move(places));
    }
}

TimedSpace space_of(const TaskSet& set, std::size_t workload) {
    TimedSpace space;
    space.setting = set.setting.text;
    space.workload = set.workloads[workload].name;
    std::vector<std::pair<const Task*, const WorkloadRuntimes*>> timed;
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            if (runtimes.workload == workload) {
                timed.emplace_back(&task, &runtimes);
                std::ranges::copy(runtimes.configurations, std::back_inserter(space.configurations));
            }
    std::ranges::sort(space.configurations);
    const auto repeated = std::ranges::unique(space.configurations);
    space.configurations.erase(repeated.begin(), repeated.end());
    std::unordered_map<Configuration, std::size_t> places;
    for (std::size_t place = 0; place < space.configurations.size(); ++place)
        places.emplace(space.configurations[place], place);
    for (const auto& [task, runtimes] : timed) {
        TimedColumn column{task->machine, task->machine_name(),
                           std::vector<double>(space.configurations.size(), untried)};
        for (std::size_t i = 0; i < runtimes->configurations.size(); ++i)
            column.milliseconds[places.at(runtimes->configurations[i])] = runtimes->milliseconds[i];
        if (std::isfinite(column.best()))
            space.columns.push_back(std::move(column));
    }
    return space;
}

} // namespace

TimedSpace timed_space(const TaskSet& set, const ConfigurationCodec& codec, std::size_t workload) {
    TimedSpace space = space_of(set, workload);
    read_decisions(space, codec);
    return space;
}

std::vector<TimedSpace> timed_spaces(const TaskSet& set, const ConfigurationCodec& codec,
                                     std::size_t fewest) {
    std::vector<TimedSpace> spaces;
    for (std::size_t workload = 0; workload < set.workloads.size(); ++workload) {
        TimedSpace space = space_of(set, workload);
        std::set<std::string> machines;
        for (const TimedColumn& column : space.columns)
            machines.insert(column.machine);
        if (machines.size() < fewest)
            continue;
        read_decisions(space, codec);
        spaces.push_back(std::move(space));
    }
    return spaces;
}

namespace {

constexpr double fewest_shared = 1.0 / 3;

/// Of each configuration of `of` those of `other` that agree with it in all decisions of `of`; empty where
/// `other` lacks one of these.
std::vector<std::vector<std::size_t>> agreeing(const TimedSpace& of, const TimedSpace& other) {
    std::vector<std::size_t> places;
    for (const std::string& decision : of.decisions) {
        const auto found = std::ranges::lower_bound(other.decisions, decision);
        if (found == other.decisions.end() || *found != decision)
            return {};
        places.push_back(static_cast<std::size_t>(found - other.decisions.begin()));
    }
    const auto value = [](const TimedSpace& space, std::size_t row, std::size_t decision) {
        const auto& values = space.values[decision];
        const std::size_t choice = space.choices[row][decision];
        return choice < values.size() ? values[choice] : std::string();
    };
    std::map<std::vector<std::string>, std::vector<std::size_t>> rows;
    std::vector<std::string> key(places.size());
    for (std::size_t row = 0; row < other.configurations.size(); ++row) {
        for (std::size_t i = 0; i < places.size(); ++i)
            key[i] = value(other, row, places[i]);
        rows[key].push_back(row);
    }
    std::vector<std::vector<std::size_t>> agreeing;
    for (std::size_t row = 0; row < of.configurations.size(); ++row) {
        for (std::size_t i = 0; i < places.size(); ++i)
            key[i] = value(of, row, i);
        const auto found = rows.find(key);
        agreeing.push_back(found == rows.end() ? std::vector<std::size_t>() : found->second);
    }
    return agreeing;
}

TimedColumn kin_of(const TimedColumn& column, const std::vector<std::vector<std::size_t>>& rows,
                   const std::string& workload) {
    TimedColumn kin{column.task + ", " + workload, column.machine, {}};
    for (const auto& agreeing : rows) {
        double best = untried;
        for (const std::size_t row : agreeing)
            if (column.was_tried(row) && !(best <= column.milliseconds[row]))
                best = column.milliseconds[row];
        kin.milliseconds.push_back(best);
    }
    return kin;
}

} // namespace

void add_kin(std::vector<TimedSpace>& spaces) {
    for (TimedSpace& space : spaces)
        for (const TimedSpace& other : spaces) {
            if (&space == &other)
                continue;
            const auto rows = agreeing(space, other);
            if (rows.empty())
                continue;
            for (const TimedColumn& column : other.columns) {
                TimedColumn kin = kin_of(column, rows, other.workload);
                const auto known = static_cast<double>(
                    std::ranges::count_if(kin.milliseconds, [](double time) { return !std::isnan(time); }));
                if (known >= fewest_shared * static_cast<double>(rows.size()) && std::isfinite(kin.best()))
                    space.kin.push_back(std::move(kin));
            }
        }
}

std::vector<std::size_t> sources_of(const TimedSpace& space, std::size_t target) {
    std::vector<std::size_t> sources;
    for (std::size_t column = 0; column < space.columns.size(); ++column)
        if (space.columns[column].machine != space.columns[target].machine)
            sources.push_back(column);
    return sources;
}

} // namespace sparsight
