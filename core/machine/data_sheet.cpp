#include "machine/data_sheet.h"

#include "base/names.h"
#include "base/quantity.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

namespace sparsight {

std::span<const DataSheetField> data_sheet_fields() {
    using enum SheetQuantity;
    static constexpr std::array fields{
        DataSheetField{"cache_line_bytes", "Cache line", "B", "What the cache loads from memory at once.",
                       Bytes, "", true},
        DataSheetField{"max_local_memory_per_block", "Local memory per block", "B",
                       "What one thread block may have of its own.", Bytes, "", true},
        DataSheetField{"max_shared_memory_per_block", "Shared memory per block", "B",
                       "What the threads of one block share on the chip. Larger tiles do not run.", Bytes, "",
                       true},
        DataSheetField{"max_threads_per_block", "Threads per block", "",
                       "The most threads that one block may have.", Count, "", true},
        DataSheetField{"max_vthread_extent", "Virtual threads", "",
                       "The most virtual threads that a tuner makes of one thread.", Count, "", true},
        DataSheetField{"cores", "Cores", "",
                       "Cores of a processor; of a GPU its multiprocessors or compute units.", Count,
                       "num_cores cores_or_SM_or_CU", true},
        DataSheetField{"vector_unit_bytes", "Vector unit", "B", "The width of a vector register or load.",
                       Bytes, "", true},
        DataSheetField{"warp_size", "Warp size", "", "Threads of a GPU that run in step.", Count, "", true},
        DataSheetField{"vendor", "Vendor", "", "The maker of the chip.", Text},
        DataSheetField{"device", "Device", "", "The name of the product.", Text, "device_name"},
        DataSheetField{"kind", "Kind", "", "CPU, GPU, mobile, FPGA or ASIC.", Kind, "type"},
        DataSheetField{"arch", "Generation", "", "The architecture that the chip belongs to.", Text,
                       "generation"},
        DataSheetField{"launch_year", "Launch year", "", "The year in which it came out.", Count, "year"},
        DataSheetField{"fp32_lanes", "float32 lanes", "", "Units that multiply and add float32 numbers.",
                       Count, "fp32_lanes_total"},
        DataSheetField{"base_clock_mhz", "Base clock", "MHz", "The clock that the maker guarantees.", Number},
        DataSheetField{"boost_clock_mhz", "Boost clock", "MHz",
                       "The highest clock while the chip is cool enough.", Number},
        DataSheetField{"peak_fp32_gflops", "Peak float32 rate", "GFLOP/s",
                       "The most operations a second. No kernel is faster than its operations divided by it.",
                       Number},
        DataSheetField{"mem_bw_gbs", "Memory bandwidth", "GB/s",
                       "Bytes a second between memory and chip, by the data sheet.", Number},
        DataSheetField{"l1_kb", "L1 cache of a core", "KiB",
                       "The cache of one core; of a GPU it holds shared memory, too.", Number,
                       "l1_or_lds_kb_per_core"},
        DataSheetField{"l2_kb", "L2 cache", "KiB", "All L2 caches together.", Number, "l2_kb_total"},
        DataSheetField{"l3_kb", "L3 cache", "KiB", "All caches behind L2 together.", Number,
                       "l3_or_infinity_kb"},
        DataSheetField{"mem_gb", "Memory", "GB", "The size of its memory.", Number},
    };
    return fields;
}

const DataSheetField* find_data_sheet_field(std::string_view key) {
    const auto fields = data_sheet_fields();
    const auto found = std::ranges::find(fields, key, &DataSheetField::key);
    return found == fields.end() ? nullptr : &*found;
}

std::string_view field_of_column(std::string_view column, bool is_gpu) {
    if (column == "simd_or_warp_width")
        return is_gpu ? "warp_size" : "";
    for (const DataSheetField& field : data_sheet_fields())
        for (const auto name : std::views::split(field.other_names, ' '))
            if (std::string_view(name.begin(), name.end()) == column)
                return field.key;
    return {};
}

namespace {

constexpr std::array<std::string_view, 5> machine_kinds{"CPU", "GPU", "mobile", "FPGA", "ASIC"};

std::optional<double> number_of(std::string_view text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number) || !(number > 0))
        return std::nullopt;
    return number;
}

std::optional<double> value_of(const DataSheetField& field, std::string_view text) {
    constexpr double exact = 9'007'199'254'740'992; // 2^53
    if (field.quantity == SheetQuantity::Bytes) {
        const auto bytes = parse_bytes(text);
        return bytes && *bytes > 0 ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
    }
    const auto number = number_of(text);
    const bool is_whole = number && *number == std::floor(*number) && *number <= exact;
    return field.quantity == SheetQuantity::Count && !is_whole ? std::nullopt : number;
}

std::string expected_value(const DataSheetField& field) {
    switch (field.quantity) {
    case SheetQuantity::Text:
        return "a text";
    case SheetQuantity::Kind:
        return fmt::format("one of: {}", list_names(machine_kinds));
    case SheetQuantity::Count:
        return "a whole number above 0";
    case SheetQuantity::Bytes:
        return "a number of bytes above 0, such as 49152 or 48KiB";
    case SheetQuantity::Number:
        break;
    }
    return fmt::format("a number of {} above 0", field.unit);
}

/// Cuts off a comment, but not within quotation marks.
std::string_view without_comment(std::string_view line) {
    bool is_quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '"')
            is_quoted = !is_quoted;
        else if (line[at] == '#' && !is_quoted)
            return line.substr(0, at);
    }
    return line;
}

class SheetReader {
public:
    SheetReader(std::string_view text, const std::string& file, bool has_names)
        : rest_(text)
        , file_(file)
        , has_names_(has_names) {}

    Result<std::vector<DataSheet>> read() {
        if (!has_names_)
            sheets_.emplace_back();
        while (!rest_.empty()) {
            const std::size_t end = rest_.find('\n');
            const std::string_view text = trimmed(without_comment(rest_.substr(0, end)));
            rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
            ++line_;
            if (text.empty())
                continue;
            auto done = text.front() == '[' ? take_name(text) : take_fact(text);
            if (!done)
                return std::unexpected(std::move(done).error());
        }
        for (const DataSheet& sheet : sheets_)
            if (sheet.numbers.empty() && sheet.texts.empty())
                return fail_in_file(Fault::Input, file_, 0,
                                    sheet.name.empty()
                                        ? "the sheet states no fact, expected lines such as cores = 82"
                                        : fmt::format("the sheet of {} states no fact", sheet.name));
        return std::move(sheets_);
    }

private:
    [[nodiscard]] std::unexpected<Error> defect(std::string text) const {
        return fail_in_file(Fault::Input, file_, line_, std::move(text));
    }

    Result<void> take_name(std::string_view text) {
        if (!has_names_)
            return defect("a sheet of one machine has no sections: name the machine by name = …");
        const std::string_view name =
            text.back() == ']' ? trimmed(text.substr(1, text.size() - 2)) : std::string_view();
        if (name.empty())
            return defect("expected the name of a machine between brackets, such as [A100]");
        if (std::ranges::find(sheets_, name, &DataSheet::name) != sheets_.end())
            return defect(fmt::format("there is another sheet of {} above", name));
        sheets_.push_back({std::string(name), {}, {}, {}});
        lines_.clear();
        return {};
    }

    Result<void> take_fact(std::string_view text) {
        const std::size_t sign = text.find('=');
        if (sign == std::string_view::npos)
            return defect(fmt::format("found \"{}\", expected key = value", text.substr(0, 40)));
        if (sheets_.empty())
            return defect("expected a line with a name, such as [A100], before the first fact");
        const std::string key(trimmed(text.substr(0, sign)));
        std::string_view value = trimmed(text.substr(sign + 1));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
            value = trimmed(value.substr(1, value.size() - 2));
        const std::string_view renamed = field_of_column(key, true);
        const std::string_view field = renamed.empty() ? std::string_view(key) : renamed;
        const auto [known, is_new] = lines_.try_emplace(std::string(field), line_);
        if (!is_new)
            return defect(fmt::format("{} is stated in line {} already", field, known->second));
        return take(key, field, value);
    }

    Result<void> take(const std::string& key, std::string_view field_key, std::string_view value) {
        DataSheet& sheet = sheets_.back();
        const bool is_name = key == "name" && !has_names_;
        if (is_name || key == "note") {
            (is_name ? sheet.name : sheet.note) = value;
            return {};
        }
        const DataSheetField* const field = find_data_sheet_field(field_key);
        if (field == nullptr) {
            std::vector<std::string> known;
            for (const DataSheetField& each : data_sheet_fields())
                known.emplace_back(each.key);
            return defect(fmt::format("there is no field {}, expected one of: {}", key,
                                      list_known(std::move(known), key)));
        }
        if (value == "unknown")
            return {};
        const bool is_text = field->quantity == SheetQuantity::Text || field->quantity == SheetQuantity::Kind;
        const auto number = is_text ? std::nullopt : value_of(*field, value);
        const bool is_kind = field->quantity != SheetQuantity::Kind ||
                             std::ranges::find(machine_kinds, value) != machine_kinds.end();
        if (value.empty() || (is_text ? !is_kind : !number))
            return defect(fmt::format("{}: found \"{}\", expected {}, or unknown", key, value.substr(0, 40),
                                      expected_value(*field)));
        if (is_text)
            sheet.texts.insert_or_assign(std::string(field->key), std::string(value));
        else
            sheet.numbers.insert_or_assign(std::string(field->key), *number);
        return {};
    }

    std::string_view rest_;
    const std::string& file_;
    bool has_names_;
    std::int64_t line_ = 0;
    std::vector<DataSheet> sheets_;
    std::map<std::string, std::int64_t, std::less<>> lines_; ///< of the keys of the current sheet
};

} // namespace

Result<DataSheet> parse_data_sheet(std::string_view text, const std::string& file) {
    auto sheets = SheetReader(text, file, false).read();
    if (!sheets)
        return std::unexpected(std::move(sheets).error());
    return std::move(sheets->front());
}

Result<std::vector<DataSheet>> parse_data_sheets(std::string_view text, const std::string& file) {
    return SheetReader(text, file, true).read();
}

std::optional<DataSheet> find_data_sheet_preset(std::string_view name) {
    for (DataSheet& sheet : data_sheet_presets())
        if (sheet.name.size() == name.size() && begins_with(sheet.name, name))
            return std::move(sheet);
    return std::nullopt;
}

nlohmann::ordered_json facts_of(const DataSheet& sheet) {
    auto facts = nlohmann::ordered_json::object();
    for (const DataSheetField& field : data_sheet_fields()) {
        const std::string key(field.key);
        if (const auto text = sheet.texts.find(key); text != sheet.texts.end())
            facts[key] = text->second;
        const auto number = sheet.numbers.find(key);
        if (number == sheet.numbers.end())
            continue;
        if (number->second == std::floor(number->second)) // as those of imported tables are
            facts[key] = static_cast<std::int64_t>(number->second);
        else
            facts[key] = number->second;
    }
    if (!sheet.note.empty())
        facts["note"] = sheet.note;
    return facts;
}

} // namespace sparsight
