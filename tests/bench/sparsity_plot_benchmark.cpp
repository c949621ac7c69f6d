// The sparsity plot over 10 M entries, driven by wheel and mouse: 60 frames a second leave 16 ms a frame.
// Prints JSON: how long painting takes, how long the first picture of a matrix that was loaded and each
// refined one let one wait; and the pyramid, which is made while it is loaded.
#include "base/parallel.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "widgets/plot/pyramid_source.h"
#include "widgets/plot/sparsity_plot.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Of the calling thread: what else runs on the machine does not count.
double thread_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

nlohmann::ordered_json summary(std::vector<double> times) {
    std::ranges::sort(times);
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    const auto rounded = [](double value) { return std::round(value * 100) / 100; };
    return {{"frames", times.size()},
            {"median_ms", rounded(at(0.5))},
            {"p95_ms", rounded(at(0.95))},
            {"max_ms", rounded(at(1))}};
}

/// Measures what a user's hand would meet: the event, then the frame.
class Driver {
public:
    explicit Driver(SparsityPlot& plot)
        : plot_(plot) {}

    void wheel(QPoint place, int units) {
        frame([&] {
            QWheelEvent event(place, plot_.mapToGlobal(place), QPoint(), QPoint(0, units), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&plot_, &event);
        });
    }
    void press(QPoint place) { mouse(QEvent::MouseButtonPress, place, Qt::LeftButton, Qt::LeftButton); }
    void release(QPoint place) { mouse(QEvent::MouseButtonRelease, place, Qt::LeftButton, Qt::NoButton); }
    void move(QPoint place) {
        frame([&] { mouse(QEvent::MouseMove, place, Qt::NoButton, Qt::LeftButton); });
    }
    /// Until the picture for what is shown is there; painting it counts as a frame.
    void settle() {
        const auto start = Clock::now();
        while (!plot_.picture_is_current())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        refined_.push_back(milliseconds_since(start));
        frame([] {});
    }

    std::vector<double> events_;
    std::vector<double> paints_;
    std::vector<double> paints_cpu_;
    std::vector<double> refined_;

private:
    void mouse(QEvent::Type type, QPoint place, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, place, plot_.mapToGlobal(place), button, buttons, Qt::NoModifier);
        QApplication::sendEvent(&plot_, &event);
    }

    template <typename Input>
    void frame(const Input& input) {
        const auto start = Clock::now();
        input();
        events_.push_back(milliseconds_since(start));
        const auto paint = Clock::now();
        const double busy = thread_milliseconds();
        plot_.repaint();
        paints_cpu_.push_back(thread_milliseconds() - busy);
        paints_.push_back(milliseconds_since(paint));
        // The rest of a frame at 60 Hz, in which answers arrive.
        QTest::qWait(std::max(0, 16 - static_cast<int>(milliseconds_since(start))));
    }

    SparsityPlot& plot_;
};

nlohmann::ordered_json drive(const char* family, const ParameterValues& values) {
    const auto matrix = generate_matrix(family, values, 1);
    if (!matrix)
        return {{"family", family}, {"error", matrix.error().message}};
    const auto pattern = std::make_shared<const CsrPattern>(*matrix);
    const auto loading = Clock::now();
    auto pyramid = DensityPyramid::build(pattern, available_threads());
    const double pyramid_ms = milliseconds_since(loading);
    const int threads = std::max(1, available_threads() - 1); // one is left to the window
    const auto source = std::make_shared<const testing::PyramidSource>(std::move(*pyramid), threads);

    SparsityPlot plot;
    plot.resize(1280, 800);
    plot.show();
    QCoreApplication::processEvents();
    const auto start = Clock::now();
    plot.set_source(source);
    while (!plot.picture_is_current())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    plot.repaint();
    const double first = milliseconds_since(start);

    Driver driver(plot);
    const QPoint middle = plot.viewport().center().toPoint();
    int step = 0;
    for (int round = 0; round < 4; ++round) {
        // In: towards a diagonal place, so that there is something to see; then around; then out.
        const QPoint place = middle + QPoint(37 * round - 60, 37 * round - 60);
        for (int i = 0; i < 24; ++i, ++step) {
            driver.wheel(place, 120);
            if (i % 6 == 5)
                driver.settle();
        }
        driver.press(middle);
        QPoint hand = middle;
        for (int i = 0; i < 10; ++i, ++step) {
            hand += QPoint(round % 2 == 0 ? 23 : -17, 11);
            driver.move(hand);
        }
        driver.release(hand);
        driver.settle();
        for (int i = 0; i < 16; ++i, ++step)
            driver.wheel(place, -180);
        driver.settle();
    }
    return {{"family", family},
            {"entries", pattern->nnz()},
            {"rows", pattern->rows},
            {"steps", step},
            {"pyramid_ms", std::round(pyramid_ms * 10) / 10},
            {"first_picture_ms", std::round(first * 10) / 10},
            {"event", summary(driver.events_)},
            {"paint", summary(driver.paints_)},
            {"paint_thread_time", summary(driver.paints_cpu_)},
            {"refined_picture", summary(driver.refined_)}};
}

} // namespace
} // namespace sparsight

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    nlohmann::ordered_json results;
    results.push_back(sparsight::drive("power-law", {{"scale", 20}, {"edge-factor", 10}}));
    results.push_back(sparsight::drive("stencil-3d", {{"x", 72}, {"y", 72}, {"z", 72}, {"points", 27}}));
    results.push_back(sparsight::drive("uniform", {{"rows", 1e6}, {"cols", 1e6}, {"density", 1e-5}}));
    results.push_back(sparsight::drive("uniform", {{"rows", 3200}, {"cols", 3200}, {"density", 0.99}}));
    std::puts(results.dump(2).c_str());
}
