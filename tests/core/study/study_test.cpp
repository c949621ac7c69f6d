// Configurations as bytes, and rules of timing.
#include "study/configuration.h"
#include "study/measurement.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Configuration of(std::string_view text) {
    return Configuration(std::as_bytes(std::span(text)));
}

std::string text_of(const Configuration& configuration) {
    const auto bytes = configuration.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Configuration, KeepsItsBytesWhateverTheirNumber) {
    for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 1000U}) {
        std::string text(size, 'x');
        for (std::size_t at = 0; at < size; ++at)
            text[at] = static_cast<char>(at * 7);
        const Configuration one = of(text);
        EXPECT_EQ(text_of(one), text);
        Configuration copy = one;
        EXPECT_EQ(copy, one);
        EXPECT_EQ(hash_value(copy), hash_value(one));
        const Configuration moved = std::move(copy);
        EXPECT_EQ(text_of(moved), text);
        copy = of("again");
        EXPECT_EQ(text_of(copy), "again");
        EXPECT_EQ(text_of(one), text);
    }
}

TEST(Configuration, HasCopiesThatDoNotChangeWithIt) {
    Configuration one = of(std::string(100, 'a'));
    const Configuration copy = one;
    one = of(std::string(100, 'b'));
    EXPECT_EQ(text_of(copy), std::string(100, 'a'));
    EXPECT_NE(one, copy);
}

TEST(Configuration, IsOrderedByteByByte) {
    const std::string long_text(64, 'a');
    std::vector<Configuration> all{of("b"),
                                   of("\x80"),
                                   of(std::string_view("a\0b", 3)),
                                   of("ab"),
                                   of("a"),
                                   of(""),
                                   of(long_text + "b"),
                                   of(long_text),
                                   of(long_text + "aa"),
                                   of(long_text + "a")};
    std::ranges::sort(all);
    std::vector<std::string> texts;
    for (const Configuration& one : all)
        texts.push_back(text_of(one));
    EXPECT_THAT(texts, ElementsAre("", "a", std::string("a\0b", 3), long_text, long_text + "a",
                                   long_text + "aa", long_text + "b", "ab", "b", "\x80"));
    EXPECT_EQ(of("a") <=> of("a"), std::strong_ordering::equal);
}

TEST(Configuration, TellsApartWhatDiffersInZerosOnly) {
    const Configuration none = of("");
    const Configuration one = of(std::string(1, '\0'));
    const Configuration eight = of(std::string(8, '\0'));
    EXPECT_NE(none, one);
    EXPECT_NE(one, eight);
    EXPECT_LT(one, eight);
    EXPECT_THAT((std::unordered_set<Configuration>{none, one, eight, one}), SizeIs(3));
    EXPECT_NE(hash_value(one), hash_value(eight));
}

TEST(Configuration, HasTheSameHashOnEveryMachine) {
    EXPECT_EQ(hash_value(Configuration()), 0xe220a8397b1dcdafU);
    EXPECT_EQ(hash_value(of("tile=32")), 0x4fd83fe680059fa9U);
    EXPECT_EQ(hash_value(of("0123456789abcdefghij")), 0x9436f6803ff36032U);
    EXPECT_EQ(hash_value(of(std::string(100, 'z'))), 0x2e869e2dd45760f0U);
}

TEST(Configuration, HasDifferentHashesForDifferentBytes) {
    std::unordered_set<std::uint64_t> hashes;
    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; ++second)
            hashes.insert(
                hash_value(of(std::string{static_cast<char>(first), 'x', static_cast<char>(second)})));
    EXPECT_THAT(hashes, SizeIs(256 * 256));
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
    EXPECT_DOUBLE_EQ(median_of({Milliseconds(3), Milliseconds(1), Milliseconds(2)}).count(), 2);
    EXPECT_DOUBLE_EQ(median_of({Milliseconds(4), Milliseconds(1), Milliseconds(2), Milliseconds(3)}).count(),
                     2.5);
}

TEST(Spread, IsTheScaledMedianDistanceFromTheMedian) {
    EXPECT_DOUBLE_EQ(
        spread_of({Milliseconds(1), Milliseconds(2), Milliseconds(3), Milliseconds(4), Milliseconds(100)})
            .count(),
        1.4826 * 1.206)
        << "corrected for five values";
}

TEST(ProtocolNames, RoundTrip) {
    EXPECT_EQ(parse_protocol("adaptive"), Protocol::Adaptive);
    EXPECT_EQ(parse_protocol("waco"), Protocol::FixedRuns);
    EXPECT_EQ(parse_protocol("fast"), std::nullopt);
}

} // namespace
} // namespace sparsight
