// Full text search over the help.
#pragma once

#include "gui/help/help_text.h"

#include <QStringList>

namespace sparsight {

struct HelpMatch {
    HelpSection section;
    double score = 0;
    QString excerpt; ///< a piece of the text that begins shortly before what was found
};

class HelpIndex {
public:
    explicit HelpIndex(std::vector<HelpSection> sections);

    /// Sections in which every word of the query begins a word of the section, its heading or its page's
    /// title; the best first. A word counts more in titles and headings than in the text, more when it is
    /// whole, and more when it is rare. Empty for an empty query.
    [[nodiscard]] std::vector<HelpMatch> search(const QString& query, std::size_t most = 30) const;

    /// Lower case, as they are compared.
    [[nodiscard]] static QStringList words(const QString& text);

private:
    struct IndexedSection {
        HelpSection section;
        QStringList title;
        QStringList heading;
        QStringList text;
    };

    [[nodiscard]] double score(const IndexedSection& section, const QString& word) const;

    std::vector<IndexedSection> sections_;
    double mean_length_ = 0; ///< of the texts, in words
};

} // namespace sparsight
