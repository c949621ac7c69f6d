// What leaves the plot: files, the clipboard, thumbnails.
#include "sparsity_plot_fixture.h"
#include "support/temporary_folder.h"
#include "widgets/plot/density_colours.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QSvgRenderer>
#include <QXmlStreamReader>

namespace sparsight {
namespace {

using testing::TemporaryFolder;

class SparsityPlotExport : public SparsityPlotTest {
protected:
    QByteArray exported(const char* name, PlotFileFormat format) {
        const QString path = QString::fromStdString((folder / name).string());
        QSignalSpy done(&plot, &SparsityPlot::exported);
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
    EXPECT_FALSE(failed.front().at(1).toString().isEmpty());
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
