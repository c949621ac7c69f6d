// The plot over matrices from practice; with SPARSIGHT_SCREENSHOTS=<folder> it leaves pictures to look at.
#include "domains/sparse/tensor/matrix_files.h"
#include "pyramid_source.h"
#include "sparsity_plot_fixture.h"
#include "support/test_files.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"

#include <QApplication>
#include <QDir>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::PyramidSource;

std::shared_ptr<const PyramidSource> source_of(const std::string& name) {
    auto matrix = read_matrix(testing::shared_path("matrices/" + name + ".mtx.gz"));
    if (!matrix)
        return nullptr;
    auto pyramid = DensityPyramid::build(std::make_shared<const CsrPattern>(std::move(matrix->pattern)), 2);
    return pyramid ? std::make_shared<const PyramidSource>(std::move(*pyramid), 2) : nullptr;
}

void keep(SparsityPlot& plot, const QString& name) {
    const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    plot.grab().save(folder + u'/' + name + QStringLiteral(".png"));
}

/// As another program would show the drawing.
void keep_svg(SparsityPlot& plot, const QString& name) {
    const testing::TemporaryFolder folder;
    const QString path = QString::fromStdString((folder / "plot.svg").string());
    QSignalSpy done(&plot, &SparsityPlot::exported_to);
    plot.export_to(path, PlotFileFormat::Svg);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !done.empty(); }, 10'000));
    QSvgRenderer drawing(path);
    ASSERT_TRUE(drawing.isValid());
    QImage image(plot.size(), QImage::Format_RGB32);
    QPainter painter(&image);
    drawing.render(&painter);
    EXPECT_EQ(image.pixelColor(1, 1), light_theme().surface);
    const QString shots = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS");
    if (!shots.isEmpty())
        image.save(shots + u'/' + name + QStringLiteral("-svg.png"));
}

class RealMatrix : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shared, RealMatrix,
                         ::testing::Values("bcsstk17", "ca-CondMat", "memplus", "lp_dfl001_AAt", "mip_nw04",
                                           "dlmc_transformer_vd_0.9_decoder_l4_ea_mha_output_transform"),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::ranges::replace_if(name, [](char c) { return !std::isalnum(c); }, '_');
                             return name;
                         });

TEST_P(RealMatrix, IsShownWholeAndInDetailInBothThemes) {
    SPARSIGHT_NEEDS_SHARED(std::string("matrices/") + GetParam() + ".mtx.gz");
    const auto source = source_of(GetParam());
    ASSERT_NE(source, nullptr);
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        apply_theme(*qApp, choice);
        const QString theme = choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark");
        const QString name = QString::fromUtf8(GetParam()) + u'-' + theme;
        SparsityPlot plot;
        plot.resize(900, 640);
        plot.show();
        plot.set_source(source);
        ASSERT_TRUE(QTest::qWaitFor([&] { return plot.picture_is_current(); }, 10'000));
        const QPoint middle = plot.viewport().center().toPoint();
        QMouseEvent move(QEvent::MouseMove, middle, plot.mapToGlobal(middle), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&plot, &move);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !plot.readout().isEmpty(); }, 10'000));
        EXPECT_EQ(plot.current_area(), (PatternArea{0, source->rows(), 0, source->cols()}));
        keep(plot, name);
        keep_svg(plot, name);
        plot.set_tile_guides(64, 64);
        for (const double zoom : {6.0, 4.0, 4.0}) {
            plot.zoom(zoom);
            ASSERT_TRUE(QTest::qWaitFor([&] { return plot.picture_is_current(); }, 10'000));
            keep(plot, name + QStringLiteral("-%1").arg(plot.current_area().rows()));
        }
        plot.set_tile_guides(4, 8);
        plot.zoom(1e9);
        ASSERT_TRUE(QTest::qWaitFor([&] { return plot.picture_is_current(); }, 10'000));
        keep(plot, name + QStringLiteral("-cells"));
    }
    apply_theme(*qApp, ThemeChoice::Light);
}

TEST(SparsityPlotStates, ArePaintedInBothThemes) {
    const auto source = std::make_shared<testing::PictureSource>(testing::PictureSource::filled(64, 96, '.'));
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        apply_theme(*qApp, choice);
        const QString theme =
            choice == ThemeChoice::Light ? QStringLiteral("-light") : QStringLiteral("-dark");
        SparsityPlot plot;
        plot.resize(640, 440);
        plot.show();
        const QImage empty = plot.grab().toImage();
        keep(plot, QStringLiteral("state-empty") + theme);
        plot.set_busy(QStringLiteral("Reading bcsstk17…"));
        QTest::qWait(700);
        keep(plot, QStringLiteral("state-busy") + theme);
        EXPECT_NE(plot.grab().toImage(), empty);
        plot.set_busy({});
        plot.set_error(
            QStringLiteral("the matrix has 5 000 000 000 entries; a density can be shown for at most "
                           "4 294 967 295"));
        keep(plot, QStringLiteral("state-error") + theme);
        EXPECT_NE(plot.grab().toImage(), empty);
        plot.set_source(source);
        ASSERT_TRUE(QTest::qWaitFor([&] { return plot.picture_is_current(); }, 10'000));
        std::vector<PlotOverlayRect> overlay;
        for (int thread = 0; thread < 4; ++thread)
            overlay.push_back({{16 * thread, 16 * thread + 16, 0, 96},
                               current_theme().series_colour(static_cast<std::size_t>(thread)),
                               QStringLiteral("thread %1").arg(thread)});
        plot.set_overlay(overlay);
        plot.set_tile_guides(8, 12);
        const QPoint from = plot.viewport().center().toPoint();
        QTest::mousePress(&plot, Qt::RightButton, Qt::NoModifier, from);
        QMouseEvent move(QEvent::MouseMove, from + QPoint(120, 70), plot.mapToGlobal(from + QPoint(120, 70)),
                         Qt::NoButton, Qt::RightButton, Qt::NoModifier);
        QApplication::sendEvent(&plot, &move);
        keep(plot, QStringLiteral("state-overlay-box") + theme);
    }
    apply_theme(*qApp, ThemeChoice::Light);
}

} // namespace
} // namespace sparsight
