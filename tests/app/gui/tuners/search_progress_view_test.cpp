// The comparison of tuners in the real window, by the real worker.
#include "app/gui/shell/domains_fixture.h"
#include "gui/selection/selection.h"
#include "gui/tuners/search_progress_view.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"

#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QTabWidget>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class SearchProgressViewTest : public DomainsTest {
protected:
    /// Times of 8 × 4 configurations; each machine has a tile of its own that suits it best.
    void open_records(int machines) {
        const QString file = make_workspace();
        QFile table(path("times.csv"));
        ASSERT_TRUE(table.open(QIODevice::WriteOnly));
        table.write("workload,machine,tile,unroll,time_ms\n");
        for (int machine = 0; machine < machines; ++machine)
            for (int tile = 0; tile < 8; ++tile)
                for (int unroll = 0; unroll < 4; ++unroll)
                    table.write(QStringLiteral("gemm,card%1,%2,%3,%4\n")
                                    .arg(machine)
                                    .arg(1 << tile)
                                    .arg(unroll)
                                    .arg(1 + 0.5 * std::abs(tile - 3 - machine) + 0.1 * unroll)
                                    .toLatin1());
        table.close();
        ASSERT_EQ(QProcess::execute(QStringLiteral(SPARSIGHT_CLI),
                                    {QStringLiteral("--workspace"), file, QStringLiteral("--quiet"),
                                     QStringLiteral("import-records"), table.fileName()}),
                  0);
        open(file);
        choose("records");
        show("configurations");
        program_->selection().select_workload(QStringLiteral("gemm"));
        const auto* const machine = machine_named("card1");
        ASSERT_NE(machine, nullptr);
        program_->selection().select_machine(QString::fromStdString(machine->fingerprint));
        shown<QTabWidget>("configuration-tabs")->setCurrentIndex(2);
        ASSERT_TRUE(wait_until([&] { return button()->isVisible() && page_is_settled(); }));
    }
    [[nodiscard]] const MachineRecord* machine_named(const std::string& name) {
        const auto& machines = program_->session().contents().machines;
        const auto found = std::ranges::find(machines, name, &MachineRecord::name);
        return found == machines.end() ? nullptr : &*found;
    }
    [[nodiscard]] QPushButton* button() { return shown<QPushButton>("compare-tuners"); }
    [[nodiscard]] std::string sentence() {
        return shown<QLabel>("search-progress-sentence")->text().toStdString();
    }
    [[nodiscard]] const auto& lines() {
        return shown<Chart>("search-progress-chart")->view()->content().series;
    }
};

TEST_F(SearchProgressViewTest, AClickComparesTheTunersAndTheirLinesStay) {
    open_records(4);
    ASSERT_TRUE(wait_until([&] { return button()->isEnabled(); }));
    EXPECT_THAT(lines(), SizeIs(0));
    click(button());
    ASSERT_TRUE(
        wait_until([&] { return !program_->jobs().has_active_jobs() && lines().size() == 4; }, 60'000))
        << sentence();
    EXPECT_THAT(sentence(), HasSubstr("of the fastest time after 10 measurements"));
    for (const ChartSeries& line : lines())
        EXPECT_THAT(std::get<LineSeries>(line).x, SizeIs(12));
    program_->selection().select_machine(QString::fromStdString(machine_named("card2")->fingerprint));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && lines().empty(); }));
    EXPECT_EQ(sentence(), "");
    program_->selection().select_machine(QString::fromStdString(machine_named("card1")->fingerprint));
    EXPECT_TRUE(wait_until([&] { return page_is_settled() && lines().size() == 4; })) << "as they were found";
}

TEST_F(SearchProgressViewTest, OfTooFewMachinesNoTunersAreComparedAndTheButtonSaysWhy) {
    open_records(2);
    EXPECT_FALSE(button()->isEnabled());
    EXPECT_EQ(button()->toolTip().toStdString(), "Only 2 machines have times of gemm: three are needed");
}

} // namespace
} // namespace sparsight::testing
