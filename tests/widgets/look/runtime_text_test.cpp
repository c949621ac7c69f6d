// Times of workloads, as times and as what a domain counts.
#include "widgets/chart/chart_values.h"
#include "widgets/look/runtime_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

class RuntimeTextTest : public ::testing::Test {
protected:
    ~RuntimeTextTest() override { set_runtime_unit(*qApp, std::nullopt); }
    static void count_cycles() {
        set_runtime_unit(*qApp, RuntimeUnit{QStringLiteral("cycle"), QStringLiteral("cycles"), 1e-6});
    }
};

TEST_F(RuntimeTextTest, IsADurationUnlessSomethingElseIsCounted) {
    EXPECT_EQ(runtime_text(1.24), duration_text(1.24));
    EXPECT_EQ(runtime_with_spread(1.24, 0.05), duration_with_spread(1.24, 0.05));
    count_cycles();
    EXPECT_EQ(runtime_text(346e-6), QStringLiteral("346\u00A0cycles"));
    EXPECT_EQ(runtime_with_spread(346e-6, 3e-6), QStringLiteral("346\u00A0±\u00A03.0\u00A0cycles"));
    EXPECT_EQ(runtime_with_spread(346e-6, std::numeric_limits<double>::quiet_NaN()), runtime_text(346e-6));
    EXPECT_EQ(runtime_text(std::numeric_limits<double>::quiet_NaN()), unknown_text());
    EXPECT_EQ(duration_text(1.24), QStringLiteral("1.24\u00A0ms")) << "times of the clock stay times";
}

TEST_F(RuntimeTextTest, IsWhatAxesOfTimesShow) {
    count_cycles();
    EXPECT_EQ(value_text(500e-6, ValueFormat::Duration, {}), QStringLiteral("500\u00A0cycles"));
    const auto ticks = chart_ticks({false, 0, 400e-6}, ValueFormat::Duration, 4, {});
    EXPECT_TRUE(std::ranges::any_of(
        ticks, [](const ChartTick& tick) { return tick.label == QStringLiteral("200 cycles"); }));
}

TEST_F(RuntimeTextTest, ItsUnitIsToldToTheWidgetsOnce) {
    class Listener : public QLabel {
    public:
        int told = 0;

    protected:
        void changeEvent(QEvent* event) override { told += event->type() == QEvent::LanguageChange ? 1 : 0; }
    };
    Listener listener;
    count_cycles();
    count_cycles();
    QApplication::sendPostedEvents();
    EXPECT_EQ(listener.told, 1);
}

} // namespace
} // namespace sparsight
