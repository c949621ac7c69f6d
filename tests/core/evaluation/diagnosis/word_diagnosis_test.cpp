// The diagnosis serves any domain and any clock: here words of digits whose times are looked up in a table.
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/change_text.h"
#include "evaluation/diagnosis/smallest_change.h"
#include "toy/digit_space.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>

namespace sparsight {
namespace {

using testing::DigitSpace;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::text_of_word;
using testing::word;

using Table = std::map<std::string, double>; ///< milliseconds by word

/// Times that are looked up. Every word is a program of its own.
class TableClock final : public Clock {
public:
    explicit TableClock(Table table)
        : table_(std::move(table)) {}

    [[nodiscard]] std::string_view name() const override { return "recorded"; }
    [[nodiscard]] std::string program(const Configuration& configuration) const override {
        return text_of_word(configuration);
    }
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override {
        const auto found = table_.find(text_of_word(configuration));
        if (found == table_.end())
            return ClockTime{.milliseconds = {}, .reason = "the table does not hold it"};
        return ClockTime{.milliseconds = found->second};
    }

private:
    Table table_;
};

/// All words of three digits below 4.
template <typename Rule>
Table full_table(Rule milliseconds) {
    Table table;
    for (int number = 0; number < 64; ++number) {
        const int digits[] = {number / 16, number / 4 % 4, number % 4};
        table[fmt::format("{}{}{}", digits[0], digits[1], digits[2])] =
            milliseconds(digits[0], digits[1], digits[2]);
    }
    return table;
}

/// The first digit multiplies, the second adds, and the last one does nothing.
double uneven_time(int first, int second, int) {
    return (1 + first) * (2 + 0.5 * second);
}

const DigitSpace three_digits(3, 4);

std::shared_ptr<const HybridSpace> between(const char* from, const char* to) {
    return three_digits.between(word(from), word(to)).value();
}

double sum_of(const Blame& blame) {
    double sum = 0;
    for (const DecisionShare& share : blame.shares)
        sum += share.milliseconds;
    return sum;
}

TEST(DiagnosisOfWords, SharesTheDifferenceOfTwoTabledTimesOut) {
    TableClock clock(full_table(&uneven_time));
    const auto blame = find_blame(between("000", "321"), clock).value();
    ASSERT_THAT(blame.shares, SizeIs(3));
    EXPECT_EQ(blame.shares[0].decision.key, "digit_0");
    EXPECT_EQ(blame.shares[1].decision.name, "digit 1");
    EXPECT_EQ(blame.shares[2].milliseconds, 0) << "the last digit does nothing";
    // The mean of both orders: 3 × 2 or 3 × 3 ms for the first digit, 1 or 4 ms for the second.
    EXPECT_DOUBLE_EQ(blame.shares[0].milliseconds, 7.5);
    EXPECT_DOUBLE_EQ(blame.shares[1].milliseconds, 2.5);
    EXPECT_DOUBLE_EQ(sum_of(blame), blame.difference_ms());
    EXPECT_TRUE(blame.is_exact);
    EXPECT_EQ(blame.counts.configurations, 8U);
    EXPECT_THAT(blame.shares[0].terms, IsEmpty()) << "nothing was simulated";
}

TEST(DiagnosisOfWords, LeavesOutHybridsThatTheTableLacks) {
    Table table = full_table(&uneven_time);
    table.erase("300");
    table.erase("301");
    TableClock clock(std::move(table));
    const auto blame = find_blame(between("000", "321"), clock).value();
    EXPECT_EQ(blame.counts.without_time, 2U);
    EXPECT_LT(blame.walked_orders, 1);
    EXPECT_DOUBLE_EQ(sum_of(blame), blame.difference_ms());
    EXPECT_NEAR(blame.shares[0].milliseconds, 9, 1e-12) << "the first digit never changes before the second";
}

TEST(DiagnosisOfWords, SaysWhichWordHasNoTimeAndWhatWouldGiveItOne) {
    Table table = full_table(&uneven_time);
    table.erase("321");
    table.erase("320");
    table.erase("021");
    TableClock clock(std::move(table));
    const auto blame = find_blame(between("000", "321"), clock);
    ASSERT_FALSE(blame);
    EXPECT_EQ(blame.error().fault, Fault::Limit);
    EXPECT_THAT(blame.error().message, HasSubstr("the word '321' has no time that could be shared out"));
    EXPECT_THAT(blame.error().message,
                EndsWith("the table does not hold it; it would have one with digit 1 0"));
}

TEST(DiagnosisOfWords, FindsTheSmallestChangeThatWins) {
    // Only a 3 in the middle hurts, and the first digit helps: to take the middle back is enough.
    TableClock clock(full_table(
        [](int first, int second, int last) { return 4.0 - first + (second == 3 ? 8 : 0) + 0.25 * last; }));
    const auto blame = find_blame(between("000", "132"), clock).value();
    EXPECT_EQ(blame.shares.front().decision.key, "digit_1");
    const auto change = smallest_configuration_change(blame, clock, three_digits).value();
    ASSERT_TRUE(change && change->wins);
    EXPECT_EQ(changed_decisions(*change), "digit 1 3 → 0");
    EXPECT_EQ(text_of_word(change->configuration), "102");
    EXPECT_DOUBLE_EQ(*change->time.milliseconds, 3.5);
}

TEST(DiagnosisOfWords, SaysThatOnlyTheOtherSideIsFastEnough) {
    TableClock clock(full_table(
        [](int first, int second, int last) { return first + second + last == 0 ? 1.0 : 5.0 + first; }));
    const auto blame = find_blame(between("000", "220"), clock).value();
    const auto change = smallest_configuration_change(blame, clock, three_digits).value();
    ASSERT_TRUE(change && change->is_other_side);
    EXPECT_THAT(no_change_text(*change, "the fastest", "word", false),
                HasSubstr("No smaller change of the word wins than taking all decisions back"));
}

/// Each 1 costs 1 to 3 ms, neighbours that are both 1 cost another one, and the first and the last help
/// each other.
class RuleClock final : public Clock {
public:
    [[nodiscard]] std::string_view name() const override { return "counted"; }
    [[nodiscard]] std::string program(const Configuration& configuration) const override {
        return text_of_word(configuration);
    }
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override {
        ++asked;
        const std::string text = text_of_word(configuration);
        double milliseconds = 5;
        for (std::size_t at = 0; at < text.size(); ++at)
            if (text[at] == '1')
                milliseconds += static_cast<double>(1 + at % 3) + (at > 0 && text[at - 1] == '1' ? 1 : 0);
        return ClockTime{.milliseconds = milliseconds - (text.front() == '1' && text.back() == '1' ? 4 : 0)};
    }
    std::size_t asked = 0;
};

std::shared_ptr<const HybridSpace> zeros_and_ones(std::size_t digits) {
    return DigitSpace(digits, 2)
        .between(word(std::string(digits, '0')), word(std::string(digits, '1')))
        .value();
}

TEST(DiagnosisOfWords, EstimatesSharesWithinTheirErrorsOfTheExactOnes) {
    RuleClock clock;
    const auto exact = find_blame(zeros_and_ones(10), clock, {.exact_up_to = 10}).value();
    ASSERT_TRUE(exact.is_exact);
    int within_two = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const auto drawn = find_blame(zeros_and_ones(10), clock, {.draws = 24, .seed = seed}).value();
        EXPECT_FALSE(drawn.is_exact);
        EXPECT_NEAR(sum_of(drawn), drawn.difference_ms(), 1e-9) << "each order adds up, so their mean does";
        for (const DecisionShare& share : drawn.shares) {
            const double off = std::abs(share.milliseconds - exact.share_of(share.bit).milliseconds);
            EXPECT_LE(off, 4 * share.sampling_error_ms + 1e-9) << share.decision.key;
            within_two += off <= 2 * share.sampling_error_ms + 1e-9 ? 1 : 0;
        }
    }
    EXPECT_GE(within_two, 90) << "of 100 shares";
}

TEST(DiagnosisOfWords, OfManyDecisionsAsksForThoseOfDrawnOrdersAlone) {
    RuleClock clock;
    const BlameOptions options{.draws = 16, .seed = 7};
    const auto blame = find_blame(zeros_and_ones(20), clock, options).value();
    EXPECT_FALSE(blame.is_exact);
    EXPECT_EQ(blame.draws, 16U);
    ASSERT_THAT(blame.shares, SizeIs(20));
    EXPECT_NEAR(sum_of(blame), blame.difference_ms(), 1e-9);
    EXPECT_LE(clock.asked, 2 * 16 * 19 + 2U);
    EXPECT_EQ(blame.counts.asked, clock.asked);
    EXPECT_EQ(blame.counts.all, std::size_t{1} << 20);
    EXPECT_EQ(*blame.time_of(0)->milliseconds, 5);
    EXPECT_EQ(blame.shares.back().decision.key, "digit_0") << "it costs the least";
    EXPECT_TRUE(std::ranges::all_of(
        blame.shares, [](const DecisionShare& share) { return std::isfinite(share.sampling_error_ms); }));
    const auto again = find_blame(zeros_and_ones(20), clock, options).value();
    for (std::size_t place = 0; place < 20; ++place)
        EXPECT_EQ(again.shares[place].milliseconds, blame.shares[place].milliseconds)
            << "the seed is the same";
    const auto change = smallest_configuration_change(blame, clock, DigitSpace(20, 2)).value();
    ASSERT_TRUE(change);
    EXPECT_LE(*change->time.milliseconds, *blame.from.milliseconds);
}

TEST(DiagnosisOfWords, RefusesMoreDecisionsThanASetCanHold) {
    const auto refused = DigitSpace(64, 2).between(word(std::string(64, '0')), word(std::string(64, '1')));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::Limit);
    EXPECT_THAT(refused.error().message, HasSubstr("differ in 64 decisions: expected at most 63"));
}

} // namespace
} // namespace sparsight
