#include "domains/sparse/schedule/text.h"

#include "base/files.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <concepts>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <new>
#include <optional>
#include <system_error>

namespace sparsight {
namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";

std::vector<std::string_view> split_words(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t begin = line.find_first_not_of(white_space);
        if (begin == std::string_view::npos)
            return words;
        line.remove_prefix(begin);
        const std::size_t length = std::min(line.find_first_of(white_space), line.size());
        words.push_back(line.substr(0, length));
        line.remove_prefix(length);
    }
}

/// A word of unknown origin, fit for a message: binary and endless ones too.
std::string quoted(std::string_view word) {
    constexpr std::size_t shown = 40;
    std::string text = "\"";
    for (const char c : word.substr(0, shown))
        text += c >= ' ' && c != '\x7f' ? c : '?';
    return text + (word.size() > shown ? "…\"" : "\"");
}

std::string columns(Operator op) {
    std::string splits;
    for (const Index index : indices(op))
        splits += fmt::format("{}split ", letter(index));
    std::string formats;
    for (const LoopIndex level : level_names(op))
        formats += fmt::format("f({}) ", name(level));
    return fmt::format("{}o1 … o{} {}parallel threads chunk", splits, loop_count(op), formats);
}

/// Takes the words of one schedule in turn; after the first defect everything it returns is meaningless.
class WordReader {
public:
    WordReader(Operator op, std::string_view line)
        : op_(op)
        , words_(split_words(line))
        , loops_(loop_names(op)) {
        const std::size_t expected = indices(op).size() + loop_count(op) + level_names(op).size() + 3;
        if (words_.size() < expected)
            defect_ = fmt::format("only {} where a schedule of {} has {}: {}",
                                  counted(words_.size(), "word", "words"), name(op), expected, columns(op));
        else if (words_.size() > expected)
            defect_ = fmt::format("word {} is {}, but a schedule of {} ends after {} words: {}", expected + 1,
                                  quoted(words_[expected]), name(op), expected, columns(op));
    }

    [[nodiscard]] const std::optional<std::string>& defect() const { return defect_; }

    /// `meaning()` says what is read, in case that it is wrong.
    template <std::invocable Meaning>
    std::int64_t number(const Meaning& meaning, std::int64_t last) {
        if (defect_)
            return 1;
        const std::string_view word = words_[next_];
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value < 1 || value > last)
            refuse(meaning(), fmt::format("a whole number from 1 to {}", last));
        ++next_;
        return value;
    }

    template <std::invocable Meaning>
    LoopIndex loop(const Meaning& meaning) {
        if (defect_)
            return {};
        const auto found =
            std::ranges::find(loops_, words_[next_], [](LoopIndex loop) { return name(loop); });
        if (found == loops_.end()) {
            std::vector<std::string> expected;
            std::ranges::transform(loops_, std::back_inserter(expected),
                                   [](LoopIndex loop) { return name(loop); });
            refuse(meaning(), fmt::format("one of {}", fmt::join(expected, " ")));
            return {};
        }
        ++next_;
        return *found;
    }

    LevelFormat format(LoopIndex level) {
        if (defect_)
            return LevelFormat::Compressed;
        const std::string_view word = words_[next_];
        if (word != "0" && word != "1")
            refuse(fmt::format("the format of level {}", name(level)), "0 (compressed) or 1 (uncompressed)");
        ++next_;
        return word == "1" ? LevelFormat::Uncompressed : LevelFormat::Compressed;
    }

private:
    void refuse(std::string_view meaning, std::string_view expected) {
        defect_ = fmt::format("word {}, {}, is {}, expected {}", next_ + 1, meaning, quoted(words_[next_]),
                              expected);
    }

    Operator op_;
    std::vector<std::string_view> words_;
    const LoopList& loops_;
    std::size_t next_ = 0;
    std::optional<std::string> defect_;
};

} // namespace

std::string to_text(const SuperSchedule& schedule) {
    fmt::memory_buffer text; // tables have hundreds of thousands of them
    const auto end = fmt::appender(text);
    for (const Index index : indices(schedule.op))
        fmt::format_to(end, FMT_COMPILE("{} "), schedule.split(index));
    for (const LoopIndex loop : schedule.loops())
        fmt::format_to(end, FMT_COMPILE("{} "), name(loop));
    for (const LevelFormat format : schedule.formats)
        fmt::format_to(end, FMT_COMPILE("{} "), static_cast<int>(format));
    fmt::format_to(end, FMT_COMPILE("{} {} {}"), name(schedule.parallel), schedule.threads, schedule.chunk);
    return fmt::to_string(text);
}

Result<SuperSchedule> parse_schedule(Operator op, std::string_view line) {
    WordReader words(op, line);
    SuperSchedule schedule(op);
    for (const Index index : indices(op))
        schedule.split(index) =
            words.number([&] { return fmt::format("the split of {}", letter(index)); }, maximum_split);
    for (std::size_t depth = 0; depth < loop_count(op); ++depth)
        schedule.order[depth] = words.loop([&] { return fmt::format("loop {} of the order", depth + 1); });
    for (const LoopIndex level : level_names(op))
        schedule.format(level) = words.format(level);
    schedule.parallel = words.loop([] { return "the parallel loop"; });
    schedule.threads =
        static_cast<int>(words.number([] { return "the number of threads"; }, maximum_threads));
    schedule.chunk = static_cast<int>(words.number([] { return "the chunk"; }, maximum_chunk));
    if (words.defect())
        return fail(Fault::Input, *words.defect());
    if (auto valid = check(schedule); !valid)
        return std::unexpected(std::move(valid.error()));
    return schedule;
}

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

namespace {

/// What A has along one of its indices: "row", "column", of a tensor "i-slice".
std::string slice(Operator op, Index index) {
    if (description(op).order != 2)
        return fmt::format("{}-slice", letter(index));
    return index == row_index(op) ? "row" : "column";
}

/// What one iteration of an outer loop of A is: "row", "column block".
std::string item(const SuperSchedule& schedule, Index index, bool several) {
    return fmt::format("{}{}{}", slice(schedule.op, index), schedule.is_split(index) ? " block" : "",
                       several ? "s" : "");
}

std::string level_text(const SuperSchedule& schedule, LoopIndex loop) {
    const bool is_compressed = schedule.format(loop) == LevelFormat::Compressed;
    std::string what = item(schedule, loop.index, true);
    if (loop.part == Part::Inner)
        what = slice(schedule.op, loop.index) + "s in a block";
    else if (schedule.is_split(loop.index))
        what += fmt::format(" of {}", schedule.split(loop.index));
    return fmt::format("{} ({})", what, is_compressed ? "compressed" : "dense");
}

/// Of formats that have one.
std::string_view common_name(const SuperSchedule& schedule, const LoopList& levels) {
    const bool is_matrix = description(schedule.op).order == 2;
    std::string key;
    for (const LoopIndex level : levels)
        key += fmt::format("{}{}{}", level.index == row_index(schedule.op) ? 'r' : 'c',
                           level.part == Part::Outer ? 1 : 0,
                           schedule.format(level) == LevelFormat::Compressed ? 'C' : 'U');
    if (key.find('C') == std::string::npos)
        return is_matrix ? "a dense matrix: " : "a dense tensor: ";
    if (!is_matrix)
        return "";
    if (key == "r1Uc1C")
        return "CSR: ";
    if (key == "r1Cc1C")
        return "DCSR (CSR without empty rows): ";
    if (key == "c1Ur1C")
        return "CSC: ";
    if (key == "c1Cr1C")
        return "DCSC (CSC without empty columns): ";
    if (key == "r1Uc1Cr0Uc0U" || key == "r1Uc1Cc0Ur0U")
        return "BCSR: ";
    return "";
}

std::string storage_text(const SuperSchedule& schedule) {
    const LoopList levels = existing_levels(schedule);
    std::vector<std::string> parts;
    for (const LoopIndex level : levels)
        parts.push_back(level_text(schedule, level));
    const std::string_view name = common_name(schedule, levels);
    return fmt::format("A is stored {}{}{}", name.empty() ? "" : "as ", name.empty() ? "by " : name,
                       fmt::join(parts, ", then "));
}

/// Of an index that A does not have. An inner loop directly inside its outer one visits the index in order,
/// as if it were not split.
std::string strips_text(const SuperSchedule& schedule, Index dense) {
    const std::array split_loop{LoopIndex{dense, Part::Outer}, LoopIndex{dense, Part::Inner}};
    const LoopList loops = existing_loops(schedule);
    if (std::ranges::search(loops, split_loop).empty())
        return is_summed(schedule.op, dense)
                   ? fmt::format("the sum over {} runs in strips of {}", letter(dense), schedule.split(dense))
                   : fmt::format("the columns of {} run in strips of {}",
                                 description(schedule.op).formula.front(), schedule.split(dense));
    return fmt::format("in this schedule splitting {} by {} changes nothing, because {} follows {} directly",
                       letter(dense), schedule.split(dense), name(split_loop[1]), name(split_loop[0]));
}

std::string work_text(const SuperSchedule& schedule) {
    std::string text = fmt::format("{} {} {} {} at a time", schedule.threads,
                                   schedule.threads == 1 ? "thread takes" : "threads take", schedule.chunk,
                                   item(schedule, schedule.parallel.index, schedule.chunk != 1));
    for (const Index dense : dense_indices(schedule.op))
        if (schedule.is_split(dense))
            text += "; " + strips_text(schedule, dense);
    return text;
}

} // namespace

std::string describe(const SuperSchedule& schedule) {
    return fmt::format("{}. {}.", storage_text(schedule), work_text(schedule));
}

} // namespace sparsight
