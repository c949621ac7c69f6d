// What the page says and draws of speedups that may be noise.
#include "gui/schedules/baseline_note.h"
#include "gui/schedules/headline.h"
#include "gui/schedules/speedup_bars.h"

#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RankedResult result(double median, double spread, bool is_fixed_csr = false) {
    RankedResult result;
    result.rank = 1;
    result.row.is_fixed_csr = is_fixed_csr;
    result.row.status = MeasurementStatus::Measured;
    result.row.median_ms = median;
    result.row.spread_ms = spread;
    result.row.speedup_over_fixed_csr = 2 / median;
    return result;
}

TEST(Headline, MarksALeadThatMayBeNoiseAndOffersToMeasureBothAgain) {
    const RankedResult fixed = result(2, 0.5, true);
    RankedResult best = result(1.6, 0.2);
    EXPECT_THAT(headline_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
                ::testing::AllOf(HasSubstr("1.25×"), Not(HasSubstr("~")), Not(HasSubstr("again"))));
    best.is_in_noise = true;
    EXPECT_THAT(
        headline_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
        ::testing::AllOf(HasSubstr("~1.25×"), HasSubstr("± 700 µs"), HasSubstr("Measure both again")));
    EXPECT_THAT(headline_text({QStringLiteral("m"), &best, &fixed, 3, false}).toStdString(),
                Not(HasSubstr("href")));
    EXPECT_THAT(headline_text({QStringLiteral("a<b"), &fixed, &fixed, 3, true}).toStdString(),
                ::testing::AllOf(HasSubstr("a&lt;b"), HasSubstr("nothing measured beats")));
    EXPECT_TRUE(headline_text({}).isEmpty());
    EXPECT_THAT(headline_text({QStringLiteral("m"), &fixed, &fixed, 0, true}).toStdString(),
                HasSubstr("nothing else was measured yet"))
        << "no verdict before there is a rival";
}

TEST(SpeedupBars, ArePaleWhereTheyMayBeNoise) {
    std::vector<RankedResult> results{result(1, 0.1), result(1.9, 0.1), result(2, 0.1, true),
                                      result(2.1, 0.1), result(4, 0.1)};
    results[1].is_in_noise = true;
    results[3].is_in_noise = true;
    const BarSeries bars = speedup_bars(results);
    std::vector<ChartColour> colours;
    for (const Bar& bar : bars.bars)
        colours.push_back(bar.colour);
    EXPECT_THAT(colours,
                ::testing::ElementsAre(ChartColour::Win, ChartColour::FaintWin, ChartColour::Reference,
                                       ChartColour::FaintLose, ChartColour::Lose));
    EXPECT_THAT(bars.bars[1].note.toStdString(), HasSubstr("may be noise"));
}

TEST(BaselineNote, SaysWhatFixedCsrTookBeforeAndNowWhileOlderTimesAreCompared) {
    BaselineNote note;
    const ResultFilter question{.matrix = "m"};
    RankedResult fixed = result(2, 0.1, true);
    fixed.row.measured = "2026-01-01";
    RankedResult other = result(1, 0.1);
    EXPECT_TRUE(note.text_for(question, {other, fixed}).isEmpty());
    EXPECT_TRUE(note.text_for(question, {other}).isEmpty()) << "it is not measured";
    fixed.row.measured = "2026-01-02";
    fixed.row.median_ms = 3;
    other.is_before_baseline = true;
    const auto changed = note.text_for(question, {other, fixed}).toStdString();
    EXPECT_THAT(changed,
                ::testing::AllOf(HasSubstr("2.00 ms before, 3.00 ms now"), HasSubstr("1 schedule,")));
    EXPECT_EQ(note.text_for(question, {other, fixed}).toStdString(), changed) << "as long as it holds";
    EXPECT_THAT(note.text_for({.matrix = "n"}, {other, fixed}).toStdString(),
                ::testing::AllOf(HasSubstr("measured anew since"), Not(HasSubstr("before, "))))
        << "nobody saw what it was before";
    note.forget();
    EXPECT_THAT(note.text_for(question, {other, fixed}).toStdString(), Not(HasSubstr("before, ")))
        << "another workspace, where nobody saw it either";
    other.is_before_baseline = false;
    EXPECT_TRUE(note.text_for(question, {other, fixed}).isEmpty()) << "all are measured again";
}

} // namespace
} // namespace sparsight::testing
