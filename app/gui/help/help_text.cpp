#include "gui/help/help_text.h"

#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Turns [text](link) and ![text](link) into text and removes marks of emphasis and code.
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

namespace {

constexpr double in_title = 1.5;
constexpr double in_heading = 5;
constexpr double in_text = 1;
constexpr double whole_word = 2; ///< weight relative to a word that only begins with the query

double occurrences(const QStringList& words, const QString& word) {
    double found = 0;
    for (const QString& candidate : words)
        if (candidate.startsWith(word))
            found += candidate.size() == word.size() ? whole_word : 1;
    return found;
}

/// Many occurrences say little more than a few, and less in a long text: BM25's saturation (Robertson and
/// Zaragoza 2009) with its usual constants.
double saturated(double occurrences, double length, double mean_length) {
    constexpr double k = 1.2;
    constexpr double b = 0.75;
    return occurrences * (k + 1) / (occurrences + k * (1 - b + b * length / mean_length));
}

/// A heading is short: only whether it contains the word, and whether as a whole word, counts.
double capped(double occurrences) {
    return std::min(occurrences, whole_word);
}

QString excerpt_of(const QString& text, const QStringList& words) {
    constexpr qsizetype before = 12;
    constexpr qsizetype length = 160;
    qsizetype first = -1;
    for (const QString& word : words) {
        const QRegularExpression start(QStringLiteral("\\b") + QRegularExpression::escape(word),
                                       QRegularExpression::CaseInsensitiveOption |
                                           QRegularExpression::UseUnicodePropertiesOption);
        const qsizetype at = text.indexOf(start);
        if (at >= 0 && (first < 0 || at < first))
            first = at;
    }
    if (first <= before)
        return text.left(length);
    const qsizetype space = text.indexOf(QLatin1Char(' '), first - before);
    return QStringLiteral("… ") + text.mid(space < first ? space + 1 : first, length);
}

} // namespace

HelpIndex::HelpIndex(std::vector<HelpSection> sections) {
    sections_.reserve(sections.size());
    for (HelpSection& section : sections) {
        QStringList title = words(section.page_title);
        QStringList heading = words(section.heading);
        QStringList text = words(section.text);
        mean_length_ += static_cast<double>(text.size()) / static_cast<double>(sections.size());
        sections_.push_back({std::move(section), std::move(title), std::move(heading), std::move(text)});
    }
}

QStringList HelpIndex::words(const QString& text) {
    static const QRegularExpression between(QStringLiteral("[^\\p{L}\\p{N}_]+"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    return text.toLower().split(between, Qt::SkipEmptyParts);
}

double HelpIndex::score(const IndexedSection& section, const QString& word) const {
    const double text =
        saturated(occurrences(section.text, word), static_cast<double>(section.text.size()), mean_length_);
    // The top of a page has the page's title as its heading, which must count only once.
    const double title = section.section.anchor.isEmpty() ? 0 : capped(occurrences(section.title, word));
    return in_title * title + in_heading * capped(occurrences(section.heading, word)) + in_text * text;
}

std::vector<HelpMatch> HelpIndex::search(const QString& query, std::size_t most) const {
    const QStringList sought = words(query);
    if (sought.isEmpty())
        return {};
    std::vector<double> total(sections_.size(), 0);
    std::vector<bool> has_all(sections_.size(), true);
    for (const QString& word : sought) {
        std::vector<double> scores(sections_.size());
        std::ranges::transform(sections_, scores.begin(),
                               [&](const IndexedSection& section) { return score(section, word); });
        const auto holding =
            static_cast<double>(std::ranges::count_if(scores, [](double s) { return s > 0; }));
        const double rarity = std::log(1 + static_cast<double>(sections_.size()) / (1 + holding));
        for (std::size_t s = 0; s < scores.size(); ++s) {
            has_all[s] = has_all[s] && scores[s] > 0;
            total[s] += rarity * scores[s];
        }
    }
    std::vector<HelpMatch> matches;
    for (std::size_t s = 0; s < sections_.size(); ++s)
        if (has_all[s])
            matches.push_back(
                {sections_[s].section, total[s], excerpt_of(sections_[s].section.text, sought)});
    std::ranges::stable_sort(matches, std::ranges::greater{}, &HelpMatch::score);
    if (matches.size() > most)
        matches.resize(most);
    return matches;
}

} // namespace sparsight
