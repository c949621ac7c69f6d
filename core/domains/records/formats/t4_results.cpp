#include "domains/records/formats/t4_results.h"

#include "base/reading/csv_table.h"
#include "domains/records/formats/parsed_record.h"
#include "domains/records/formats/record_table.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {
namespace {

/// Milliseconds of one unit; absent for what is no time. Without a unit it is Kernel Tuner's, which is ms.
std::optional<double> milliseconds_of(std::string_view unit) {
    struct TimeUnit {
        std::string_view name;
        double ms;
    };
    constexpr std::array<TimeUnit, 11> units{{{"", 1},
                                              {"ms", 1},
                                              {"milliseconds", 1},
                                              {"s", 1e3},
                                              {"seconds", 1e3},
                                              {"us", 1e-3},
                                              {"µs", 1e-3},
                                              {"microseconds", 1e-3},
                                              {"ns", 1e-6},
                                              {"nanoseconds", 1e-6},
                                              {"min", 6e4}}};
    const auto* const found = std::ranges::find(units, unit, &TimeUnit::name);
    return found == units.end() ? std::nullopt : std::optional(found->ms);
}

/// The measurement of this name; null without one.
const Json* measurement_named(const Json& result, std::string_view name) {
    const Json* const all = member_of(result, "measurements");
    if (all == nullptr || !all->is_array())
        return nullptr;
    for (const Json& each : *all)
        if (text_member(each, "name") == name)
            return &each;
    return nullptr;
}

class T4Results final : public JsonRecords {
public:
    T4Results(JsonStream stream, const Json& about, const RecordOptions& options)
        : JsonRecords(std::move(stream))
        , options_(options) {
        if (const Json* const metadata = member_of(about, "metadata"))
            metadata_ = *metadata;
        if (options_.space.empty())
            options_.space = space_of_file(file());
    }

private:
    Result<bool> find_next(JsonStream& stream) override { return stream.next_value(); }

    /// What the result says of itself, or else the file of all results.
    std::string named(const Json& result, std::string_view name, std::string_view other_name = {}) const {
        const Json* const own = member_of(result, "metadata");
        for (const Json* const about : {own, &metadata_})
            for (const std::string_view each : {name, other_name})
                if (about != nullptr && !each.empty())
                    if (std::string text = text_member(*about, each); !text.empty())
                        return text;
        return {};
    }

    std::string fill(ParsedRecord& record, const Json& result) const override {
        const Json* const configuration = member_of(result, "configuration");
        if (configuration == nullptr || !configuration->is_object())
            return fmt::format("\"configuration\": found {}, expected an object with the parameters",
                               configuration == nullptr ? "nothing" : kind_of(*configuration));
        for (const auto& [name, value] : configuration->items())
            record.decisions.emplace_back(name, decision_text(value));
        record.space = named(result, "space");
        if (record.space.empty())
            record.space = options_.space;
        record.workload = named(result, "workload", "kernel_name");
        if (record.workload.empty())
            record.workload = options_.space;
        record.run = named(result, "run");
        record.machine = named(result, "machine", "device_name");
        if (record.machine.empty())
            record.machine = options_.machine;
        if (record.machine.empty())
            return "the metadata name no machine, and no name of a machine was given for the file";
        const std::string invalidity = text_member(result, "invalidity");
        if (!invalidity.empty() && invalidity != "correct") {
            const std::string why = text_member(result, "error");
            record.set_failure(why.empty() ? invalidity : why);
            return {};
        }
        if (const Json* const correctness = member_of(result, "correctness");
            correctness != nullptr && correctness->is_number() && correctness->get<double>() == 0) {
            record.set_failure("correctness");
            return {};
        }
        return fill_time(record, result);
    }

    /// Of the runtimes; otherwise of the measurement that is the objective, or that is named "time".
    static std::string fill_time(ParsedRecord& record, const Json& result) {
        if (const Json* const times = member_of(result, "times"))
            if (const Json* const runtimes = member_of(*times, "runtimes"))
                if (auto numbers = numbers_of(*runtimes)) {
                    record.set_times(*std::move(numbers));
                    return {};
                }
        std::vector<std::string> names;
        if (const Json* const objectives = member_of(result, "objectives");
            objectives && objectives->is_array())
            for (const Json& each : *objectives)
                if (each.is_string() && each.get<std::string>().starts_with("time"))
                    names.push_back(each.get<std::string>());
        names.emplace_back("time");
        for (const std::string& name : names) {
            const Json* const measured = measurement_named(result, name);
            if (measured == nullptr)
                continue;
            std::string flaw;
            const auto time = time_in(*measured, flaw);
            if (!time)
                return flaw;
            record.set_times({*time});
            return fill_spread(record, result);
        }
        return "there is no time, expected \"times\" with \"runtimes\", or a measurement named \"time\"";
    }

    static std::optional<double> time_in(const Json& measured, std::string& flaw) {
        const std::string unit = text_member(measured, "unit");
        const auto factor = milliseconds_of(unit);
        const Json* const value = member_of(measured, "value");
        const auto number = value != nullptr ? finite_number(*value) : std::nullopt;
        if (!factor)
            flaw =
                fmt::format("the unit {} is no unit of time, expected ms, s, us or ns", quoted_excerpt(unit));
        else if (!number)
            flaw = fmt::format("the measurement \"{}\": found {}, expected a number",
                               text_member(measured, "name"), value == nullptr ? "nothing" : kind_of(*value));
        return factor && number ? std::optional(*number * *factor) : std::nullopt;
    }

    static std::string fill_spread(ParsedRecord& record, const Json& result) {
        std::string flaw;
        if (const Json* const measured = measurement_named(result, "time_std")) {
            const auto spread = time_in(*measured, flaw);
            if (!spread || *spread < 0)
                return spread ? "the measurement \"time_std\" is below 0" : flaw;
            record.spread_ms = *spread;
        }
        if (const Json* const measured = measurement_named(result, "repeats")) {
            const Json* const value = member_of(*measured, "value");
            if (value == nullptr || !value->is_number_unsigned() ||
                value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
                return "the measurement \"repeats\": expected a whole number";
            record.repeats = value->get<int>();
        }
        return {};
    }

    RecordOptions options_;
    Json metadata_;
};

} // namespace

Result<std::unique_ptr<RecordSource>> open_t4_results(const RecordFile& file, const JsonDocument& document,
                                                      const RecordOptions& options) {
    auto stream = records_of(file, document.records);
    if (!stream)
        return std::unexpected(std::move(stream).error());
    if (auto entered = stream->enter_list(); !entered)
        return std::unexpected(std::move(entered).error());
    return std::make_unique<T4Results>(*std::move(stream), document.others, options);
}

} // namespace sparsight
