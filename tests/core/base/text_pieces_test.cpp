#include "base/csv.h"
#include "base/plural.h"
#include "base/trimmed.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(Trimmed, TakesTheWhiteSpaceAtBothEndsAway) {
    EXPECT_EQ(trimmed(" \t a b \r\n"), "a b");
    EXPECT_EQ(trimmed("ab"), "ab");
    EXPECT_EQ(trimmed(" \t\v\f\r\n"), "");
    EXPECT_EQ(trimmed(""), "");
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

} // namespace
} // namespace sparsight
