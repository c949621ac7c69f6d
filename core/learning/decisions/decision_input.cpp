#include "learning/decisions/decision_input.h"

#include "model/checkpoints/json_fields.h"
#include "model/networks/encoder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace sparsight {

double NumberScale::apply(double number) const {
    return (std::asinh(number) - mean) / deviation;
}

std::optional<double> decision_number(std::string_view value) {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number))
        return std::nullopt;
    return number;
}

namespace {

OrderedJson to_json(const NumberScale& scale) {
    return {{"mean", scale.mean}, {"deviation", scale.deviation}};
}

OrderedJson to_json(const std::vector<FactColumn>& facts) {
    OrderedJson columns = OrderedJson::array();
    for (const FactColumn& fact : facts) {
        OrderedJson column{{"name", fact.name}};
        column.update(to_json(fact.scale));
        columns.push_back(std::move(column));
    }
    return columns;
}

NumberScale read_scale(const OrderedJson& json) {
    const NumberScale scale{json_field<double>(json, "mean"), json_field<double>(json, "deviation")};
    if (!std::isfinite(scale.mean) || !(scale.deviation > 0) || !std::isfinite(scale.deviation))
        throw JsonDefect{"deviation is not above 0"};
    return scale;
}

std::vector<FactColumn> read_facts(const OrderedJson& json, const char* key) {
    std::vector<FactColumn> facts;
    for (const OrderedJson& fact : json_field<std::vector<OrderedJson>>(json, key))
        facts.push_back({json_field<std::string>(fact, "name"), read_scale(fact)});
    return facts;
}

DecisionColumn read_decision(const OrderedJson& json) {
    DecisionColumn column{json_field<std::string>(json, "key"),
                          json_field<std::vector<std::string>>(json, "values"),
                          json_field<bool>(json, "are_numbers"), read_scale(json)};
    if (std::ranges::adjacent_find(column.values, std::greater_equal{}) != column.values.end())
        throw JsonDefect{"values are not in ascending order"};
    return column;
}

NumberScale fit_scale(const std::vector<double>& numbers) {
    if (numbers.empty())
        return {};
    std::vector<std::vector<double>> rows;
    for (const double number : numbers)
        rows.push_back({std::asinh(number)});
    const Standardisation fitted = fit_standardisation(rows);
    return {fitted.mean.front(), fitted.deviation.front()};
}

} // namespace

ModelArchitecture architecture_of(std::string_view name, const DecisionInput& input) {
    OrderedJson json{{"setting", input.setting.text}, {"machine", input.reads_machine}};
    json["facts"] = to_json(input.facts);
    if (!input.machine_facts.empty())
        json["machine_facts"] = to_json(input.machine_facts);
    json["decisions"] = OrderedJson::array();
    for (const DecisionColumn& decision : input.decisions) {
        OrderedJson column{
            {"key", decision.key}, {"values", decision.values}, {"are_numbers", decision.are_numbers}};
        column.update(to_json(decision.scale));
        json["decisions"].push_back(std::move(column));
    }
    return {std::string(name), json.dump(), input.setting.domain};
}

Result<DecisionInput> read_decision_input(const ModelArchitecture& architecture, const Domain& domain) {
    if (architecture.domain != domain.name())
        return fail(Fault::Input,
                    fmt::format("domain is {:?}, expected {:?}", architecture.domain, domain.name()));
    try {
        const OrderedJson json = OrderedJson::parse(architecture.input, nullptr, /*allow_exceptions=*/false);
        auto setting = domain.parse_setting(json_field<std::string>(json, "setting"));
        if (!setting)
            return fail(Fault::Input, fmt::format("setting: {}", setting.error().message));
        DecisionInput input{*std::move(setting), json_field<bool>(json, "machine"), {}, {}};
        input.facts = read_facts(json, "facts");
        if (json.contains("machine_facts"))
            input.machine_facts = read_facts(json, "machine_facts");
        for (const OrderedJson& decision : json_field<std::vector<OrderedJson>>(json, "decisions"))
            input.decisions.push_back(read_decision(decision));
        return input;
    } catch (const JsonDefect& defect) {
        return fail(Fault::Input, defect.text);
    }
}

namespace {

std::vector<FactColumn> fit_columns(const std::map<std::string, std::vector<double>>& numbers) {
    std::vector<FactColumn> columns;
    for (const auto& [name, values] : numbers)
        columns.push_back({name, fit_scale(values)});
    return columns;
}

std::vector<FactColumn> fit_facts(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    std::map<std::string, std::vector<double>> numbers;
    std::set<std::string> seen; ///< parts of a workload count once
    for (const std::size_t place : workloads) {
        const TaskWorkload& workload = tasks.workloads[place];
        if (!seen.insert(workload.whole_name()).second)
            continue;
        if (const auto payload = workload.load())
            for (const auto& [name, number] : static_cast<const NamedFacts&>(**payload).numbers())
                numbers[name].push_back(number);
    }
    return fit_columns(numbers);
}

std::vector<FactColumn> fit_machine_facts(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    const std::unordered_set<std::size_t> wanted(workloads.begin(), workloads.end());
    std::map<std::string, std::vector<double>> numbers;
    std::set<std::string> seen; ///< two installations of a machine count once
    for (const Task& task : tasks.tasks) {
        const bool is_learned = std::ranges::any_of(
            task.runtimes, [&](const WorkloadRuntimes& each) { return wanted.contains(each.workload); });
        if (!is_learned || !seen.insert(task.machine_name()).second)
            continue;
        for (const auto& [name, number] : task.description.facts)
            numbers[name].push_back(number);
    }
    return fit_columns(numbers);
}

std::unordered_set<Configuration> configurations_of(const TaskSet& tasks,
                                                    std::span<const std::size_t> workloads) {
    const std::unordered_set<std::size_t> wanted(workloads.begin(), workloads.end());
    std::unordered_set<Configuration> configurations;
    for (const Task& task : tasks.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            if (wanted.contains(runtimes.workload))
                configurations.insert(runtimes.configurations.begin(), runtimes.configurations.end());
    return configurations;
}

DecisionColumn fit_decision(std::string key, const std::set<std::string>& values) {
    DecisionColumn column{std::move(key), {values.begin(), values.end()}, true, {}};
    std::vector<double> numbers;
    for (const std::string& value : values)
        if (const auto number = decision_number(value))
            numbers.push_back(*number);
        else
            column.are_numbers = false;
    if (column.are_numbers)
        column.scale = fit_scale(numbers);
    return column;
}

} // namespace

DecisionInput fit_decision_input(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                 const ConfigurationCodec& codec, bool reads_machine) {
    DecisionInput input{tasks.setting, reads_machine, fit_facts(tasks, workloads), {}};
    if (reads_machine)
        input.machine_facts = fit_machine_facts(tasks, workloads);
    // Hash sets have no order that can be relied on: decisions and values are put into one.
    struct Seen {
        std::size_t place = 0; ///< the last at which it stood
        std::set<std::string> values;
    };
    std::map<std::string, Seen> seen;
    for (const Configuration& configuration : configurations_of(tasks, workloads)) {
        std::size_t place = 0;
        for (DecisionValue& decision : codec.decisions(configuration)) {
            Seen& of = seen[std::move(decision.key)];
            of.place = std::max(of.place, place++);
            of.values.insert(std::move(decision.value));
        }
    }
    std::vector<std::pair<std::size_t, DecisionColumn>> columns;
    for (auto& [key, of] : seen)
        columns.emplace_back(of.place, fit_decision(key, of.values));
    std::ranges::stable_sort(columns, {}, &std::pair<std::size_t, DecisionColumn>::first);
    for (auto& [place, column] : columns)
        input.decisions.push_back(std::move(column));
    return input;
}

DecisionReader::DecisionReader(std::vector<DecisionColumn> columns,
                               std::shared_ptr<const ConfigurationCodec> codec)
    : columns_(std::move(columns))
    , codec_(std::move(codec))
    , values_by_text_(columns_.size()) {
    for (std::size_t place = 0; place < columns_.size(); ++place) {
        const DecisionColumn& column = columns_[place];
        places_.emplace(column.key, place);
        for (std::int64_t category = 2; const std::string& value : column.values)
            values_by_text_[place].emplace(
                value, Value{category++, column.are_numbers ? decision_number(value) : std::nullopt});
    }
}

std::size_t DecisionReader::place_of(std::string_view key, std::size_t expected) const {
    if (expected < columns_.size() && columns_[expected].key == key)
        return expected;
    const auto place = places_.find(key);
    return place == places_.end() ? columns_.size() : place->second;
}

void DecisionReader::read(const Configuration& configuration, std::span<DecisionReading> readings) const {
    std::ranges::fill(readings, DecisionReading{});
    std::size_t expected = 0;
    codec_->visit_decisions(configuration, [&](std::string_view key, std::string_view value) {
        const std::size_t place = place_of(key, expected);
        expected = place + 1;
        if (place == columns_.size())
            return;
        const auto& values = values_by_text_[place];
        if (const auto found = values.find(value); found != values.end())
            readings[place] = {found->second.category, found->second.number};
        else
            readings[place] = {DecisionReading::unknown,
                               columns_[place].are_numbers ? decision_number(value) : std::nullopt};
    });
}

} // namespace sparsight
