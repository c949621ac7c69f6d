// The text of the help without a window: the list of pages in the order of the contents, their Markdown from
// the resources cut into sections, and the full-text search over them.
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>
#include <QtGlobal>
#include <array>
#include <vector>

namespace sparsight {

/// A page of the help. The id is the name of the file resources/help/ID.md and the argument of show_topic()
/// and help_requested().
struct HelpTopic {
    const char* id;
    /// Heading in the contents: pages about one domain alone stand below its name. Translated with the
    /// context "HelpContents".
    const char* group;
};

inline constexpr std::array help_topics{
    HelpTopic{"index", QT_TRANSLATE_NOOP("HelpContents", "Start")},
    HelpTopic{"domains", QT_TRANSLATE_NOOP("HelpContents", "Start")},
    HelpTopic{"machines", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"training", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"fine-tuning", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"search", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"results", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"failures", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"what-if", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"how-we-measure", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"jobs", QT_TRANSLATE_NOOP("HelpContents", "Every domain")},
    HelpTopic{"super-schedule", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"level-formats", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"sparsity-plot", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"statistics", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"measuring", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"speedup-chart", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"coordinate-tree", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"experiments", QT_TRANSLATE_NOOP("HelpContents", "Sparse kernels")},
    HelpTopic{"blocks", QT_TRANSLATE_NOOP("HelpContents", "Basic blocks")},
    HelpTopic{"command-line", QT_TRANSLATE_NOOP("HelpContents", "Reference")},
    HelpTopic{"shortcuts", QT_TRANSLATE_NOOP("HelpContents", "Reference")},
    HelpTopic{"glossary", QT_TRANSLATE_NOOP("HelpContents", "Reference")},
};

/// The text below one heading.
struct HelpSection {
    QString topic;
    QString page_title;
    QString heading; ///< the page's title for the text above its first heading
    QString anchor;  ///< empty for the top of the page
    QString text;    ///< plain text, without Markdown marks
};

/// The page's Markdown; empty when there is no such topic.
[[nodiscard]] QString help_markdown(const QString& topic);
[[nodiscard]] QString help_title(const QString& topic);

/// The anchor by which a link names a heading, as code hosts form it: "Level formats (U, C)" is
/// "level-formats-u-c".
[[nodiscard]] QString anchor_of_heading(QStringView heading);

[[nodiscard]] std::vector<HelpSection> help_sections(const QString& topic, const QString& markdown);
/// The sections of all topics, in their order.
[[nodiscard]] std::vector<HelpSection> all_help_sections();

/// Target of a link on a page: "level-formats.md#compressed-c", "#spread", "https://…".
struct HelpLink {
    QString topic;       ///< empty for a link out of the help
    QString anchor;      ///< may be empty
    bool is_web = false; ///< opened by the browser
};
[[nodiscard]] HelpLink parse_help_link(const QString& link, const QString& on_topic);

struct HelpMatch {
    HelpSection section;
    double score = 0;
    QString excerpt; ///< a piece of the text that begins shortly before the match
};

class HelpIndex {
public:
    explicit HelpIndex(std::vector<HelpSection> sections);

    /// Finds the sections in which every word of the query begins a word of the section, its heading or its
    /// page's title; the best come first. A word counts more in titles and headings than in the text, more
    /// when it is whole, and more when it is rare. Empty for an empty query.
    [[nodiscard]] std::vector<HelpMatch> search(const QString& query, std::size_t most = 30) const;

    /// The words of a text in lower case, as they are compared.
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
    double mean_length_ = 0; ///< mean number of words of the texts
};

} // namespace sparsight
