#include "gui/help/help_text.h"

#include "gui/help/help_topics.h"

#include <QFile>
#include <QRegularExpression>

namespace sparsight {

namespace {

/// [text](link) and ![text](link) to text, emphasis and code marks away.
QString without_marks(QString line) {
    static const QRegularExpression links(QStringLiteral(R"(!?\[([^\]]*)\]\([^)]*\))"));
    static const QRegularExpression table_rule(QStringLiteral(R"(^[|\s:-]+$)"));
    if (table_rule.match(line).hasMatch())
        return {};
    line.replace(links, QStringLiteral("\\1"));
    for (const auto& mark : {QStringLiteral("**"), QStringLiteral("`")})
        line.remove(mark);
    line.replace(QLatin1Char('|'), QLatin1Char(' '));
    static const QRegularExpression emphasis(QStringLiteral(R"(\*(\S[^*]*)\*)"));
    line.replace(emphasis, QStringLiteral("\\1"));
    static const QRegularExpression bullet(QStringLiteral(R"(^(\s*[-*]|\s*\d+\.)\s+)"));
    line.remove(bullet);
    return line.simplified();
}

} // namespace

QString help_markdown(const QString& topic) {
    QFile file(QStringLiteral(":/help/%1.md").arg(topic));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString help_title(const QString& topic) {
    const QString markdown = help_markdown(topic);
    const qsizetype end = markdown.indexOf(QLatin1Char('\n'));
    return markdown.startsWith(QStringLiteral("# ")) ? markdown.mid(2, end - 2).trimmed() : QString();
}

QString anchor_of_heading(QStringView heading) {
    QString anchor;
    for (const QChar character : heading.trimmed()) {
        if (character.isSpace() || character == QLatin1Char('-'))
            anchor += QLatin1Char('-');
        else if (character.isLetterOrNumber() || character == QLatin1Char('_'))
            anchor += character.toLower();
    }
    return anchor;
}

std::vector<HelpSection> help_sections(const QString& topic, const QString& markdown) {
    std::vector<HelpSection> sections;
    bool in_code = false;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        if (line.startsWith(QStringLiteral("```"))) {
            in_code = !in_code;
            continue;
        }
        const qsizetype level = in_code ? 0 : line.indexOf(QLatin1Char(' '));
        const bool is_heading = level > 0 && line.startsWith(QString(level, QLatin1Char('#')));
        if (is_heading) {
            const QString heading = without_marks(line.mid(level + 1));
            const bool is_title = level == 1;
            sections.push_back({topic,
                                is_title || sections.empty() ? heading : sections.front().page_title,
                                heading,
                                is_title ? QString() : anchor_of_heading(heading),
                                {}});
        } else if (!sections.empty()) {
            const QString plain = in_code ? line.simplified() : without_marks(line);
            if (!plain.isEmpty())
                sections.back().text +=
                    (sections.back().text.isEmpty() ? QString() : QStringLiteral(" ")) + plain;
        }
    }
    return sections;
}

std::vector<HelpSection> all_help_sections() {
    std::vector<HelpSection> all;
    for (const HelpTopic& topic : help_topics) {
        const auto id = QString::fromLatin1(topic.id);
        const auto sections = help_sections(id, help_markdown(id));
        all.insert(all.end(), sections.begin(), sections.end());
    }
    return all;
}

HelpLink parse_help_link(const QString& link, const QString& on_topic) {
    if (link.contains(QStringLiteral("://")) || link.startsWith(QStringLiteral("mailto:")))
        return {{}, {}, true};
    const qsizetype hash = link.indexOf(QLatin1Char('#'));
    QString page = hash < 0 ? link : link.left(hash);
    const QString anchor = hash < 0 ? QString() : link.mid(hash + 1);
    if (page.endsWith(QStringLiteral(".md")))
        page.chop(3);
    return {page.isEmpty() ? on_topic : page, anchor, false};
}

} // namespace sparsight
