#include "screenshot.h"

#include "widgets/look/card.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/glyph.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStyleOptionHeader>
#include <QTabWidget>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

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
