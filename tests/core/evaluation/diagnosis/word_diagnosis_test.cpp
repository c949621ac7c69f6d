// The diagnosis serves any domain and any clock: here words of digits whose times are looked up in a table.
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/change_text.h"
#include "evaluation/diagnosis/smallest_change.h"
#include "support/digit_space.h"

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

TEST(DiagnosisOfWords, DrawsOrdersAmongManyDecisionsAndRefusesTooMany) {
    const DigitSpace wide(13, 2);
    class SumClock final : public Clock {
    public:
        [[nodiscard]] std::string_view name() const override { return "counted"; }
        [[nodiscard]] std::string program(const Configuration& configuration) const override {
            return text_of_word(configuration);
        }
        [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override {
            const std::string text = text_of_word(configuration);
            return ClockTime{.milliseconds = 1.0 + static_cast<double>(std::ranges::count(text, '1'))};
        }
    } clock;
    const auto most = wide.between(word(std::string(13, '0')), word("0111111111111")).value();
    const auto blame = find_blame(most, clock).value();
    EXPECT_FALSE(blame.is_exact);
    EXPECT_THAT(blame.shares, SizeIs(12));
    EXPECT_NEAR(sum_of(blame), 12, 1e-9);
    const auto refused = wide.between(word(std::string(13, '0')), word(std::string(13, '1')));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::Limit);
    EXPECT_THAT(refused.error().message, HasSubstr("differ in 13 decisions: expected at most 12"));
}

} // namespace
} // namespace sparsight
