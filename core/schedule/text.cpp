#include "schedule/text.h"

#include "schedule/validity.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

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

std::string format_columns(Operator op) {
    const auto of_index = [](Index index) { return fmt::format("f({0}1) f({0}0)", letter(index)); };
    return of_index(row_index(op)) + " " + of_index(column_index(op));
}

std::string columns(Operator op) {
    std::string splits;
    for (const Index index : indices(op))
        splits += fmt::format("{}split ", letter(index));
    return fmt::format("{}o1 … o{} {} parallel threads chunk", splits, loop_count(op), format_columns(op));
}

/// Takes the words of one schedule in turn; after the first defect everything it returns is meaningless.
class WordReader {
public:
    WordReader(Operator op, std::string_view line)
        : op_(op)
        , words_(split_words(line))
        , loops_(loop_names(op)) {
        const std::size_t expected = indices(op).size() + loop_count(op) + 4 + 3;
        if (words_.size() < expected)
            defect_ = fmt::format("only {} words where a schedule of {} has {}: {}", words_.size(), name(op),
                                  expected, columns(op));
        else if (words_.size() > expected)
            defect_ = fmt::format("word {} is {}, but a schedule of {} ends after {} words: {}", expected + 1,
                                  quoted(words_[expected]), name(op), expected, columns(op));
    }

    [[nodiscard]] const std::optional<std::string>& defect() const { return defect_; }

    std::int64_t number(std::string_view meaning, std::int64_t last) {
        if (defect_)
            return 1;
        const std::string_view word = words_[next_];
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value < 1 || value > last)
            refuse(meaning, fmt::format("a whole number from 1 to {}", last));
        ++next_;
        return value;
    }

    LoopIndex loop(std::string_view meaning) {
        if (defect_)
            return {};
        const auto found =
            std::ranges::find(loops_, words_[next_], [](LoopIndex loop) { return name(loop); });
        if (found == loops_.end()) {
            std::vector<std::string> expected;
            std::ranges::transform(loops_, std::back_inserter(expected),
                                   [](LoopIndex loop) { return name(loop); });
            refuse(meaning, fmt::format("one of {}", fmt::join(expected, " ")));
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
    std::vector<LoopIndex> loops_;
    std::size_t next_ = 0;
    std::optional<std::string> defect_;
};

} // namespace

std::string to_text(const SuperSchedule& schedule) {
    std::string text;
    for (const Index index : indices(schedule.op))
        text += fmt::format("{} ", schedule.split(index));
    for (const LoopIndex loop : schedule.loops())
        text += name(loop) + " ";
    for (const LevelFormat format : schedule.formats)
        text += fmt::format("{} ", static_cast<int>(format));
    return text + fmt::format("{} {} {}", name(schedule.parallel), schedule.threads, schedule.chunk);
}

Result<SuperSchedule> parse_schedule(Operator op, std::string_view line) {
    WordReader words(op, line);
    SuperSchedule schedule;
    schedule.op = op;
    for (const Index index : indices(op))
        schedule.splits[static_cast<std::size_t>(index)] =
            words.number(fmt::format("the split of {}", letter(index)), maximum_split);
    for (std::size_t depth = 0; depth < loop_count(op); ++depth)
        schedule.order[depth] = words.loop(fmt::format("loop {} of the order", depth + 1));
    for (std::size_t level = 0; level < schedule.formats.size(); ++level)
        schedule.formats[level] = words.format(
            {level < 2 ? row_index(op) : column_index(op), level % 2 == 0 ? Part::Outer : Part::Inner});
    schedule.parallel = words.loop("the parallel loop");
    schedule.threads = static_cast<int>(words.number("the number of threads", maximum_threads));
    schedule.chunk = static_cast<int>(words.number("the chunk", maximum_chunk));
    if (words.defect())
        return fail(Fault::Input, *words.defect());
    if (auto valid = check(schedule); !valid)
        return std::unexpected(std::move(valid.error()));
    return schedule;
}

} // namespace sparsight
