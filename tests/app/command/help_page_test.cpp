#include "command/help_page.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(HelpPage, IndentsTheTextOfASectionBelowItsTitle) {
    EXPECT_EQ(help_section("Examples", "\nfirst\n\n  second\n"), "Examples:\n  first\n\n    second\n\n");
    EXPECT_EQ(help_section("JSON", ""), "");
}

TEST(HelpPage, NamesTheProgramThatWasCalled) {
    EXPECT_EQ(in_the_name_of("sparsight-learn", "sparsight-cli a; sparsight-cli b"),
              "sparsight-learn a; sparsight-learn b");
    EXPECT_EQ(in_the_name_of("sparsight-cli", "sparsight-cli a"), "sparsight-cli a");
    EXPECT_EQ(in_the_name_of("my-sparsight-cli", "sparsight-cli a"), "my-sparsight-cli a");
}

} // namespace
} // namespace sparsight
