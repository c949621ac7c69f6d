// The room that the window needs, and the keyboard in it: every page fits into a small screen, what is beside
// it folds, Tab walks in one order and is seen everywhere, F1 helps with the page that is shown.
#include "gui/help/help_page.h"
#include "gui/jobs/views/job_strip.h"
#include "gui/selection/selection_panel.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "window_fixture.h"

#include <QDockWidget>
#include <QGroupBox>
#include <QKeySequence>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

namespace sparsight::testing {
namespace {

class RoomTest : public WindowTest {
protected:
    void resize(int width, int height) {
        window().resize(width, height);
        ASSERT_TRUE(wait_until([&] { return window().size() == QSize(width, height); }))
            << window().width() << " x " << window().height();
    }
    void show(const QString& page) {
        window().show_page(page);
        ASSERT_TRUE(wait_until([&] { return window().current_page() != nullptr && page_is_settled(); }));
        QCoreApplication::processEvents();
    }
    [[nodiscard]] SelectionPanel& panel() {
        return *find<QDockWidget>("selection")->findChild<SelectionPanel*>();
    }
    [[nodiscard]] Qt::ToolButtonStyle navigation_style() {
        return find<QToolButton>("navigate-matrices")->toolButtonStyle();
    }
};

constexpr QSize smallest(940, 500); // 1920 × 1080 at 200 %, less what a desktop takes

TEST_F(RoomTest, EveryPageFitsIntoASmallWindow) {
    open_workspace_on(QStringLiteral("matrices"));
    resize(smallest.width(), smallest.height());
    for (const QString& id : window().page_ids()) {
        show(id);
        const Page& page = *window().current_page();
        EXPECT_EQ(window().size(), smallest) << id.toStdString();
        EXPECT_LE(page.minimumSizeHint().width(), page.width()) << id.toStdString();
        EXPECT_LE(page.minimumSizeHint().height(), page.height()) << id.toStdString();
        EXPECT_TRUE(
            QRect(QPoint(), window().size()).contains(QRect(page.mapTo(&window(), QPoint()), page.size())))
            << id.toStdString();
    }
    EXPECT_LE(window().minimumSizeHint().width(), smallest.width());
    EXPECT_LE(window().minimumSizeHint().height(), smallest.height());
}

TEST_F(RoomTest, TheStatisticsOfAMatrixFitIntoASmallWindow) {
    open_workspace_on(QStringLiteral("matrices"));
    resize(smallest.width(), smallest.height());
    auto* const table = find<QWidget>("statistics")->findChild<DataTable*>()->view();
    ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() > 0; }));
    EXPECT_TRUE(wait_until([&] { return !table->horizontalScrollBar()->isVisible(); }));
}

TEST_F(RoomTest, AWindowOf1280By800ShowsTheJobStrip) {
    open_workspace_on(QStringLiteral("train"));
    resize(1280, 800);
    const auto* strip = window().findChild<JobStrip*>();
    ASSERT_NE(strip, nullptr);
    EXPECT_TRUE(strip->isVisible());
    EXPECT_LE(strip->mapTo(&window(), QPoint(strip->width(), strip->height())).y(), 800);
    EXPECT_EQ(window().size(), QSize(1280, 800));
}

TEST_F(RoomTest, NavigationAndSelectionFoldToIconsInANarrowWindow) {
    open_workspace_on(QStringLiteral("matrices"));
    resize(1280, 800);
    EXPECT_EQ(navigation_style(), Qt::ToolButtonTextBesideIcon);
    EXPECT_TRUE(panel().is_folded()) << "at first the page has the room";
    click(find<QToolButton>("fold-panel"));
    EXPECT_FALSE(panel().is_folded());
    resize(1099, 700);
    EXPECT_EQ(navigation_style(), Qt::ToolButtonIconOnly);
    EXPECT_TRUE(panel().is_folded());
    EXPECT_THAT(find<QToolButton>("navigate-matrices")->toolTip().toStdString(),
                ::testing::HasSubstr("Matrices"));
    resize(1100, 700);
    EXPECT_EQ(navigation_style(), Qt::ToolButtonTextBesideIcon);
    resize(1280, 700);
    EXPECT_FALSE(panel().is_folded()) << "as the user left it";
    restart();
    EXPECT_FALSE(panel().is_folded()) << "also the next time";
}

TEST_F(RoomTest, TheIconsNameWhatIsSelectedAndShowItOverANarrowWindow) {
    open_workspace_on(QStringLiteral("matrices"));
    resize(smallest.width(), smallest.height());
    auto* const matrix = find<QToolButton>("selected-matrices");
    EXPECT_EQ(matrix->accessibleName().toStdString(), "Matrix: banded");
    EXPECT_EQ(find<QToolButton>("selected-train")->accessibleName().toStdString(), "Model: none selected");
    click(matrix);
    auto* const cards = find<QWidget>("selection-over-window");
    ASSERT_TRUE(cards->isVisible());
    EXPECT_NE(cards->findChild<SelectionCard*>(), nullptr);
    cards->close();
    EXPECT_TRUE(wait_until(
        [&] { return window().findChild<QWidget*>(QStringLiteral("selection-over-window")) == nullptr; }));
    EXPECT_NE(panel().findChild<SelectionCard*>(), nullptr) << "the cards are back";
    EXPECT_EQ(window().size(), smallest);
}

TEST_F(RoomTest, LongFactsWrapInTheSelection) {
    const QString workspace = make_workspace();
    {
        auto file = Workspace::open(workspace.toStdString());
        ProbeOptions options;
        options.measure = false;
        const auto machine = probe_this_computer(options);
        ASSERT_TRUE(machine.has_value());
        ASSERT_TRUE(record_machine(*file, "A(R) Processor(TM) 8592+ with 64 cores and a name without end",
                                   machine->fingerprint(), machine_to_text(*machine)));
    }
    open(workspace);
    show(QStringLiteral("schedules"));
    resize(1280, 800);
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    click(find<QToolButton>("fold-panel"));
    QTest::qWait(50);
    const auto* area = panel().findChild<QScrollArea*>();
    EXPECT_FALSE(area->horizontalScrollBar()->isVisible());
    for (const QLabel* label : area->findChildren<QLabel*>()) {
        const int right = label->mapTo(area->viewport(), QPoint(label->width(), 0)).x();
        EXPECT_TRUE(!label->isVisible() || right <= area->viewport()->width()) << label->text().toStdString();
    }
}

TEST_F(RoomTest, TabWalksThroughNavigationPageSelectionAndToolbar) {
    open_workspace_on(QStringLiteral("results"));
    resize(1280, 800);
    window().activateWindow();
    ASSERT_TRUE(wait_until([&] { return window().isActiveWindow(); }));
    const std::vector<std::pair<std::string, QWidget*>> areas{{"navigation", find<QWidget>("navigation")},
                                                              {"page", window().current_page()},
                                                              {"selection", find<QWidget>("selection")},
                                                              {"toolbar", window().findChild<QToolBar*>()},
                                                              {"below", window().findChild<QStatusBar*>()}};
    find<QToolButton>("navigate-results")->setFocus(Qt::TabFocusReason);
    std::vector<std::string> walked;
    const QWidget* const first = QApplication::focusWidget();
    ASSERT_NE(first, nullptr);
    int presses = 0;
    do {
        for (const auto& [name, area] : areas)
            if (area->isAncestorOf(QApplication::focusWidget()) && (walked.empty() || walked.back() != name))
                walked.push_back(name);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    } while (QApplication::focusWidget() != first && ++presses < 200);
    EXPECT_EQ(walked, (std::vector<std::string>{"navigation", "page", "selection", "toolbar", "below"}));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
    EXPECT_TRUE(areas.back().second->isAncestorOf(QApplication::focusWidget())) << "and back";
}

int different_pixels(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < std::min(a.height(), b.height()); ++y)
        for (int x = 0; x < std::min(a.width(), b.width()); ++x)
            count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
    return count;
}

TEST_F(RoomTest, EveryStopOfTabIsSeen) {
    open_workspace_on(QStringLiteral("matrices"));
    resize(1280, 800);
    window().activateWindow();
    ASSERT_TRUE(wait_until([&] { return window().isActiveWindow(); }));
    constexpr int edge = 3;
    constexpr int least = 30; // pixels of a ring around the smallest button
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        window().use_theme_for_this_run(theme);
        const QStringList pages = window().page_ids();
        for (const QString& id : theme == ThemeChoice::Light ? pages : pages.first(2)) {
            show(id);
            find<QToolButton>("navigate-matrices")->setFocus();
            QList<QWidget*> stops;
            for (int i = 0; i < 150; ++i) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                QPointer<QWidget> stop = QApplication::focusWidget();
                ASSERT_NE(stop, nullptr);
                if (stops.contains(stop))
                    break;
                stops << stop;
                QCoreApplication::processEvents(); // the ring comes a moment later
                const QRect around(stop->mapTo(&window(), QPoint(-edge, -edge)),
                                   stop->size() + QSize(2 * edge, 2 * edge));
                const QImage with = window().grab(around).toImage();
                stop->clearFocus();
                QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
                const QImage without = window().grab(around).toImage();
                stop->setFocus(Qt::TabFocusReason);
                EXPECT_GE(different_pixels(with, without), least)
                    << id.toStdString() << (theme == ThemeChoice::Dark ? ", dark: " : ": ")
                    << stop->metaObject()->className() << ' ' << stop->objectName().toStdString() << ' '
                    << stop->accessibleName().toStdString();
            }
            EXPECT_GE(stops.size(), 3) << id.toStdString(); // the text of the help keeps Tab for its links
        }
    }
}

[[nodiscard]] QStringList letters_of(const QStringList& texts) {
    QStringList letters;
    for (const QString& text : texts)
        if (const QKeySequence letter = QKeySequence::mnemonic(text); !letter.isEmpty())
            letters << letter.toString();
    return letters;
}

/// What of it reacts to Alt and a letter, also on tabs that are not in front.
[[nodiscard]] QStringList texts_with_letters(const QWidget& page) {
    QStringList texts;
    for (const auto* const button : page.findChildren<QAbstractButton*>())
        texts << button->text();
    for (const auto* const label : page.findChildren<QLabel*>())
        if (label->buddy() != nullptr)
            texts << label->text();
    for (const auto* const group : page.findChildren<QGroupBox*>())
        texts << group->title();
    for (const auto* const tabs : page.findChildren<QTabBar*>())
        for (int at = 0; at < tabs->count(); ++at)
            texts << tabs->tabText(at);
    texts.removeIf([](const QString& text) { return QKeySequence::mnemonic(text).isEmpty(); });
    return texts;
}

TEST_F(RoomTest, NoPageTakesALetterOfTheMenuBar) {
    open_workspace_on(QStringLiteral("matrices"));
    resize(1280, 800);
    QStringList menus;
    for (const QAction* const action : window().menuBar()->actions())
        menus << action->text();
    const QStringList taken = letters_of(menus);
    ASSERT_GE(taken.size(), 4);
    for (const QString& id : window().page_ids()) {
        show(id);
        for (const QString& text : texts_with_letters(*window().current_page()))
            EXPECT_FALSE(taken.contains(letters_of({text}).front()))
                << id.toStdString() << ": " << text.toStdString();
    }
}

TEST_F(RoomTest, F1HelpsWithThePageThatIsShown) {
    open_workspace_on(QStringLiteral("matrices"));
    const std::vector<std::pair<const char*, const char*>> topics{
        {"matrices", "sparsity-plot"}, {"machines", "machines"},
        {"schedules", "measuring"},    {"train", "training"},
        {"finetune", "fine-tuning"},   {"search", "search"},
        {"results", "results"},        {"failures", "failures"},
        {"whatif", "what-if"},         {"help", "index"}};
    for (const auto& [page, topic] : topics) {
        window().show_page(QLatin1String(page));
        QTest::keyClick(&window(), Qt::Key_F1);
        const auto* help = qobject_cast<HelpPage*>(window().current_page());
        ASSERT_NE(help, nullptr) << page;
        EXPECT_EQ(help->topic().toStdString(), topic) << page;
    }
}

class FindingTest : public RoomTest {
protected:
    struct Found {
        std::string title;
        std::string kind;
        std::string line;
    };

    void ask(const QString& query) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // an earlier search
        find<QAction>("search-everything")->trigger();
        auto* const search = find<QDialog>("search-everything");
        field_ = search->findChild<QLineEdit*>();
        list_ = search->findChild<QListWidget*>();
        QTest::keyClicks(field_, query);
    }
    [[nodiscard]] std::vector<Found> found() const {
        std::vector<Found> all;
        for (int row = 0; row < list_->count(); ++row) {
            const auto text = [&](int role) { return list_->item(row)->data(role).toString().toStdString(); };
            all.push_back({text(Qt::DisplayRole), text(Qt::UserRole + 1), text(Qt::UserRole + 2)});
        }
        return all;
    }
    /// Walks down to the first result of this kind, and opens it.
    void choose(const std::string& kind) {
        const std::vector<Found> all = found();
        const auto one =
            std::ranges::find_if(all, [&](const Found& item) { return item.kind.starts_with(kind); });
        ASSERT_NE(one, all.end()) << kind;
        for (auto row = all.begin(); row != one; ++row)
            QTest::keyClick(field_, Qt::Key_Down);
        QTest::keyClick(field_, Qt::Key_Return);
    }

    QLineEdit* field_ = nullptr;
    QListWidget* list_ = nullptr;
};

TEST_F(FindingTest, AParameterIsFoundWithItsHelpAndItsSlider) {
    open(make_workspace());
    program_->selection().select_page(QStringLiteral("matrices"));
    for (const auto& [kind, page] :
         {std::pair{"parameter", "machines"}, {"slider", "whatif"}, {"help", "help"}}) {
        ask(QStringLiteral("bandwidth"));
        const std::vector<Found> all = found();
        ASSERT_FALSE(all.empty());
        EXPECT_THAT(QString::fromStdString(all.front().title).toLower().toStdString(),
                    ::testing::HasSubstr("bandwidth"))
            << "names come first";
        choose(kind);
        EXPECT_EQ(window().current_page()->id().toStdString(), page);
    }
}

TEST_F(FindingTest, ATextIsFoundByItsSentence) {
    open(make_workspace());
    program_->selection().select_page(QStringLiteral("matrices"));
    ask(QStringLiteral("padding"));
    bool has_line = false;
    for (const Found& item : found())
        has_line = has_line ||
                   QString::fromStdString(item.line).contains(QStringLiteral("padding"), Qt::CaseInsensitive);
    EXPECT_TRUE(has_line) << "the line that matches";
    EXPECT_THAT(found().front().kind, ::testing::HasSubstr("lesson")) << "its name has the word";
}

TEST_F(FindingTest, AStatisticIsSelectedInItsTable) {
    open_workspace_on(QStringLiteral("machines"));
    ask(QStringLiteral("mean row length"));
    choose("statistic");
    EXPECT_EQ(window().current_page()->id().toStdString(), "matrices");
    const auto* const table = qobject_cast<QAbstractItemView*>(QApplication::focusWidget());
    ASSERT_NE(table, nullptr);
    EXPECT_TRUE(wait_until([&] {
        return table->currentIndex().siblingAtColumn(0).data().toString() ==
               QStringLiteral("Mean row length");
    })) << "also where the statistics are still computed";
}

TEST(ItemScore, PutsNamesBeforeKindsBeforeTexts) {
    const SearchItem named{QStringLiteral("Memory bandwidth"), {}, {}, {}, {}};
    const SearchItem of_kind{QStringLiteral("Copies"), QStringLiteral("bandwidth"), {}, {}, {}};
    const SearchItem saying{QStringLiteral("Copies"), {}, {}, {}, QStringLiteral("It needs bandwidth.")};
    const SearchItem other{QStringLiteral("Copies"), {}, {}, {}, QStringLiteral("Subbandwidths.")};
    const QString query = QStringLiteral("bandwidth");
    EXPECT_GT(item_score(query, named), item_score(query, of_kind));
    EXPECT_GT(item_score(query, of_kind), item_score(query, saying));
    EXPECT_GT(item_score(query, saying), 0);
    EXPECT_EQ(item_score(query, other), 0) << "a word of a text is found by its beginning";
    EXPECT_GT(item_score(QStringLiteral("copies bandwidth"), saying), 0) << "name and text together";
}

TEST(MatchingLine, IsTheSentenceWithTheWord) {
    const QString text = QStringLiteral("First this. Then padding comes. At last that.");
    EXPECT_EQ(matching_line(QStringLiteral("padding"), text).toStdString(), "Then padding comes.");
    EXPECT_EQ(matching_line(QStringLiteral("nothing"), text).toStdString(), "First this.");
    const QString line =
        matching_line(QStringLiteral("padding"), QString(300, u'x') + QStringLiteral(" padding"));
    EXPECT_LE(line.size(), 170);
    EXPECT_TRUE(line.contains(QStringLiteral("padding")));
}

} // namespace
} // namespace sparsight::testing
