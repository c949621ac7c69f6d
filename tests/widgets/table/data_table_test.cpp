#include "widgets/look/glyph.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/screenshot.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_model.h"
#include "widgets/table/table_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <cmath>
#include <gmock/gmock.h>
#include <random>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

constexpr ColumnNeed number(int wanted) {
    return {wanted, wanted, false};
}
constexpr ColumnNeed text(int wanted) {
    return {wanted, 100, true};
}

TEST(ColumnWidths, TheFirstColumnOfTextsTakesTheRoomThatIsLeft) {
    EXPECT_THAT(fitted_widths({number(60), text(80), text(70)}, 400), ElementsAre(60, 270, 70));
    EXPECT_THAT(fitted_widths({number(60), number(80)}, 400), ElementsAre(60, 80));
}

TEST(ColumnWidths, LongTextsGiveWayWhereThereIsLittleRoom) {
    EXPECT_THAT(fitted_widths({number(60), text(300), number(70)}, 300), ElementsAre(60, 170, 70));
}

TEST(ColumnWidths, TheWidestTextGivesWayFirst) {
    EXPECT_THAT(fitted_widths({text(150), text(400)}, 400), ElementsAre(150, 250));
    EXPECT_THAT(fitted_widths({text(300), text(400)}, 301), ElementsAre(151, 150));
}

TEST(ColumnWidths, NoTextBecomesUnreadable) {
    EXPECT_THAT(fitted_widths({number(200), text(300), text(80)}, 250), ElementsAre(200, 100, 80));
    EXPECT_THAT(fitted_widths({}, 250), ElementsAre());
}

TEST(ColumnWidths, NoColumnStandsAtTheEdgeInPart) {
    EXPECT_THAT(without_cut_column({60, 200, 70, 90}, 350, 1), ElementsAre(60, 220, 70, 90));
    EXPECT_THAT(without_cut_column({60, 200, 70, 90}, 420, 1), ElementsAre(60, 200, 70, 90)) << "all fit";
    EXPECT_THAT(without_cut_column({60, 200, 70}, 100, 1), ElementsAre(60, 200, 70))
        << "a name that is wider than the view";
}

struct Schedule {
    int id = 0;
    QString name;
    double milliseconds = 0;
    bool operator==(const Schedule&) const = default;
};

using ScheduleModel = RecordModel<Schedule, int>;

std::vector<RecordColumn<Schedule>> columns() {
    std::vector<RecordColumn<Schedule>> result(3);
    result[0].title = QStringLiteral("schedule");
    result[0].text = [](const Schedule& row) { return row.name; };
    result[0].picture = [](const Schedule& row) {
        QImage image(32, 32, QImage::Format_RGB32);
        image.fill(Qt::white);
        for (int i = 0; i < 32; ++i)
            image.setPixelColor(i, (i * (row.id + 1)) % 32, Qt::darkBlue);
        return QVariant(image);
    };
    result[1].title = QStringLiteral("time");
    result[1].export_title = QStringLiteral("time [ms]");
    result[1].text = [](const Schedule& row) { return duration_text(row.milliseconds); };
    result[1].raw = [](const Schedule& row) { return QVariant(row.milliseconds); };
    result[2].title = QStringLiteral("speedup");
    result[2].text = [](const Schedule& row) { return speedup_text(10 / row.milliseconds); };
    result[2].raw = [](const Schedule& row) { return QVariant(10 / row.milliseconds); };
    return result;
}

class DataTableTest : public ::testing::Test {
protected:
    DataTableTest() {
        apply_theme(*qApp, ThemeChoice::Light);
        model.set_rows({{0, QStringLiteral("row major"), 12.5},
                        {1, QStringLiteral("tiled, 4"), 2.5},
                        {2, QStringLiteral("tiled 16"), std::nan("")},
                        {3, QStringLiteral("column major"), 100}});
        table.set_model(&model);
        table.resize(640, 360);
        table.show();
        static_cast<void>(QTest::qWaitForWindowExposed(&table));
    }

    [[nodiscard]] QPoint middle_of(int source_row, int column) const {
        const QModelIndex cell = table.filter().mapFromSource(model.index(source_row, column));
        return table.view()->visualRect(cell).center();
    }

    void click(int source_row, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, modifiers, middle_of(source_row, 0));
    }

    [[nodiscard]] int view_width() const { return table.view()->viewport()->width(); }
    [[nodiscard]] int width_of_columns() const { return table.view()->horizontalHeader()->length(); }
    [[nodiscard]] QLineEdit* filter_edit() const { return table.findChild<QLineEdit*>(); }
    [[nodiscard]] QString count() const { return table.findChild<OptionalLabel*>()->text(); }

    ScheduleModel model{columns(), [](const Schedule& row) { return row.id; }};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    DataTable table;
};

TEST_F(DataTableTest, AClickTellsTheRowOfTheSourceHoweverItIsSorted) {
    table.sort_by(1, Qt::DescendingOrder);
    EXPECT_EQ(table.displayed_source_rows(), (std::vector{3, 0, 1, 2})) << "the missing time stands last";
    QSignalSpy current(&table, &DataTable::current_row_changed);
    click(1);
    ASSERT_EQ(current.count(), 1);
    EXPECT_EQ(current.at(0).at(0).toInt(), 1);
    EXPECT_EQ(table.selected_source_rows(), std::vector{1});
}

TEST_F(DataTableTest, AClickOnAHeaderSortsByValue) {
    QHeaderView* const header = table.view()->horizontalHeader();
    const QPoint title(header->sectionViewportPosition(1) + header->sectionSize(1) / 2, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
    EXPECT_EQ(table.displayed_source_rows(), (std::vector{1, 0, 3, 2}));
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
    EXPECT_EQ(table.displayed_source_rows(), (std::vector{3, 0, 1, 2}));
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
    EXPECT_EQ(table.displayed_source_rows(), (std::vector{0, 1, 2, 3}))
        << "the third click restores the order";
}

TEST_F(DataTableTest, TheKeyboardGoesThroughTheLineAsOneReadsIt) {
    QAction first(QStringLiteral("First"));
    QAction second(QStringLiteral("Second"));
    const QWidget* const one = table.add_tool(&first);
    const QWidget* const other = table.add_tool(&second);
    QList<const QWidget*> stops;
    for (const QWidget* stop = filter_edit()->nextInFocusChain(); stop != filter_edit();
         stop = stop->nextInFocusChain())
        if ((stop->focusPolicy() & Qt::TabFocus) != 0 && table.isAncestorOf(stop))
            stops << stop;
    const auto place = [&](const QWidget* of) { return stops.indexOf(of); };
    EXPECT_EQ(place(one), 0);
    EXPECT_EQ(place(other), 1);
    EXPECT_LT(place(other), place(table.view()));
}

TEST_F(DataTableTest, CtrlFFindsRowsAndCountsThem) {
    EXPECT_EQ(count(), QStringLiteral("4 rows"));
    table.view()->setFocus();
    QTest::keyClick(table.view(), Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(filter_edit()->hasFocus());
    QTest::keyClicks(filter_edit(), QStringLiteral("tiled"));
    EXPECT_EQ(count(), QStringLiteral("2 of 4"));
    EXPECT_EQ(table.displayed_source_rows(), (std::vector{1, 2}));
    QTest::keyClick(filter_edit(), Qt::Key_Down);
    EXPECT_TRUE(table.view()->hasFocus());
    EXPECT_EQ(table.current_source_row(), 1);
    QTest::keyClick(table.view(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClick(filter_edit(), Qt::Key_Escape);
    EXPECT_EQ(count(), QStringLiteral("4 rows"));
    EXPECT_EQ(table.current_source_row(), 1) << "the selection outlives the filter";
}

TEST_F(DataTableTest, SaysWhetherThereIsNothingOrNothingMatches) {
    table.set_empty_text(QStringLiteral("Measure some schedules."));
    table.set_filter_text(QStringLiteral("zzz"));
    EXPECT_EQ(table.view()->empty_text(), QStringLiteral("No row matches “zzz”."));
    model.set_rows({});
    EXPECT_EQ(table.view()->empty_text(), QStringLiteral("Measure some schedules."));
}

TEST_F(DataTableTest, CopiesTheSelectionAsOnTheScreenWithHeadersAndFullNumbers) {
    table.sort_by(1, Qt::AscendingOrder);
    table.view()->horizontalHeader()->moveSection(1, 0);
    table.set_column_shown(2, false);
    click(0);
    click(1, Qt::ControlModifier);
    QTest::keyClick(table.view(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("time [ms]\tschedule\n2.5\ttiled, 4\n12.5\trow major\n"));
}

TEST_F(DataTableTest, ExportsExactlyTheFilteredRows) {
    table.set_filter_text(QStringLiteral("tiled"));
    table.sort_by(1, Qt::AscendingOrder);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("rows.csv"));
    ASSERT_TRUE(table.write_csv(path).has_value());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().toStdString(),
              "schedule,time [ms],speedup\r\n\"tiled, 4\",2.5,4\r\ntiled 16,,\r\n");
}

TEST_F(DataTableTest, SaysWhyAFileCannotBeWritten) {
    const auto written = table.write_csv(QStringLiteral("/nowhere/rows.csv"));
    ASSERT_FALSE(written.has_value());
    EXPECT_TRUE(written.error().startsWith(QStringLiteral("/nowhere/rows.csv could not be written: ")));
}

TEST_F(DataTableTest, CtrlASelectsAllRowsOfTheFilter) {
    table.set_filter_text(QStringLiteral("major"));
    table.view()->setFocus();
    QSignalSpy changed(&table, &DataTable::selection_changed);
    QTest::keyClick(table.view(), Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(table.selected_source_rows(), (std::vector{0, 3}));
    EXPECT_EQ(changed.count(), 1);
}

TEST_F(DataTableTest, ReturnAndDoubleClickActivateARow) {
    QSignalSpy activated(&table, &DataTable::activated_row);
    click(3);
    QTest::keyClick(table.view(), Qt::Key_Return);
    QTest::mouseDClick(table.view()->viewport(), Qt::LeftButton, {}, middle_of(3, 0));
    ASSERT_EQ(activated.count(), 2);
    EXPECT_EQ(activated.at(0).at(0).toInt(), 3);
    EXPECT_EQ(activated.at(1).at(0).toInt(), 3);
}

TEST_F(DataTableTest, SelectsARowOfTheSourceFromOutside) {
    table.sort_by(1, Qt::DescendingOrder);
    QSignalSpy current(&table, &DataTable::current_row_changed);
    table.select_source_row(1);
    EXPECT_EQ(table.selected_source_rows(), std::vector{1});
    table.select_source_row(1);
    EXPECT_EQ(current.count(), 1) << "the same row is not news";
    table.select_source_row(-1);
    EXPECT_EQ(table.current_source_row(), -1);
    EXPECT_TRUE(table.selected_source_rows().empty());
    table.select_source_rows({0, 3});
    EXPECT_EQ(table.selected_source_rows(), (std::vector{3, 0})) << "in the order on the screen";
}

TEST_F(DataTableTest, TheLastColumnCannotBeHidden) {
    table.set_column_shown(0, false);
    table.set_column_shown(2, false);
    table.set_column_shown(1, false);
    EXPECT_FALSE(table.view()->isColumnHidden(1));
}

TEST_F(DataTableTest, StateSurvivesAndForeignStateIsRefused) {
    table.set_column_shown(0, false);
    table.sort_by(1, Qt::DescendingOrder);
    table.view()->horizontalHeader()->moveSection(2, 0);
    const QByteArray state = table.save_state();

    DataTable other;
    EXPECT_FALSE(other.restore_state(state)) << "it has no columns yet";
    other.set_model(&model);
    EXPECT_FALSE(other.restore_state({}));
    EXPECT_FALSE(other.restore_state(QByteArray("nonsense")));
    ASSERT_TRUE(other.restore_state(state));
    EXPECT_TRUE(other.view()->isColumnHidden(0));
    EXPECT_EQ(other.displayed_source_rows(), (std::vector{3, 0, 1, 2}));
    EXPECT_EQ(other.view()->horizontalHeader()->logicalIndex(0), 2);
    EXPECT_EQ(other.save_state(), state);
}

TEST_F(DataTableTest, AllColumnsAreInSightWhereLongTextsCanGiveWay) {
    model.update_row({4, QString(60, u'm'), 7});
    table.resize(360, 360);
    EXPECT_LE(width_of_columns(), view_width());
    EXPECT_LT(table.view()->columnWidth(0), table.fontMetrics().horizontalAdvance(QString(60, u'm')));
}

TEST_F(DataTableTest, TitlesTakeTwoLinesWhereTheyHaveNoRoomInOne) {
    std::vector<RecordColumn<Schedule>> with_long_titles = columns();
    with_long_titles[1].title = QStringLiteral("median of all runs");
    ScheduleModel tight(std::move(with_long_titles), [](const Schedule& row) { return row.id; });
    tight.set_rows(model.rows());
    table.set_model(&tight);
    const QHeaderView* const header = table.view()->horizontalHeader();
    const int in_one_line = table.fontMetrics().horizontalAdvance(QStringLiteral("median of all runs"));
    table.resize(1200, 360);
    const int height = header->height();
    EXPECT_GT(header->sectionSize(1), in_one_line);
    table.resize(300, 360);
    EXPECT_GT(header->height(), height);
    EXPECT_LT(header->sectionSize(1), in_one_line);
    table.resize(1200, 360);
    EXPECT_EQ(header->height(), height);
    table.resize(560, 360);
    EXPECT_EQ(header->height(), height) << "there is room for all";
    std::vector<Schedule> rows = model.rows();
    rows.push_back({4, QString(60, u'm'), 7});
    tight.set_rows(std::move(rows));
    table.resize(550, 360);
    EXPECT_GT(header->height(), height) << "a text needs the room";
    EXPECT_LT(header->sectionSize(1), in_one_line);
}

TEST_F(DataTableTest, AnotherColumnCanTakeTheRoomThatIsLeft) {
    table.resize(1200, 360);
    const int name = table.view()->columnWidth(0);
    table.view()->set_wide_column(2);
    EXPECT_LT(table.view()->columnWidth(0), name);
    EXPECT_EQ(width_of_columns(), view_width());
    table.set_column_shown(2, false);
    EXPECT_EQ(width_of_columns(), view_width()) << "while it is hidden, the first text does";
}

TEST_F(DataTableTest, ColumnsBehindANameLeaveTheViewBeforeItIsCut) {
    const QString name = QStringLiteral("16×4 blocks, strips, chunk 8");
    model.update_row({1, name, 2.5});
    TableView& view = *table.view();
    table.resize(320, 360);
    const auto wanted = [&] { return static_cast<const QAbstractItemView&>(view).sizeHintForColumn(0); };
    ASSERT_LT(view.columnWidth(0), wanted());
    EXPECT_LE(width_of_columns(), view_width());
    view.set_name_column(0);
    EXPECT_GE(view.columnWidth(0), std::min(wanted(), view_width()));
    EXPECT_GT(width_of_columns(), view_width()) << "the others are scrolled to";
    table.resize(160, 360);
    EXPECT_LE(view.columnWidth(0), view_width()) << "but for one that is wider than the view";
    table.resize(1200, 360);
    EXPECT_EQ(width_of_columns(), view_width());
    model.update_row({1, QString(200, u'm'), 2.5});
    table.resize(320, 360);
    EXPECT_GE(view.columnWidth(0), std::min(44 * view.fontMetrics().averageCharWidth(), view_width()))
        << "a longer one is cut, with a tooltip";
}

TEST_F(DataTableTest, ANumberThatGrowsIsShownWhole) {
    const int before = table.view()->columnWidth(1);
    model.update_row({1, QStringLiteral("tiled, 4"), 123'456'789'012.0});
    QTest::qWait(10);
    EXPECT_GT(table.view()->columnWidth(1), before);
    EXPECT_FALSE(table.view()->cuts_numbers());
    EXPECT_LE(width_of_columns(), view_width());
}

TEST_F(DataTableTest, AWidthThatTheUserHasChosenStaysThoughANumberGrows) {
    table.view()->horizontalHeader()->resizeSection(1, 50);
    model.update_row({1, QStringLiteral("tiled, 4"), 123'456'789'012.0});
    QTest::qWait(10);
    EXPECT_EQ(table.view()->columnWidth(1), 50);
}

TEST_F(DataTableTest, WhereThereIsNoRoomForTheCountTheFilterIsNotCovered) {
    QAction tool(QStringLiteral("Measure…"), nullptr);
    table.add_tool(&tool);
    const auto* const count = table.findChild<OptionalLabel*>();
    ASSERT_NE(count, nullptr);
    EXPECT_TRUE(count->has_room());
    table.resize(table.minimumSizeHint().width(), 360);
    EXPECT_FALSE(count->has_room()) << "it is left out";
    EXPECT_LE(filter_edit()->geometry().right(), count->geometry().left());
    table.resize(640, 360);
    EXPECT_TRUE(count->has_room());
}

TEST_F(DataTableTest, OnlyWidthsThatTheUserHasChosenSurvive) {
    const QByteArray fitted = table.save_state();
    table.view()->horizontalHeader()->resizeSection(1, 222);
    const QByteArray chosen = table.save_state();
    DataTable other;
    other.set_model(&model);
    other.resize(900, 360);
    other.show();
    ASSERT_TRUE(other.restore_state(chosen));
    EXPECT_EQ(other.view()->columnWidth(1), 222);
    ASSERT_TRUE(other.restore_state(fitted));
    EXPECT_NE(other.view()->columnWidth(1), 222);
    EXPECT_GT(other.view()->columnWidth(0), table.view()->columnWidth(0))
        << "it is wider than the one before";
}

TEST_F(DataTableTest, TakingTheFocusChoosesNoRow) {
    QSignalSpy chosen(&table, &DataTable::current_row_changed);
    table.activateWindow();
    table.view()->setFocus(Qt::TabFocusReason);
    ASSERT_TRUE(table.view()->hasFocus());
    EXPECT_EQ(chosen.count(), 0);
    QTest::keyClick(table.view(), Qt::Key_Down);
    EXPECT_EQ(table.current_source_row(), 0) << "but the arrow keys do";
}

TEST_F(DataTableTest, SelectionAndScrollingSurviveLiveUpdates) {
    click(0);
    QSignalSpy reset(table.view()->model(), &QAbstractItemModel::modelReset);
    table.sort_by(1, Qt::AscendingOrder);
    for (int i = 4; i < 40; ++i)
        model.update_row({i, QStringLiteral("live %1").arg(i), 1.0 / i});
    EXPECT_EQ(table.selected_source_rows(), std::vector{0});
    EXPECT_EQ(table.current_source_row(), 0);
    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(count(), QStringLiteral("40 rows"));
}

TEST_F(DataTableTest, ThousandsOfRowsArriveInBatchesAndStaySorted) {
    // Without the model tester, which looks at everything after each signal.
    ScheduleModel live(columns(), [](const Schedule& row) { return row.id; });
    live.set_rows(model.rows());
    table.set_model(&live);
    table.sort_by(1, Qt::AscendingOrder);
    std::mt19937 random(11);
    QElapsedTimer timer;
    qint64 slowest = 0;
    for (int batch = 0; batch < 40; ++batch) {
        std::vector<Schedule> rows; // as a job reports them: new ones and better times of known ones
        for (int i = 0; i < 125; ++i)
            rows.push_back(
                {100 + 100 * batch + i, QStringLiteral("live"), 1 + static_cast<double>(random() % 10'000)});
        timer.start();
        live.update_rows(rows);
        QCoreApplication::processEvents();
        slowest = std::max(slowest, timer.elapsed());
    }
    RecordProperty("slowest_batch_milliseconds", static_cast<int>(slowest));
    const std::vector<int> order = table.displayed_source_rows();
    ASSERT_EQ(order.size(), static_cast<std::size_t>(4029));
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end() - 1, [&live](int a, int b) {
        return live.row(a).milliseconds < live.row(b).milliseconds;
    })) << "the one missing time stands last";
}

TEST_F(DataTableTest, ToolsStandBesideTheFilter) {
    QAction action(glyph_icon(Glyph::Copy), QStringLiteral("Compare"));
    QSignalSpy triggered(&action, &QAction::triggered);
    QToolButton* const button = table.add_tool(&action, true);
    static_cast<void>(QTest::qWaitFor([button] { return button->isVisible() && button->x() > 0; }, 2000));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(triggered.count(), 1);
    EXPECT_GT(button->x(), filter_edit()->geometry().right());
}

TEST_F(DataTableTest, TabLeavesTheTable) {
    table.view()->setFocus();
    QTest::keyClick(table.view(), Qt::Key_Tab);
    EXPECT_FALSE(table.view()->hasFocus());
}

TEST_F(DataTableTest, OutlivesItsModel) {
    auto other = std::make_unique<ScheduleModel>(columns(), [](const Schedule& row) { return row.id; });
    other->set_rows({{1, QStringLiteral("x"), 1}});
    table.set_model(other.get());
    table.select_source_row(0);
    EXPECT_EQ(table.current_source_row(), 0);
    other.reset();
    EXPECT_EQ(table.current_source_row(), -1);
    EXPECT_EQ(table.model() == nullptr ? 0 : table.model()->rowCount(), 0);
    table.select_source_row(0);
}

TEST_F(DataTableTest, LooksRightInBothThemes) {
    std::vector<Schedule> rows;
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i)
        rows.push_back({i, QStringLiteral("isplit=%1 ksplit=%2 order i0,k0,i1,k1").arg(1 << (i % 6)).arg(i),
                        i % 9 == 4 ? std::nan("") : std::exp(static_cast<double>(random() % 900) / 100)});
    model.set_rows(rows);
    table.set_thumbnail_side(32);
    table.sort_by(1, Qt::AscendingOrder);
    table.select_source_row(table.displayed_source_rows()[2]);
    table.fit_columns();
    in_both_themes(table, QStringLiteral("table"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().selection), 2000) << "the selected row";
        EXPECT_GT(pixels_like(picture, current_theme().surface), 50'000);
    });
    table.set_filter_text(QStringLiteral("nothing like this"));
    in_both_themes(table, QStringLiteral("table-empty"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().dim_text, 40), 100) << "the text in the middle";
    });
}

} // namespace
} // namespace sparsight
