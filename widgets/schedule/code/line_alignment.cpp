#include "widgets/schedule/code/line_alignment.h"

#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <span>

namespace sparsight {

namespace {

/// Lines of which fewer words are shared have nothing to do with each other.
constexpr double least_likeness = 0.5;

struct Word {
    TextRange range;
    QString text;
};

/// Names and numbers, and each sign of its own; white space is none.
std::vector<Word> words_of(const QString& line) {
    std::vector<Word> words;
    for (int at = 0; at < line.size();) {
        const int begin = at;
        const auto is_letter = [&](int place) {
            return line[place].isLetterOrNumber() || line[place] == u'_';
        };
        if (line[at].isSpace()) {
            ++at;
            continue;
        }
        do
            ++at;
        while (at < line.size() && is_letter(begin) && is_letter(at));
        words.push_back({{begin, at - begin}, line.mid(begin, at - begin)});
    }
    return words;
}

/// The longest sequence of pairs for which `worth` adds up to most (Needleman and Wunsch); 0: no pair.
template <class Worth>
std::vector<std::pair<int, int>> best_pairs(int left, int right, Worth worth) {
    const auto width = static_cast<std::size_t>(right) + 1;
    std::vector<double> best((static_cast<std::size_t>(left) + 1) * width, 0);
    const auto at = [&](int l, int r) -> double& {
        return best[static_cast<std::size_t>(l) * width + static_cast<std::size_t>(r)];
    };
    for (int l = left - 1; l >= 0; --l)
        for (int r = right - 1; r >= 0; --r) {
            const double pair = worth(l, r);
            at(l, r) = std::max({at(l + 1, r), at(l, r + 1), pair > 0 ? pair + at(l + 1, r + 1) : 0.0});
        }
    std::vector<std::pair<int, int>> pairs;
    for (int l = 0, r = 0; l < left && r < right;) {
        const double pair = worth(l, r);
        if (pair > 0 && at(l, r) == pair + at(l + 1, r + 1))
            pairs.emplace_back(l++, r++);
        else if (at(l, r) == at(l + 1, r))
            ++l;
        else
            ++r;
    }
    return pairs;
}

std::vector<std::pair<int, int>> common_words(std::span<const Word> left, std::span<const Word> right) {
    return best_pairs(static_cast<int>(left.size()), static_cast<int>(right.size()), [&](int l, int r) {
        return left[static_cast<std::size_t>(l)].text == right[static_cast<std::size_t>(r)].text ? 1.0 : 0.0;
    });
}

/// Neighbours in the text become one range.
std::vector<TextRange> uncommon(std::span<const Word> words, std::span<const int> common) {
    std::vector<TextRange> ranges;
    int before = -2;
    for (int at = 0; at < static_cast<int>(words.size()); ++at) {
        if (std::ranges::binary_search(common, at))
            continue;
        const TextRange range = words[static_cast<std::size_t>(at)].range;
        if (before == at - 1)
            ranges.back().length = range.begin + range.length - ranges.back().begin;
        else
            ranges.push_back(range);
        before = at;
    }
    return ranges;
}

struct Lines {
    QStringList texts;
    std::vector<QString> bare; ///< without indentation
    std::vector<std::vector<Word>> words;

    explicit Lines(const QString& text)
        : texts((text.endsWith(u'\n') ? text.chopped(1) : text).split(u'\n')) {
        if (text.isEmpty())
            texts.clear();
        for (const QString& line : texts) {
            bare.push_back(line.trimmed());
            words.push_back(words_of(line));
        }
    }
    [[nodiscard]] int size() const { return static_cast<int>(texts.size()); }
};

AlignedLine pair_of(const Lines& left, const Lines& right, int l, int r) {
    AlignedLine line{l, r, false, {}, {}};
    const auto a = static_cast<std::size_t>(l);
    const auto b = static_cast<std::size_t>(r);
    if (left.bare[a] == right.bare[b])
        return line;
    std::vector<int> common_left;
    std::vector<int> common_right;
    for (const auto& [one, other] : common_words(left.words[a], right.words[b])) {
        common_left.push_back(one);
        common_right.push_back(other);
    }
    line.differs = true;
    line.left_marks = uncommon(left.words[a], common_left);
    line.right_marks = uncommon(right.words[b], common_right);
    return line;
}

} // namespace

std::vector<AlignedLine> align_lines(const QString& left_text, const QString& right_text) {
    const Lines left(left_text);
    const Lines right(right_text);
    // Asked twice of each pair.
    std::vector<double> known(static_cast<std::size_t>(left.size()) * static_cast<std::size_t>(right.size()),
                              -1);
    const auto likeness = [&](int l, int r) {
        const auto a = static_cast<std::size_t>(l);
        const auto b = static_cast<std::size_t>(r);
        double& worth = known[a * static_cast<std::size_t>(right.size()) + b];
        if (worth >= 0)
            return worth;
        if (left.bare[a] == right.bare[b])
            return worth = left.bare[a].isEmpty() ? 0.1 : 2;
        const auto words = static_cast<double>(left.words[a].size() + right.words[b].size());
        const auto common = static_cast<double>(common_words(left.words[a], right.words[b]).size());
        const double share = words > 0 ? 2 * common / words : 0;
        return worth = share >= least_likeness ? share : 0;
    };
    std::vector<AlignedLine> lines;
    int l = 0;
    int r = 0;
    const auto fill = [&](int to_left, int to_right) {
        while (l < to_left)
            lines.push_back({l++, std::nullopt, true, {}, {}});
        while (r < to_right)
            lines.push_back({std::nullopt, r++, true, {}, {}});
    };
    for (const auto& [pair_left, pair_right] : best_pairs(left.size(), right.size(), likeness)) {
        fill(pair_left, pair_right);
        lines.push_back(pair_of(left, right, l++, r++));
    }
    fill(left.size(), right.size());
    return lines;
}

} // namespace sparsight
