#include "domains/records/formats/kernel_tuner_cache.h"

#include "base/reading/csv_table.h"
#include "domains/records/formats/parsed_record.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// What earlier versions wrote as the time of a run that failed.
constexpr double time_of_a_failure = 1e20;

/// "4096x4096" of [4096, 4096]; also of a single number or text.
std::string problem_text(const Json& size) {
    if (!size.is_array())
        return size.is_string() ? size.get<std::string>() : size.dump();
    std::string text;
    for (const Json& each : size)
        text += (text.empty() ? "" : "x") + (each.is_string() ? each.get<std::string>() : each.dump());
    return text;
}

class KernelTunerCache final : public JsonRecords {
public:
    KernelTunerCache(JsonStream stream, const Json& about, const RecordOptions& options)
        : JsonRecords(std::move(stream)) {
        const std::string kernel = text_member(about, "kernel_name");
        space_ = options.space.empty() ? kernel : options.space;
        machine_ = options.machine.empty() ? text_member(about, "device_name") : options.machine;
        objective_ = text_member(about, "objective");
        workload_ = kernel;
        facts_.push_back({"kernel", kernel});
        if (const Json* const size = member_of(about, "problem_size"); size != nullptr && !size->is_null()) {
            if (const std::string text = problem_text(*size); !text.empty())
                workload_ += "_" + text;
            add_facts(facts_, "problem_size", *size);
        }
        for (const Json& key : about["tune_params_keys"])
            keys_.push_back(key.get<std::string>());
    }

    std::vector<WorkloadFact> facts() const override { return facts_; }

private:
    Result<bool> find_next(JsonStream& stream) override {
        auto key = stream.next_key();
        if (!key && stream.has_ended()) // not closed
            return false;
        if (!key)
            return std::unexpected(std::move(key).error());
        if (!*key)
            return false;
        key_ = **std::move(key);
        return true;
    }
    bool may_be_cut_off() const override { return true; }

    std::string fill(ParsedRecord& record, const Json& value) const override {
        const std::string flaw = fill_all(record, value);
        return flaw.empty() ? flaw : fmt::format("configuration {}: {}", quoted_excerpt(key_), flaw);
    }

    std::string fill_all(ParsedRecord& record, const Json& value) const {
        record.space = space_;
        record.workload = workload_;
        record.machine = machine_;
        if (!value.is_object())
            return fmt::format("found {}, expected an object with its parameters and times", kind_of(value));
        for (const std::string& key : keys_) {
            const Json* const parameter = member_of(value, key);
            if (parameter == nullptr)
                return fmt::format("there is no \"{}\", which tune_params_keys names", key);
            record.decisions.emplace_back(key, decision_text(*parameter));
        }
        return fill_time(record, value);
    }

    std::string fill_time(ParsedRecord& record, const Json& value) const {
        for (const std::string_view name :
             {std::string_view("__error__"), std::string_view("time"), std::string_view(objective_)})
            if (const std::string why = text_member(value, name); !why.empty()) {
                record.set_failure(why);
                return {};
            }
        const Json* const time = member_of(value, "time");
        const auto mean = time != nullptr ? finite_number(*time) : std::nullopt;
        if (mean && *mean >= time_of_a_failure) {
            record.set_failure("recorded as a run that failed (1e20)");
            return {};
        }
        if (const Json* const times = member_of(value, "times")) {
            if (auto numbers = numbers_of(*times)) {
                record.set_times(*std::move(numbers));
                return {};
            }
        }
        if (!mean)
            return fmt::format("\"time\": found {}, expected milliseconds or why there is no time",
                               time == nullptr ? "nothing" : kind_of(*time));
        record.set_times({*mean});
        return {};
    }

    std::string key_; ///< of the record that is read
    std::string space_;
    std::string workload_;
    std::string machine_;
    std::string objective_;
    std::vector<std::string> keys_;
    std::vector<WorkloadFact> facts_;
};

} // namespace

Result<std::unique_ptr<RecordSource>>
open_kernel_tuner_cache(const RecordFile& file, const JsonDocument& document, const RecordOptions& options) {
    const auto refuse = [&](std::string message) {
        return fail_in_file(Fault::Input, file.name(), 0, std::move(message));
    };
    const Json& about = document.others;
    if (text_member(about, "kernel_name").empty())
        return refuse("there is no \"kernel_name\", expected the name of the kernel");
    if (options.machine.empty() && text_member(about, "device_name").empty())
        return refuse("there is no \"device_name\", and no name of a machine was given for the file");
    const Json* const keys = member_of(about, "tune_params_keys");
    const bool are_names = keys != nullptr && keys->is_array() && !keys->empty() &&
                           std::ranges::all_of(*keys, [](const Json& key) { return key.is_string(); });
    if (!are_names)
        return refuse("there is no \"tune_params_keys\", expected a list of the names of the parameters");
    auto stream = records_of(file, document.records);
    if (!stream)
        return std::unexpected(std::move(stream).error());
    if (auto entered = stream->enter_object(); !entered)
        return std::unexpected(std::move(entered).error());
    return std::make_unique<KernelTunerCache>(*std::move(stream), about, options);
}

} // namespace sparsight
