// The text of the help's pages, without a window: Markdown from the resources, cut into sections.
#pragma once

#include <QString>
#include <QStringView>

#include <vector>

namespace sparsight {

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

} // namespace sparsight
