#include "base/error.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(ErrorText, NamesFileAndLineWhereTheyAreKnown) {
    EXPECT_EQ((Error{Fault::Input, "boom", "a.mtx", 3}.text()), "a.mtx:3: boom");
    EXPECT_EQ((Error{Fault::Input, "boom", "a.csr", 0}.text()), "a.csr: boom");
    EXPECT_EQ((Error{Fault::Input, "boom", "", 0}.text()), "boom");
}

} // namespace
} // namespace sparsight
