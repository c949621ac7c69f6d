#include "learning/training_options.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>
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
    visit("schedules_per_matrix", options.schedules_per_matrix);
    visit("rate", options.rate);
    visit("rate_schedule", options.rate_schedule);
    visit("weight_decay", options.weight_decay);
    visit("longest_gradient", options.longest_gradient);
    visit("inner_steps", options.inner.steps);
    visit("inner_rate", options.inner.rate);
    visit("support_matrices", options.support_matrices);
    visit("query_matrices", options.query_matrices);
    visit("tasks_per_step", options.tasks_per_step);
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
                                     Method::Anil,       Method::MetaSgd, Method::Report};
template <>
constexpr std::array choices<Loss>{Loss::PairwiseMargin, Loss::PairwiseLogistic, Loss::ListMle,
                                   Loss::LogSquaredError};
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

std::string_view name(RateSchedule schedule) {
    return schedule == RateSchedule::Constant ? "constant" : "cosine";
}

std::optional<RateSchedule> parse_rate_schedule(std::string_view text) {
    for (const RateSchedule schedule : {RateSchedule::Constant, RateSchedule::Cosine})
        if (text == name(schedule))
            return schedule;
    return std::nullopt;
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

} // namespace sparsight
