#include "base/digest.h"
#include "base/error.h"
#include "base/quantity.h"
#include "base/reading/csv_table.h"
#include "base/reading/text_lines.h"
#include "base/text.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(Trimmed, TakesTheWhiteSpaceAtBothEndsAway) {
    EXPECT_EQ(trimmed(" \t a b \r\n"), "a b");
    EXPECT_EQ(trimmed("ab"), "ab");
    EXPECT_EQ(trimmed(" \t\v\f\r\n"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(BeginsWith, LooksAtNoCapitals) {
    EXPECT_TRUE(begins_with("AMD EPYC", "amd e"));
    EXPECT_TRUE(begins_with("AMD", "amd"));
    EXPECT_TRUE(begins_with("AMD", ""));
    EXPECT_FALSE(begins_with("AMD", "AMD EPYC"));
    EXPECT_FALSE(begins_with("AMD EPYC", "EPYC"));
}

TEST(CsvField, IsQuotedOnlyWhereItMustBe) {
    EXPECT_EQ(csv_field("plain text"), "plain text");
    EXPECT_EQ(csv_field(""), "");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
    EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
}

std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields{"what", "was", "there", "before"};
    EXPECT_TRUE(split_csv_line(line, fields)) << line;
    return fields;
}

TEST(CsvLine, IsSplitAtCommasOutsideQuotes) {
    using Fields = std::vector<std::string>;
    EXPECT_EQ(fields_of("a,b c,1.5"), (Fields{"a", "b c", "1.5"}));
    EXPECT_EQ(fields_of(""), (Fields{""}));
    EXPECT_EQ(fields_of(",,"), (Fields{"", "", ""}));
    EXPECT_EQ(fields_of(R"("a,b",c)"), (Fields{"a,b", "c"}));
    EXPECT_EQ(fields_of(R"("say ""x""","")"), (Fields{R"(say "x")", ""}));
    EXPECT_EQ(fields_of(csv_field("a,\"b\"") + "," + csv_field("c")), (Fields{"a,\"b\"", "c"}));
}

TEST(CsvLine, WithAQuoteThatDoesNotEndIsRefused) {
    std::vector<std::string> fields;
    for (const char* line : {"\"a", "a,\"b,c", "\"a\"b,c", "\"a\"\""})
        EXPECT_FALSE(split_csv_line(line, fields)) << line;
}

TEST(Counted, HasOneOfWhatThereIsOnlyOneOf) {
    EXPECT_EQ(counted(1, "matrix", "matrices"), "1 matrix");
    EXPECT_EQ(counted(0U, "matrix", "matrices"), "0 matrices");
    EXPECT_EQ(counted(2L, "matrix", "matrices"), "2 matrices");
}

TEST(FormatDuration, KeepsThreeDigitsInAReadableUnit) {
    EXPECT_EQ(format_duration(Seconds(0)), "0 s");
    EXPECT_EQ(format_duration(Seconds(12.34e-9)), "12.3 ns");
    EXPECT_EQ(format_duration(Seconds(1.5e-3)), "1.50 ms");
    EXPECT_EQ(format_duration(Seconds(0.9999)), "1.00 s");
    EXPECT_EQ(format_duration(Seconds(245)), "4 min 05 s");
    EXPECT_EQ(format_duration(Seconds(3600 * 25)), "25 h 00 min");
}

TEST(FormatBytes, UsesPowersOf1024) {
    EXPECT_EQ(format_bytes(312), "312 B");
    EXPECT_EQ(format_bytes(1024), "1.00 KiB");
    EXPECT_EQ(format_bytes(1000 * 1024), "0.98 MiB");
    EXPECT_EQ(format_bytes(std::uint64_t{3} << 30), "3.00 GiB");
}

TEST(FormatCount, GroupsDigitsInThrees) {
    EXPECT_EQ(format_count(0), "0");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(25600), "25\u202F600");
    EXPECT_EQ(format_count(-1234567), "-1\u202F234\u202F567");
    EXPECT_EQ(format_count(-123), "-123");
}

TEST(ParseDuration, ReadsNumbersWithAndWithoutUnits) {
    EXPECT_DOUBLE_EQ(parse_duration("90")->count(), 90);
    EXPECT_DOUBLE_EQ(parse_duration("250ms")->count(), 0.25);
    EXPECT_DOUBLE_EQ(parse_duration("10m")->count(), 600);
    EXPECT_DOUBLE_EQ(parse_duration("1h30m")->count(), 5400);
}

TEST(ParseDuration, RefusesAnythingElseAndSaysWhatItExpects) {
    for (const char* text : {"", "m", "-3s", "10x", "5 6", "nan", "1h30"}) {
        const auto parsed = parse_duration(text);
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_NE(parsed.error().message.find("10m"), std::string::npos) << parsed.error().message;
    }
}

TEST(ParseBytes, ReadsBinaryAndDecimalSuffixes) {
    EXPECT_EQ(parse_bytes("4096"), 4096u);
    EXPECT_EQ(parse_bytes("2G"), std::uint64_t{2} << 30);
    EXPECT_EQ(parse_bytes("2 GiB"), std::uint64_t{2} << 30);
    EXPECT_EQ(parse_bytes("2GB"), 2'000'000'000u);
    EXPECT_FALSE(parse_bytes("2X").has_value());
    EXPECT_FALSE(parse_bytes("1e30").has_value());
}

TEST(ErrorText, NamesFileAndLineWhereTheyAreKnown) {
    EXPECT_EQ((Error{Fault::Input, "boom", "a.mtx", 3}.text()), "a.mtx:3: boom");
    EXPECT_EQ((Error{Fault::Input, "boom", "a.csr", 0}.text()), "a.csr: boom");
    EXPECT_EQ((Error{Fault::Input, "boom", "", 0}.text()), "boom");
}

// From the authors' list of test vectors.
TEST(Digest, IsFnv1a) {
    EXPECT_EQ(digest_of(""), 0xcbf29ce484222325U);
    EXPECT_EQ(digest_of("a"), 0xaf63dc4c8601ec8cU);
    EXPECT_EQ(digest_of("foobar"), 0x85944171f73967e8U);
}

TEST(Digest, TellsWhereATextEnds) {
    Digest one;
    one.add("a");
    one.add("bc");
    Digest other;
    other.add("ab");
    other.add("c");
    EXPECT_NE(one.value(), other.value());
}

TEST(TextLines, AreTrimmedAndCountBlankOnes) {
    TextLines lines("t.log", memory_source("\xef\xbb\xbf first \r\n\n  \nlast"));
    ASSERT_TRUE(lines.next().value());
    EXPECT_EQ(lines.text(), "first");
    EXPECT_EQ(lines.line(), 1);
    ASSERT_TRUE(lines.next().value());
    EXPECT_EQ(lines.text(), "last");
    EXPECT_EQ(lines.line(), 4);
    EXPECT_FALSE(lines.next().value());
}

TEST(CsvTable, ReadsFieldsByTheNamesOfTheirColumns) {
    auto table =
        CsvTable::of_text("t.csv", "\xef\xbb\xbfname, time_ms\r\n\n a ,1.5\r\n\"b, \"\"c\"\"\",2").value();
    EXPECT_EQ(table.column("time_ms"), 1U);
    EXPECT_EQ(table.column("absent"), std::nullopt);
    ASSERT_TRUE(table.next().value());
    EXPECT_EQ(table.field(0), "a");
    EXPECT_EQ(table.field(1), "1.5");
    EXPECT_EQ(table.line(), 3);
    ASSERT_TRUE(table.next().value());
    EXPECT_EQ(table.field(0), "b, \"c\"");
    EXPECT_EQ(table.unexpected_field(1, "a word").text(),
              "t.csv:4: column time_ms: found \"2\", expected a word");
    EXPECT_FALSE(table.next().value());
}

TEST(CsvTable, GoesOnBehindADefectiveLine) {
    auto table = CsvTable::of_text("t.csv", "a,b\n1\n\"x,2\n3,4\n").value();
    ASSERT_TRUE(table.next().value());
    ASSERT_TRUE(table.defect());
    EXPECT_EQ(table.defect()->text(), "t.csv:2: there are 1 fields, expected 2 as in the first line");
    ASSERT_TRUE(table.next().value());
    ASSERT_TRUE(table.defect());
    EXPECT_EQ(table.defect()->text(),
              "t.csv:3: a quotation mark is neither around a field nor doubled inside one");
    ASSERT_TRUE(table.next().value());
    EXPECT_FALSE(table.defect());
    EXPECT_EQ(table.field(1), "4");
}

TEST(CsvTable, RefusesBothLinesOfAFieldWithALineBreak) {
    auto table = CsvTable::of_text("t.csv", "name,ms\n\"two\nlines\",1\nthree,2\n").value();
    for (const int line : {2, 3}) {
        ASSERT_TRUE(table.next().value());
        EXPECT_TRUE(table.defect()) << line;
    }
    ASSERT_TRUE(table.next().value());
    EXPECT_EQ(table.field(0), "three");
}

TEST(CsvTable, NamesSeparatorsThatAreNoCommas) {
    EXPECT_EQ(CsvTable::of_text("t.csv", "name;ms\na;1\n").error().text(),
              "t.csv:1: fields are separated by semicolons, expected commas");
    EXPECT_EQ(CsvTable::of_text("t.csv", "name\tms\na\t1\n").error().text(),
              "t.csv:1: fields are separated by tabs, expected commas");
}

TEST(Utf8, IsTheShortestFormOfACharacter) {
    for (const std::string_view good :
         {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const std::string_view bad : {"caf\xe9", "\xc3", "\xa9", "\xc0\x80", "\xe0\x80\xaf", "\xed\xa0\x80",
                                       "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82"})
        EXPECT_FALSE(is_utf8(bad)) << quoted_excerpt(bad);
}

TEST(CsvTable, SkipsAByteOrderMarkBeforeAQuotedName) {
    const auto table = CsvTable::of_text("t.csv", "\xef\xbb\xbf\"name\",time_ms\n").value();
    EXPECT_EQ(table.column("name"), 0U);
}

TEST(CsvTable, TakesNoOtherEncodingForUtf8) {
    auto table = CsvTable::of_text("t.csv", "a,b\ncaf\xe9,2\n3,4\n").value();
    ASSERT_TRUE(table.next().value());
    ASSERT_TRUE(table.defect());
    EXPECT_EQ(table.defect()->text(), "t.csv:2: the line is not in UTF-8");
    ASSERT_TRUE(table.next().value());
    EXPECT_FALSE(table.defect());
}

TEST(CsvTable, RefusesColumnsThatCannotBeTold) {
    const auto message = [](std::string_view text) {
        return CsvTable::of_text("t.csv", text).error().text();
    };
    EXPECT_EQ(message(""), "t.csv: the table is empty, expected a first line with the names of the columns");
    EXPECT_EQ(message("a,,b\n"), "t.csv:1: column 2 has no name");
    EXPECT_EQ(message("a,b\r1,2\r"), "t.csv:1: lines end in a carriage return alone, expected line feeds");
    EXPECT_EQ(message("a,b,a\n"), "t.csv:1: there are two columns \"a\"");
    EXPECT_EQ(CsvTable::open("/nowhere/t.csv").error().fault, Fault::Environment);
}

TEST(CsvTable, ReadsATableThatIsLongerThanABlock) {
    std::string text = "number\n";
    for (int i = 0; i < 100'000; ++i)
        text += fmt::format("{}\n", i);
    auto table = CsvTable::of_text("t.csv", text).value();
    for (int i = 0; i < 100'000; ++i) {
        ASSERT_TRUE(table.next().value());
        ASSERT_EQ(table.field(0), std::to_string(i));
    }
    EXPECT_FALSE(table.next().value());
    EXPECT_EQ(table.line(), 100'001);
}

} // namespace
} // namespace sparsight
