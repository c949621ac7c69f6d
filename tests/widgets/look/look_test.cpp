// The theme, and the small widgets that wear it.
#include "screenshot.h"
#include "widgets/look/card.h"
#include "widgets/look/eliding_combo_box.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/glyph.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPalette>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStyle>
#include <QStyleOptionHeader>
#include <QTabWidget>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

struct Linear {
    double red, green, blue;
};

Linear linear(const QColor& colour) {
    const auto one = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {one(colour.redF()), one(colour.greenF()), one(colour.blueF())};
}

/// Contrast as the Web Content Accessibility Guidelines 2.1 define it.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto [red, green, blue] = linear(colour);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const double lighter = std::max(luminance(a), luminance(b));
    return (lighter + 0.05) / (std::min(luminance(a), luminance(b)) + 0.05);
}

/// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
/// Deficiency", 2009, severity 1.
Linear seen_without_green(const Linear& c) {
    return {0.367322 * c.red + 0.860646 * c.green - 0.227968 * c.blue,
            0.280085 * c.red + 0.672501 * c.green + 0.047413 * c.blue,
            -0.011820 * c.red + 0.042940 * c.green + 0.968881 * c.blue};
}

Linear seen_without_red(const Linear& c) {
    return {0.152286 * c.red + 1.052583 * c.green - 0.204868 * c.blue,
            0.114503 * c.red + 0.786281 * c.green + 0.099216 * c.blue,
            -0.003882 * c.red - 0.048116 * c.green + 1.051998 * c.blue};
}

/// Distance in Oklab (Ottosson, 2020), times 100.
double distance(const Linear& a, const Linear& b) {
    const auto lab = [](const Linear& c) {
        const double l = std::cbrt(0.4122214708 * c.red + 0.5363325363 * c.green + 0.0514459929 * c.blue);
        const double m = std::cbrt(0.2119034982 * c.red + 0.6806995451 * c.green + 0.1073969566 * c.blue);
        const double s = std::cbrt(0.0883024619 * c.red + 0.2817188376 * c.green + 0.6299787005 * c.blue);
        return std::array{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
    };
    const auto x = lab(a);
    const auto y = lab(b);
    return 100 * std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

class ThemeOf : public ::testing::TestWithParam<bool> {
protected:
    const Theme& theme = GetParam() ? dark_theme() : light_theme();
};
INSTANTIATE_TEST_SUITE_P(Look, ThemeOf, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Dark" : "Light"; });

TEST_P(ThemeOf, TextIsReadableOnEverythingItStandsOn) {
    for (const QColor& behind : {theme.window, theme.surface, theme.raised, theme.hover, theme.selection}) {
        EXPECT_GT(contrast(theme.text, behind), 7) << behind.name().toStdString();
        EXPECT_GT(contrast(theme.dim_text, behind), 4.5) << behind.name().toStdString();
    }
    EXPECT_GT(contrast(theme.accent_text, theme.accent), 4.5);
    for (const QColor& word : {theme.warning, theme.error, theme.code.keyword, theme.code.type,
                               theme.code.number, theme.code.comment, theme.code.function, theme.accent})
        EXPECT_GT(contrast(word, theme.surface), 4.5) << word.name().toStdString();
}

TEST_P(ThemeOf, MarksStandOutFromTheSurface) {
    for (const QColor& mark : {theme.win, theme.lose, theme.reference, theme.accent})
        EXPECT_GT(contrast(mark, theme.surface), 3) << mark.name().toStdString();
    for (const QColor& mark : theme.series)
        EXPECT_GT(contrast(mark, theme.surface), 2.4) << mark.name().toStdString();
}

TEST_P(ThemeOf, WinningAndLosingAreToldApartWhateverEyesSee) {
    for (const auto see : {+[](const Linear& c) { return c; }, seen_without_green, seen_without_red})
        EXPECT_GT(distance(see(linear(theme.win)), see(linear(theme.lose))), 20);
}

TEST_P(ThemeOf, CategoriesAreToldApartWhateverEyesSee) {
    for (const auto see : {+[](const Linear& c) { return c; }, seen_without_green, seen_without_red})
        for (std::size_t i = 0; i < theme.series.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(distance(see(linear(theme.series[i])), see(linear(theme.series[j]))), 10)
                    << i << ' ' << j;
}

TEST_P(ThemeOf, NinthCategoryStartsOver) {
    EXPECT_EQ(theme.series_colour(8), theme.series[0]);
}

TEST(ApplyTheme, SwitchesStylePaletteAndCurrentThemeAndTellsWidgets) {
    class Listener : public QWidget {
    public:
        int changes = 0;

    protected:
        void changeEvent(QEvent* event) override {
            changes += event->type() == QEvent::PaletteChange ? 1 : 0;
            QWidget::changeEvent(event);
        }
    };
    apply_theme(*qApp, ThemeChoice::Light);
    Listener listener;
    listener.show();
    EXPECT_FALSE(current_theme().dark);
    EXPECT_EQ(QApplication::palette().color(QPalette::Base), light_theme().surface);

    apply_theme(*qApp, ThemeChoice::Dark);
    QCoreApplication::processEvents();
    EXPECT_TRUE(current_theme().dark);
    EXPECT_EQ(QApplication::palette().color(QPalette::Base), dark_theme().surface);
    EXPECT_GT(listener.changes, 0);
    QStyle* const style = QApplication::style();

    apply_theme(*qApp, ThemeChoice::Light);
    EXPECT_FALSE(current_theme().dark);
    EXPECT_EQ(QApplication::style(), style) << "the style is made once";
}

TEST(ApplyTheme, FollowsTheDesktopAlsoAfterAnotherChoice) {
    apply_theme(*qApp, ThemeChoice::System);
    const bool system_is_dark = current_theme().dark;
    apply_theme(*qApp, system_is_dark ? ThemeChoice::Light : ThemeChoice::Dark);
    EXPECT_NE(current_theme().dark, system_is_dark);
    apply_theme(*qApp, ThemeChoice::System);
    EXPECT_EQ(current_theme().dark, system_is_dark);
}

TEST(Fonts, FollowTheSizeOfTheApplication) {
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(2 * before.pointSizeF());
    const double title = title_font().pointSizeF();
    const double code = monospace_font().pointSizeF();
    QApplication::setFont(large);
    EXPECT_DOUBLE_EQ(title_font().pointSizeF(), 2 * title);
    EXPECT_DOUBLE_EQ(monospace_font().pointSizeF(), 2 * code);
    QApplication::setFont(before);
}

TEST(BannerWidget, IsHiddenUntilThereIsAMessageAndClosesOnAClick) {
    QWidget window;
    Banner banner(&window);
    window.show();
    EXPECT_FALSE(banner.isVisible());
    QSignalSpy closed(&banner, &Banner::closed);
    QSignalSpy action(&banner, &Banner::action_triggered);

    banner.show_message(Severity::Warning, QStringLiteral("a.mtx has no values"),
                        QStringLiteral("Open again"));
    EXPECT_TRUE(banner.isVisible());
    EXPECT_EQ(banner.text(), QStringLiteral("a.mtx has no values"));
    QTest::mouseClick(banner.findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_EQ(action.count(), 1);
    EXPECT_TRUE(banner.isVisible());
    QTest::mouseClick(banner.findChild<QToolButton*>(), Qt::LeftButton);
    EXPECT_EQ(closed.count(), 1);
    EXPECT_FALSE(banner.isVisible());
}

TEST(StalenessOfWidgets, IsShownOnlyWhereTheAnswerTakesTime) {
    QWidget window;
    QLabel label(QStringLiteral("1 234"), &window);
    window.show();
    Staleness stale({&label}, &window);
    stale.begin();
    stale.end();
    QTest::qWait(static_cast<int>(2 * Staleness::patience.count()));
    EXPECT_FALSE(stale.is_shown()) << "the answer came at once";
    const QImage fresh = label.grab().toImage();
    stale.begin();
    QTest::qWait(static_cast<int>(2 * Staleness::patience.count()));
    EXPECT_TRUE(stale.is_shown());
    EXPECT_NE(label.grab().toImage(), fresh);
    stale.end();
    EXPECT_EQ(label.grab().toImage(), fresh);
}

TEST(FlowOfWidgets, GoesOnInTheNextLineWhereThereIsNoRoom) {
    QWidget window;
    auto* const flow = new FlowLayout(&window);
    std::vector<QWidget*> boxes;
    for (int box = 0; box < 5; ++box) {
        boxes.push_back(new QWidget);
        boxes.back()->setFixedSize(100, box == 1 ? 30 : 20);
        if (box == 4)
            flow->begin_end();
        flow->addWidget(boxes.back());
    }
    window.resize(700, flow->heightForWidth(700));
    window.show();
    EXPECT_EQ(window.height(), 30);
    EXPECT_EQ(boxes[0]->geometry().bottom(), boxes[1]->geometry().bottom()) << "they stand on one line";
    EXPECT_EQ(boxes[4]->geometry().right(), 699) << "the last stands at the right end";
    EXPECT_EQ(flow->minimumSize().width(), 100);
    window.resize(330, flow->heightForWidth(330));
    EXPECT_EQ(window.height(), 30 + flow->spacing() + 20);
    EXPECT_GT(boxes[3]->y(), boxes[2]->geometry().bottom());
    EXPECT_EQ(boxes[3]->x(), 0);
    EXPECT_EQ(boxes[4]->geometry().right(), 329);
    boxes[2]->hide();
    window.layout()->activate();
    EXPECT_EQ(boxes[3]->x(), boxes[2]->x()) << "what is hidden takes no room";
}

TEST(FlowOfWidgets, StandsAtTheBottomOfTheLineBelowCaptionsOrInItsMiddle) {
    for (const bool is_level : {false, true}) {
        QWidget box;
        auto* const flow = new FlowLayout(&box);
        flow->setContentsMargins(0, 0, 0, 0);
        auto* const low = new QWidget(&box);
        low->setFixedSize(20, 10);
        auto* const high = new QWidget(&box);
        high->setFixedSize(20, 30);
        flow->addWidget(low);
        flow->addWidget(high);
        if (is_level)
            flow->set_level();
        box.resize(100, 30);
        box.show();
        EXPECT_EQ(low->y(), is_level ? 10 : 20);
        EXPECT_EQ(high->y(), 0);
    }
}

TEST(BannerWidget, HasNoButtonWithoutAnAction) {
    QWidget window;
    Banner banner(&window);
    window.show();
    banner.show_message(Severity::Information, QStringLiteral("done"));
    EXPECT_FALSE(banner.findChild<QPushButton*>()->isVisible());
}

TEST(InfoButtonWidget, AsksForItsTopicOnAClickAndFromTheKeyboard) {
    InfoButton button(QStringLiteral("How many entries a row has."), QStringLiteral("row-length"));
    QSignalSpy asked(&button, &InfoButton::help_requested);
    button.show();
    QTest::mouseClick(&button, Qt::LeftButton);
    QTest::keyClick(&button, Qt::Key_Space);
    ASSERT_EQ(asked.count(), 2);
    EXPECT_EQ(asked.at(0).at(0).toString(), QStringLiteral("row-length"));
    EXPECT_TRUE(button.toolTip().contains(QStringLiteral("entries a row")));
}

TEST(ExplainedTooltip, ShowsMarkupCharactersAsTheyAre) {
    EXPECT_EQ(explained_tooltip(QStringLiteral("n < m"), QStringLiteral("a & b")),
              QStringLiteral("<qt><b>n &lt; m</b><br>a &amp; b</qt>"));
}

TEST(ChipWidget, IsClickedOnlyWhenItIsClickable) {
    QWidget window;
    Chip chip(QStringLiteral("sim"), &window);
    QSignalSpy clicked(&chip, &Chip::clicked);
    window.show();
    EXPECT_EQ(chip.focusPolicy(), Qt::NoFocus);
    chip.set_clickable(true);
    QTest::mouseClick(&chip, Qt::LeftButton);
    EXPECT_EQ(clicked.count(), 1);
    EXPECT_EQ(chip.focusPolicy(), Qt::StrongFocus);
    const int narrow = chip.sizeHint().width();
    chip.set_colour(QColor(Qt::blue));
    EXPECT_GT(chip.sizeHint().width(), narrow);
}

TEST(EmptyStateWidget, TheFirstButtonLeadsOn) {
    EmptyState state(glyph_icon(Glyph::Search), QStringLiteral("No matrices"), QStringLiteral("Open one."));
    QPushButton* const first = state.add_button(QStringLiteral("Open…"));
    QPushButton* const second = state.add_button(QStringLiteral("Simulate…"));
    EXPECT_TRUE(first->property("primary").toBool());
    EXPECT_FALSE(second->property("primary").toBool());
    QSignalSpy clicked(second, &QPushButton::clicked);
    state.show();
    QTest::mouseClick(second, Qt::LeftButton);
    EXPECT_EQ(clicked.count(), 1);
}

TEST(SparsightStyleScrollArea, DrawsNothingBetweenTwoScrollBars) {
    apply_theme(*qApp, ThemeChoice::Light);
    QImage picture(20, 20, QImage::Format_RGB32);
    picture.fill(Qt::white);
    const QImage before = picture;
    QPainter painter(&picture);
    QStyleOption option;
    option.rect = picture.rect();
    qApp->style()->drawPrimitive(QStyle::PE_PanelScrollAreaCorner, &option, &painter);
    painter.end();
    EXPECT_EQ(picture, before);
}

TEST(SparsightStyleComboBox, ShowsBothEndsOfALongName) {
    apply_theme(*qApp, ThemeChoice::Light);
    const auto picture_of = [](const QString& name) {
        QComboBox box;
        box.addItem(name);
        box.resize(160, 30);
        return box.grab().toImage();
    };
    const QString between = QStringLiteral(" of a processor with many cores and a long name ");
    const QImage one = picture_of(QStringLiteral("A") + between + QStringLiteral("WWW"));
    EXPECT_NE(one, picture_of(QStringLiteral("B") + between + QStringLiteral("WWW")));
    EXPECT_NE(one, picture_of(QStringLiteral("A") + between + QStringLiteral("iii")));
    EXPECT_EQ(one, picture_of(QStringLiteral("A") + between + between + QStringLiteral("WWW")));
}

TEST(SparsightStyleComboBox, ShowsAllOfANameAtItsOwnWidth) {
    apply_theme(*qApp, ThemeChoice::Light);
    for (const char* const name :
         {"SpMM, extent 256 (32 matrices)", "kept back from calibrations", "demo-tuned"}) {
        QComboBox box;
        box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box.addItem(QLatin1String(name));
        box.resize(box.sizeHint());
        const QImage fitting = box.grab().toImage();
        box.resize(box.width() + 40, box.height());
        const int text = fitting.width() - 40; // left of the arrow
        EXPECT_EQ(fitting.copy(0, 0, text, fitting.height()),
                  box.grab().toImage().copy(0, 0, text, fitting.height()))
            << name;
    }
}

TEST(ElidingComboBoxWidget, TellsAllOfALongName) {
    ElidingComboBox box;
    box.addItem(QStringLiteral("machine"));
    box.set_explanation(QStringLiteral("Where it was measured"));
    EXPECT_EQ(box.toolTip(), QStringLiteral("machine\nWhere it was measured"));
    box.set_explanation({});
    EXPECT_EQ(box.toolTip(), QStringLiteral("machine"));
}

TEST(CardWidget, ReplacesItsContentAndRunsItsTools) {
    Card card(QStringLiteral("Statistics"));
    auto* const first = new QLabel(QStringLiteral("first"));
    QSignalSpy gone(first, &QObject::destroyed);
    card.set_content(first);
    card.set_content(new QLabel(QStringLiteral("second")));
    EXPECT_EQ(gone.count(), 1);
    QAction action(QStringLiteral("Again"));
    QSignalSpy triggered(&action, &QAction::triggered);
    QToolButton* const button = card.add_tool(&action);
    card.show();
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(triggered.count(), 1);
    EXPECT_EQ(card.accessibleName(), QStringLiteral("Statistics"));
}

/// Everything that the style draws, on one sheet.
QWidget* sheet_of_controls() {
    auto* const page = new QWidget;
    auto* const grid = new QGridLayout(page);
    auto* const primary = new QPushButton(QStringLiteral("&Measure"));
    primary->setProperty("primary", true);
    auto* const checked = new QPushButton(QStringLiteral("Checked"));
    checked->setCheckable(true);
    checked->setChecked(true);
    auto* const disabled = new QPushButton(QStringLiteral("Disabled"));
    disabled->setEnabled(false);
    grid->addWidget(primary, 0, 0);
    grid->addWidget(new QPushButton(QStringLiteral("&Cancel")), 0, 1);
    grid->addWidget(checked, 0, 2);
    grid->addWidget(disabled, 0, 3);
    auto* const edit = new QLineEdit(QStringLiteral("bcsstk38"));
    edit->setFocus();
    auto* const placeholder = new QLineEdit;
    placeholder->setPlaceholderText(QStringLiteral("Placeholder"));
    auto* const combo = new QComboBox;
    combo->addItems({QStringLiteral("SpMM"), QStringLiteral("SDDMM")});
    auto* const editable = new QComboBox;
    editable->setEditable(true);
    editable->addItem(QStringLiteral("editable"));
    auto* const spin = new QSpinBox;
    spin->setRange(0, 100'000);
    spin->setValue(256);
    auto* const off = new QSpinBox;
    off->setEnabled(false);
    grid->addWidget(edit, 1, 0);
    grid->addWidget(placeholder, 1, 1);
    grid->addWidget(combo, 1, 2);
    grid->addWidget(editable, 1, 3);
    grid->addWidget(spin, 2, 0);
    grid->addWidget(off, 2, 1);
    auto* const box = new QCheckBox(QStringLiteral("Check &box"));
    box->setChecked(true);
    auto* const half = new QCheckBox(QStringLiteral("Partly"));
    half->setTristate(true);
    half->setCheckState(Qt::PartiallyChecked);
    auto* const radio = new QRadioButton(QStringLiteral("Radio"));
    radio->setChecked(true);
    grid->addWidget(box, 2, 2);
    grid->addWidget(half, 2, 3);
    grid->addWidget(new QCheckBox(QStringLiteral("Off")), 3, 0);
    grid->addWidget(radio, 3, 1);
    grid->addWidget(new QRadioButton(QStringLiteral("Other")), 3, 2);
    auto* const progress = new QProgressBar;
    progress->setValue(40);
    progress->setTextVisible(false);
    grid->addWidget(progress, 3, 3);
    auto* const slider = new QSlider(Qt::Horizontal);
    slider->setValue(30);
    grid->addWidget(slider, 4, 0);
    auto* const chip = new Chip(QStringLiteral("laptop"));
    chip->set_colour(current_theme().series[0]);
    auto* const simulated = new Chip(QStringLiteral("sim"));
    simulated->set_hatched(true);
    grid->addWidget(chip, 4, 1);
    grid->addWidget(simulated, 4, 2);
    grid->addWidget(new InfoButton(QStringLiteral("Explains"), QStringLiteral("topic")), 4, 3);
    auto* const tabs = new QTabWidget;
    auto* const text = new QTextEdit(QStringLiteral("for (int i = 0; i < m; ++i)\n").repeated(12));
    text->setFont(monospace_font());
    tabs->addTab(text, QStringLiteral("Loop nest"));
    tabs->addTab(new EmptyState(glyph_icon(Glyph::Search), QStringLiteral("x"), QStringLiteral("y")),
                 QStringLiteral("Formats"));
    grid->addWidget(tabs, 5, 0, 1, 2);
    auto* const state = new EmptyState(glyph_icon(Glyph::Image), QStringLiteral("No matrices yet"),
                                       QStringLiteral("Drop Matrix Market files here, or simulate one."));
    state->add_button(QStringLiteral("Open…"));
    state->add_button(QStringLiteral("Simulate…"));
    auto* const card = new Card(QStringLiteral("A card"));
    card->set_subtitle(QStringLiteral("with a subtitle"));
    card->set_content(state);
    auto* const tool = new QAction(glyph_icon(Glyph::Menu), QStringLiteral("Menu"), card);
    card->add_tool(tool);
    grid->addWidget(card, 5, 2, 1, 2);
    for (const Severity severity : {Severity::Information, Severity::Warning, Severity::Error}) {
        auto* const banner = new Banner;
        grid->addWidget(banner, 6 + static_cast<int>(severity), 0, 1, 4);
        banner->show_message(severity, QStringLiteral("pwtk.mtx: line 7: column 12 is outside 1..10"),
                             severity == Severity::Error ? QStringLiteral("Try again") : QString());
    }
    page->resize(860, 640);
    return page;
}

TEST(SparsightStyleSheet, PaintsItselfInTheColoursOfBothThemes) {
    const std::unique_ptr<QWidget> page(sheet_of_controls());
    in_both_themes(*page, QStringLiteral("controls"), [](const QImage& picture) {
        const Theme& theme = current_theme();
        EXPECT_GT(pixels_like(picture, theme.accent), 500) << "the primary button";
        EXPECT_GT(pixels_like(picture, theme.window), 10'000);
        EXPECT_GT(pixels_like(picture, theme.surface), 10'000);
    });
}

TEST(TableHeader, TheArrowStandsBesideTheTitleAndTakesLittleRoom) {
    apply_theme(*qApp, ThemeChoice::Light);
    QHeaderView header(Qt::Horizontal);
    QStyleOptionHeader option;
    option.initFrom(&header);
    option.rect = QRect(0, 0, 120, 30);
    option.text = QStringLiteral("Rank");
    option.textAlignment = Qt::AlignRight | Qt::AlignVCenter;
    option.sortIndicator = QStyleOptionHeader::SortDown;
    const QStyle& style = *QApplication::style();
    const QRect label = style.subElementRect(QStyle::SE_HeaderLabel, &option, &header);
    const QRect arrow = style.subElementRect(QStyle::SE_HeaderArrow, &option, &header);
    option.sortIndicator = QStyleOptionHeader::None;
    EXPECT_EQ(label.right(), style.subElementRect(QStyle::SE_HeaderLabel, &option, &header).right())
        << "the title stays over the ends of its numbers";
    EXPECT_LT(arrow.right(), label.left());
    option.textAlignment = Qt::AlignLeft | Qt::AlignVCenter;
    option.sortIndicator = QStyleOptionHeader::SortUp;
    EXPECT_GT(style.subElementRect(QStyle::SE_HeaderArrow, &option, &header).left(),
              style.subElementRect(QStyle::SE_HeaderLabel, &option, &header).right());
    const int width = style.sizeFromContents(QStyle::CT_HeaderSection, &option, {}, &header).width();
    EXPECT_LE(width, option.fontMetrics.horizontalAdvance(option.text) + 2 * grid_step + 16);
}

TEST(KeptFont, GrowsWithTheFontOfTheApplicationAndKeepsItsProportion) {
    const QFont before = QApplication::font();
    QLabel label;
    keep_font(label, caption_font);
    const double small = label.font().pointSizeF();
    QFont large = before;
    large.setPointSizeF(before.pointSizeF() * 2);
    QApplication::setFont(large);
    EXPECT_NEAR(label.font().pointSizeF(), 2 * small, 0.2);
    QApplication::setFont(before);
    EXPECT_NEAR(label.font().pointSizeF(), small, 0.2);
}

TEST(FormAlignment, LabelsStandBesideTheirFieldsAndFieldsOfAllFormsInOneColumn) {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    std::vector<QWidget*> fields;
    std::vector<QLabel*> labels;
    std::vector<QFormLayout*> forms;
    for (const char* name : {"Seed", "A much longer name"}) {
        auto* form = new QFormLayout;
        fields.push_back(new QSpinBox);
        labels.push_back(new QLabel(QString::fromLatin1(name)));
        form->addRow(labels.back(), fields.back());
        column->addLayout(form);
        forms.push_back(form);
    }
    align_forms({forms[0], forms[1]});
    window.show();
    QTest::qWait(10);
    EXPECT_EQ(fields[0]->x(), fields[1]->x());
    for (std::size_t i = 0; i < fields.size(); ++i)
        EXPECT_NEAR(labels[i]->geometry().center().y(), fields[i]->geometry().center().y(), 1);
}

} // namespace
} // namespace sparsight
