#include "gui/help/help_search.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

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
}

} // namespace
} // namespace sparsight
