#include "domains/records/formats/find_database.h"

#include "base/reading/csv_table.h"
#include "base/reading/text_lines.h"
#include "base/text.h"
#include "domains/records/formats/parsed_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// The parts of a text between separators, at least one.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<double> positive_time(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    const bool is_number = error == std::errc() && stop == end && std::isfinite(value);
    return is_number && value > 0 ? std::optional(value) : std::nullopt;
}

bool are_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

class FindDatabase final : public ParsedSource {
public:
    FindDatabase(TextLines lines, std::string space, std::string machine)
        : ParsedSource(lines.file())
        , lines_(std::move(lines))
        , space_(std::move(space))
        , machine_(std::move(machine)) {}

    std::vector<WorkloadFact> facts() const override { return facts_of_convolution(key_); }
    std::uint64_t consumed() const override { return lines_.bytes().consumed(); }
    std::uint64_t total() const override { return lines_.bytes().total(); }

private:
    Result<bool> read(ParsedRecord& record) override {
        for (;;) {
            while (rest_.empty()) {
                const auto has_line = lines_.next();
                if (!has_line || !*has_line)
                    return has_line;
                take_line();
            }
            const std::string_view entry = rest_.substr(0, rest_.find(';'));
            rest_.remove_prefix(std::min(entry.size() + 1, rest_.size()));
            if (trimmed(entry).empty())
                continue;
            record = {};
            if (fill(record, trimmed(entry)))
                return true;
            add_problem(lines_.line(),
                        fmt::format("found {}, expected ALGORITHM:SOLVER,MILLISECONDS,WORKSPACE or "
                                    "SOLVER:MILLISECONDS,WORKSPACE,ALGORITHM",
                                    quoted_excerpt(trimmed(entry))));
        }
    }

    void take_line() {
        const std::string_view text = lines_.text();
        const std::size_t equals = text.find('=');
        const std::string_view key = trimmed(text.substr(0, equals));
        if (!is_utf8(text))
            add_problem(lines_.line(), "the line is not in UTF-8");
        else if (equals == std::string_view::npos || facts_of_convolution(key).empty())
            add_problem(lines_.line(),
                        fmt::format("found {}, expected the key of a convolution, such as "
                                    "64-56-56-1x1-64-56-56-8-0x0-1x1-1x1-0-NCHW-FP32-F, and '='",
                                    quoted_excerpt(key)));
        else {
            key_ = key;
            rest_ = text.substr(equals + 1);
        }
    }

    bool fill(ParsedRecord& record, std::string_view entry) const {
        const std::size_t colon = entry.find(':');
        if (colon == std::string_view::npos)
            return false;
        const std::vector<std::string_view> fields = parts_of(entry.substr(colon + 1), ',');
        const bool is_newer = !fields.empty() && positive_time(fields[0]).has_value();
        const std::size_t place = is_newer ? 0 : 1;
        const std::string_view solver = trimmed(is_newer ? entry.substr(0, colon) : fields[0]);
        if (fields.size() < place + 2 || solver.empty() || !are_digits(fields[place + 1]))
            return false;
        const auto time = positive_time(fields[place]);
        if (!time)
            return false;
        record.space = space_;
        record.workload = fmt::format("{}:{}", space_, key_);
        record.machine = machine_;
        record.decisions = {{"solver", std::string(solver)}};
        record.set_times({*time});
        record.line = lines_.line();
        return true;
    }

    TextLines lines_;
    std::string space_;
    std::string machine_;
    std::string key_;
    std::string_view rest_; ///< of the line: entries that were not taken yet
};

} // namespace

std::vector<WorkloadFact> facts_of_convolution(std::string_view key) {
    // With a third dimension some parts have one more number.
    constexpr std::array<std::string_view, 15> flat{"in_c",  "in_h",  "in_w",   "fil",   "out_c",
                                                    "out_h", "out_w", "batch",  "pad",   "str",
                                                    "dil",   "bias",  "layout", "dtype", "direction"};
    constexpr std::array<std::string_view, 17> deep{"in_c",  "in_d",  "in_h",   "in_w",  "fil",      "out_c",
                                                    "out_d", "out_h", "out_w",  "batch", "pad",      "str",
                                                    "dil",   "bias",  "layout", "dtype", "direction"};
    constexpr std::array<std::string_view, 3> axes{"_d", "_h", "_w"};
    const std::vector<std::string_view> parts = parts_of(key, '-');
    const bool is_deep = parts.size() == deep.size();
    if (parts.size() != flat.size() && !is_deep)
        return {};
    const std::span<const std::string_view> names =
        is_deep ? std::span<const std::string_view>(deep) : std::span<const std::string_view>(flat);
    std::vector<WorkloadFact> facts;
    for (std::size_t place = 0; place < parts.size(); ++place) {
        const std::string_view name = names[place];
        std::string_view part = parts[place];
        if (name == "direction") { // "F", "B" or "W", and "_g32" where it has groups
            const std::size_t groups = part.find("_g");
            std::string_view count = groups == std::string_view::npos ? "1" : part.substr(groups + 2);
            count = count.substr(0, count.find('_'));
            part = part.substr(0, part.find('_'));
            if ((part != "F" && part != "B" && part != "W") || !are_digits(count))
                return {};
            facts.push_back({"direction", std::string(part)});
            facts.push_back({"groups", std::string(count)});
        } else if (name == "layout" || name == "dtype") {
            if (part.empty())
                return {};
            facts.push_back({std::string(name), std::string(part)});
        } else if (name == "fil" || name == "pad" || name == "str" || name == "dil") {
            const std::vector<std::string_view> numbers = parts_of(part, 'x');
            if (numbers.size() != (is_deep ? 3U : 2U) || !std::ranges::all_of(numbers, are_digits))
                return {};
            for (std::size_t axis = 0; axis < numbers.size(); ++axis)
                facts.push_back(
                    {fmt::format("{}{}", name, axes[axis + (is_deep ? 0 : 1)]), std::string(numbers[axis])});
        } else {
            if (!are_digits(part))
                return {};
            facts.push_back({std::string(name), std::string(part)});
        }
    }
    return facts;
}

std::string machine_of_database(std::string_view file) {
    const std::string name = std::filesystem::path(file).filename().string();
    const std::string_view stem = std::string_view(name).substr(0, name.find('.'));
    if (!stem.starts_with("gfx") || stem.size() < 6)
        return {};
    if (stem.contains('_'))
        return std::string(stem);
    // gfx906, gfx90a, gfx942, but gfx1030, gfx1100: what follows are the compute units.
    const std::size_t architecture = stem[3] == '1' ? 7 : 6;
    if (stem.size() <= architecture)
        return std::string(stem);
    const std::string_view digits = stem.substr(architecture);
    unsigned units = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, units, 16);
    if (error != std::errc() || stop != end)
        return std::string(stem);
    return fmt::format("{}_{}", stem.substr(0, architecture), units);
}

Result<std::unique_ptr<RecordSource>> open_find_database(const RecordFile& file,
                                                         const RecordOptions& options) {
    std::string machine = options.machine.empty() ? machine_of_database(file.name()) : options.machine;
    if (machine.empty())
        return fail_in_file(Fault::Input, file.name(), 0,
                            "the file's name has no GPU in it, and no name of a machine was given");
    auto bytes = file.open();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    return std::make_unique<FindDatabase>(TextLines(file.name(), *std::move(bytes)),
                                          options.space.empty() ? "miopen_conv" : options.space,
                                          std::move(machine));
}

} // namespace sparsight
