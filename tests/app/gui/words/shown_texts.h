// The texts that a reader sees, as they stand in sources and lessons, and what is wrong with their sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sparsight::testing {

struct ShownText {
    int line = 0; ///< from 1
    std::string text;
};

/// The texts of tr(), translate(), QT_TR_NOOP() and QT_TRANSLATE_NOOP() in a C++ source: literals that stand
/// side by side are one text.
[[nodiscard]] std::vector<ShownText> translated_texts(std::string_view source);

/// The texts of fail(), fail_in_file(), remark(), warn() and note() in a C++ source, where they are literals
/// or formats; "%1" stands for a placeholder.
[[nodiscard]] std::vector<ShownText> messages_of(std::string_view source);

/// Paragraphs and items of a page in Markdown, without its marks; no headings, tables and blocks of code.
[[nodiscard]] std::vector<ShownText> paragraphs_of(std::string_view page);

/// A tag of a paragraph or a line break ends a sentence, as a full stop does; other tags are left out.
[[nodiscard]] std::vector<std::string> sentences_of(std::string_view text);

/// "23 words: …". A word has a letter or a digit.
[[nodiscard]] std::vector<std::string> long_sentences(std::string_view text, std::size_t most_words);

/// Long sentences, and "begins with “by”: …". At least, as … as, and a word before a colon or an "and" are
/// not prepositions.
[[nodiscard]] std::vector<std::string> faults_of(std::string_view text, std::size_t most_words);

} // namespace sparsight::testing
