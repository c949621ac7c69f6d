#include "shown_texts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <regex>
#include <span>
#include <sstream>

namespace sparsight::testing {
namespace {

constexpr std::array prepositions{
    "above",   "across",     "after",  "against", "along",   "among",   "around",  "as",     "at",
    "before",  "behind",     "below",  "beneath", "beside",  "besides", "between", "beyond", "by",
    "despite", "during",     "except", "for",     "from",    "in",      "inside",  "into",   "like",
    "near",    "of",         "on",     "onto",    "outside", "over",    "per",     "since",  "than",
    "through", "throughout", "to",     "toward",  "towards", "under",   "unlike",  "until",  "upon",
    "via",     "with",       "within", "without"};

bool is_word_character(char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

/// What a quote begins and where it ends, behind the closing quote.
struct Literal {
    std::string text;
    std::size_t end = 0;
};

Literal literal_at(std::string_view source, std::size_t quote) {
    Literal found;
    std::size_t at = quote + 1;
    for (; at < source.size() && source[at] != source[quote]; ++at) {
        if (source[at] != '\\' || at + 1 == source.size()) {
            found.text += source[at];
            continue;
        }
        const char escaped = source[++at];
        found.text += escaped == 'n' || escaped == 't' ? '\n' : escaped;
    }
    found.end = std::min(at + 1, source.size());
    return found;
}

/// Behind a comment or a raw string that begins here, else the same place.
std::size_t behind_what_is_no_code(std::string_view source, std::size_t at) {
    const auto behind = [&](std::string_view end) {
        const std::size_t found = source.find(end, at);
        return found == std::string_view::npos ? source.size() : found + end.size();
    };
    const std::string_view rest = source.substr(at);
    if (rest.starts_with("//"))
        return behind("\n");
    if (rest.starts_with("/*"))
        return behind("*/");
    if (rest.starts_with("R\"") && (at == 0 || !is_word_character(source[at - 1])))
        return behind(fmt::format("){}\"", rest.substr(2, rest.find('(') - 2)));
    return at;
}

/// The place of the text among the arguments of a function of this name.
using PlaceOfText = std::optional<int> (*)(std::string_view function);

std::optional<int> place_in_translation(std::string_view function) {
    if (function == "tr" || function == "QT_TR_NOOP")
        return 0;
    if (function == "translate" || function == "QT_TRANSLATE_NOOP")
        return 1;
    return {};
}

std::optional<int> place_in_message(std::string_view function) {
    if (function == "remark" || function == "warn" || function == "note")
        return 0;
    if (function == "fail")
        return 1;
    if (function == "fail_in_file")
        return 3;
    return {};
}

/// `open`: behind the bracket that opens the arguments. Of an argument that begins with fmt::format(), the
/// format is the text.
ShownText text_of_argument(std::string_view source, std::size_t open, int place) {
    ShownText found;
    int argument = 0;
    for (std::size_t at = open, depth = 1; at < source.size() && depth > 0 && argument <= place;) {
        if (const std::size_t behind = behind_what_is_no_code(source, at); behind != at) {
            at = behind;
            continue;
        }
        static constexpr std::string_view format = "fmt::format(";
        if (argument == place && depth == 1 && found.text.empty() && source.substr(at).starts_with(format))
            return text_of_argument(source, at + format.size(), 0);
        const char character = source[at];
        if (character == '"' || character == '\'') {
            const auto [text, end] = literal_at(source, at);
            if (character == '"' && argument == place && depth == 1) {
                if (found.line == 0)
                    found.line = static_cast<int>(1 + std::ranges::count(source.substr(0, at), '\n'));
                found.text += text;
            }
            at = end;
            continue;
        }
        if (std::string_view("([{").contains(character))
            ++depth;
        else if (std::string_view(")]}").contains(character))
            --depth;
        else if (character == ',' && depth == 1)
            ++argument;
        ++at;
    }
    return found;
}

/// Without signs around it and without the mark of a mnemonic; in small letters.
std::string bare(std::string_view word) {
    std::string text;
    for (const char character : word)
        if (is_word_character(character) || character == '-')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    return text;
}

/// Also Greek letters, which are a word of their own: τ. Other signs, such as · and ×, are none.
bool has_word_character(std::string_view word) {
    return std::ranges::any_of(word, [](char character) {
        return is_word_character(character) || character == '\xce' || character == '\xcf';
    });
}

std::vector<std::string> words_of(const std::string& sentence) {
    std::istringstream stream(sentence);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        if (has_word_character(word))
            words.push_back(word);
    return words;
}

bool begins_with_preposition(std::span<const std::string> words) {
    if (words.size() < 2)
        return false;
    const std::string first = bare(words[0]);
    const std::string second = bare(words[1]);
    const bool is_noun = std::ispunct(static_cast<unsigned char>(words[0].back())) != 0 || second == "and";
    const bool is_bound = first == "at" && (second == "least" || second == "most");
    const bool is_comparison = first == "as" && words.size() > 2 && bare(words[2]) == "as";
    return !is_noun && !is_bound && !is_comparison &&
           std::ranges::find(prepositions, first) != prepositions.end();
}

std::vector<ShownText> texts_of_calls(std::string_view source, PlaceOfText place_of_text) {
    std::vector<ShownText> found;
    for (std::size_t at = 0; at < source.size();) {
        if (const std::size_t behind = behind_what_is_no_code(source, at); behind != at) {
            at = behind;
        } else if (source[at] == '"' || source[at] == '\'') {
            at = literal_at(source, at).end;
        } else if (is_word_character(source[at])) {
            const std::size_t begin = at;
            while (at < source.size() && (is_word_character(source[at]) || source[at] == '\''))
                ++at; // digits are parted by quotes, too: 1'000
            const auto place = place_of_text(source.substr(begin, at - begin));
            if (place && source.substr(at).starts_with('('))
                if (ShownText text = text_of_argument(source, at + 1, *place); !text.text.empty())
                    found.push_back(std::move(text));
        } else {
            ++at;
        }
    }
    return found;
}

} // namespace

std::vector<ShownText> translated_texts(std::string_view source) {
    return texts_of_calls(source, place_in_translation);
}

std::vector<ShownText> messages_of(std::string_view source) {
    static const std::regex placeholder(R"(\{[^{}]*\})");
    std::vector<ShownText> found = texts_of_calls(source, place_in_message);
    for (ShownText& each : found)
        each.text = std::regex_replace(each.text, placeholder, "%1");
    return found;
}

std::vector<ShownText> paragraphs_of(std::string_view page) {
    static const std::regex item(R"(^\s*(?:[-*]|\d+\.) )");
    static const std::regex setting(R"(^(?:domain|minutes|place): .*)");
    static const std::regex link(R"(!?\[([^\]]*)\]\([^)]*\))");
    static const std::regex mark("[*`]");
    std::vector<ShownText> found;
    std::istringstream lines{std::string(page)};
    bool is_code = false;
    bool is_open = false;
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const bool is_fence = line.starts_with("```");
        is_code = is_code != is_fence;
        if (is_code || is_fence || line.empty() || line.starts_with('#') || line.starts_with('|') ||
            std::regex_match(line, setting)) {
            is_open = false;
            continue;
        }
        const std::string text = std::regex_replace(line, item, "");
        if (!is_open || text != line)
            found.push_back({number, text});
        else
            found.back().text += ' ' + text;
        is_open = true;
    }
    for (ShownText& each : found)
        each.text = std::regex_replace(std::regex_replace(each.text, link, "$1"), mark, "");
    return found;
}

std::vector<std::string> sentences_of(std::string_view text) {
    static const std::regex tag_that_ends("</?(?:p|br|li|ul|ol|h[1-6]|tr|td|th|table|div)\\b[^<>]*>");
    static const std::regex other_tag("</?[a-z]+(?:\\s[^<>]*)?>");
    static const std::regex end(R"([.!?]["')]*\s+|\s*\n\s*)");
    std::string plain = std::regex_replace(std::string(text), tag_that_ends, "\n");
    plain = std::regex_replace(plain, other_tag, "");
    std::vector<std::string> sentences;
    for (std::sregex_token_iterator part(plain.begin(), plain.end(), end, -1), none; part != none; ++part)
        if (!words_of(part->str()).empty())
            sentences.push_back(part->str());
    return sentences;
}

std::vector<std::string> long_sentences(std::string_view text, std::size_t most_words) {
    std::vector<std::string> found;
    for (const std::string& sentence : sentences_of(text))
        if (const std::size_t words = words_of(sentence).size(); words > most_words)
            found.push_back(fmt::format("{} words: {}", words, sentence));
    return found;
}

std::vector<std::string> faults_of(std::string_view text, std::size_t most_words) {
    std::vector<std::string> faults = long_sentences(text, most_words);
    for (const std::string& sentence : sentences_of(text))
        if (const auto words = words_of(sentence); begins_with_preposition(words))
            faults.push_back(fmt::format("begins with “{}”: {}", bare(words.front()), sentence));
    return faults;
}

} // namespace sparsight::testing
