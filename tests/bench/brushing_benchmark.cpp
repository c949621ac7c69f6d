// Parallel coordinates over 17 956 configurations (as many as GEMM of the tuning benchmarks has), brushed by
// the mouse: 60 frames a second leave 16 ms a frame. Prints JSON: how long the event takes, and painting.
#include "widgets/chart/parallel/parallel_plot.h"

#include <QApplication>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

namespace sparsight {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

nlohmann::ordered_json summary(std::vector<double> times) {
    std::ranges::sort(times);
    const auto at = [&](double share) {
        return std::round(100 *
                          times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]) /
               100;
    };
    return {{"median_ms", at(0.5)}, {"p95_ms", at(0.95)}, {"max_ms", at(1)}};
}

/// Ten decisions of up to eight values, of which the first ones decide the most.
ParallelPicture picture_of(std::size_t lines) {
    constexpr std::size_t axes = 10;
    std::mt19937 random(1);
    ParallelPicture picture;
    picture.measure.logarithmic = true;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        ParallelAxis& made = picture.axes.emplace_back();
        made.title = QStringLiteral("decision %1").arg(axis);
        for (std::size_t value = 0; value < 2 + axis % 7; ++value)
            made.values.push_back(QString::number(1 << value));
    }
    struct Drawn {
        double measure = 0;
        std::vector<std::uint16_t> places;
    };
    std::vector<Drawn> drawn(lines);
    for (Drawn& line : drawn) {
        double logarithm = std::normal_distribution(0.0, 0.2)(random);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            const auto place = random() % picture.axes[axis].values.size();
            line.places.push_back(static_cast<std::uint16_t>(place));
            logarithm += static_cast<double>(place) / static_cast<double>(1 + axis);
        }
        line.measure = std::exp(logarithm);
    }
    std::ranges::sort(drawn, {}, &Drawn::measure);
    for (const Drawn& line : drawn) {
        picture.lines.push_back({QString::number(picture.lines.size()), line.measure});
        std::ranges::copy(line.places, std::back_inserter(picture.places));
    }
    return picture;
}

nlohmann::ordered_json brush(std::size_t lines) {
    ParallelPlot plot;
    plot.resize(1280, 800);
    plot.show();
    QCoreApplication::processEvents(); // it is exposed
    const auto start = Clock::now();
    plot.set_picture(picture_of(lines));
    plot.repaint();
    const double first = milliseconds_since(start);
    std::vector<double> events;
    std::vector<double> paints;
    for (std::size_t axis = 0; axis < plot.picture().axis_count(); axis += 2) {
        const bool is_measure = plot.picture().is_measure(axis);
        const QPoint from = (is_measure ? plot.place_of(axis, 0) : plot.place_of_value(axis, 0)).toPoint();
        QTest::mousePress(&plot, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 40; ++step) {
            const auto event = Clock::now();
            QTest::mouseMove(&plot, from - QPoint(0, 8 * step));
            events.push_back(milliseconds_since(event));
            const auto paint = Clock::now();
            plot.repaint();
            paints.push_back(milliseconds_since(paint));
        }
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, from - QPoint(0, 320));
    }
    return {{"lines", lines},
            {"left_by_brushes", plot.fitting().size()},
            {"first_picture_ms", std::round(first * 10) / 10},
            {"event", summary(events)},
            {"paint", summary(paints)}};
}

} // namespace
} // namespace sparsight

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    nlohmann::ordered_json results;
    for (const std::size_t lines : {2000, 17'956, 65'000})
        results.push_back(sparsight::brush(lines));
    std::puts(results.dump(2).c_str());
}
