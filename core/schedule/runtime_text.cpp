#include "schedule/text.h"

#include "base/regular_file.h"
#include "base/trimmed.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <system_error>

namespace sparsight {
namespace {

constexpr std::string_view separator = "=";

Result<double> parse_milliseconds(std::string_view text) {
    const std::string_view word = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || std::isnan(value) || value < 0)
        return fail(Fault::Input,
                    fmt::format("the runtime after \"=\" is \"{}\", expected milliseconds such as 75.75",
                                word.substr(0, 40)));
    return value;
}

template <typename T, typename Parse>
Result<std::vector<T>> read_lines(const std::filesystem::path& path, const Parse& parse) try {
    if (const auto usable = require_regular_file(path); !usable)
        return fail_in_file(usable.error().fault, path.string(), 0, usable.error().message);
    std::ifstream file(path);
    if (!file)
        return fail_in_file(Fault::Environment, path.string(), 0,
                            "cannot be opened: " + std::generic_category().message(errno));
    std::vector<T> values;
    std::string line;
    for (std::int64_t number = 1; std::getline(file, line); ++number) {
        if (trimmed(line).empty())
            continue;
        auto value = parse(line);
        if (!value)
            return fail_in_file(value.error().fault, path.string(), number, std::move(value.error().message));
        values.push_back(*value);
    }
    if (file.bad())
        return fail_in_file(Fault::Environment, path.string(), 0, "reading it failed");
    return values;
} catch (const std::bad_alloc&) {
    return fail_in_file(Fault::Limit, path.string(), 0, "is too large for the memory of this machine");
}

} // namespace

std::string to_text(const ScheduleRuntime& line) {
    return fmt::format("{} = {}", to_text(line.schedule), line.milliseconds);
}

Result<ScheduleRuntime> parse_schedule_runtime(Operator op, std::string_view line) {
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos)
        return fail(Fault::Input, "no \"= milliseconds\" stands after the schedule");
    const auto schedule = parse_schedule(op, line.substr(0, at));
    if (!schedule)
        return std::unexpected(schedule.error());
    const auto milliseconds = parse_milliseconds(line.substr(at + separator.size()));
    if (!milliseconds)
        return std::unexpected(milliseconds.error());
    return ScheduleRuntime{*schedule, *milliseconds};
}

Result<std::vector<ScheduleRuntime>> read_schedule_runtimes(Operator op, const std::filesystem::path& path) {
    return read_lines<ScheduleRuntime>(
        path, [op](std::string_view line) { return parse_schedule_runtime(op, line); });
}

Result<std::vector<SuperSchedule>> read_schedules(Operator op, const std::filesystem::path& path) {
    return read_lines<SuperSchedule>(path, [op](std::string_view line) -> Result<SuperSchedule> {
        if (line.find(separator) == std::string_view::npos)
            return parse_schedule(op, line);
        auto with_runtime = parse_schedule_runtime(op, line);
        if (!with_runtime)
            return std::unexpected(std::move(with_runtime.error()));
        return with_runtime->schedule;
    });
}

} // namespace sparsight
