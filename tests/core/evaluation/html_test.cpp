#include "evaluation/html.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(HtmlText, EscapesWhatWouldBeMarkup) {
    EXPECT_EQ(html_text("<b a='1' c=\"2\">&"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST(Base64, FollowsTheExamplesOfRfc4648) {
    const auto encode = [](std::string_view text) { return base64(std::as_bytes(std::span(text))); };
    EXPECT_EQ(encode(""), "");
    EXPECT_EQ(encode("f"), "Zg==");
    EXPECT_EQ(encode("fo"), "Zm8=");
    EXPECT_EQ(encode("foo"), "Zm9v");
    EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

} // namespace
} // namespace sparsight
