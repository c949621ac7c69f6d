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

TEST(Counted, HasOneOfWhatThereIsOnlyOneOf) {
    EXPECT_EQ(counted(1, "matrix", "matrices"), "1 matrix");
    EXPECT_EQ(counted(0U, "matrix", "matrices"), "0 matrices");
    EXPECT_EQ(counted(2L, "matrix", "matrices"), "2 matrices");
}

} // namespace
} // namespace sparsight
