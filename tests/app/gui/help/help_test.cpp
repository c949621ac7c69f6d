#include "domains/sparse/tensor/statistics.h"
#include "gui/help/help_browser.h"
#include "gui/help/help_page.h"
#include "gui/help/help_text.h"
#include "gui/help/lesson.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QSvgRenderer>
#include <QTest>
#include <QTextBlock>
#include <QTextTable>
#include <QToolButton>
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

TEST(HelpText, BeginsWithWhatEveryDomainShares) {
    const QString page = help_markdown(QStringLiteral("index"));
    const QString start = page.left(page.indexOf(QStringLiteral("## Sparse kernels")));
    EXPECT_LT(start.size(), page.size());
    for (const HelpTopic& topic : help_topics)
        if (qstrcmp(topic.group, "Sparse kernels") == 0) {
            EXPECT_FALSE(start.contains(QStringLiteral("](%1.md").arg(QLatin1String(topic.id)))) << topic.id;
        }
    for (const char* const word : {"CSR", "SuperSchedule", "speedup chart", "sparsity"})
        EXPECT_FALSE(start.contains(QLatin1String(word))) << word;
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

/// The sentences of paragraphs and lists: no headings, tables, pictures and code.
QStringList sentences_of(const QString& markdown) {
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]*)\]\([^)]*\))"));
    static const QRegularExpression code(QStringLiteral("`[^`]*`"));
    static const QRegularExpression item(QStringLiteral(R"(^(- |\d+\. ))"));
    static const QRegularExpression end(QStringLiteral(R"([.!?](?:\*\*)?(?:\s+|$))"));
    QString text;
    bool in_code = false;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        if (line.startsWith(QStringLiteral("```")))
            in_code = !in_code;
        const bool is_prose = !in_code && !line.isEmpty() && !QStringLiteral("#|!`").contains(line.front());
        const bool begins_with_code =
            !in_code && line.startsWith(QLatin1Char('`')) && !line.startsWith(QStringLiteral("```"));
        if (!is_prose && !begins_with_code)
            text += QStringLiteral(". ");
        else
            text += (item.match(line).hasMatch() ? QStringLiteral(". ") : QStringLiteral(" ")) + line;
    }
    text.replace(link, QStringLiteral("\\1")).replace(code, QStringLiteral("code"));
    return text.split(end, Qt::SkipEmptyParts);
}

TEST(HelpText, WritesSentencesOfAtMost25Words) {
    static const QRegularExpression letter(QStringLiteral("[\\p{L}\\p{N}]"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    for (const char* const topic : {"experiments", "command-line"}) { // pages that were written by this rule
        const QStringList sentences = sentences_of(help_markdown(QString::fromLatin1(topic)));
        EXPECT_GT(sentences.size(), 30) << topic;
        for (const QString& sentence : sentences)
            EXPECT_LE(sentence.simplified().split(QLatin1Char(' ')).filter(letter).size(), 25)
                << topic << ": " << sentence.simplified().toStdString();
    }
}

TEST(Lessons, AreReadFromMarkdown) {
    const auto lesson = parse_lesson(QStringLiteral("one"), QStringLiteral("# One\n\nWhat for.\n\n"
                                                                           "domain: sparse\nminutes: 4\n"
                                                                           "place: 2\n\n"
                                                                           "## First\n\nSome *text*.\n\n"
                                                                           "```step\n"
                                                                           "page whatif\n"
                                                                           "point bars\n"
                                                                           "workload mesh\n"
                                                                           "set cores 64\n"
                                                                           "ask Move Cores to 4.\n"
                                                                           "wait cores <= 4\n"
                                                                           "claim wins #0\n"
                                                                           "```\n\n"
                                                                           "## Second\n\nMore.\n"));
    ASSERT_TRUE(lesson.has_value()) << lesson.error().text();
    EXPECT_EQ(lesson->title, QStringLiteral("One"));
    EXPECT_EQ(lesson->summary, QStringLiteral("What for."));
    EXPECT_EQ(lesson->domain, QStringLiteral("sparse"));
    EXPECT_EQ(lesson->minutes, 4);
    EXPECT_EQ(lesson->place, 2);
    ASSERT_EQ(lesson->steps.size(), 2U);
    const LessonStep& first = lesson->steps[0];
    EXPECT_EQ(first.text, QStringLiteral("Some *text*."));
    EXPECT_EQ(first.page, QStringLiteral("whatif"));
    EXPECT_EQ(first.point, QStringLiteral("bars"));
    ASSERT_EQ(first.commands.size(), 2U);
    EXPECT_EQ(first.commands[1].object, QStringLiteral("cores"));
    EXPECT_EQ(first.commands[1].value, QStringLiteral("64"));
    ASSERT_EQ(first.conditions.size(), 1U);
    EXPECT_EQ(first.conditions[0].relation, LessonCondition::Relation::AtMost);
    ASSERT_EQ(first.help.size(), 1U) << "what it asks can be done for the user";
    EXPECT_EQ(first.help[0].value, QStringLiteral("4"));
    EXPECT_EQ(first.claims, QStringList(QStringLiteral("wins #0")));
    EXPECT_EQ(lesson->steps[1].page, QStringLiteral("whatif")) << "as before";
}

TEST(Lessons, ChooseAnEntryAndWaitUntilItIsShown) {
    const auto lesson = parse_lesson(
        QStringLiteral("one"),
        QStringLiteral("# One\nWhat for.\ndomain: sparse\nminutes: 4\n## First\nText.\n```step\npage a\n"
                       "model first\nchoose evaluation first on Laptop, best of 1,\nask Evaluate it.\n"
                       "wait evaluation shows first on Laptop, best of 1,\n```\n"));
    ASSERT_TRUE(lesson.has_value()) << lesson.error().text();
    const LessonStep& step = lesson->steps.front();
    ASSERT_EQ(step.commands.size(), 2U);
    EXPECT_EQ(step.commands[0].verb, LessonCommand::Verb::Model);
    EXPECT_EQ(step.commands[1].verb, LessonCommand::Verb::Choose);
    EXPECT_EQ(step.commands[1].value, QStringLiteral("first on Laptop, best of 1,"));
    ASSERT_EQ(step.conditions.size(), 1U);
    EXPECT_EQ(step.conditions[0].kind, LessonCondition::Kind::Shows);
    EXPECT_EQ(step.conditions[0].object, QStringLiteral("evaluation"));
    EXPECT_EQ(step.conditions[0].value, QStringLiteral("first on Laptop, best of 1,"));
}

TEST(Lessons, WaitForAModelAndASplitByTheirNames) {
    const auto lesson = parse_lesson(
        QStringLiteral("one"),
        QStringLiteral("# One\nWhat for.\ndomain: sparse\nminutes: 4\n## First\nText.\n```step\npage a\n"
                       "ask Train it.\ndo run train\nwait model first\nwait split lessons\n```\n"));
    ASSERT_TRUE(lesson.has_value()) << lesson.error().text();
    const LessonStep& step = lesson->steps.front();
    ASSERT_EQ(step.conditions.size(), 2U);
    EXPECT_EQ(step.conditions[0].kind, LessonCondition::Kind::Model);
    EXPECT_EQ(step.conditions[0].value, QStringLiteral("first"));
    EXPECT_EQ(step.conditions[1].kind, LessonCondition::Kind::Split);
    EXPECT_EQ(step.conditions[1].value, QStringLiteral("lessons"));
}

TEST(Lessons, NameTheLineThatIsWrong) {
    const QString head = QStringLiteral("# One\nWhat for.\ndomain: sparse\nminutes: 4\n## First\nText.\n");
    const auto error_of = [&](const char* block) {
        const auto lesson = parse_lesson(QStringLiteral("one"), head + QLatin1String(block));
        return lesson ? std::string("none") : lesson.error().text();
    };
    EXPECT_THAT(error_of("```step\npage a\njump b\n```\n"), ::testing::HasSubstr("one.md:9: “jump b”"));
    EXPECT_THAT(error_of("```step\npage a\nask X.\nwait cores ~ 4\n```\n"),
                ::testing::HasSubstr("nothing to wait for"));
    EXPECT_THAT(error_of("```step\npage a\nask X.\n```\n"), ::testing::HasSubstr("ask, wait"));
    EXPECT_THAT(error_of("```step\npage a\n"), ::testing::HasSubstr("does not end"));
    EXPECT_THAT(error_of(""), ::testing::HasSubstr("names no page"));
    EXPECT_EQ(error_of("```step\npage a\n```\n"), "none");
}

TEST(Lessons, AreAllReadAndWriteSentencesOfAtMost25Words) {
    static const QRegularExpression letter(QStringLiteral("[\\p{L}\\p{N}]"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    EXPECT_GE(lesson_ids().size(), 10);
    for (const QString& id : lesson_ids()) {
        const auto lesson = parse_lesson(id, lesson_markdown(id));
        ASSERT_TRUE(lesson.has_value()) << lesson.error().text();
        for (const LessonStep& step : lesson->steps)
            for (const QString& sentence : sentences_of(step.text + u'\n' + step.request))
                EXPECT_LE(sentence.simplified().split(QLatin1Char(' ')).filter(letter).size(), 25)
                    << id.toStdString() << ": " << sentence.simplified().toStdString();
    }
}

TEST(HelpText, GivesEveryRowOfATableAsManyCellsAsItsHead) {
    for (const QString& topic : topics()) {
        qsizetype cells = 0;
        for (const QString& line : help_markdown(topic).split(QLatin1Char('\n'))) {
            const qsizetype bars = line.startsWith(QLatin1Char('|')) ? line.count(QLatin1Char('|')) : 0;
            EXPECT_TRUE(cells == 0 || bars == 0 || bars == cells)
                << topic.toStdString() << ": " << line.toStdString();
            cells = bars;
        }
    }
}

/// Qt draws what a style sheet with variables colours in black.
TEST(HelpText, ColoursItsDiagramsWithoutStyleSheets) {
    const QDir diagrams(QStringLiteral(":/help/diagrams"));
    EXPECT_FALSE(diagrams.entryList().isEmpty());
    for (const QString& name : diagrams.entryList()) {
        QFile file(diagrams.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_FALSE(file.readAll().contains("<style")) << name.toStdString();
    }
}

TEST(HelpText, GivesEveryExperimentItsTable) {
    const QString page = help_markdown(QStringLiteral("experiments"));
    int tables = 0;
    for (const QString& part : page.split(QStringLiteral("\n## ")).mid(1)) {
        const bool is_experiment = !part.startsWith(QStringLiteral("The report's experiment"));
        EXPECT_EQ(part.contains(QStringLiteral("|---|")), is_experiment) << part.left(60).toStdString();
        tables += is_experiment ? 1 : 0;
    }
    EXPECT_EQ(tables, 13);
    const QString first = page.section(QStringLiteral("\n\n"), 1, 1);
    EXPECT_TRUE(first.section(QStringLiteral(". "), 0, 0).contains(QStringLiteral("41 % [0, 99]")))
        << "the first sentence says the result, with its interval";
}

TEST(Readme, IsShortAndLinksOnlyToWhatExists) {
    const QString folder = QStringLiteral(SPARSIGHT_SOURCE_DIR "/");
    QFile file(folder + QStringLiteral("README.md"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    EXPECT_LE(text.count(QLatin1Char('\n')), 200);
    static const QRegularExpression link(QStringLiteral(R"(\]\(([^)#]*)(?:#([^)]*))?\))"));
    static const QRegularExpression help(QStringLiteral(R"(^resources/help/(.*)\.md$)"));
    int links = 0;
    for (auto match = link.globalMatch(text); match.hasNext(); ++links) {
        const QRegularExpressionMatch found = match.next();
        const QString target = found.captured(1);
        EXPECT_TRUE(QFile::exists(folder + target)) << target.toStdString();
        const auto page = help.match(target);
        EXPECT_TRUE(!page.hasMatch() || anchors_of(page.captured(1)).contains(found.captured(2)))
            << found.captured(0).toStdString();
    }
    EXPECT_GT(links, 20);
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

HelpSection section(const char* topic, const char* title, const char* heading, const char* text) {
    const bool top = qstrcmp(title, heading) == 0;
    return {QString::fromUtf8(topic), QString::fromUtf8(title), QString::fromUtf8(heading),
            top ? QString() : anchor_of_heading(QString::fromUtf8(heading)), QString::fromUtf8(text)};
}

const HelpIndex& small_index() {
    static const HelpIndex index({
        section("trees", "Trees", "Trees", "A tree has levels, and a level has nodes."),
        section("levels", "Level formats", "Level formats", "Two of them."),
        section("levels", "Level formats", "Compressed", "Stores what occurs; zeros are left out."),
        section("other", "Other things", "Other things", "Zeros and ones. Compressed air is something else."),
    });
    return index;
}

std::vector<QString> headings(const QString& query) {
    std::vector<QString> found;
    for (const HelpMatch& match : small_index().search(query))
        found.push_back(match.section.heading);
    return found;
}

TEST(HelpSearch, FindsNothingForNothing) {
    EXPECT_TRUE(headings({}).empty());
    EXPECT_TRUE(headings(QStringLiteral("  ,")).empty());
    EXPECT_TRUE(headings(QStringLiteral("elephant")).empty());
}

TEST(HelpSearch, PutsHeadingsBeforeTexts) {
    EXPECT_THAT(headings(QStringLiteral("compressed")),
                ::testing::ElementsAre(QStringLiteral("Compressed"), QStringLiteral("Other things")));
}

TEST(HelpSearch, FindsBeginningsOfWordsWithoutRegardToCase) {
    EXPECT_THAT(headings(QStringLiteral("COMPR")),
                ::testing::ElementsAre(QStringLiteral("Compressed"), QStringLiteral("Other things")));
    EXPECT_TRUE(headings(QStringLiteral("pressed")).empty()) << "the middle of a word";
}

TEST(HelpSearch, WantsEveryWord) {
    EXPECT_THAT(headings(QStringLiteral("zeros air")),
                ::testing::ElementsAre(QStringLiteral("Other things")));
}

TEST(HelpSearch, ShowsThePlaceThatWasFound) {
    const HelpIndex index(
        {section("t", "T", "T",
                 "A long beginning that says nothing of interest at all, and then the needle "
                 "among hay.")});
    const auto matches = index.search(QStringLiteral("needle"));
    ASSERT_EQ(matches.size(), 1U);
    EXPECT_TRUE(matches[0].excerpt.startsWith(QStringLiteral("… "))) << matches[0].excerpt.toStdString();
    EXPECT_TRUE(matches[0].excerpt.endsWith(QStringLiteral("the needle among hay.")));
}

TEST(HelpSearch, AnswersWhatUsersOfTheProgramAsk) {
    const HelpIndex index(all_help_sections());
    const auto best = [&](const char* query) {
        const auto found = index.search(QString::fromLatin1(query));
        return found.empty() ? std::string()
                             : (found[0].section.topic + u'#' + found[0].section.anchor).toStdString();
    };
    EXPECT_EQ(best("spread"), "measuring#spread");
    EXPECT_EQ(best("chunk"), "super-schedule#parallel-loop-and-chunk");
    EXPECT_EQ(best("BCSR tree"), "coordinate-tree#bcsr-in-a-tree");
    EXPECT_EQ(best("keyboard"), "shortcuts#");
    EXPECT_EQ(best("experiments"), "experiments#");
    EXPECT_EQ(best("accuracy of the simulation"), "experiments#accuracy-of-the-simulation");
    EXPECT_EQ(best("exit codes"), "command-line#exit-codes");
    EXPECT_EQ(best("json"), "command-line#json-for-scripts");
}

class HelpPageTest : public ::testing::Test {
protected:
    HelpPageTest() {
        apply_theme(application_, ThemeChoice::Light);
        page_.resize(1100, 720);
        page_.show();
    }
    HelpBrowser& browser() { return *page_.findChild<HelpBrowser*>(); }
    QListWidget& list() { return *page_.findChild<QListWidget*>(); }
    QLineEdit& search() { return *page_.findChild<QLineEdit*>(); }

    /// What stands first in the view.
    QString first_visible_line() {
        return browser().cursorForPosition(QPoint(browser().viewport()->width() / 2, 26)).block().text();
    }

    int count_ = 1;
    char program_[5] = "help";
    char* arguments_[2] = {program_, nullptr};
    QApplication application_{count_, arguments_};
    HelpPage page_;
};

TEST_F(HelpPageTest, BeginsWithTheIndexAndListsEveryPage) {
    EXPECT_EQ(page_.topic(), QStringLiteral("index"));
    QStringList expected;
    for (const HelpTopic& topic : help_topics)
        expected << QString::fromLatin1(topic.id);
    EXPECT_EQ(page_.listed_topics(), expected);
    EXPECT_FALSE(page_.can_go_back());
}

TEST_F(HelpPageTest, ShowsATopicAtAHeadingOrAtTheNameOfAStatistic) {
    page_.show_topic(QStringLiteral("measuring"), QStringLiteral("protocols"));
    EXPECT_EQ(first_visible_line().toStdString(), "Protocols");
    page_.show_topic(QStringLiteral("statistics"), QStringLiteral("bandwidth"));
    EXPECT_TRUE(first_visible_line().startsWith(QStringLiteral("bandwidth")))
        << first_visible_line().toStdString();
}

TEST_F(HelpPageTest, FindsEveryHeadingOfEveryPageInItsDocument) {
    for (const HelpTopic& topic : help_topics) {
        const auto id = QString::fromLatin1(topic.id);
        page_.show_topic(id);
        for (const HelpSection& section : help_sections(id, help_markdown(id)))
            EXPECT_TRUE(browser().show_anchor(section.anchor))
                << topic.id << "#" << section.anchor.toStdString();
    }
    EXPECT_FALSE(browser().show_anchor(QStringLiteral("no-such-heading")));
}

TEST_F(HelpPageTest, ShowsTheIndexForATopicThatDoesNotExist) {
    page_.show_topic(QStringLiteral("jobs"));
    page_.show_topic(QStringLiteral("no-such-topic"));
    EXPECT_EQ(page_.topic(), QStringLiteral("index"));
}

TEST_F(HelpPageTest, WalksBackToWhereThePageWasLeftAndForwardAgain) {
    page_.show_topic(QStringLiteral("statistics"));
    browser().verticalScrollBar()->setValue(300);
    Q_EMIT browser().anchorClicked(QUrl(QStringLiteral("measuring.md#spread")));
    EXPECT_EQ(page_.topic(), QStringLiteral("measuring"));

    QTest::keyClick(&browser(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(page_.topic(), QStringLiteral("statistics"));
    EXPECT_EQ(browser().verticalScrollBar()->value(), 300);
    ASSERT_TRUE(page_.can_go_forward());
    QTest::keyClick(&browser(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(page_.topic(), QStringLiteral("measuring"));

    page_.go_back();
    page_.show_topic(QStringLiteral("jobs"));
    EXPECT_FALSE(page_.can_go_forward()) << "a new way begins here";
}

TEST_F(HelpPageTest, TheWayBackBeginsWithTheTopicThatIsSeenFirst) {
    page_.show_topic(QStringLiteral("statistics"));
    page_.show_topic(QStringLiteral("measuring"));
    page_.hide(); // another page is looked at, and F1 pressed there
    page_.show_topic(QStringLiteral("jobs"));
    page_.show();
    EXPECT_EQ(page_.topic(), QStringLiteral("jobs"));
    EXPECT_FALSE(page_.can_go_back()) << "the window goes back to that page";
    Q_EMIT browser().anchorClicked(QUrl(QStringLiteral("statistics.md")));
    ASSERT_TRUE(page_.can_go_back());
    QTest::keyClick(&browser(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(page_.topic(), QStringLiteral("jobs"));
    EXPECT_FALSE(page_.can_go_back());
    EXPECT_TRUE(page_.can_go_forward());
}

TEST_F(HelpPageTest, SearchesFromTheKeyboard) {
    QTest::keyClick(&browser(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(&search(), QStringLiteral("gini"));
    ASSERT_GT(list().count(), 0);
    EXPECT_THAT(page_.listed_topics(), ::testing::Contains(QStringLiteral("statistics")));
    QTest::keyClick(&search(), Qt::Key_Return);
    EXPECT_FALSE(browser().extraSelections().isEmpty()) << "the words are marked";

    QTest::keyClick(&search(), Qt::Key_Escape);
    EXPECT_EQ(page_.listed_topics().size(), static_cast<qsizetype>(help_topics.size()));
}

TEST_F(HelpPageTest, SaysWhenNothingIsFound) {
    page_.seek(QStringLiteral("qwertz"));
    EXPECT_TRUE(page_.listed_topics().isEmpty());
    EXPECT_FALSE(list().isVisible());
}

TEST_F(HelpPageTest, KeepsLinesComfortableOnAWideScreen) {
    page_.show_topic(QStringLiteral("index"));
    for (const int width : {700, 1100, 2400}) {
        page_.resize(width, 720);
        QApplication::sendPostedEvents();
        const QTextFrameFormat root = browser().document()->rootFrame()->frameFormat();
        const double text = browser().viewport()->width() - root.leftMargin() - root.rightMargin();
        EXPECT_LT(text, 80 * QFontMetricsF(QApplication::font()).horizontalAdvance(QStringLiteral("e")))
            << width;
        EXPECT_GE(root.leftMargin(), 16) << width;
        EXPECT_LE(browser().document()->size().width(), browser().viewport()->width()) << width;
    }
}

TEST_F(HelpPageTest, FitsTablesAndCodeOfTheLongPagesIntoTheWindow) {
    for (const char* const topic : {"experiments", "command-line"}) {
        page_.show_topic(QString::fromLatin1(topic));
        QApplication::sendPostedEvents();
        EXPECT_LE(browser().document()->size().width(), browser().viewport()->width()) << topic;
    }
}

TEST_F(HelpPageTest, ChangesTheSizeOfTheTextAndKeepsIt) {
    const auto heading_size = [&] {
        return browser().document()->begin().begin().fragment().charFormat().fontPointSize();
    };
    const double usual = heading_size();
    QTest::keyClick(&browser(), Qt::Key_Plus, Qt::ControlModifier);
    QTest::keyClick(&browser(), Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_EQ(page_.text_size(), 120);
    EXPECT_NEAR(heading_size(), usual * 1.2, 0.1);

    HelpPage other;
    other.restore_layout(page_.layout_state());
    EXPECT_EQ(other.text_size(), 120);
    QTest::keyClick(&browser(), Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(page_.text_size(), 100);
    other.restore_layout("nonsense");
    EXPECT_EQ(other.text_size(), 120);
}

TEST_F(HelpPageTest, FollowsAChangeOfThemeWhileItIsShown) {
    page_.show_topic(QStringLiteral("level-formats"));
    apply_theme(application_, ThemeChoice::Dark);
    QApplication::sendPostedEvents();
    const QTextCharFormat text = browser().document()->begin().begin().fragment().charFormat();
    EXPECT_EQ(text.foreground().color(), dark_theme().text);
    const QString artefact = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS");
    if (!artefact.isEmpty()) {
        EXPECT_TRUE(page_.grab().save(artefact + QStringLiteral("/help-dark.png")));
    }
}

} // namespace
} // namespace sparsight
