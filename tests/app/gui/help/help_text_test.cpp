#include "gui/help/help_text.h"

#include "gui/help/help_topics.h"
#include "matrix/statistics.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

QStringList topics() {
    QStringList ids;
    for (const HelpTopic& topic : help_topics)
        ids << QString::fromLatin1(topic.id);
    return ids;
}

/// Every place on a page that a link may name.
QSet<QString> anchors_of(const QString& topic) {
    QSet<QString> anchors{QString()};
    const QString markdown = help_markdown(topic);
    for (const HelpSection& section : help_sections(topic, markdown))
        anchors.insert(section.anchor);
    static const QRegularExpression named(QStringLiteral("^`([^`]+)`"), QRegularExpression::MultilineOption);
    for (auto match = named.globalMatch(markdown); match.hasNext();)
        anchors.insert(match.next().captured(1));
    return anchors;
}

TEST(HelpText, HasExactlyThePagesOfTheContents) {
    QStringList files = QDir(QStringLiteral(":/help")).entryList({QStringLiteral("*.md")}, QDir::Files);
    files.replaceInStrings(QStringLiteral(".md"), QString());
    QStringList listed = topics();
    files.sort();
    listed.sort();
    EXPECT_EQ(files, listed);
    EXPECT_EQ(QSet<QString>(listed.begin(), listed.end()).size(), listed.size());
    for (const QString& topic : listed)
        EXPECT_FALSE(help_title(topic).isEmpty()) << topic.toStdString();
}

TEST(HelpText, LinksOnlyToPagesAndHeadingsThatExist) {
    static const QRegularExpression link(QStringLiteral(R"(!?\[[^\]]*\]\(([^)]*)\))"));
    int links = 0;
    for (const QString& topic : topics())
        for (auto match = link.globalMatch(help_markdown(topic)); match.hasNext();) {
            const QRegularExpressionMatch found = match.next();
            const QString target = found.captured(1);
            if (found.captured(0).startsWith(QLatin1Char('!'))) {
                EXPECT_TRUE(QSvgRenderer(QStringLiteral(":/help/") + target).isValid())
                    << topic.toStdString() << " shows " << target.toStdString();
                continue;
            }
            const HelpLink parsed = parse_help_link(target, topic);
            ++links;
            EXPECT_TRUE(parsed.is_web || anchors_of(parsed.topic).contains(parsed.anchor))
                << topic.toStdString() << " links to " << target.toStdString();
        }
    EXPECT_GT(links, 40);
}

TEST(HelpText, IsReachedFromItsFirstPage) {
    static const QRegularExpression link(QStringLiteral(R"(\]\(([^)]*)\))"));
    QSet<QString> linked{QStringLiteral("index")};
    for (auto match = link.globalMatch(help_markdown(QStringLiteral("index"))); match.hasNext();)
        linked.insert(parse_help_link(match.next().captured(1), QStringLiteral("index")).topic);
    for (const QString& topic : topics())
        EXPECT_TRUE(linked.contains(topic)) << topic.toStdString();
}

TEST(HelpText, DescribesItsPicturesForThoseWhoDoNotSeeThem) {
    static const QRegularExpression picture(QStringLiteral(R"(!\[([^\]]*)\])"));
    for (const QString& topic : topics())
        for (auto match = picture.globalMatch(help_markdown(topic)); match.hasNext();)
            EXPECT_GT(match.next().captured(1).size(), 30) << topic.toStdString();
}

TEST(HelpText, ExplainsEveryStatistic) {
    const QString page = help_markdown(QStringLiteral("statistics"));
    const QSet<QString> anchors = anchors_of(QStringLiteral("statistics"));
    for (const Statistic& statistic : statistics()) {
        const QString name = QString::fromStdString(statistic.name);
        EXPECT_TRUE(anchors.contains(name)) << statistic.name;
        EXPECT_TRUE(
            page.contains(QStringLiteral("`%1` **%2**").arg(name, QString::fromStdString(statistic.title))))
            << statistic.name << " is not called " << statistic.title;
    }
}

TEST(HelpText, MakesAnchorsAsCodeHostsDo) {
    EXPECT_EQ(anchor_of_heading(u"Storage size, level by level"),
              QStringLiteral("storage-size-level-by-level"));
    EXPECT_EQ(anchor_of_heading(u"Compressed (C)"), QStringLiteral("compressed-c"));
    EXPECT_EQ(anchor_of_heading(u"row_length_mean"), QStringLiteral("row_length_mean"));
}

TEST(HelpText, CutsAPageIntoSectionsWithoutItsMarks) {
    const auto sections = help_sections(
        QStringLiteral("t"),
        QStringLiteral(
            "# Title\n\nIntro with a [link](x.md) and `code`.\n\n```\n# not a heading\n```\n\n## Part "
            "(one)\n\n| a | b |\n|---|---|\n- **bold** and *slanted*\n"));
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(sections[0].heading, QStringLiteral("Title"));
    EXPECT_EQ(sections[0].anchor, QString());
    EXPECT_EQ(sections[0].text, QStringLiteral("Intro with a link and code. # not a heading"));
    EXPECT_EQ(sections[1].page_title, QStringLiteral("Title"));
    EXPECT_EQ(sections[1].anchor, QStringLiteral("part-one"));
    EXPECT_EQ(sections[1].text, QStringLiteral("a b bold and slanted"));
}

TEST(HelpText, TellsLinksApart) {
    const HelpLink here = parse_help_link(QStringLiteral("#spread"), QStringLiteral("measuring"));
    EXPECT_EQ(here.topic, QStringLiteral("measuring"));
    EXPECT_EQ(here.anchor, QStringLiteral("spread"));
    const HelpLink there = parse_help_link(QStringLiteral("jobs.md"), QStringLiteral("measuring"));
    EXPECT_EQ(there.topic, QStringLiteral("jobs"));
    EXPECT_TRUE(there.anchor.isEmpty());
    EXPECT_TRUE(parse_help_link(QStringLiteral("https://example.org/x#y"), QStringLiteral("jobs")).is_web);
}

/// A topic that is misspelt would open the index: nothing that a compiler would see.
TEST(HelpText, HasEveryTopicThatTheCodeAsksFor) {
    static const QRegularExpression use(QStringLiteral(
        R"re(\b(?:show_topic|help_requested|show_help|HelpButton|set_help_topic)\(\s*(?:QStringLiteral\(|u)"([^"]*)")re"));
    for (const char* const folder : {"/app/gui", "/tests/app/gui"}) {
        QDirIterator files(QStringLiteral(SPARSIGHT_SOURCE_DIR) + QString::fromLatin1(folder),
                           {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            ASSERT_TRUE(file.open(QIODevice::ReadOnly));
            for (auto match = use.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext();) {
                const QString topic = match.next().captured(1);
                EXPECT_TRUE(topics().contains(topic) || topic == QStringLiteral("no-such-topic"))
                    << file.fileName().toStdString() << " asks for " << topic.toStdString();
            }
        }
    }
}

} // namespace
} // namespace sparsight
