// Every text of the window, the lessons, the help and the messages is said plainly: no sentence begins with a
// preposition, or has more than 20 words (25 in the help).
#include "excepted_texts.h"
#include "shown_texts.h"
#include "support/source_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::filesystem::path root = SPARSIGHT_SOURCE_DIR;
constexpr std::size_t most_words = 20;

struct PlacedText {
    std::string place; ///< "app/gui/train/train_page.cpp:71"
    std::string text;
};

std::vector<PlacedText> texts_of_the_window() {
    std::vector<PlacedText> found;
    for (const char* const folder : {"app/gui", "widgets"})
        for (const auto& [path, source] : source_files(root / folder))
            for (ShownText& shown : translated_texts(source))
                found.push_back({fmt::format("{}/{}:{}", folder, path, shown.line), std::move(shown.text)});
    return found;
}

bool is_excepted(const std::string& text) {
    return std::ranges::find(excepted_texts, text, &ExceptedText::text) != excepted_texts.end();
}

TEST(PlainWords, NoSentenceOfTheWindowIsLongOrBeginsWithAPreposition) {
    const std::vector<PlacedText> texts = texts_of_the_window();
    EXPECT_GT(texts.size(), 2'000U) << "hardly anything was read";
    std::vector<std::string> found;
    for (const auto& [place, text] : texts)
        if (!is_excepted(text))
            for (const std::string& fault : faults_of(text, most_words))
                found.push_back(fmt::format("{}: {}", place, fault));
    EXPECT_THAT(found, IsEmpty());
}

/// "chunks.md:21: 23 words: …" of all pages in a folder below resources/help.
std::vector<std::string> faults_of_pages(const std::filesystem::path& folder,
                                         std::vector<std::string> (*faults)(std::string_view)) {
    std::vector<std::string> found;
    int pages = 0;
    for (const auto& entry : std::filesystem::directory_iterator(root / "resources/help" / folder)) {
        if (entry.path().extension() != ".md")
            continue;
        ++pages;
        for (const auto& [line, text] : paragraphs_of(content_of(entry.path())))
            for (const std::string& fault : faults(text))
                found.push_back(fmt::format("{}:{}: {}", entry.path().filename().string(), line, fault));
    }
    EXPECT_GT(pages, 5) << "hardly anything was read";
    return found;
}

TEST(PlainWords, LessonsAreHeldToTheSame) {
    EXPECT_THAT(faults_of_pages("lessons", [](std::string_view text) { return faults_of(text, most_words); }),
                IsEmpty());
}

TEST(PlainWords, NoSentenceOfTheHelpHasMoreThan25WordsOrBeginsWithAPreposition) {
    EXPECT_THAT(faults_of_pages(".", [](std::string_view text) { return faults_of(text, 25); }), IsEmpty());
}

TEST(PlainWords, TheReadmeIsHeldToTheSameAsTheHelp) {
    std::vector<std::string> found;
    const std::vector<ShownText> paragraphs = paragraphs_of(content_of(root / "README.md"));
    EXPECT_GT(paragraphs.size(), 30U) << "hardly anything was read";
    for (const auto& [line, text] : paragraphs)
        for (const std::string& fault : faults_of(text, 25))
            found.push_back(fmt::format("README.md:{}: {}", line, fault));
    EXPECT_THAT(found, IsEmpty());
}

TEST(PlainWords, MessagesOfTheEngineAndTheProgramsAreHeldToTheSame) {
    std::size_t messages = 0;
    std::vector<std::string> found;
    for (const char* const folder : {"core", "app"})
        for (const auto& [path, source] : source_files(root / folder))
            for (const auto& [line, text] : messages_of(source)) {
                ++messages;
                for (const std::string& fault : faults_of(text, most_words))
                    found.push_back(fmt::format("{}/{}:{}: {}", folder, path, line, fault));
            }
    EXPECT_GT(messages, 500U) << "hardly anything was read";
    EXPECT_THAT(found, IsEmpty());
}

TEST(PlainWords, EachExceptionIsNeededAndHasAReasonOfItsOwnPlace) {
    EXPECT_LE(excepted_texts.size(), 15U);
    std::set<std::string> texts;
    for (PlacedText& placed : texts_of_the_window())
        texts.insert(std::move(placed.text));
    for (const auto& [text, reason] : excepted_texts) {
        EXPECT_TRUE(texts.contains(std::string(text))) << text << " is in no source any more";
        EXPECT_THAT(faults_of(text, most_words), Not(IsEmpty())) << text << " needs no exception";
        EXPECT_FALSE(reason.empty()) << text;
    }
}

// The finder itself: planted texts must be found, and nothing else.
TEST(TextFinder, JoinsLiteralsThatStandSideBySide) {
    const auto texts = translated_texts("label->setText(\n    tr(\"Measure \\\"all\\\" \"\n"
                                        "       // why\n       \"of %1\").arg(tr(\"it\")));\n");
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_EQ(texts[0].text, "Measure \"all\" of %1");
    EXPECT_EQ(texts[0].line, 2);
    EXPECT_EQ(texts[1].text, "it");
}

TEST(TextFinder, ReadsTheTextAndNotContextsAndComments) {
    const auto texts =
        translated_texts("auto a = QT_TRANSLATE_NOOP(\"Context\", \"by hand\");\n"
                         "auto b = QCoreApplication::translate(\"Context\", \"%n row(s)\", nullptr, n);\n"
                         "// tr(\"in a comment\")\nauto c = R\"(tr(\"in a raw string\"))\";\n"
                         "auto d = QStringLiteral(\"tr(x\"); str(\"of another function\"); tr(name);\n"
                         "const int e = 1'000; tr(\"one of %1\", \"on translators\").arg(f('\"', \"x\"));\n");
    ASSERT_EQ(texts.size(), 3U);
    EXPECT_EQ(texts[0].text, "by hand");
    EXPECT_EQ(texts[1].text, "%n row(s)");
    EXPECT_EQ(texts[2].text, "one of %1");
    EXPECT_EQ(texts[2].line, 6);
}

TEST(TextFinder, ReadsMessagesAndTheirFormats) {
    const auto texts = messages_of(
        "return fail(Fault::Input, fmt::format(\"{} has {:.1f}: \" \"of two\", name(\"x\"), y));\n"
        "observer.remark(\"by hand\");\nfail(found.error());\n"
        "fail_in_file(Fault::Limit, path(\"a\", b), 0, \"too large\");\n");
    ASSERT_EQ(texts.size(), 3U);
    EXPECT_EQ(texts[0].text, "%1 has %1: of two");
    EXPECT_EQ(texts[1].text, "by hand");
    EXPECT_EQ(texts[1].line, 2);
    EXPECT_EQ(texts[2].text, "too large");
}

TEST(TextFinder, ReadsParagraphsAndItemsOfAPage) {
    const auto texts =
        paragraphs_of("# By a heading\n\ndomain: sparse\n\nOne *line*\nand [another](there.md).\n"
                      "- An item.\n- Of two.\n\n```step\nby code\n```\n| in | a table |\n");
    ASSERT_EQ(texts.size(), 3U);
    EXPECT_EQ(texts[0].text, "One line and another.");
    EXPECT_EQ(texts[0].line, 5);
    EXPECT_EQ(texts[2].text, "Of two.");
}

TEST(SentenceFinder, EndsASentenceAtStopsLinesAndTagsOfParagraphs) {
    EXPECT_THAT(sentences_of("<p>On <b>%1</b> it takes 1.5 ms.</p><p>Is it? No\nLast"),
                ElementsAre("On %1 it takes 1.5 ms", "Is it", "No", "Last"));
}

TEST(SentenceFinder, FindsASentenceThatBeginsWithAPreposition) {
    EXPECT_THAT(faults_of("Nothing is lost. Without %1 it stays.", 20),
                ElementsAre("begins with “without”: Without %1 it stays."));
    for (const char* const text : {"&From a file…", "of the last level", "To measure it, press the button",
                                   " In brackets the interval.", "<b>On</b> %1 it wins", "“By %1”"})
        EXPECT_THAT(faults_of(text, 20), ElementsAre(HasSubstr("begins with"))) << text;
    for (const char* const text :
         {"At least 3 matrices are needed", "as fast as %1", "Before and after", "Before: %1",
          "Overlap of both", "About %1", "In", "τ on %1", "Toward-looking names", "Asked for %1"})
        EXPECT_THAT(faults_of(text, 20), IsEmpty()) << text;
}

TEST(SentenceFinder, CountsTheWordsOfASentence) {
    EXPECT_THAT(faults_of("Five words · are – allowed %1. So are these.", 5), IsEmpty());
    EXPECT_THAT(faults_of("Six words are one too many.", 5),
                ElementsAre("6 words: Six words are one too many."));
}

} // namespace
} // namespace sparsight::testing
