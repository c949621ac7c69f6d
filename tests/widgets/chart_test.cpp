// Qt Charts links and paints here without a display. The chart widgets stand on it.
#include <QApplication>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QValueAxis>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

TEST(QtCharts, PaintsACurveWithATitledAxisOffscreen) {
    int count = 1;
    char program[] = "chart_test";
    char* arguments[] = {program, nullptr};
    const QApplication application(count, arguments);
    ASSERT_EQ(QGuiApplication::platformName(), QStringLiteral("offscreen"));

    auto series = std::make_unique<QLineSeries>();
    series->append(0, 1);
    series->append(1, 0.25);
    series->setColor(Qt::blue);
    auto axis = std::make_unique<QValueAxis>();
    axis->setTitleText(QStringLiteral("loss"));

    QChartView view; // its chart owns what is added to it
    QValueAxis* const added = axis.get();
    QLineSeries* const curve = series.get();
    view.chart()->addSeries(series.release());
    view.chart()->addAxis(axis.release(), Qt::AlignLeft);
    ASSERT_TRUE(curve->attachAxis(added));
    view.resize(320, 240);

    const QImage picture = view.grab().toImage();
    ASSERT_EQ(picture.deviceIndependentSize(), QSizeF(320, 240));
    int blue = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            blue += picture.pixelColor(x, y) == QColor(Qt::blue) ? 1 : 0;
    EXPECT_GT(blue, 20) << "the curve was not painted";
    EXPECT_EQ(added->titleText(), QStringLiteral("loss"));
}

} // namespace
} // namespace sparsight
