#include "gui/search/search_ranking.h"

#include <QStringList>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int whole = 100;
constexpr int beginning = 80;
constexpr int word_beginning = 60;
constexpr int anywhere = 40;
constexpr int scattered = 10;

bool is_word_beginning(const QString& text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

bool has_in_order(const QString& letters, const QString& text) {
    qsizetype at = 0;
    for (const QChar letter : letters) {
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

int word_score(const QString& word, const QString& text) {
    if (text.compare(word, Qt::CaseInsensitive) == 0)
        return whole;
    int best = 0;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
        best = std::max(best, at == 0 ? beginning : is_word_beginning(text, at) ? word_beginning : anywhere);
    if (best == 0 && word.size() >= 3 && has_in_order(word, text))
        best = scattered;
    return best;
}

} // namespace

int search_score(const QString& query, const QString& text) {
    const QStringList words = query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int sum = 0;
    for (const QString& word : words) {
        const int score = word_score(word, text);
        if (score == 0)
            return 0;
        sum += score;
    }
    return words.isEmpty() ? 0 : sum / static_cast<int>(words.size());
}

} // namespace sparsight
