// The demo workspace: its recorded results stand on every page, and it stays what it became.
#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "gui/jobs/job_service.h"
#include "gui/selection/selection.h"
#include "gui/shell/workspace_menu.h"
#include "gui/workspace/workspace_session.h"
#include "store/machines.h"
#include "store/workloads.h"
#include "widgets/chart/chart.h"
#include "widgets/look/page_states.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <tuple>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class DemoWorkspaceTest : public WindowTest {
protected:
    DemoWorkspaceTest() {
        for (const char* rest : {"", "-wal", "-shm"})
            QFile::remove(WorkspaceMenu::demo_path() + QLatin1String(rest));
        open_demo();
    }

    void open_demo() {
        window().open_demo();
        EXPECT_TRUE(wait_until([&] { return program_->session().path() == WorkspaceMenu::demo_path(); }))
            << window().notices().texts().join(QLatin1Char('\n')).toStdString();
    }
    Page& show(const char* page) {
        window().show_page(QLatin1String(page));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        return *window().current_page();
    }
    void resize(int width, int height) {
        window().resize(width, height);
        ASSERT_TRUE(wait_until([&] { return window().size() == QSize(width, height); }));
    }
    /// The pixels of the widget's height that are seen without scrolling.
    [[nodiscard]] static int seen_height(const QWidget& widget) {
        return widget.visibleRegion().boundingRect().height();
    }
    /// Of the table with this name on the page; without a name: of its only one, or the longest.
    int rows(const Page& page, const char* table) {
        int most = 0;
        for (const DataTable* const found :
             page.findChildren<DataTable*>(*table == 0 ? QString() : QString(QLatin1String(table))))
            most = std::max(most, found->model()->rowCount());
        return most;
    }
};

TEST_F(DemoWorkspaceTest, OneOfAnOlderRecordingIsKeptBesideTheNewerOneThatIsOffered) {
    const QString demo = WorkspaceMenu::demo_path();
    const QString kept = QString(demo).replace(QStringLiteral("Demo."), QStringLiteral("Demo 1."));
    auto* const offer = find<Banner>("newer-demo");
    EXPECT_FALSE(offer->isVisible()) << "it was copied just now";
    program_->session().close();
    QFile note(demo + QStringLiteral(".recording"));
    ASSERT_TRUE(note.open(QIODevice::WriteOnly));
    note.write("of an earlier version");
    note.close();
    {
        auto workspace = Workspace::open(demo.toStdString());
        ASSERT_TRUE(recorded_machine(*workspace, "of the user"));
    }
    open_demo();
    ASSERT_TRUE(wait_until([&] { return offer->isVisible(); }));
    EXPECT_TRUE(wait_until([&] { return offer->x() > 0; })) << "no wider than what the page shows";
    for (auto* const button : offer->findChildren<QPushButton*>())
        if (button->text().contains(QStringLiteral("newer")))
            click(button);
    ASSERT_TRUE(wait_until([&] { return program_->session().path() == demo && !offer->isVisible(); }));
    ASSERT_TRUE(QFile::exists(kept));
    const auto is_of_the_user = [](const QString& file) {
        auto workspace = Workspace::open(file.toStdString());
        return workspace && find_machine(*workspace, "of the user")->has_value();
    };
    EXPECT_TRUE(is_of_the_user(kept)) << "nothing is lost";
    EXPECT_FALSE(is_of_the_user(demo));
    for (const char* rest : {"", "-wal", "-shm"})
        QFile::remove(kept + QLatin1String(rest));
}

TEST_F(DemoWorkspaceTest, EveryPageShowsSomething) {
    const auto shows = [this](const char* page, const char* table, int least) {
        const Page& shown = show(page);
        EXPECT_TRUE(wait_until([&] { return rows(shown, table) >= least; }))
            << page << " has " << rows(shown, table);
    };
    shows("matrices", "matrix-list", 8);
    shows("machines", "", 3);
    shows("schedules", "schedule-results", 100);
    shows("train", "runs", 1);
    shows("finetune", "fine-tunings", 1);
    shows("search", "candidates", 20);
    shows("results", "evaluated-rows", 16);
    shows("failures", "", 1);
    show("whatif");
}

TEST_F(DemoWorkspaceTest, ChartsKeepAUsefulHeightInASmallWindow) {
    resize(940, 500); // 1920 × 1080 at 200 %, less what a desktop takes
    program_->selection().select_model(QStringLiteral("demo-tuned")); // its search has a map
    for (const auto& [page, chart, least] :
         {std::tuple{"finetune", "shot-chart", 150},
          {"train", "loss-chart", 160},    // the chart of physics and learning takes its place on request
          {"whatif", "what-if-bars", 160}, // a headline of three lines stands above it
          {"results", "speedup-bars", 160},
          {"schedules", "speedup-chart", 120}, // three rows of the ranking stand below
          {"search", "walk", 130}}) {
        show(page);
        const auto* const shown = find<QWidget>(chart);
        ASSERT_NE(shown, nullptr);
        EXPECT_TRUE(wait_until([&] { return seen_height(*shown) >= least; }))
            << page << ": " << seen_height(*shown) << " of " << shown->height();
        EXPECT_EQ(window().size(), QSize(940, 500)) << page << " makes the window grow";
    }
    show("whatif");
    EXPECT_GE(find<QWidget>("what-if-map")->height(), 160) << "one scrolls to it";
}

TEST_F(DemoWorkspaceTest, ResultsShowTheFindingAChartAndTheFirstChoicesAtOnce) {
    resize(1280, 800);
    show("results");
    auto* const table = find<DataTable>("evaluated-rows");
    ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() >= 16; }));
    const auto is_seen = [](const QWidget& widget) { return seen_height(widget) == widget.height(); };
    const QWidget& rows = *table->view()->viewport();
    const auto row_is_seen = [&](int row) {
        const QRect place = table->view()->visualRect(table->view()->model()->index(row, 0));
        return place.isValid() && rows.visibleRegion().boundingRect().contains(place.center());
    };
    // The selected row is among them, wherever its figures have put it.
    const auto rows_seen = [&] {
        int seen = 0;
        for (int row = 0; row < table->view()->model()->rowCount(); ++row)
            seen += row_is_seen(row) ? 1 : 0;
        return seen;
    };
    EXPECT_TRUE(wait_until([&] { return rows_seen() >= 3; }));
    EXPECT_TRUE(is_seen(*find<QLabel>("findings")));
    EXPECT_TRUE(is_seen(*find<Chart>("speedup-bars")));
    EXPECT_GE(find<Chart>("speedup-bars")->height(), 200);
}

TEST_F(DemoWorkspaceTest, NotesOfTheResultsFoldToOneLine) {
    resize(1280, 800);
    show("results");
    auto* const notes = find<QToolButton>("result-notes");
    auto* const remarks = find<QLabel>("remarks");
    ASSERT_TRUE(wait_until([&] { return notes->isVisible(); }));
    EXPECT_FALSE(remarks->isVisible());
    click(notes);
    EXPECT_TRUE(remarks->isVisible());
    EXPECT_THAT(remarks->text().toStdString(), HasSubstr("uncertain"));
}

TEST_F(DemoWorkspaceTest, SaysThatItsTimesWereRecorded) {
    Page& schedules = show("schedules");
    const auto* const machine = schedules.findChild<QLabel*>(QStringLiteral("shown-machine"));
    ASSERT_NE(machine, nullptr);
    EXPECT_TRUE(wait_until([&] { return machine->isVisible(); }));
    EXPECT_THAT(machine->text().toStdString(), HasSubstr("recorded on"));
    ASSERT_EQ(program_->jobs().jobs().size(), 4U) << "searches, whose results are in no workspace";
    EXPECT_THAT(program_->jobs().jobs().front().title.toStdString(), HasSubstr("(recorded)"));
}

TEST_F(DemoWorkspaceTest, OpensOnTheAdaptedGrayBoxAndWalksWithTheNetworkBesideIt) {
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("demo-gray-tuned"));
    Page& search = show("search");
    auto* const method = find<QComboBox>("search-method");
    EXPECT_TRUE(wait_until([&] { return rows(search, "candidates") >= 20; }));
    EXPECT_EQ(method->currentData().toString(), QStringLiteral("exhaustive")) << "it has no graph";
    EXPECT_FALSE(find<QSpinBox>("searched-ef")->isVisible());
    EXPECT_THAT(method->toolTip().toStdString(), HasSubstr("no embeddings of schedules"));
    program_->selection().select_model(QStringLiteral("demo-tuned"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(method->currentData().toString(), QStringLiteral("index")) << "as it was wanted";
    EXPECT_TRUE(wait_until([&] { return rows(search, "candidates") >= 20; }));
    EXPECT_TRUE(find<QSpinBox>("searched-ef")->isVisible());
}

TEST_F(DemoWorkspaceTest, HasTheMatricesThatTheLessonsSimulate) {
    auto workspace = Workspace::create(path("made.sparsight").toStdString(), "test");
    ASSERT_TRUE(add_demo_matrices(*workspace, 1).has_value());
    const auto made = list_workloads(*workspace, "sparse");
    for (const WorkloadRecord& one : *made) {
        const WorkloadRecord* const recorded = program_->session().workload(QString::fromStdString(one.name));
        ASSERT_NE(recorded, nullptr) << one.name;
        EXPECT_EQ(recorded->known.content_hash, one.known.content_hash) << one.name;
    }
}

TEST_F(DemoWorkspaceTest, OfTwoMachinesTimesAreSimulated) {
    auto workspace = Workspace::open(WorkspaceMenu::demo_path().toStdString());
    const auto machines = list_machines(*workspace);
    ASSERT_EQ(machines->size(), 3U);
    EXPECT_EQ(std::ranges::count_if(*machines,
                                    [](const MachineRecord& machine) {
                                        return machine.description.find("\"simulated\"") != std::string::npos;
                                    }),
              2);
}

TEST_F(DemoWorkspaceTest, OpenedAgainItIsAsTheUserLeftIt) {
    {
        auto workspace = Workspace::open(WorkspaceMenu::demo_path().toStdString());
        ASSERT_TRUE(
            add_matrix(*workspace, {"mine", "generated", {}}, *generate_matrix("banded", {{"size", 60}}, 1))
                .has_value());
    }
    restart();
    open_demo();
    EXPECT_NE(program_->session().workload(QStringLiteral("mine")), nullptr);
    EXPECT_EQ(program_->jobs().jobs().size(), 4U) << "the recorded jobs come once";
}

} // namespace
} // namespace sparsight::testing
