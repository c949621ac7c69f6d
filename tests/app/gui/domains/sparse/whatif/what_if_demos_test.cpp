// Every demo is simulated and held against what its text says, then walked through in the window.
#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/what_if_demos.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/domains/sparse/whatif/winner_view.h"
#include "gui/shell/guided_tour.h"
#include "gui/shell/tour_bubble.h"
#include "machine/machine_presets.h"
#include "widgets/chart/plots/region_map.h"
#include "widgets/chart/plots/stacked_bars.h"

#include <QComboBox>
#include <algorithm>

namespace sparsight::testing {
namespace {

using P = MachineParameter;
using T = TimeTerm;

/// A demo, simulated as the page does it.
class SimulatedDemo {
public:
    explicit SimulatedDemo(const char* id) {
        auto demos = what_if_demos();
        demo_ = *std::ranges::find(demos, QLatin1String(id), &WhatIfDemo::id);
        auto workspace = Workspace::create(folder_ / "demo.sparsight", "test");
        EXPECT_TRUE(add_demo_matrices(*workspace, 1).has_value());
        const auto record = find_matrix(*workspace, demo_.matrix.toStdString());
        EXPECT_TRUE(record && *record) << "the demo workspace has no " << demo_.matrix.toStdString();
        pattern_ = *load_pattern(*workspace, (**record).id);
        const WhatIfScene& scene = demo_.steps.front().scene;
        auto set = schedule_set(ProfiledPattern(pattern_), {scene.op, scene.dense, scene.schedules, 0, 1});
        study_.schedules = std::move(set->schedules);
        study_.profiles = std::move(set->profiles);
    }

    [[nodiscard]] EditedMachine machine(std::size_t step) const {
        const WhatIfScene& scene = demo_.steps.at(step).scene;
        EditedMachine machine(find_machine_preset(scene.preset.toStdString()).value().machine);
        for (const auto& [parameter, value] : scene.changes)
            machine.set(parameter, value);
        return machine;
    }
    [[nodiscard]] PaperBasis basis(std::size_t step) const {
        const std::vector<std::optional<double>> nothing(study_.schedules.size());
        return paper_basis(nothing, resolve_parameters(machine(step).given()).values, study_.profiles);
    }
    [[nodiscard]] MachineRanking ranked(std::size_t step) const {
        return rank_on(machine(step).now(), study_, demo_.steps.at(step).scene.formula, basis(step));
    }
    [[nodiscard]] const SuperSchedule& winner(std::size_t step) const {
        return study_.schedules[*ranked(step).ranking.winner()];
    }
    [[nodiscard]] double share(std::size_t step, std::size_t schedule, T term) const {
        const MachineRanking ranking = ranked(step);
        return ranking.parts[schedule][term] / ranking.ranking.milliseconds[schedule];
    }
    [[nodiscard]] std::size_t place(const SuperSchedule& schedule) const {
        return static_cast<std::size_t>(std::ranges::find(study_.schedules, schedule) -
                                        study_.schedules.begin());
    }
    [[nodiscard]] std::size_t map_winners(std::size_t step) const {
        const WhatIfScene& scene = demo_.steps.at(step).scene;
        const MachineDescription here = machine(step).without({scene.x, scene.y});
        const MapAxis x = map_axis(here, scene.x, WinnerMapping::steps);
        const MapAxis y = map_axis(here, scene.y, WinnerMapping::steps);
        const auto map = scene.formula == WhatIfFormula::Paper
                             ? paper_winner_map(here, x, y, basis(step).milliseconds)
                             : winner_map(here, x, y, study_.profiles);
        return map->winners().size();
    }
    [[nodiscard]] const WhatIfDemo& demo() const { return demo_; }

private:
    TemporaryFolder folder_;
    WhatIfDemo demo_;
    CsrPattern pattern_;
    Study study_;
};

TEST(WhatIfDemos, OfTheConstantFactorKeepItsOrderByThePaperAndChangeItMechanistically) {
    const SimulatedDemo demo("constant-factor");
    ASSERT_EQ(demo.demo().steps.size(), 5);
    const Ranking all = demo.ranked(0).ranking;
    const Ranking few = demo.ranked(1).ranking;
    EXPECT_EQ(all.order, few.order) << "nobody has passed anybody";
    EXPECT_GT(few.milliseconds[0], 5 * all.milliseconds[0]) << "every bar has grown";
    EXPECT_EQ(demo.map_winners(2), 1);
    const SuperSchedule many_cores = demo.winner(3);
    const SuperSchedule few_cores = demo.winner(4);
    EXPECT_LT(many_cores.chunk, few_cores.chunk) << "larger chunks on fewer cores";
    const std::size_t smallest = 1; // place of the schedule with chunks of 2, behind fixed CSR
    EXPECT_EQ(*demo.ranked(3).ranking.order.rbegin(), smallest) << "the slowest on many cores";
    EXPECT_GT(demo.share(3, smallest, T::Chunks), 0.8) << "they queue for the next chunk";
    const std::size_t large = demo.place(few_cores);
    EXPECT_GT(demo.share(3, large, T::Imbalance), 0.4) << "the others wait";
    const std::vector<double> on_few = demo.ranked(4).ranking.milliseconds;
    EXPECT_GT(on_few[demo.place(many_cores)], 1.03 * on_few[large]) << "the former winner has clearly lost";
    EXPECT_GE(demo.map_winners(4), 3);
}

TEST(WhatIfDemos, OfPaddingAreWonByZerosOnTheLaptopAlone) {
    const SimulatedDemo demo("padding");
    ASSERT_EQ(demo.demo().steps.size(), 3);
    const auto zeros = [&](std::size_t step) {
        return demo.share(step, demo.place(demo.winner(step)), T::FillIn);
    };
    EXPECT_EQ(zeros(0), 0);
    EXPECT_LT(demo.share(0, demo.place(demo.winner(0)), T::MemoryTraffic), 0.05) << "all stays in the L3";
    EXPECT_GT(zeros(1), 0);
    const MachineRanking laptop = demo.ranked(1);
    const std::size_t compact = demo.place(demo.winner(0));
    const std::size_t winner = *laptop.ranking.winner();
    EXPECT_GT(laptop.ranking.milliseconds[compact], 1.05 * laptop.ranking.milliseconds[winner]);
    EXPECT_LT(laptop.parts[winner][T::MemoryTraffic], laptop.parts[compact][T::MemoryTraffic])
        << "because it fetches less";
    const SuperSchedule& fast = demo.winner(2);
    EXPECT_EQ(demo.winner(1).splits[0], 4);
    EXPECT_EQ(fast.splits[0], 2) << "fewer zeros";
    const MachineRanking fast_memory = demo.ranked(2);
    const auto behind = [&](const MachineRanking& ranking) {
        return ranking.ranking.milliseconds[compact] /
               ranking.ranking.milliseconds[*ranking.ranking.winner()];
    };
    EXPECT_LT(behind(fast_memory), 1.05) << "without zeros it is not far behind";
    EXPECT_GT(behind(laptop), 1.15);
}

TEST(WhatIfDemos, OfTheCacheAreTurnedByItsSizeAlone) {
    const SimulatedDemo demo("cache");
    ASSERT_EQ(demo.demo().steps.size(), 3);
    const std::size_t first = demo.place(demo.winner(0));
    EXPECT_NE(demo.winner(0), demo.winner(1));
    EXPECT_LT(demo.share(0, first, T::MemoryTraffic), 0.05);
    EXPECT_GT(demo.share(1, first, T::MemoryTraffic), 0.3);
    const MachineRanking small = demo.ranked(1);
    EXPECT_GT(small.parts[first][T::MemoryTraffic], small.parts[*small.ranking.winner()][T::MemoryTraffic]);
    EXPECT_GE(demo.map_winners(2), 2);
}

class DemoTourTest : public WindowTest {};

TEST_F(DemoTourTest, AreWalkedThroughFromTheHelpMenuEachStepBesideWhatItIsAbout) {
    for (const WhatIfDemo& demo : what_if_demos()) {
        find<QAction>(qPrintable(QStringLiteral("demo-") + demo.id))->trigger();
        ASSERT_TRUE(wait_until([&] { return window().tour().is_under_way(); }));
        ASSERT_EQ(window().tour().steps(), static_cast<int>(demo.steps.size()));
        auto* const page = qobject_cast<WhatIfPage*>(window().page(QStringLiteral("whatif")));
        for (std::size_t step = 0; step < demo.steps.size(); ++step) {
            const WhatIfScene& scene = demo.steps[step].scene;
            ASSERT_TRUE(wait_until([&] { return page->study().study() != nullptr && page->is_settled(); }));
            EXPECT_EQ(window().current_page(), page);
            EXPECT_EQ(program_->selection().current().workload, demo.matrix);
            EXPECT_EQ(page->bars(0).picture().bars.size(), scene.schedules.size() + 1) << "and fixed CSR";
            EXPECT_EQ(page->bars(0).picture().terms.size() == 1, scene.formula == WhatIfFormula::Paper);
            QWidget* const target = window().tour().target(static_cast<int>(step));
            ASSERT_NE(target, nullptr);
            EXPECT_TRUE(target->isVisible());
            click(find<QPushButton>("tour-next"));
        }
        EXPECT_FALSE(window().tour().is_under_way());
    }
    auto* const set = find<QComboBox>("what-if-set");
    EXPECT_EQ(set->currentText(), QStringLiteral("Those of the demo"));
    set->setCurrentIndex(0);
    auto* const page = qobject_cast<WhatIfPage*>(window().page(QStringLiteral("whatif")));
    ASSERT_TRUE(wait_until([&] { return page->is_settled(); }));
    EXPECT_EQ(page->bars(0).picture().bars.size(), 20) << "the usual ones again";
    EXPECT_EQ(set->findText(QStringLiteral("Those of the demo")), -1);
}

} // namespace
} // namespace sparsight::testing
