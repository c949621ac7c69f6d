#include "domains/records/formats/tvm_log.h"

#include "base/reading/text_lines.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// What TVM writes as the seconds of a run that failed.
constexpr double cost_of_a_failure = 1e9;

/// By number, from 1 on; TVM calls them MeasureErrorNo.
constexpr std::array<std::string_view, 8> tvm_errors{"INSTANTIATION_ERROR", "COMPILE_HOST", "COMPILE_DEVICE",
                                                     "RUNTIME_DEVICE",      "WRONG_ANSWER", "BUILD_TIMEOUT",
                                                     "RUN_TIMEOUT",         "UNKNOWN_ERROR"};

/// "x" of "-model=x", "--model=x" and "-model x"; empty without it.
std::string target_option(std::string_view target, std::string_view name) {
    for (std::size_t at = target.find(name); at != std::string_view::npos; at = target.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool is_option = at > 0 && target[at - 1] == '-' && end < target.size() &&
                               (target[end] == '=' || target[end] == ' ');
        if (!is_option)
            continue;
        const std::string_view value = target.substr(end + 1);
        return std::string(value.substr(0, value.find(' ')));
    }
    return {};
}

std::string error_text(std::int64_t number) {
    const bool is_known = number >= 1 && number <= std::ssize(tvm_errors);
    return fmt::format("error {}{}", number,
                       is_known ? fmt::format(" ({})", tvm_errors[static_cast<std::size_t>(number - 1)])
                                : "");
}

/// Of a result, in a record.
std::string fill_costs(ParsedRecord& record, const Json& result) {
    if (!result.is_array() || result.size() < 2 || !result[1].is_number_integer())
        return "the result: expected a list of costs in seconds and an error number";
    if (const auto number = result[1].get<std::int64_t>(); number != 0) {
        record.set_failure(error_text(number));
        return {};
    }
    auto costs = numbers_of(result[0]);
    if (!costs)
        return fmt::format("the costs: found {}, expected a list of seconds", kind_of(result[0]));
    if (std::ranges::max(*costs) >= cost_of_a_failure) {
        record.set_failure("recorded as a run that failed (1e9 s)");
        return {};
    }
    for (double& cost : *costs)
        cost *= 1000;
    record.set_times(*std::move(costs));
    return {};
}

class TvmLog final : public ParsedSource {
public:
    TvmLog(TextLines lines, RecordOptions options)
        : ParsedSource(lines.file())
        , lines_(std::move(lines))
        , options_(std::move(options)) {}

    std::vector<WorkloadFact> facts() const override { return facts_; }
    std::uint64_t consumed() const override { return lines_.bytes().consumed(); }
    std::uint64_t total() const override { return lines_.bytes().total(); }

private:
    Result<bool> read(ParsedRecord& record) override {
        for (;;) {
            const auto has_line = lines_.next();
            if (!has_line || !*has_line)
                return has_line;
            if (lines_.text().starts_with('#'))
                continue;
            const auto line = parse_json({lines_.text(), lines_.line()});
            if (!line) {
                add_problem(line.error().line, line.error().message);
                continue;
            }
            TvmLine decoded;
            std::string flaw = decode(*line, decoded);
            if (flaw.empty())
                flaw = complete(decoded);
            if (flaw.empty()) {
                record = std::move(decoded.record);
                record.line = lines_.line();
                facts_ = std::move(decoded.facts);
                return true;
            }
            add_problem(lines_.line(), std::move(flaw));
        }
    }

    std::string decode(const Json& line, TvmLine& into) const {
        const Json* const input = member_of(line, "i");
        const bool is_of_tasks =
            member_of(line, "input") != nullptr ||
            (input != nullptr && input->is_array() && !input->empty() && input->front().is_string());
        if (!is_of_tasks && input == nullptr)
            return "this is no tuning record of TVM: there is neither \"i\" nor \"input\"";
        return is_of_tasks ? decode_task(line, options_.space, into)
                           : decode_transform_steps(line, options_.space, into);
    }

    std::string complete(TvmLine& decoded) const {
        if (!options_.machine.empty())
            decoded.record.machine = options_.machine;
        else if (decoded.target->is_string())
            decoded.record.machine = machine_of_target(decoded.target->get<std::string>());
        else if (decoded.target->is_object())
            decoded.record.machine = machine_of_target(decoded.target->dump());
        else
            return fmt::format("the target: found {}, expected a text", kind_of(*decoded.target));
        return decoded.result == nullptr ? "there is no result" : fill_costs(decoded.record, *decoded.result);
    }

    TextLines lines_;
    RecordOptions options_;
    std::vector<WorkloadFact> facts_;
};

} // namespace

std::string machine_of_target(std::string_view target) {
    constexpr std::array<std::string_view, 3> options{"model", "mcpu", "device"};
    target = trimmed(target);
    Json json;
    if (target.starts_with('{'))
        if (auto parsed = parse_json({target, 0}))
            json = *std::move(parsed);
    for (const std::string_view option : options) {
        std::string value = json.is_object() ? text_member(json, option) : target_option(target, option);
        if (!value.empty() && value != "unknown")
            return value;
    }
    if (json.is_object())
        if (std::string kind = text_member(json, "kind"); !kind.empty())
            return kind;
    return std::string(target);
}

Result<std::unique_ptr<RecordSource>> open_tvm_log(const RecordFile& file, const RecordOptions& options) {
    auto bytes = file.open();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    return std::make_unique<TvmLog>(TextLines(file.name(), *std::move(bytes)), options);
}

} // namespace sparsight
