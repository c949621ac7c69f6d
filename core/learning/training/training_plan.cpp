#include "learning/training/training_plan.h"

#include "base/names.h"
#include "base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

/// Options as (name, value), once for writing and once for reading.
template <typename Options, typename Visitor>
void visit_options(Options& options, Visitor&& visit) {
    visit("method", options.method);
    visit("loss", options.loss);
    visit("epochs", options.epochs);
    visit("schedules_per_matrix", options.configurations_per_workload);
    visit("rate", options.rate);
    visit("rate_schedule", options.rate_schedule);
    visit("weight_decay", options.weight_decay);
    visit("longest_gradient", options.longest_gradient);
    visit("inner_steps", options.inner.steps);
    visit("inner_rate", options.inner.rate);
    visit("support_matrices", options.support_workloads);
    visit("query_matrices", options.query_workloads);
    visit("tasks_per_step", options.tasks_per_step);
    visit("workloads_per_step", options.workloads_per_step);
    visit("patience", options.patience);
    visit("seed", options.seed);
}

template <typename Value>
Json written(const Value& value) {
    if constexpr (std::is_enum_v<Value>)
        return name(value);
    else
        return value;
}

template <typename Value>
std::optional<Value> parse_name(std::string_view text) {
    if constexpr (std::is_same_v<Value, Method>)
        return parse_method(text);
    else if constexpr (std::is_same_v<Value, Loss>)
        return parse_loss(text);
    else
        return parse_rate_schedule(text);
}

template <typename Value>
constexpr std::array<Value, 0> choices{};
template <>
constexpr std::array choices<Method>{Method::Supervised, Method::Maml,    Method::Fomaml, Method::Reptile,
                                     Method::Anil,       Method::MetaSgd, Method::Report, Method::ClosedForm};
template <>
constexpr std::array choices<Loss>{Loss::PairwiseMargin,  Loss::PairwiseLogistic, Loss::ListMle,
                                   Loss::LogSquaredError, Loss::RelativeError,    Loss::TopPairs};
template <>
constexpr std::array choices<RateSchedule>{RateSchedule::Constant, RateSchedule::Cosine};

/// "constant or cosine"; of a number, one like what it is now.
template <typename Value>
std::string expected_instead_of(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        std::string text;
        for (const Value choice : choices<Value>) {
            if (!text.empty())
                text += choice == choices<Value>.back() ? " or " : ", ";
            text += name(choice);
        }
        return text;
    } else {
        return "a value like " + written(value).dump();
    }
}

/// Whether the value could be read.
template <typename Value>
bool read(const Json& json, Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        const auto parsed = json.is_string() ? parse_name<Value>(json.get<std::string>()) : std::nullopt;
        value = parsed.value_or(value);
        return parsed.has_value();
    } else if constexpr (std::is_floating_point_v<Value>) {
        if (json.is_number())
            value = json.get<Value>();
        return json.is_number();
    } else {
        // get<int>() alone would wrap what does not fit.
        const bool fits = json.is_number_unsigned()
                              ? std::in_range<Value>(json.get<std::uint64_t>())
                              : json.is_number_integer() && std::in_range<Value>(json.get<std::int64_t>());
        if (fits)
            value = json.get<Value>();
        return fits;
    }
}

std::unexpected<Error> wrong(std::string_view option, const Json& value, std::string_view expected) {
    return fail(Fault::Input, fmt::format("{} is {}; expected {}", option, value.dump(), expected));
}

} // namespace

constexpr Names<RateSchedule, 2> rate_schedule_names{
    {{RateSchedule::Constant, "constant"}, {RateSchedule::Cosine, "cosine"}}};

std::string_view name(RateSchedule schedule) {
    return name_in(rate_schedule_names, schedule);
}

std::optional<RateSchedule> parse_rate_schedule(std::string_view text) {
    return value_in(rate_schedule_names, text);
}

bool TrainingOptions::operator==(const TrainingOptions& other) const {
    return to_json(*this) == to_json(other);
}

Result<void> check(const TrainingOptions& options) {
    std::optional<Error> defect;
    const auto expect = [&](bool holds, std::string_view option, const Json& value,
                            std::string_view expected) {
        if (!holds && !defect)
            defect = wrong(option, value, expected).error();
    };
    visit_options(options, [&](std::string_view option, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_floating_point_v<Value>) {
            const bool may_be_zero = option == "weight_decay" || option == "longest_gradient";
            expect(std::isfinite(value) && (value > 0 || (may_be_zero && value == 0)), option, value,
                   may_be_zero ? "0 or a positive number" : "a positive number");
        } else if constexpr (std::is_same_v<Value, int>) {
            const int least = option == "patience" || option == "epochs" ? 0
                              : option == "schedules_per_matrix"         ? 2
                                                                         : 1;
            expect(value >= least, option, value, fmt::format("at least {}", least));
        }
    });
    if (defect)
        return std::unexpected(*defect);
    return {};
}

std::string to_json(const TrainingOptions& options) {
    Json json;
    visit_options(options,
                  [&](std::string_view option, const auto& value) { json[option] = written(value); });
    return json.dump();
}

Result<TrainingOptions> parse_training_options(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return fail(Fault::Input, "the options of a training run are not a JSON object");
    TrainingOptions options;
    std::size_t known = 0;
    std::optional<Error> defect;
    visit_options(options, [&](std::string_view option, auto& value) {
        const auto found = json.find(option);
        if (found == json.end())
            return;
        ++known;
        if (!read(*found, value) && !defect)
            defect = wrong(option, *found, expected_instead_of(value)).error();
    });
    if (defect)
        return std::unexpected(*defect);
    if (known != json.size())
        for (const auto& [option, value] : json.items())
            if (!Json::parse(to_json(options)).contains(option))
                return fail(Fault::Input, fmt::format("'{}' is no option of a training run", option));
    if (auto checked = check(options); !checked)
        return std::unexpected(checked.error());
    return options;
}

double rate_of_epoch(const TrainingOptions& options, int epoch) {
    if (options.rate_schedule == RateSchedule::Constant)
        return options.rate;
    const double done = static_cast<double>(epoch) / options.epochs;
    return options.rate * (1 + std::cos(std::numbers::pi * done)) / 2;
}

namespace {

/// Labels of independent streams of random numbers; epochs count from 0.
constexpr std::uint64_t validation_label = std::uint64_t{1} << 63;

/// `count` of the places below `size`, or all, ascending.
std::vector<std::size_t> draw(std::size_t size, std::size_t count, Random& random) {
    std::vector<std::size_t> places(size);
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (count < size) {
        random.shuffle(places);
        places.resize(count);
        std::ranges::sort(places);
    }
    return places;
}

ExampleChoice choose(const Task& task, std::size_t runtimes, const TrainingOptions& options, Random& random) {
    return {runtimes, draw(task.runtimes[runtimes].configurations.size(),
                           static_cast<std::size_t>(options.configurations_per_workload), random)};
}

/// Places in Task::runtimes of the workloads to train on.
std::vector<std::size_t> training_runtimes(const Task& task, const std::vector<std::size_t>& train) {
    const std::unordered_set<std::size_t> wanted(train.begin(), train.end());
    std::vector<std::size_t> places;
    for (std::size_t r = 0; r < task.runtimes.size(); ++r)
        if (wanted.contains(task.runtimes[r].workload))
            places.push_back(r);
    return places;
}

std::vector<StepPlan> plan_supervised(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                      const TrainingOptions& options, Random& random) {
    const auto size = static_cast<std::size_t>(options.workloads_per_step);
    std::vector<StepPlan> steps;
    for (std::size_t t = 0; t < tasks.tasks.size(); ++t) {
        std::vector<std::size_t> places = training_runtimes(tasks.tasks[t], train);
        if (size > 1) // alone they are shuffled as steps
            random.shuffle(places);
        for (std::size_t at = 0; at < places.size(); ++at) {
            if (at % size == 0)
                steps.push_back({{t, {}, {}}});
            steps.back().front().query.push_back(choose(tasks.tasks[t], places[at], options, random));
        }
    }
    random.shuffle(steps);
    return steps;
}

std::vector<StepPlan> plan_report(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                  const TrainingOptions& options, Random& random) {
    std::vector<StepPlan> by_workload(tasks.workloads.size());
    for (std::size_t t = 0; t < tasks.tasks.size(); ++t)
        for (const std::size_t r : training_runtimes(tasks.tasks[t], train)) {
            const ExampleChoice choice = choose(tasks.tasks[t], r, options, random);
            by_workload[tasks.tasks[t].runtimes[r].workload].push_back({t, {choice}, {choice}});
        }
    std::erase_if(by_workload, [](const StepPlan& step) { return step.empty(); });
    random.shuffle(by_workload);
    return by_workload;
}

struct EpisodeSize {
    std::size_t support = 0;
    std::size_t query = 0;
};

/// A gray box has to be good with any number of workloads, none among them: each episode draws a share of the
/// support set.
std::size_t support_of(const TrainingOptions& options, Random& random) {
    const auto most = static_cast<std::size_t>(options.support_workloads);
    if (options.method != Method::ClosedForm)
        return most;
    constexpr std::array shares{0.0, 0.04, 0.08, 0.2, 0.4, 1.0};
    const double share = shares[random.below(shares.size())];
    return share == 0 ? 0
                      : std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(most)));
}

EpisodeSize episode_size(std::size_t workloads, std::size_t support, const TrainingOptions& options) {
    const auto query = static_cast<std::size_t>(options.query_workloads);
    if (workloads >= support + query)
        return {support, query};
    if (workloads < 2)
        return {};
    const std::size_t fewest = options.method == Method::ClosedForm ? 0 : 1;
    const std::size_t fewer =
        std::clamp<std::size_t>(workloads * support / (support + query), fewest, workloads - 1);
    return {fewer, workloads - fewer};
}

EpisodePlan plan_episode(const TaskSet& tasks, std::size_t t, std::vector<std::size_t> places,
                         const TrainingOptions& options, Random& random) {
    const EpisodeSize size = episode_size(places.size(), support_of(options, random), options);
    random.shuffle(places);
    EpisodePlan episode{t, {}, {}};
    for (std::size_t p = 0; p < size.support + size.query; ++p)
        (p < size.support ? episode.support : episode.query)
            .push_back(choose(tasks.tasks[t], places[p], options, random));
    return episode;
}

std::vector<StepPlan> plan_episodes(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                    const TrainingOptions& options, Random& random) {
    std::vector<std::vector<std::size_t>> places;
    std::vector<std::size_t> usable;
    std::size_t most = 0;
    for (std::size_t t = 0; t < tasks.tasks.size(); ++t) {
        places.push_back(training_runtimes(tasks.tasks[t], train));
        most = std::max(most, places.back().size());
        if (places.back().size() >= 2)
            usable.push_back(t);
    }
    const auto each = static_cast<std::size_t>(options.support_workloads) +
                      static_cast<std::size_t>(options.query_workloads);
    std::size_t count = std::max<std::size_t>(1, most / each);
    if (options.method == Method::ClosedForm) // which is quick: every task sees its workloads once
        count *= std::max<std::size_t>(1, usable.size() / static_cast<std::size_t>(options.tasks_per_step));
    std::vector<StepPlan> steps(usable.empty() ? 0 : count);
    for (StepPlan& step : steps)
        for (const std::size_t u :
             draw(usable.size(), static_cast<std::size_t>(options.tasks_per_step), random))
            step.push_back(plan_episode(tasks, usable[u], places[usable[u]], options, random));
    return steps;
}

} // namespace

std::vector<StepPlan> plan_epoch(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                 const TrainingOptions& options, int epoch) {
    Random random = Random(options.seed).fork(static_cast<std::uint64_t>(epoch));
    switch (options.method) {
    case Method::Supervised:
        return plan_supervised(tasks, train, options, random);
    case Method::Report:
        return plan_report(tasks, train, options, random);
    default:
        return plan_episodes(tasks, train, options, random);
    }
}

std::vector<ExampleChoice> plan_validation_support(const TaskSet& tasks, std::size_t task,
                                                   const std::vector<std::size_t>& train,
                                                   const TrainingOptions& options) {
    std::vector<ExampleChoice> support;
    if (!is_meta(options.method))
        return support;
    Random random = Random(options.seed).fork(validation_label + task);
    std::vector<std::size_t> places = training_runtimes(tasks.tasks[task], train);
    random.shuffle(places);
    places.resize(std::min(places.size(), static_cast<std::size_t>(options.support_workloads)));
    for (const std::size_t place : places)
        support.push_back(choose(tasks.tasks[task], place, options, random));
    return support;
}

} // namespace sparsight
