#include "gui/icons/icon.h"
#include "gui/program/program.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QToolButton>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class Icons : public ::testing::Test {
protected:
    static void set_text_colour(const QColor& colour) {
        QPalette palette;
        palette.setColor(QPalette::WindowText, colour);
        palette.setColor(QPalette::HighlightedText, Qt::magenta);
        QApplication::setPalette(palette);
    }
    int count_ = 1;
    char program_[6] = "icons";
    char* arguments_[2] = {program_, nullptr};
    QApplication application_{count_, arguments_};
};

/// The colour of the most opaque pixel, and how opaque it is.
QColor tone_of(const QPixmap& picture) {
    const QImage image = picture.toImage().convertToFormat(QImage::Format_ARGB32);
    QColor tone(Qt::transparent);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (const QColor colour = image.pixelColor(x, y); colour.alpha() > tone.alpha())
                tone = colour;
    return tone;
}

TEST_F(Icons, HasEveryDrawingTheWindowIsMadeWith) {
    EXPECT_THAT(icon_names(),
                ::testing::IsSupersetOf<QString>(
                    {QStringLiteral("matrices"),   QStringLiteral("machines"), QStringLiteral("schedules"),
                     QStringLiteral("train"),      QStringLiteral("search"),   QStringLiteral("results"),
                     QStringLiteral("failures"),   QStringLiteral("what-if"),  QStringLiteral("open"),
                     QStringLiteral("new"),        QStringLiteral("import"),   QStringLiteral("simulate"),
                     QStringLiteral("measure"),    QStringLiteral("play"),     QStringLiteral("pause"),
                     QStringLiteral("stop"),       QStringLiteral("probe"),    QStringLiteral("export"),
                     QStringLiteral("copy"),       QStringLiteral("zoom-in"),  QStringLiteral("zoom-out"),
                     QStringLiteral("zoom-reset"), QStringLiteral("filter"),   QStringLiteral("settings"),
                     QStringLiteral("help"),       QStringLiteral("back"),     QStringLiteral("forward"),
                     QStringLiteral("warning"),    QStringLiteral("info"),     QStringLiteral("success"),
                     QStringLiteral("close"),      QStringLiteral("more"),     QStringLiteral("edit"),
                     QStringLiteral("undo"),       QStringLiteral("redo"),     QStringLiteral("drag-handle"),
                     QStringLiteral("keyboard")}));
}

TEST_F(Icons, AreAllDrawnInOneStyle) {
    for (const QString& name : icon_names()) {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const QByteArray drawing = file.readAll();
        EXPECT_TRUE(QSvgRenderer(drawing).isValid()) << name.toStdString();
        EXPECT_TRUE(drawing.contains("viewBox=\"0 0 24 24\"")) << name.toStdString();
        EXPECT_TRUE(drawing.contains("stroke-width=\"1.75\"")) << name.toStdString();
        EXPECT_TRUE(drawing.contains("stroke-linejoin=\"round\"")) << name.toStdString();
        EXPECT_FALSE(drawing.contains("#")) << name.toStdString() << " has a colour of its own";
    }
}

TEST_F(Icons, HaveTheColourOfTheTextAlsoAfterAChangeOfTheme) {
    set_text_colour(QColor(10, 20, 30));
    const QIcon stop = icon(QStringLiteral("stop"));
    EXPECT_EQ(tone_of(stop.pixmap(QSize(32, 32))), QColor(10, 20, 30));
    set_text_colour(QColor(240, 230, 220));
    EXPECT_EQ(tone_of(stop.pixmap(QSize(32, 32))), QColor(240, 230, 220));
}

TEST_F(Icons, ArePalerWhenDisabledAndTakeTheHighlightWhenSelected) {
    set_text_colour(Qt::black);
    const QIcon add = icon(QStringLiteral("add"));
    EXPECT_LT(tone_of(add.pixmap(QSize(32, 32), QIcon::Disabled)).alpha(), 110);
    EXPECT_EQ(tone_of(add.pixmap(QSize(32, 32), QIcon::Selected)), QColor(Qt::magenta));
    EXPECT_EQ(tone_of(icon(QStringLiteral("add"), Qt::blue).pixmap(QSize(32, 32))), QColor(Qt::blue));
}

TEST_F(Icons, OnAFilledButtonHaveItsTextColourAndAreSeenWhenItIsDisabled) {
    set_text_colour(Qt::black);
    QPalette palette = QGuiApplication::palette();
    palette.setColor(QPalette::BrightText, Qt::white);
    QGuiApplication::setPalette(palette);
    const QIcon import = icon_on_accent(QStringLiteral("import"));
    EXPECT_EQ(tone_of(import.pixmap(QSize(32, 32))), QColor(Qt::white));
    EXPECT_LT(tone_of(import.pixmap(QSize(32, 32), QIcon::Disabled)).lightness(), 128) << "no longer filled";
    palette.setColor(QPalette::BrightText, Qt::yellow);
    QGuiApplication::setPalette(palette);
    EXPECT_EQ(tone_of(import.pixmap(QSize(32, 32))), QColor(Qt::yellow)) << "the theme was changed";
}

TEST_F(Icons, AreDrawnAnewForEveryResolution) {
    const QPixmap sharp = icon(QStringLiteral("matrices")).pixmap(QSize(20, 20), 2.0);
    EXPECT_EQ(sharp.size(), QSize(40, 40));
    EXPECT_EQ(sharp.deviceIndependentSize(), QSizeF(20, 20));
}

TEST_F(Icons, SayWhenThereIsNoSuchDrawing) {
    EXPECT_TRUE(icon(QStringLiteral("no-such-drawing")).isNull());
    EXPECT_FALSE(application_icon().pixmap(QSize(16, 16)).isNull());
}

/// A name that is misspelt gives an empty button: nothing that a compiler would see.
TEST_F(Icons, NamedInTheCodeExist) {
    const QStringList names = icon_names();
    const QRegularExpression use(
        QStringLiteral(R"re(\bicon(?:_on_accent)?\(\s*(?:QStringLiteral\(|u)"([^"]*)")re"));
    int uses = 0;
    QDirIterator files(QStringLiteral(SPARSIGHT_SOURCE_DIR "/app/gui"), {QStringLiteral("*.cpp")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        auto matches = use.globalMatch(QString::fromUtf8(file.readAll()));
        while (matches.hasNext()) {
            const QString name = matches.next().captured(1);
            ++uses;
            EXPECT_TRUE(names.contains(name))
                << file.fileName().toStdString() << " asks for " << name.toStdString();
        }
    }
    EXPECT_GT(uses, 0);
}

} // namespace
} // namespace sparsight
