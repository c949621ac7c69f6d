#include "domains/sparse/workflow/import/named_schedules.h"

#include "base/parallel.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/workflow/import/named_matrices.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace sparsight {

Result<NamedSchedule> named_schedule(const WorkspaceLocation& location, const ScheduleInput& form) {
    auto schedule = parse_schedule(form.op, form.line);
    if (!schedule)
        return std::unexpected(std::move(schedule).error());
    NamedSchedule given{*std::move(schedule), extents(form.op, form.rows, form.cols, form.dense), {}};
    if (form.matrix.empty())
        return given;
    auto matrix = load_named_matrix(location, form.matrix);
    if (!matrix)
        return std::unexpected(std::move(matrix).error());
    given.pattern = std::move(matrix->pattern);
    given.extents = extents(form.op, given.pattern->rows, given.pattern->cols, form.dense);
    return given;
}

Result<StorageFacts> storage_facts(const SuperSchedule& schedule, const CsrPattern& pattern) {
    StorageFacts facts{
        storage_format(schedule, pattern.rows, pattern.cols), {}, csr_bytes(pattern), std::nullopt};
    auto size = predict_storage(pattern, facts.format, available_threads());
    if (!size)
        return std::unexpected(std::move(size).error());
    facts.size = std::move(*size);
    facts.refusal = refusal(facts.format, facts.size, Certainty::Exact, csr_bytes(pattern), {});
    return facts;
}

namespace {

Result<void> check_line(Operator op, std::string_view line) {
    if (line.find('=') != std::string_view::npos) {
        if (const auto parsed = parse_schedule_runtime(op, line); !parsed)
            return std::unexpected(parsed.error());
        return {};
    }
    if (const auto parsed = parse_schedule(op, line); !parsed)
        return std::unexpected(parsed.error());
    return {};
}

void check_file(Operator op, const std::string& file, ScheduleVerdicts& verdicts) {
    std::ifstream stream(file);
    std::int64_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        if (const auto checked = check_line(op, line))
            ++verdicts.valid;
        else
            verdicts.invalid.push_back({Fault::Input, checked.error().message, file, number});
    }
    if (!stream.eof())
        verdicts.invalid.push_back({Fault::Environment, "the file can't be read", file, 0});
}

void check_argument(Operator op, const std::string& argument, ScheduleVerdicts& verdicts) {
    const bool is_line = argument.find(' ') != std::string::npos;
    std::error_code ignored;
    if (std::filesystem::exists(argument, ignored))
        check_file(op, argument, verdicts);
    else if (!is_line)
        verdicts.invalid.push_back({Fault::Environment, "there is no such file", argument, 0});
    else if (const auto checked = check_line(op, argument))
        ++verdicts.valid;
    else
        verdicts.invalid.push_back(checked.error());
}

} // namespace

ScheduleVerdicts check_schedules(Operator op, const std::vector<std::string>& arguments) {
    ScheduleVerdicts verdicts;
    for (const std::string& argument : arguments)
        check_argument(op, argument, verdicts);
    return verdicts;
}

} // namespace sparsight
