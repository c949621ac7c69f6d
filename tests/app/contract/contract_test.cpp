// What every command answers, in text and in JSON, on a small workspace with recorded and simulated times.
// Nothing is measured, so the answers are the same everywhere but for times, dates and last digits, which are
// not compared. After a change that is meant, SPARSIGHT_CONTRACT_UPDATE=1 writes the answers anew: read their
// diff.
#include "app/cli/child_process.h"
#include "support/test_files.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight::testing {
namespace {

const std::filesystem::path data = std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "tests/data/contract";

std::string content_of_file(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct Step {
    std::string name;
    std::vector<std::string> words;
};

/// Words stand between spaces; within single quotes a space belongs to the word.
std::vector<std::string> words_of(const std::string& line) {
    static const std::regex word("'([^']*)'|(\\S+)");
    std::vector<std::string> words;
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at)
        words.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
    return words;
}

std::vector<Step> session() {
    std::vector<Step> steps;
    std::ifstream lines(data / "session.txt");
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#'))
            continue;
        const auto colon = line.find(": ");
        steps.push_back({line.substr(0, colon), words_of(line.substr(colon + 2))});
    }
    return steps;
}

/// Dates, durations, sizes of memory and the folder of the test differ from run to run.
std::string comparable(std::string text, const std::string& folder) {
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.replace(at, folder.size(), "FOLDER");
    static const std::array<std::pair<std::regex, const char*>, 7> variable{{
        {std::regex(R"x(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)x"), "DATE"},
        {std::regex(
             R"x(("([a-z_]*seconds|seconds_left|examples_per_second|memory_bytes|embedding_ms|search_ms|exhaustive_ms)": ?)[-+.e\d]+)x"),
         "$1TIME"},
        {std::regex(
             R"x((scored in|simulated in|after|walked in|searched in|found in|took) [.\d]+ (ms|s|µs)\b)x"),
         "$1 TIME"},
        {std::regex(R"x(, [.\d]+ (min|s|ms) left)x"), ", TIME left"},
        // How many steps one line has, and whether a log has a line of progress, depends on the time.
        {std::regex(R"x(\{"event":"(progress|steps)".*\n)x"), ""},
        {std::regex(R"x(\n *\d+ %[^\n:]*: [^\n]*)x"), ""},
        // What is said of a computer that is slow, or busy.
        {std::regex(R"x(\n[^\n]*LibTorch multiplies matrices at [^\n]*)x"), ""},
    }};
    for (const auto& [pattern, replacement] : variable)
        text = std::regex_replace(text, pattern, replacement);
    return text;
}

std::string answer_of(const Step& step, const std::filesystem::path& folder) {
    std::vector<std::string> words{SPARSIGHT_CLI};
    words.insert(words.end(), step.words.begin(), step.words.end());
    const Outcome outcome = ChildProcess(words, folder).finish();
    return comparable(fmt::format("exit code {}\n--- stdout\n{}--- stderr\n{}", outcome.exit_code,
                                  outcome.out, outcome.err),
                      folder.string());
}

/// Numbers may differ by so much: processors add vectors in orders of their own.
constexpr double tolerance = 2e-3;

bool are_alike(double one, double other, int decimals) {
    const double last_digit = 1.5 * std::pow(10.0, -decimals);
    return std::abs(one - other) <=
           std::max(tolerance * std::max(std::abs(one), std::abs(other)), last_digit);
}

/// The texts between the numbers, spaces folded, and the numbers with their count of decimals.
struct Parsed {
    std::string words;
    std::vector<std::pair<double, int>> numbers;
};

Parsed parsed(std::string_view line) {
    Parsed result;
    for (std::size_t at = 0; at < line.size();) {
        const bool follows_word = at > 0 && (std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0);
        double value = 0;
        if (std::isdigit(static_cast<unsigned char>(line[at])) != 0 && !follows_word) {
            const auto [end, error] = std::from_chars(line.data() + at, line.data() + line.size(), value);
            if (error == std::errc()) {
                const std::string_view digits(line.data() + at,
                                              static_cast<std::size_t>(end - line.data()) - at);
                const auto point = digits.find('.');
                const bool has_exponent = digits.find('e') != std::string_view::npos;
                result.numbers.emplace_back(value, point == std::string_view::npos || has_exponent
                                                       ? (has_exponent ? 9 : 0)
                                                       : static_cast<int>(digits.size() - point - 1));
                result.words += '#';
                at += digits.size();
                continue;
            }
        }
        const bool is_space = line[at] == ' ' || line[at] == '-';
        if (!is_space || result.words.empty() || result.words.back() != line[at])
            result.words += line[at];
        ++at;
    }
    return result;
}

bool says_the_same(std::string_view expected, std::string_view found) {
    if (expected == found)
        return true;
    const Parsed one = parsed(expected);
    const Parsed other = parsed(found);
    if (one.words != other.words || one.numbers.size() != other.numbers.size())
        return false;
    for (std::size_t at = 0; at < one.numbers.size(); ++at)
        if (!are_alike(one.numbers[at].first, other.numbers[at].first,
                       std::min(one.numbers[at].second, other.numbers[at].second)))
            return false;
    return true;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    lines.push_back(text.substr(begin));
    return lines;
}

/// The first line that differs; empty: none does.
std::string difference(const std::string& expected, const std::string& found) {
    const auto one = lines_of(expected);
    const auto other = lines_of(found);
    for (std::size_t at = 0; at < std::max(one.size(), other.size()); ++at) {
        const std::string nothing = "(nothing)";
        const std::string& here = at < one.size() ? one[at] : nothing;
        const std::string& there = at < other.size() ? other[at] : nothing;
        if (!says_the_same(here, there))
            return fmt::format("line {}:\n  expected {}\n  found    {}", at + 1, here, there);
    }
    return {};
}

TEST(Contract, EveryCommandAnswersAsItDid) {
    const bool updates = std::getenv("SPARSIGHT_CONTRACT_UPDATE") != nullptr;
    const TemporaryFolder folder;
    ::unsetenv("SPARSIGHT_WORKSPACE");
    for (const char* const file : {"small.mtx", "broken.mtx", "recorded.csv"})
        std::filesystem::copy_file(data / file, folder.path() / file);
    for (const Step& step : session()) {
        const std::string found = answer_of(step, folder.path());
        const auto file = data / "expected" / (step.name + ".txt");
        if (updates)
            std::ofstream(file) << found;
        else
            EXPECT_EQ(difference(content_of_file(file), found), "") << step.name << ", " << file.string();
    }
}

// The comparison itself.
TEST(ContractComparison, FindsWhatDiffersInWordsAndNumbers) {
    EXPECT_EQ(difference("a 1.000\nb\n", "a 1.001\nb\n"), "");
    EXPECT_EQ(difference("rank   12.5  x", "rank  12.51  x"), "");
    EXPECT_NE(difference("a 1.00\n", "a 1.10\n"), "");
    EXPECT_NE(difference("a 12\n", "a 15\n"), "");
    EXPECT_NE(difference("i1 2\n", "i0 2\n"), "");
    EXPECT_NE(difference("a\n", "a\nb\n"), "");
    EXPECT_NE(difference("slower\n", "faster\n"), "");
}

} // namespace
} // namespace sparsight::testing
