// Two texts line by line beside each other, lines that correspond at the same height.
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

struct TextRange {
    int begin = 0;
    int length = 0;
    bool operator==(const TextRange&) const = default;
};

struct AlignedLine {
    std::optional<int> left; ///< which line of the text, from 0; none: a gap
    std::optional<int> right;
    bool differs = false;                ///< in more than its indentation
    std::vector<TextRange> left_marks{}; ///< the words that the other one does not have
    std::vector<TextRange> right_marks{};
    bool operator==(const AlignedLine&) const = default;
};

/// Lines that are the same but for their indentation correspond; of the others those that share most words,
/// so that as many words as possible are the same on both sides. Every line of both stands there once, in its
/// order.
[[nodiscard]] std::vector<AlignedLine> align_lines(const QString& left, const QString& right);

} // namespace sparsight
