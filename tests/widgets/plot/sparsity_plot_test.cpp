#include "sparsity_plot_fixture.h"
#include "support/test_files.h"
#include "widgets/plot/density_image.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QMenu>
#include <QSvgRenderer>
#include <QToolButton>
#include <QXmlStreamReader>
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace sparsight {
namespace {

/// Fails once it is let go.
class FailingSource final : public PatternSource {
public:
    [[nodiscard]] std::int64_t rows() const override { return 100; }
    [[nodiscard]] std::int64_t cols() const override { return 100; }
    [[nodiscard]] std::int64_t nnz() const override { return 1; }
    [[nodiscard]] PatternCounts counts(const PatternArea&, int, int) const override { return fail(); }
    [[nodiscard]] PatternEntries entries(const PatternArea&, std::int64_t) const override {
        (void)fail();
        return {};
    }
    mutable std::atomic<bool> is_asked{false};
    std::atomic<bool> may_fail{false};

private:
    [[nodiscard]] PatternCounts fail() const {
        is_asked = true;
        while (!may_fail)
            std::this_thread::yield();
        throw std::runtime_error("the disk is gone");
    }
};

TEST_F(SparsityPlotTest, AFailureIsShownForTheMatrixThatFailedOnly) {
    auto failing = std::make_shared<FailingSource>();
    failing->may_fail = true;
    plot.set_source(failing);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return plot.error().contains(QStringLiteral("the disk is gone")); }, deadline));

    auto slow = std::make_shared<FailingSource>();
    plot.set_source(slow);
    EXPECT_TRUE(plot.error().isEmpty());
    ASSERT_TRUE(QTest::qWaitFor([&] { return slow->is_asked.load(); }, deadline));
    plot.set_source(large_source(300));
    slow->may_fail = true;
    wait_for_picture();
    EXPECT_EQ(plot.error(), QString()) << "it is another matrix that is shown now";
}

TEST_F(SparsityPlotTest, APartShowsTheWayBackToTheWhole) {
    auto* back = plot.findChild<QToolButton*>(QStringLiteral("whole-matrix"));
    EXPECT_FALSE(back->isVisible()) << "without a matrix";
    plot.set_source(large_source());
    EXPECT_FALSE(back->isVisible()) << "the whole is shown";
    plot.show_area({900, 1000, 100, 200}); // nothing is there
    ASSERT_TRUE(back->isVisible());
    QTest::mouseClick(back, Qt::LeftButton);
    EXPECT_EQ(plot.current_area(), (PatternArea{0, 1200, 0, 1200}));
    EXPECT_FALSE(back->isVisible());
}

TEST_F(SparsityPlotTest, ShowsTheWholeMatrixFirst) {
    QSignalSpy areas(&plot, &SparsityPlot::area_changed);
    QSignalSpy pictures(&plot, &SparsityPlot::picture_shown);
    plot.set_source(large_source());
    EXPECT_EQ(plot.current_area(), (PatternArea{0, 1200, 0, 1200}));
    EXPECT_EQ(areas.size(), 1);
    wait_for_picture();
    EXPECT_EQ(pictures.size(), 1);
}

TEST_F(SparsityPlotTest, TheWheelZoomsAtTheCursor) {
    plot.set_source(large_source());
    const QPoint place = at(0.4, 0.3);
    const QPointF before = matrix_at(place);
    wheel(place, 120);
    wheel(place, 120);
    wheel(place, 120);
    EXPECT_NEAR(plot.view().col_pixels(), 2 * plot.viewport().height() / 1200, 1e-9);
    EXPECT_NEAR(matrix_at(place).x(), before.x(), 1e-6);
    EXPECT_NEAR(matrix_at(place).y(), before.y(), 1e-6);
    for (int i = 0; i < 3; ++i)
        wheel(place, -120);
    EXPECT_TRUE(plot.view().is_whole());
}

TEST_F(SparsityPlotTest, ADragMovesTheMatrix) {
    plot.set_source(large_source());
    plot.show_area({400, 600, 400, 600});
    const QPointF grabbed = matrix_at(at(0.5, 0.5));
    QTest::mousePress(&plot, Qt::LeftButton, Qt::NoModifier, at(0.5, 0.5));
    EXPECT_EQ(plot.cursor().shape(), Qt::ClosedHandCursor);
    QTest::mouseRelease(&plot, Qt::LeftButton, Qt::NoModifier, at(0.5, 0.5));
    EXPECT_NE(plot.cursor().shape(), Qt::ClosedHandCursor);
    drag(at(0.5, 0.5), at(0.3, 0.7));
    EXPECT_NEAR(matrix_at(at(0.3, 0.7)).x(), grabbed.x(), 1e-6);
    EXPECT_NEAR(matrix_at(at(0.3, 0.7)).y(), grabbed.y(), 1e-6);
}

TEST_F(SparsityPlotTest, ShiftAndADragOrTheRightButtonZoomsIntoABox) {
    for (const bool shift : {true, false}) {
        plot.set_source(large_source());
        const QPointF from = matrix_at(at(0.4, 0.4));
        const QPointF to = matrix_at(at(0.5, 0.5));
        drag(at(0.4, 0.4), at(0.5, 0.5), shift ? Qt::LeftButton : Qt::RightButton,
             shift ? Qt::ShiftModifier : Qt::NoModifier);
        const QPointF top = plot.view().to_pixels(from);
        const QPointF bottom = plot.view().to_pixels(to);
        EXPECT_NEAR(top.y(), 0, 1e-6);
        EXPECT_NEAR(bottom.y(), plot.viewport().height(), 1e-6);
        EXPECT_NEAR((top.x() + bottom.x()) / 2, plot.viewport().width() / 2, 1e-6);
    }
}

TEST_F(SparsityPlotTest, EscapeAndASlipOfTheHandZoomIntoNoBox) {
    plot.set_source(large_source());
    QTest::mousePress(&plot, Qt::LeftButton, Qt::ShiftModifier, at(0.4, 0.4));
    hover(at(0.5, 0.5));
    QTest::keyClick(&plot, Qt::Key_Escape);
    QTest::mouseRelease(&plot, Qt::LeftButton, Qt::ShiftModifier, at(0.5, 0.5));
    EXPECT_TRUE(plot.view().is_whole());
    drag(at(0.4, 0.4), at(0.4, 0.4) + QPoint(2, 1), Qt::LeftButton, Qt::ShiftModifier);
    EXPECT_TRUE(plot.view().is_whole());
}

TEST_F(SparsityPlotTest, DoubleClickAndHomeShowTheWholeMatrix) {
    plot.set_source(large_source());
    plot.show_area({10, 40, 10, 40});
    QTest::mouseDClick(&plot, Qt::LeftButton, Qt::NoModifier, at(0.5, 0.5));
    EXPECT_EQ(plot.current_area(), (PatternArea{0, 1200, 0, 1200}));
    plot.show_area({10, 40, 10, 40});
    QTest::keyClick(&plot, Qt::Key_Home);
    EXPECT_EQ(plot.current_area(), (PatternArea{0, 1200, 0, 1200}));
}

TEST_F(SparsityPlotTest, KeysZoomAtTheMiddleAndMove) {
    plot.set_source(large_source());
    QTest::keyClick(&plot, Qt::Key_Plus);
    QTest::keyClick(&plot, Qt::Key_Equal);
    EXPECT_NEAR(plot.view().row_pixels(), 1.5 * 1.5 * plot.viewport().height() / 1200, 1e-9);
    const PatternArea before = plot.current_area();
    EXPECT_NEAR(static_cast<double>(before.row_begin + before.row_end) / 2, 600, 1);
    QTest::keyClick(&plot, Qt::Key_Down);
    EXPECT_GT(plot.current_area().row_begin, before.row_begin);
    EXPECT_EQ(plot.current_area().col_begin, before.col_begin);
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_GT(plot.current_area().col_begin, before.col_begin);
    QTest::keyClick(&plot, Qt::Key_Up);
    QTest::keyClick(&plot, Qt::Key_Left);
    EXPECT_EQ(plot.current_area(), before);
    QTest::keyClick(&plot, Qt::Key_Minus);
    QTest::keyClick(&plot, Qt::Key_Minus);
    EXPECT_TRUE(plot.view().is_whole());
}

TEST_F(SparsityPlotTest, SaysWhatLiesUnderTheCursor) {
    plot.set_source(large_source());
    plot.show_area({100, 110, 100, 110});
    QSignalSpy hovered(&plot, &SparsityPlot::hovered);
    QSignalSpy ended(&plot, &SparsityPlot::hover_ended);
    const QPointF cell = plot.view().to_pixels(QPointF(103.5, 102.5)) + plot.viewport().topLeft();
    hover(cell.toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !hovered.empty(); }, deadline));
    EXPECT_EQ(hovered.front(), QVariantList({102LL, 103LL, 1LL}));
    EXPECT_EQ(plot.readout(), QStringLiteral("row 102 · column 103 · 1 entry"));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&plot, &leave);
    EXPECT_EQ(plot.readout(), QString());
    EXPECT_EQ(ended.size(), 1);
    hover(at(0.5, 0.5));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !plot.readout().isEmpty(); }, deadline));
    auto* whole = plot.findChild<QWidget*>(QStringLiteral("whole-matrix"));
    QEnterEvent enter(QPointF(1, 1), QPointF(1, 1), whole->mapToGlobal(QPointF(1, 1)));
    QApplication::sendEvent(whole, &enter);
    EXPECT_EQ(plot.readout(), QString()) << "the cursor is over a button";
}

TEST_F(SparsityPlotTest, ReadsOutRangesWhereAPixelCoversSeveralCells) {
    plot.set_source(large_source());
    const QPointF corner = plot.view().matrix_pixels().topLeft() + plot.viewport().topLeft();
    hover(corner.toPoint() + QPoint(20, 20));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !plot.readout().isEmpty(); }, deadline));
    EXPECT_THAT(plot.readout().toStdString(),
                ::testing::MatchesRegex("rows 4.–4. · columns 4.–4. · [469] entries"));
}

TEST_F(SparsityPlotTest, SingleEntriesAreSharpSquares) {
    plot.set_source(std::make_shared<PictureSource>(std::vector<std::string>{"#..", "...", "..#"}));
    wait_for_picture();
    const QImage image = plot.grab().toImage();
    const DensityColours colours(plot_theme(current_theme()), 1);
    EXPECT_EQ(pixel(image, 0.5, 0.5), colours.colour(1));
    EXPECT_EQ(pixel(image, 0.97, 0.97), colours.colour(1));
    EXPECT_EQ(pixel(image, 1.5, 1.5), colours.background());
    EXPECT_EQ(pixel(image, 2.5, 2.5), colours.colour(1));
    EXPECT_EQ(pixel(image, 2.5, 0.5), colours.background());
}

TEST_F(SparsityPlotTest, ADenseMatrixHasSharpSquaresTooWhenZoomedIn) {
    std::vector<std::string> lines;
    for (int row = 0; row < 300; ++row)
        for (int col = 0; col < 300; ++col) {
            if (col == 0)
                lines.emplace_back();
            lines.back() += (row + col) % 2 == 0 ? '#' : '.';
        }
    plot.set_source(std::make_shared<PictureSource>(lines));
    plot.show_area({100, 200, 100, 200});
    wait_for_picture();
    const QImage image = plot.grab().toImage();
    const DensityColours colours(plot_theme(current_theme()), 1);
    for (double col = 101; col < 199; col += 0.1) {
        const QRgb colour = pixel(image, col, 150.5);
        EXPECT_TRUE(colour == colours.colour(1) || colour == colours.background()) << col;
    }
}

TEST_F(SparsityPlotTest, TileGuidesShowWhereTilesAreLargeEnough) {
    plot.set_source(std::make_shared<PictureSource>(PictureSource::filled(64, 64, '.')));
    wait_for_picture();
    const QImage without = plot.grab().toImage();
    plot.set_tile_guides(16, 0);
    const QImage with = plot.grab().toImage();
    const auto differs_at = [&](double col, double row) {
        return pixel(without, col, row) != pixel(with, col, row);
    };
    EXPECT_TRUE(differs_at(3.5, 16));
    EXPECT_TRUE(differs_at(40.5, 48));
    EXPECT_FALSE(differs_at(16, 3.5));
    EXPECT_FALSE(differs_at(3.5, 20));
    plot.set_source(large_source());
    wait_for_picture();
    plot.set_tile_guides(0, 0);
    const QRect matrix = plot.viewport().toRect();
    const QImage plain = plot.grab(matrix).toImage();
    plot.set_tile_guides(4, 4); // two pixels
    EXPECT_EQ(plot.grab(matrix).toImage(), plain);
}

TEST_F(SparsityPlotTest, SaysThatTilesAreTooSmallToBeSeen) {
    plot.set_source(large_source());
    wait_for_picture();
    plot.set_note(QStringLiteral("no tiles"));
    EXPECT_EQ(plot.note(), QStringLiteral("no tiles"));
    const QImage other_note = plot.grab().toImage();
    plot.set_tile_guides(4, 2);
    EXPECT_EQ(plot.note(), QStringLiteral("Tiles of 4 × 2: zoom in to see them"));
    EXPECT_NE(plot.grab().toImage(), other_note);
    plot.set_tile_guides(4, 512);
    EXPECT_EQ(plot.note(), QStringLiteral("Row blocks of 4: zoom in to see them"));
    plot.show_area({0, 40, 0, 40});
    wait_for_picture();
    EXPECT_EQ(plot.note(), QStringLiteral("no tiles")) << "the guides speak for themselves";
}

TEST_F(SparsityPlotTest, AnOverlayMarksItsPartOfTheMatrix) {
    plot.set_source(std::make_shared<PictureSource>(PictureSource::filled(8, 8, '.')));
    wait_for_picture();
    plot.set_overlay({{{0, 4, 0, 8}, QColor(255, 0, 0), QStringLiteral("thread 0")}});
    const QImage image = plot.grab().toImage();
    const QColor marked(pixel(image, 6.5, 2.5));
    EXPECT_GT(marked.red(), marked.blue() + 30);
    EXPECT_EQ(pixel(image, 6.5, 6.5), DensityColours(plot_theme(current_theme()), 1).background());
}

TEST_F(SparsityPlotTest, SwitchingTheThemeRepaintsTheMatrix) {
    plot.set_source(large_source());
    wait_for_picture();
    const QImage before = plot.grab().toImage();
    const bool dark = current_theme().dark;
    apply_theme(*qApp, dark ? ThemeChoice::Light : ThemeChoice::Dark);
    QCoreApplication::processEvents();
    wait_for_picture();
    const QImage after = plot.grab().toImage();
    EXPECT_EQ(pixel(after, 900.5, 300.5),
              DensityColours(dark ? PlotTheme::Light : PlotTheme::Dark, 1).background());
    EXPECT_NE(pixel(after, 900.5, 300.5), pixel(before, 900.5, 300.5));
    apply_theme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
}

TEST_F(SparsityPlotTest, SaysWhatToDoWithoutAMatrix) {
    EXPECT_TRUE(plot.current_area().empty());
    for (QAction* const action : plot.export_actions() + plot.view_actions())
        EXPECT_FALSE(action->isEnabled());
    const QImage hint = plot.grab().toImage();
    plot.set_hint(QStringLiteral("Another hint"));
    EXPECT_NE(plot.grab().toImage(), hint);
    plot.set_error(QStringLiteral("too large"));
    const QImage error = plot.grab().toImage();
    plot.set_error({});
    EXPECT_NE(plot.grab().toImage(), error);
    wheel(at(0.5, 0.5), 120);
    QTest::keyClick(&plot, Qt::Key_Plus);
    drag(at(0.5, 0.5), at(0.6, 0.6));
    EXPECT_TRUE(plot.current_area().empty());
}

TEST_F(SparsityPlotTest, AMatrixWithoutRowsOrWithoutEntriesIsShownAsSuch) {
    plot.set_source(std::make_shared<PictureSource>(std::vector<std::string>{}, 5));
    EXPECT_TRUE(plot.current_area().empty());
    plot.grab();
    plot.set_source(std::make_shared<PictureSource>(PictureSource::filled(3, 4, '.')));
    wait_for_picture();
    EXPECT_EQ(plot.current_area(), (PatternArea{0, 3, 0, 4}));
    plot.grab();
}

TEST_F(SparsityPlotTest, AnAreaAskedForBeforeItIsShownIsKept) {
    SparsityPlot later;
    later.set_source(large_source());
    later.show_area({300, 500, 300, 500});
    later.resize(700, 500);
    later.show();
    const PatternArea area = later.current_area();
    EXPECT_EQ(area.row_begin, 300);
    EXPECT_EQ(area.row_end, 500);
}

TEST_F(SparsityPlotTest, AVeryLongMatrixIsStretchedAndItsShapeIsAnAction) {
    plot.set_source(std::make_shared<PictureSource>(PictureSource::filled(10, 1000)));
    EXPECT_FALSE(plot.equal_aspect());
    EXPECT_NEAR(plot.view().matrix_pixels().height(), plot.viewport().height(), 1e-6);
    QAction* const stretch = plot.view_actions().back();
    EXPECT_TRUE(stretch->isChecked());
    stretch->trigger();
    EXPECT_TRUE(plot.equal_aspect());
    EXPECT_DOUBLE_EQ(plot.view().row_pixels(), plot.view().col_pixels());
}

TEST_F(SparsityPlotTest, ATallMatrixKeepsItsShapeUntilItIsStretched) {
    plot.set_source(std::make_shared<PictureSource>(PictureSource::filled(400, 100)));
    auto* const stretch = plot.findChild<QToolButton*>(QStringLiteral("stretch"));
    ASSERT_NE(stretch, nullptr);
    ASSERT_TRUE(stretch->isVisible());
    EXPECT_TRUE(plot.equal_aspect());
    EXPECT_LT(plot.view().matrix_pixels().width(), plot.viewport().width() / 2);
    QTest::mouseClick(stretch, Qt::LeftButton);
    EXPECT_FALSE(plot.equal_aspect());
    EXPECT_TRUE(stretch->isChecked());
    EXPECT_NEAR(plot.view().matrix_pixels().width(), plot.viewport().width(), 1e-6);
    EXPECT_NEAR(plot.view().matrix_pixels().height(), plot.viewport().height(), 1e-6);
    QTest::mouseClick(stretch, Qt::LeftButton);
    EXPECT_TRUE(plot.equal_aspect());
    plot.set_source(std::make_shared<PictureSource>(PictureSource::filled(100, 100)));
    EXPECT_FALSE(stretch->isVisible()) << "a square fills the plot as it is";
}

/// Waits with its answers until it is told to go on.
class SlowSource final : public PatternSource {
public:
    [[nodiscard]] std::int64_t rows() const override { return 1000; }
    [[nodiscard]] std::int64_t cols() const override { return 1000; }
    [[nodiscard]] std::int64_t nnz() const override { return 0; }
    [[nodiscard]] PatternCounts counts(const PatternArea& area, int, int) const override {
        ++questions;
        const std::scoped_lock wait(gate);
        return {{area.row_begin, area.row_end}, {area.col_begin, area.col_end}, {0}};
    }
    [[nodiscard]] PatternEntries entries(const PatternArea&, std::int64_t) const override { return {}; }

    mutable std::mutex gate;
    mutable std::atomic<int> questions{0};
};

TEST_F(SparsityPlotTest, WhileASourceThinksTheMouseGoesOnAndOnlyTheNewestRequestIsAsked) {
    const auto source = std::make_shared<SlowSource>();
    std::unique_lock wait(source->gate);
    plot.set_source(source);
    ASSERT_TRUE(QTest::qWaitFor([&] { return source->questions == 1; }, deadline));
    for (int i = 0; i < 20; ++i) {
        wheel(at(0.5, 0.5), i % 2 == 0 ? 120 : -120);
        plot.grab();
    }
    EXPECT_EQ(source->questions, 1);
    EXPECT_FALSE(plot.picture_is_current());
    wait.unlock();
    wait_for_picture();
    QTest::qWait(20); // the backdrop comes after the picture
    EXPECT_LE(source->questions, 3);
}

TEST_F(SparsityPlotTest, AnAnswerAboutAnEarlierMatrixIsDropped) {
    const auto slow = std::make_shared<SlowSource>();
    std::unique_lock wait(slow->gate);
    plot.set_source(slow);
    ASSERT_TRUE(QTest::qWaitFor([&] { return slow->questions == 1; }, deadline));
    plot.set_source(std::make_shared<PictureSource>(std::vector<std::string>{"#"}));
    QSignalSpy pictures(&plot, &SparsityPlot::picture_shown);
    wait.unlock();
    wait_for_picture();
    EXPECT_EQ(pictures.size(), 1);
    EXPECT_EQ(slow->questions, 1);
}

} // namespace

// What leaves the plot: files, the clipboard, thumbnails.
namespace {

using testing::TemporaryFolder;

class SparsityPlotExport : public SparsityPlotTest {
protected:
    QByteArray exported(const char* name, PlotFileFormat format) {
        const QString path = QString::fromStdString((folder / name).string());
        QSignalSpy done(&plot, &SparsityPlot::exported_to);
        plot.export_to(path, format);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !done.empty(); }, deadline));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }

    TemporaryFolder folder;
};

TEST_F(SparsityPlotExport, PngHasTwiceTheSizeAndLightColours) {
    apply_theme(*qApp, ThemeChoice::Dark);
    plot.set_title(QStringLiteral("corner"));
    plot.set_source(large_source());
    const QImage image = QImage::fromData(exported("plot.png", PlotFileFormat::Png), "PNG");
    apply_theme(*qApp, ThemeChoice::Light);
    EXPECT_EQ(image.size(), plot.size() * 2);
    EXPECT_EQ(image.text(QStringLiteral("Title")), QStringLiteral("corner"));
    EXPECT_EQ(image.pixelColor(2, 2), light_theme().surface);
    const QPointF gap = plot.view().to_pixels(QPointF(900, 300)) + plot.viewport().topLeft();
    EXPECT_EQ(image.pixel((gap * 2).toPoint()), DensityColours(PlotTheme::Light, 1).background());
}

/// What an SVG file holds, as far as the tests care.
struct SvgContent {
    QStringList texts;
    int images = 0;
    QMap<QString, int> shapes; ///< how many by the colour they are filled with
};

SvgContent read_svg(const QByteArray& svg) {
    SvgContent content;
    QXmlStreamReader xml(svg);
    QStringList fills;
    while (!xml.atEnd()) {
        xml.readNext();
        const QString name = xml.name().toString();
        if (xml.isStartElement() && name == QStringLiteral("text")) {
            content.texts << xml.readElementText().trimmed();
        } else if (xml.isStartElement() && name == QStringLiteral("g")) {
            fills << xml.attributes().value(QStringLiteral("fill")).toString();
        } else if (xml.isEndElement() && name == QStringLiteral("g")) {
            fills.removeLast();
        } else if (xml.isStartElement() && name == QStringLiteral("image")) {
            ++content.images;
        } else if (xml.isStartElement() && !fills.empty()) {
            ++content.shapes[fills.last()];
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return content;
}

TEST_F(SparsityPlotExport, SvgOfADenseMatrixHasVectorRulersAndAnImage) {
    plot.set_source(large_source());
    const QByteArray svg = exported("plot.svg", PlotFileFormat::Svg);
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
    const SvgContent content = read_svg(svg);
    for (const char* text : {"row", "column", "200", "entries per pixel"})
        EXPECT_TRUE(content.texts.contains(QString::fromUtf8(text))) << text;
    EXPECT_EQ(content.images, 2); // the matrix and the colour bar
}

TEST_F(SparsityPlotExport, SvgOfSingleEntriesIsMadeOfSquares) {
    plot.set_source(
        std::make_shared<PictureSource>(std::vector<std::string>{"#..#", ".#..", "..##", "#..."}));
    const SvgContent content = read_svg(exported("plot.svg", PlotFileFormat::Svg));
    EXPECT_EQ(content.shapes.value(QColor(DensityColours(PlotTheme::Light, 1).colour(1)).name()), 6);
    EXPECT_LE(content.images, 1); // the colour bar
}

TEST_F(SparsityPlotExport, CsvHasTheVisibleCounts) {
    plot.set_source(std::make_shared<PictureSource>(std::vector<std::string>{"#..3", "....", ".#.."}));
    EXPECT_EQ(exported("plot.csv", PlotFileFormat::Csv),
              QByteArray("row_begin,row_end,col_begin,col_end,count\n"
                         "0,1,0,1,1\n"
                         "0,1,3,4,3\n"
                         "2,3,1,2,1\n"));
}

TEST_F(SparsityPlotExport, CsvOfADenseMatrixLosesNoEntry) {
    const auto source = large_source();
    plot.set_source(source);
    const QList<QByteArray> lines = exported("plot.csv", PlotFileFormat::Csv).split('\n');
    qint64 sum = 0;
    for (const QByteArray& line : lines.mid(1))
        if (!line.isEmpty())
            sum += line.split(',').at(4).toLongLong();
    EXPECT_EQ(sum, source->nnz());
}

TEST_F(SparsityPlotExport, AFailureSaysWhy) {
    plot.set_source(large_source());
    QSignalSpy failed(&plot, &SparsityPlot::export_failed);
    plot.export_to(QStringLiteral("/nowhere/at/all.png"), PlotFileFormat::Png);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !failed.empty(); }, deadline));
    EXPECT_TRUE(failed.front().at(0).toString().startsWith(
        QStringLiteral("/nowhere/at/all.png could not be written: ")));
}

TEST_F(SparsityPlotExport, TheImageCanBeCopied) {
    plot.set_source(large_source());
    plot.export_actions().front()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return QApplication::clipboard()->image().size() == plot.size() * 2; },
                                deadline));
}

TEST(Thumbnail, IsTheMatrixWithTransparencyAroundIt) {
    const PictureSource source = PictureSource::filled(100, 50);
    const QImage image = thumbnail(source, QSize(40, 40), PlotTheme::Light, 2);
    EXPECT_EQ(image.size(), QSize(80, 80));
    EXPECT_EQ(image.devicePixelRatio(), 2);
    EXPECT_EQ(qAlpha(image.pixel(5, 40)), 0);
    EXPECT_EQ(qAlpha(image.pixel(40, 40)), 255);
    EXPECT_EQ(image.pixel(30, 10), image.pixel(45, 70)) << "an evenly filled matrix is evenly coloured";
    const PictureSource tiny({"#.", ".#"});
    const QImage squares = thumbnail(tiny, QSize(32, 32), PlotTheme::Light);
    EXPECT_EQ(squares.pixel(8, 8), DensityColours(PlotTheme::Light, 1).colour(1));
    EXPECT_EQ(squares.pixel(24, 8), DensityColours(PlotTheme::Light, 1).background());
    EXPECT_EQ(qAlpha(thumbnail(PictureSource({}, 3), QSize(8, 8), PlotTheme::Dark).pixel(4, 4)), 0);
}

} // namespace
} // namespace sparsight
