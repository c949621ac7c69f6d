// The pages of the help, in the order of the contents. An id is the name of the file resources/help/ID.md,
// and what show_topic() and help_requested() take.
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>
#include <QtGlobal>
#include <array>
#include <vector>

namespace sparsight {

struct HelpTopic {
    const char* id;
    const char* group; ///< heading in the contents; translated with the context "HelpContents"
};

inline constexpr std::array help_topics{
    HelpTopic{"index", QT_TRANSLATE_NOOP("HelpContents", "Start")},
    HelpTopic{"super-schedule", QT_TRANSLATE_NOOP("HelpContents", "Ideas")},
    HelpTopic{"level-formats", QT_TRANSLATE_NOOP("HelpContents", "Ideas")},
    HelpTopic{"sparsity-plot", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"statistics", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"speedup-chart", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"coordinate-tree", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"measuring", QT_TRANSLATE_NOOP("HelpContents", "Measuring")},
    HelpTopic{"machines", QT_TRANSLATE_NOOP("HelpContents", "Measuring")},
    HelpTopic{"jobs", QT_TRANSLATE_NOOP("HelpContents", "Measuring")},
    HelpTopic{"what-if", QT_TRANSLATE_NOOP("HelpContents", "Simulating")},
    HelpTopic{"training", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"fine-tuning", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"search", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"results", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"failures", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"experiments", QT_TRANSLATE_NOOP("HelpContents", "To look up")},
    HelpTopic{"command-line", QT_TRANSLATE_NOOP("HelpContents", "To look up")},
    HelpTopic{"shortcuts", QT_TRANSLATE_NOOP("HelpContents", "To look up")},
    HelpTopic{"glossary", QT_TRANSLATE_NOOP("HelpContents", "To look up")},
};

// The text of the help's pages, without a window: Markdown from the resources, cut into sections.

/// What stands below one heading.
struct HelpSection {
    QString topic;
    QString page_title;
    QString heading; ///< the page's title for what stands above the first heading below it
    QString anchor;  ///< empty for the page's top
    QString text;    ///< plain, marks of Markdown removed
};

/// The page's Markdown; empty when there is no such topic.
[[nodiscard]] QString help_markdown(const QString& topic);
[[nodiscard]] QString help_title(const QString& topic);

/// What a link writes for a heading, as code hosts do: "Level formats (U, C)" is "level-formats-u-c".
[[nodiscard]] QString anchor_of_heading(QStringView heading);

[[nodiscard]] std::vector<HelpSection> help_sections(const QString& topic, const QString& markdown);
/// Of all topics, in their order.
[[nodiscard]] std::vector<HelpSection> all_help_sections();

/// Where a link of a page leads: "level-formats.md#compressed-c", "#spread", "https://…".
struct HelpLink {
    QString topic;       ///< empty for a link out of the help
    QString anchor;      ///< may be empty
    bool is_web = false; ///< to be opened by the browser
};
[[nodiscard]] HelpLink parse_help_link(const QString& link, const QString& on_topic);

// Full text search over the help.

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
