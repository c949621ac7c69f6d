#include "base/digest.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight
