#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/workflow/explanation/what_if_study.h"
#include "gui/domains/sparse/whatif/learned_times.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/subject_choice.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/domains/sparse/whatif/what_if_headline.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/domains/sparse/whatif/winner_view.h"
#include "gui/page/machine_words.h"
#include "machine/machine_description.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "widgets/chart/plots/region_map.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/look/number_input.h"

#include <QComboBox>
#include <QLabel>
#include <QProcess>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <ranges>
#include <set>

namespace sparsight {
namespace {

using P = MachineParameter;

TEST(EditedMachine, MovingThereAndBackLeavesNoTrace) {
    const MachineDescription given = find_machine_preset("epyc-7543")->machine;
    ASSERT_GT(resolve_parameters(given).values[P::Sockets], 1);
    EditedMachine machine(given);
    machine.set(P::Cores, 1); // of several sockets, one is left
    EXPECT_EQ(resolve_parameters(machine.now()).values[P::Sockets], 1);
    machine.set(P::Cores, resolve_parameters(given).values[P::Cores]);
    EXPECT_FALSE(machine.is_changed());
    EXPECT_EQ(machine.now(), given);
}

TEST(EditedMachine, CanBeSeenWithoutSomeOfItsChanges) {
    EditedMachine machine(report_machine_a());
    machine.set(P::Cores, 32);
    machine.set(P::L2Bytes, 1 << 18);
    const MachineParameters without = resolve_parameters(machine.without({P::Cores})).values;
    EXPECT_EQ(without[P::Cores], 8);
    EXPECT_EQ(without[P::L2Bytes], 1 << 18);
    machine.reset();
    EXPECT_EQ(machine.now(), report_machine_a());
}

TEST(EditedMachine, SaysWhichChangeAValueFollowsThatNobodyMoved) {
    const MachineDescription given = find_machine_preset("epyc-7543")->machine;
    EditedMachine machine(given);
    EXPECT_TRUE(machine.leaders_of(P::L3Caches).empty());
    machine.set(P::Cores, 4);
    machine.set(P::MemoryLatency, 200);
    ASSERT_NE(resolve_parameters(machine.now()).values[P::L3Caches],
              resolve_parameters(given).values[P::L3Caches]);
    EXPECT_EQ(machine.leaders_of(P::L3Caches), std::vector{P::Cores});
    EXPECT_TRUE(machine.leaders_of(P::Cores).empty()) << "it was moved";
    machine.set(P::L3Caches, 2);
    EXPECT_TRUE(machine.leaders_of(P::L3Caches).empty());
}

std::string headline(const std::vector<double>& milliseconds) {
    Study study;
    for (std::size_t schedule = 0; schedule < milliseconds.size(); ++schedule)
        study.labels.push_back(QString(QChar(static_cast<char16_t>(u'p' + schedule))));
    return winner_text(study, rank(milliseconds), QStringLiteral("here")).toStdString();
}

TEST(WinnerText, SaysByHowMuchWithTwoDigits) {
    EXPECT_EQ(headline({2.2468, 1}), "<b>q</b> wins on here, 120\u00A0% ahead of p.");
    EXPECT_EQ(headline({1, 1.01234}), "<b>p</b> wins on here, 1.2\u00A0% ahead of q.");
}

TEST(WinnerText, WhatIsLessThanOnePercentApartIsEquallyFast) {
    EXPECT_EQ(headline({1.000144, 1, 1.5}),
              "“<b>q</b>” and “<b>p</b>” are equally fast on here, 50\u00A0% ahead of r.");
    EXPECT_EQ(headline({1, 1.005}), "“<b>p</b>” and “<b>q</b>” are equally fast on here.");
    EXPECT_EQ(headline({1, 1, 1, 1, 1}), "“<b>p</b>”, “<b>q</b>” and 3 others are equally fast on here.");
}

TEST(WinnerText, OneThatHasATimeAloneIsNotAheadOfAnything) {
    const double none = std::numeric_limits<double>::infinity();
    EXPECT_EQ(headline({none, 1}), "<b>q</b> is alone on here.");
    EXPECT_EQ(headline({none, none}), "Nothing has a time on here.");
}

TEST(WinnerText, OfLearnedTimesSaysWhereIntervalsOverlap) {
    Study study;
    study.labels = {QStringLiteral("p"), QStringLiteral("q"), QStringLiteral("r")};
    MachineRanking learned{rank(std::vector{1.0, 1.2, 3.0}), {}, QStringLiteral("gray"), true};
    const auto told = [&] {
        return learned_winner_text(study, learned, QStringLiteral("here")).toStdString();
    };
    EXPECT_THAT(told(), ::testing::EndsWith("20\u00A0% ahead of q.")) << "no interval is stated";
    learned.intervals = {{0.8, 1.25}, {1.0, 1.4}, {2.0, 4.0}};
    EXPECT_THAT(told(),
                ::testing::EndsWith("The interval of 1 other schedule overlaps, so the order is uncertain."));
    learned.intervals[1] = {1.3, 1.4};
    EXPECT_THAT(told(), ::testing::EndsWith("20\u00A0% ahead of q.")) << "they are apart";
}

TEST(WhatIfHeadline, OfAModelThatKnowsNothingOfAMachineSaysThatItsTimesAreSimulated) {
    const EditedMachine edited(find_machine_preset("epyc-7543")->machine);
    const MachineRanking ranked;
    ResidentLearner learner;
    const LearnedTimes learned(learner);
    const std::vector<ShownMachine> machines{
        {QStringLiteral("EPYC 7543"), std::nullopt, edited, ranked, learned, {}}};
    EXPECT_EQ(learned_reason(QStringLiteral("gray"), machines).toStdString(),
              "gray knows nothing of EPYC 7543, so its times are simulated. The map is simulated.");
}

TEST(WhatIfHeadline, FarOffTimesAreToldUntilTheMachineIsChanged) {
    EditedMachine edited(find_machine_preset("epyc-7543")->machine);
    const ChosenMachine chosen{QStringLiteral("workspace:a"), QStringLiteral("here"), QStringLiteral("a"),
                               edited.given()};
    Study study;
    study.keys = {QStringLiteral("chunk 8")};
    study.labels = {QStringLiteral("CSR, chunk 8")};
    study.known[QStringLiteral("a")] = {
        .times = {{.milliseconds = 9, .spread_ms = 0.01}},
        .threads = static_cast<int>(resolve_parameters(edited.given()).values[P::Threads])};
    MachineRanking ranked;
    ranked.ranking = rank(std::vector{1.0});
    ranked.parts.resize(1);
    ResidentLearner learner;
    const LearnedTimes learned(learner);
    const auto told = [&] {
        return far_off_text(study, {QStringLiteral("here"), chosen, edited, ranked, learned, study.keys[0]},
                            true)
            .toStdString();
    };
    EXPECT_THAT(told(), ::testing::HasSubstr("<b>CSR, chunk 8</b> on here"));
    edited.set(P::Cores, 2);
    EXPECT_EQ(told(), "") << "nothing is known of another machine";
}

TEST(WinnerMarks, AScheduleKeepsItsLetterAndNoneIsTheNameOfAMachine) {
    Study study;
    study.keys = {QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")};
    const auto won_by = [](std::vector<std::size_t> winners) {
        WinnerMap map;
        for (const std::size_t winner : winners)
            map.cells.push_back({winner, 1, 0});
        return map;
    };
    WinnerMarks marks;
    const std::set<QString> machines{QStringLiteral("A"), QStringLiteral("D")};
    mark_winners(won_by({1, 1, 0}), study, machines, marks);
    EXPECT_EQ(marks.at(QStringLiteral("two")).letter, QStringLiteral("B"));
    EXPECT_EQ(marks.at(QStringLiteral("one")).letter, QStringLiteral("C"));
    Study other = study;
    other.keys[0] = QStringLiteral("of another matrix");
    mark_winners(won_by({0, 0, 2}), other, machines, marks);
    EXPECT_EQ(marks.at(QStringLiteral("one")).letter, QStringLiteral("C")) << "also where it does not win";
    EXPECT_EQ(marks.at(QStringLiteral("of another matrix")).letter, QStringLiteral("E"));
    EXPECT_EQ(marks.at(QStringLiteral("three")).letter, QStringLiteral("F"));
    EXPECT_EQ(marks.at(QStringLiteral("one")).colour, 1U);
    EXPECT_EQ(marks.at(QStringLiteral("three")).colour, 3U);
}

TEST(ParameterText, SizesAreWholeWhereTheyAreAndHaveTheUnitThatFits) {
    constexpr double kib = 1024;
    const auto written = [](double bytes) { return parameter_text(MachineParameter::L2Bytes, bytes); };
    EXPECT_EQ(written(512 * kib), QStringLiteral("512\u00A0KiB"));
    EXPECT_EQ(written(1024 * kib), QStringLiteral("1\u00A0MiB"));
    EXPECT_EQ(written(1178 * kib), QStringLiteral("1.15\u00A0MiB"));
    EXPECT_EQ(written(1023.8 * kib), QStringLiteral("1.00\u00A0MiB"));
    EXPECT_EQ(parameter_text(MachineParameter::L3Bytes, 256 * kib * kib), QStringLiteral("256\u00A0MiB"));
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using P = MachineParameter;

class WhatIfPageTest : public WindowTest {
protected:
    void begin() {
        open(make_workspace());
        program_->selection().select_workload(QStringLiteral("banded"));
        window().show_page(QStringLiteral("whatif"));
        wait();
        ASSERT_FALSE(bars().picture().bars.empty());
    }
    /// A laptop took this time for a schedule (fixed CSR) on "banded".
    static void record_time(const QString& file, const char* fingerprint, Milliseconds time,
                            const char* protocol = "adaptive", std::optional<SuperSchedule> schedule = {}) {
        MachineDescription machine = find_machine_preset("laptop")->machine;
        machine.source = MachineSource::Probed;
        machine.name = "measured laptop";
        auto workspace = Workspace::open(file.toStdString());
        const auto id = record_machine(*workspace, machine.name, fingerprint, machine_to_text(machine));
        const auto matrix = find_matrix(*workspace, "banded");
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = time;
        const int threads = static_cast<int>(resolve_parameters(machine).values[P::Threads]);
        EXPECT_TRUE(record_measurement(*workspace, {(**matrix).id, *id, 256, protocol},
                                       schedule.value_or(fixed_csr(Operator::SpMM, threads)), measurement));
    }
    /// The page with the laptop. Returns the file of the workspace.
    QString begin_with_time(const char* fingerprint, Milliseconds time, const char* protocol = "adaptive") {
        const QString file = make_workspace();
        record_time(file, fingerprint, time, protocol);
        open(file);
        Selected target = program_->selection().current();
        target.workload = QStringLiteral("banded");
        target.machine = QLatin1String(fingerprint);
        target.page = QStringLiteral("whatif");
        program_->selection().select(target);
        wait();
        return file;
    }
    /// The two bars behind the winner, without fixed CSR.
    [[nodiscard]] std::vector<StackedBar> two_others() {
        std::vector<StackedBar> others;
        for (const StackedBar& bar : bars().picture().bars | std::views::drop(1))
            if (others.size() < 2 && !is_fixed_csr(*parse_schedule(Operator::SpMM, bar.key.toStdString())))
                others.push_back(bar);
        return others;
    }
    /// They took as many times what is simulated.
    void record_bars(const QString& file, const char* fingerprint, const std::vector<StackedBar>& taken,
                     double factor) {
        auto workspace = Workspace::open(file.toStdString());
        const auto machine_id = find_machine(*workspace, fingerprint);
        const auto matrix = find_matrix(*workspace, "banded");
        const int threads = page().study().study()->known.at(QLatin1String(fingerprint)).threads;
        for (const StackedBar& bar : taken) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(factor * bar.total());
            EXPECT_TRUE(record_measurement(
                *workspace, {(**matrix).id, (**machine_id).id, 256},
                with_threads(*parse_schedule(Operator::SpMM, bar.key.toStdString()), threads), measurement));
        }
        program_->session().refresh();
    }
    /// By the simulation of the page.
    [[nodiscard]] double simulated_fixed_csr() {
        const auto& shown = bars().picture().bars;
        const QString key = meaning_key(fixed_csr(Operator::SpMM, 1));
        return std::ranges::find(shown, key, &StackedBar::key)->total();
    }
    void wait() {
        ASSERT_TRUE(wait_until([&] { return page().study().study() != nullptr && page_is_settled(); }));
    }
    WhatIfPage& page() { return *qobject_cast<WhatIfPage*>(window().page(QStringLiteral("whatif"))); }
    StackedBars& bars() { return page().bars(0); }
    [[nodiscard]] std::vector<QString> order() {
        std::vector<QString> keys;
        for (const StackedBar& bar : bars().picture().bars)
            keys.push_back(bar.key);
        return keys;
    }
    [[nodiscard]] std::string text(const char* name) { return find<QLabel>(name)->text().toStdString(); }
    void choose(const char* combo, int data) {
        auto* const box = find<QComboBox>(combo);
        box->setCurrentIndex(box->findData(data));
    }
    void choose_machine(const char* id) {
        auto* const box = find<QComboBox>("what-if-machine");
        box->setCurrentIndex(box->findData(QLatin1String(id)));
    }
    static SuperSchedule with_threads(SuperSchedule schedule, int threads) {
        schedule.threads = threads;
        return schedule;
    }
    static SuperSchedule chunked(int threads) {
        SuperSchedule schedule = fixed_csr(Operator::SpMM, threads);
        schedule.chunk = 16;
        return schedule;
    }
    QSlider* slider(P parameter) { return page().sliders().slider(parameter)->slider(); }
};

TEST_F(WhatIfPageTest, RanksTheSchedulesOfTheSelectedMatrixAndNamesTheWinner) {
    begin();
    EXPECT_EQ(bars().picture().bars.size(), 20);
    double before = 0;
    for (const StackedBar& bar : bars().picture().bars) {
        EXPECT_GE(bar.total(), before);
        before = bar.total();
        EXPECT_EQ(bar.parts.size(), time_term_count);
    }
    EXPECT_THAT(text("what-if-headline"),
                HasSubstr(bars().picture().bars[0].label.toHtmlEscaped().toStdString()));
    EXPECT_THAT(text("what-if-headline"), HasSubstr(" on EPYC 7543"));
    EXPECT_FALSE(page().winners().map().picture().empty());
}

TEST_F(WhatIfPageTest, ASliderRanksAgainAndItsWayBackRestoresTheRanking) {
    begin();
    const std::vector<QString> order_before = order();
    const double time_before = bars().picture().bars[0].total();
    QTest::keyClick(slider(P::Cores), Qt::Key_Home);
    EXPECT_GT(bars().picture().bars[0].total(), 2 * time_before) << "one core";
    EXPECT_THAT(text("what-if-headline"), HasSubstr("changed"));
    EXPECT_EQ(page().winners().map().picture().here->x(), 1) << "the map's cross goes along";
    const ValueSlider& follower = *page().sliders().slider(P::ChunkCost);
    EXPECT_EQ(follower.followed(), page().sliders().slider(P::Cores)->slider()->accessibleName());
    EXPECT_FALSE(follower.reset_button()->isVisible()) << "nobody moved it";
    click(page().sliders().slider(P::Cores)->reset_button());
    EXPECT_TRUE(follower.followed().isEmpty());
    EXPECT_EQ(order(), order_before);
    EXPECT_EQ(bars().picture().bars[0].total(), time_before);

    for (const P parameter : {P::MemoryLatency, P::ChunkCost})
        QTest::keyClick(slider(parameter), Qt::Key_End);
    EXPECT_GT(bars().picture().bars[0].total(), time_before);
    click(find<QPushButton>("what-if-reset"));
    EXPECT_EQ(bars().picture().bars[0].total(), time_before);
    wait();
}

TEST_F(WhatIfPageTest, ShowsTheWholeNamesOfSlidersAndWhatTheyFollow) {
    begin();
    QTest::keyClick(slider(P::Cores), Qt::Key_Home);
    for (const QSize size : {QSize(1280, 800), QSize(960, 540)}) {
        window().resize(size);
        wait();
        QCoreApplication::processEvents();
        int followers = 0;
        for (const P parameter : slider_parameters()) {
            const ValueSlider& one = *page().sliders().slider(parameter);
            bool has_remark = false;
            for (const QLabel* const label : one.findChildren<QLabel*>()) {
                if (!label->isVisible())
                    continue;
                has_remark = has_remark || label->text() == QStringLiteral("Follows ") + one.followed();
                EXPECT_TRUE(label->wordWrap() || label->width() >= label->sizeHint().width())
                    << label->text().toStdString() << " at " << size.width();
            }
            EXPECT_EQ(has_remark, !one.followed().isEmpty()) << one.slider()->accessibleName().toStdString();
            followers += one.followed().isEmpty() ? 0 : 1;
        }
        EXPECT_GE(followers, 2);
    }
}

TEST_F(WhatIfPageTest, AClickOnTheMapGoesThere) {
    begin();
    RegionMap& map = page().winners().map();
    const MapCell cell{3, 5};
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.place_of(cell).toPoint());
    EXPECT_EQ(page().sliders().slider(P::Cores)->value(), map.picture().x_values[3]);
    EXPECT_NEAR(page().sliders().slider(P::L3Bytes)->value() / map.picture().y_values[5], 1, 1e-3);
    EXPECT_EQ(bars().picture().bars[0].key,
              map.picture().owners[map.picture().owner(cell.column, cell.row)].key)
        << "who wins there by the map wins the ranking";
}

TEST_F(WhatIfPageTest, ABarSelectsItsScheduleEverywhere) {
    begin();
    QTest::mouseClick(bars().viewport(), Qt::LeftButton, {}, bars().place_of(2).toPoint());
    const Selected now = program_->selection().current();
    EXPECT_EQ(now.family, QStringLiteral("spmm"));
    const auto schedule = parse_schedule(Operator::SpMM, now.configuration.toStdString());
    ASSERT_TRUE(schedule) << now.configuration.toStdString();
    EXPECT_EQ(meaning_key(*schedule), bars().picture().bars[2].key);
    EXPECT_FALSE(page().study().is_busy()) << "nothing is counted again for it";
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QString::fromStdString(to_text(fixed_csr(Operator::SpMM, 2))));
    EXPECT_EQ(bars().selected(), meaning_key(fixed_csr(Operator::SpMM, 1))) << "selected elsewhere";
}

TEST_F(WhatIfPageTest, ByThePaperNoSliderChangesTheOrderAndTheMapHasOneColour) {
    begin();
    choose("what-if-formula", static_cast<int>(WhatIfFormula::Paper));
    wait();
    EXPECT_THAT(text("what-if-reason"), HasSubstr("no slider can change who wins"));
    EXPECT_EQ(page().winners().map().picture().owners.size(), 1);
    const std::vector<QString> before = order();
    const double time = bars().picture().bars[0].total();
    for (const P parameter : {P::Cores, P::SocketBandwidth, P::MemoryLatency}) {
        QTest::keyClick(slider(parameter), Qt::Key_Home);
        EXPECT_EQ(order(), before);
    }
    EXPECT_NE(bars().picture().bars[0].total(), time);
    choose("what-if-formula", static_cast<int>(WhatIfFormula::Mechanistic));
    wait();
    EXPECT_GT(page().winners().map().picture().owners.size(), 1);
}

TEST_F(WhatIfPageTest, AnotherMachineStandsBesideItWithSlidersOfItsOwn) {
    begin();
    EXPECT_FALSE(page().bars(1).isVisible());
    auto* const second = find<QComboBox>("what-if-second-machine");
    EXPECT_GE(second->findText(QStringLiteral("Example machine A (from the paper)")), 0)
        << "a letter alone names a schedule";
    EXPECT_LT(second->findText(QStringLiteral("A")), 0);
    second->setCurrentIndex(second->findData(QStringLiteral("preset:laptop")));
    ASSERT_TRUE(page().bars(1).isVisible());
    EXPECT_EQ(page().bars(1).picture().bars.size(), 20);
    EXPECT_THAT(text("what-if-headline"), HasSubstr("EPYC 7543"));
    const double first_time = bars().picture().bars[0].total();
    const double second_time = page().bars(1).picture().bars[0].total();
    auto* const which = find<QTabBar>("what-if-which");
    QTest::mouseClick(which, Qt::LeftButton, {}, which->tabRect(1).center());
    QTest::keyClick(slider(P::Cores), Qt::Key_Home);
    EXPECT_EQ(bars().picture().bars[0].total(), first_time);
    EXPECT_GT(page().bars(1).picture().bars[0].total(), second_time);
    second->setCurrentIndex(0);
    EXPECT_FALSE(page().bars(1).isVisible());
    wait();
}

TEST_F(WhatIfPageTest, TimesOfARecordingAreNotCalledMeasured) {
    begin_with_time("recorded:far", Milliseconds(0.5));
    EXPECT_EQ(bars().picture().marker_name, QStringLiteral("recorded"));
}

TEST_F(WhatIfPageTest, TimesOfTheMachineAreMarkedBesideTheSimulatedOnes) {
    const QString file = begin_with_time("here", Milliseconds(0.5));
    EXPECT_THAT(text("what-if-headline"), HasSubstr("measured laptop"));
    const QString csr = meaning_key(fixed_csr(Operator::SpMM, 1));
    int markers = 0;
    for (const StackedBar& bar : bars().picture().bars) {
        EXPECT_EQ(bar.marker.has_value(), bar.key == csr);
        markers += bar.marker == 0.5 ? 1 : 0;
    }
    EXPECT_EQ(markers, 1);
    EXPECT_EQ(bars().picture().marker_name, QStringLiteral("measured"));

    {
        auto workspace = Workspace::open(file.toStdString());
        const auto machine_id = find_machine(*workspace, "here");
        const auto matrix = find_matrix(*workspace, "banded");
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(0.25);
        const int threads = page().study().study()->known.at(QStringLiteral("here")).threads;
        const auto other = parse_schedule(Operator::SpMM, bars().picture().bars[3].key.toStdString());
        ASSERT_TRUE(record_measurement(
            *workspace, {(**matrix).id, (**machine_id).id, 256},
            is_fixed_csr(*other) ? chunked(threads) : with_threads(*other, threads), measurement));
    }
    program_->session().refresh();
    EXPECT_TRUE(wait_until([&] {
        return std::ranges::count_if(bars().picture().bars,
                                     [](const StackedBar& bar) { return bar.marker.has_value(); }) == 2;
    })) << "what was measured meanwhile is marked, too";

    wait();
    auto* const choice = find<QComboBox>("what-if-machine");
    choice->setCurrentIndex(choice->findData(QStringLiteral("preset:epyc-7543")));
    QTest::mouseClick(bars().viewport(), Qt::LeftButton, {}, bars().place_of(1).toPoint());
    EXPECT_THAT(text("what-if-headline"), HasSubstr("EPYC 7543")) << "a schedule brings no machine along";
}

TEST_F(WhatIfPageTest, OfAllWithATimeTheMachinesOwnAreRankedSoThatEachHasAMark) {
    const QString file = make_workspace();
    const int threads =
        static_cast<int>(resolve_parameters(find_machine_preset("laptop")->machine).values[P::Threads]);
    record_time(file, "here", Milliseconds(0.5));
    record_time(file, "here", Milliseconds(0.4), "adaptive", chunked(threads));
    SuperSchedule elsewhere = chunked(threads);
    elsewhere.chunk = 64;
    record_time(file, "recorded:far", Milliseconds(0.3), "adaptive", elsewhere);
    open(file);
    program_->selection().select_workload(QStringLiteral("banded"));
    program_->selection().select_machine(QStringLiteral("here"));
    window().show_page(QStringLiteral("whatif"));
    choose("what-if-set", 0);
    wait();
    EXPECT_EQ(bars().picture().bars.size(), 2);
    for (const StackedBar& bar : bars().picture().bars)
        EXPECT_TRUE(bar.marker.has_value()) << bar.label.toStdString();
    choose_machine("preset:epyc-7543");
    wait();
    EXPECT_EQ(bars().picture().bars.size(), 3) << "of a machine without times, all with a time anywhere";
    choose_machine("workspace:recorded:far");
    wait();
    EXPECT_EQ(bars().picture().bars.size(), 2) << "its own, and fixed CSR";
}

TEST_F(WhatIfPageTest, SaysFirstThatTheClockIsFarOffTheSimulationOfTheSelectedSchedule) {
    begin_with_time("recorded:far", Milliseconds(1000));
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QString::fromStdString(to_text(fixed_csr(Operator::SpMM, 8))));
    EXPECT_THAT(text("what-if-headline"), StartsWith("The simulation of <b>fixed CSR</b> takes "));
    EXPECT_THAT(text("what-if-headline"),
                HasSubstr("; the recorded time is 1.00\u00A0s. Read the parts below with care.<br>"));
    QTest::keyClick(slider(P::Cores), Qt::Key_Home);
    EXPECT_THAT(text("what-if-headline"), Not(HasSubstr("with care")))
        << "a machine that was changed took no time";
    click(find<QPushButton>("what-if-reset"));
    EXPECT_THAT(text("what-if-headline"), HasSubstr("with care"));
    choose("what-if-formula", static_cast<int>(WhatIfFormula::Paper));
    EXPECT_THAT(text("what-if-headline"), Not(HasSubstr("with care"))) << "its parts are no times";
}

TEST_F(WhatIfPageTest, SaysFirstThatTheSimulationIsFarOffForSchedulesOtherThanTheWinner) {
    const QString file = begin_with_time("recorded:far", Milliseconds(1000));
    ASSERT_NE(bars().picture().bars.front().key, meaning_key(fixed_csr(Operator::SpMM, 1)));
    EXPECT_THAT(text("what-if-headline"), StartsWith("The simulation of <b>fixed CSR</b> takes "));
    const std::vector<StackedBar> others = two_others();
    record_bars(file, "recorded:far", others, 3);
    ASSERT_TRUE(wait_until(
        [&] { return page_is_settled() && find<QLabel>("what-if-headline")->text().contains(u"median"); }));
    EXPECT_THAT(
        text("what-if-headline"),
        StartsWith("The simulation is far off: its times differ from the recorded ones by a factor of 3"));
    EXPECT_THAT(text("what-if-headline"),
                HasSubstr(" (median of 3 schedules). Read the parts below with care.<br>"));
    EXPECT_THAT(text("what-if-headline"), HasSubstr(" wins on "));
    record_bars(file, "recorded:far", others, 1.1);
    EXPECT_TRUE(wait_until([&] {
        return page_is_settled() && !find<QLabel>("what-if-headline")->text().contains(u"with care");
    })) << "one of three is far off";
}

TEST(ModelsThatTell, AreGrayBoxesOfTheMachineFirstAndThoseOfOtherMachinesNot) {
    const auto domain = make_sparse_domain();
    const auto model = [](const char* name, const char* architecture, const char* method,
                          const QStringList& machines) {
        KnownModel made;
        made.name = QLatin1String(name);
        made.architecture = QLatin1String(architecture);
        made.method = QLatin1String(method);
        made.purpose = QStringLiteral("spmm");
        made.machines = machines;
        return made;
    };
    StoredLearning learning;
    learning.models = {model("network", "statistics", "supervised", {}),
                       model("general", "gray-box", "closed-form", {}),
                       model("elsewhere", "gray-box", "fine-tuned", {QStringLiteral("server")}),
                       model("here", "gray-box", "fine-tuned", {QStringLiteral("laptop")})};
    const auto told = [&](const QString& machine, std::int64_t dense = 256) {
        return models_that_tell(learning, *domain, setting_of(Operator::SpMM, dense), machine);
    };
    const QStringList all{QStringLiteral("here"), QStringLiteral("general"), QStringLiteral("network")};
    EXPECT_EQ(told(QStringLiteral("laptop")), all);
    EXPECT_EQ(told({}), QStringList()) << "a preset is no machine of the workspace";
    for (KnownModel& each : learning.models)
        if (each.is_gray_box())
            each.simulated_numbers[QStringLiteral("dense")] = 256;
    EXPECT_EQ(told(QStringLiteral("laptop")), all);
    EXPECT_EQ(told(QStringLiteral("laptop"), 64), QStringList{QStringLiteral("network")});
}

TEST_F(WhatIfPageTest, OffersTheTimesThatAModelOfTheWorkspaceLearned) {
    const QString file = make_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        for (int size = 100; size < 105; ++size) {
            const auto pattern = generate_matrix("banded", {{"size", size}}, 1);
            ASSERT_TRUE(add_matrix(*workspace, {fmt::format("banded-{}", size), "generated", {}}, *pattern));
        }
    }
    QProcess learner;
    learner.start(QStringLiteral(SPARSIGHT_CLI),
                  {QStringLiteral("train"), QStringLiteral("--name=gray"),
                   QStringLiteral("--preset=gray-box"), QStringLiteral("--simulated=deviating:2"),
                   QStringLiteral("--epochs=1"), QStringLiteral("--no-baseline"),
                   QStringLiteral("--threads=1"), QStringLiteral("--quiet"), QStringLiteral("--workspace"),
                   file});
    ASSERT_TRUE(learner.waitForFinished(120'000));
    ASSERT_EQ(learner.exitCode(), 0) << learner.readAllStandardError().toStdString();
    record_time(file, "here", Milliseconds(1000));
    open(file);
    Selected target = program_->selection().current();
    target.workload = QStringLiteral("banded");
    target.machine = QStringLiteral("here");
    target.page = QStringLiteral("whatif");
    program_->selection().select(target);
    auto* const formula = find<QComboBox>("what-if-formula");
    ASSERT_TRUE(wait_until([&] { return formula->findData(QStringLiteral("gray")) >= 0; }));
    wait();
    EXPECT_THAT(text("what-if-headline"), HasSubstr("Read the parts below with care.<br>Choose <i>Learned "
                                                    "by gray</i> under Formula"));
    const double simulated = simulated_fixed_csr();

    formula->setCurrentIndex(formula->findData(QStringLiteral("gray")));
    wait();
    EXPECT_THAT(text("what-if-headline"), StartsWith("Learned by gray: "));
    EXPECT_THAT(text("what-if-reason"), StartsWith("Learned, not measured: "));
    EXPECT_EQ(bars().picture().terms.size(), 1);
    EXPECT_EQ(bars().picture().bars.size(), 20);
    EXPECT_NEAR(simulated_fixed_csr(), 1000, 0.1) << "the measured time of fixed CSR, not " << simulated;

    QTest::keyClick(slider(P::Cores), Qt::Key_Home);
    EXPECT_THAT(text("what-if-reason"), StartsWith("gray knows nothing of measured laptop, changed"));
    EXPECT_EQ(bars().picture().terms.size(), time_term_count);
    click(find<QPushButton>("what-if-reset"));
    wait();
    EXPECT_THAT(text("what-if-headline"), StartsWith("Learned by gray: "));

    find<QSpinBox>("what-if-dense")->setValue(32);
    wait();
    EXPECT_LT(formula->findData(QStringLiteral("gray")), 0) << "it simulates 256 columns";
}

TEST_F(WhatIfPageTest, SaysNothingOfAClockThatIsNearTheSimulation) {
    const QString file = begin_with_time("recorded:far", Milliseconds(1000));
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QString::fromStdString(to_text(fixed_csr(Operator::SpMM, 8))));
    record_time(file, "recorded:far", Milliseconds(1.2 * simulated_fixed_csr()));
    program_->session().refresh();
    EXPECT_TRUE(wait_until([&] {
        return page_is_settled() && !find<QLabel>("what-if-headline")->text().contains(u"with care");
    }));
}

TEST_F(WhatIfPageTest, TakesTheTimesOfOneNumberOfThreads) {
    const QString file = make_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        const MachineDescription laptop = find_machine_preset("laptop")->machine;
        const auto id = record_machine(*workspace, laptop.name, "recorded:far", machine_to_text(laptop));
        const auto matrix = find_matrix(*workspace, "banded");
        const auto record = [&](int chunk, int threads) {
            SuperSchedule schedule = fixed_csr(Operator::SpMM, threads);
            schedule.chunk = chunk;
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(1);
            EXPECT_TRUE(record_measurement(*workspace, {(**matrix).id, *id, 256}, schedule, measurement));
        };
        record(16, 1);
        record(8, 1);
        record(4, 8); // the last one
    }
    open(file);
    program_->selection().select_workload(QStringLiteral("banded"));
    window().show_page(QStringLiteral("whatif"));
    wait();
    const ClockTimes& known = page().study().study()->known.at(QStringLiteral("recorded:far"));
    EXPECT_EQ(known.threads, 1) << "fixed CSR has no time, and most times are of one thread";
    EXPECT_EQ(std::ranges::count_if(known.times,
                                    [](const ClockTime& time) { return time.milliseconds.has_value(); }),
              2);
}

TEST_F(WhatIfPageTest, RanksTheSchedulesThatTheCommandRanks) {
    const QString file = make_workspace();
    record_time(file, "recorded:far", Milliseconds(1), "adaptive", chunked(8));
    record_time(file, "recorded:near", Milliseconds(1));
    open(file);
    Selected target = program_->selection().current();
    target.workload = QStringLiteral("banded");
    target.machine = QStringLiteral("recorded:near");
    target.page = QStringLiteral("whatif");
    program_->selection().select(target);
    wait();
    WhatIfRequest request;
    request.matrix = "banded";
    request.machine = "recorded:near";
    Observer observer;
    const auto answered = answer_what_if({file.toStdString(), true, {}}, request, observer, {});
    ASSERT_TRUE(answered) << answered.error().text();
    std::vector<QString> by_command;
    for (const SuperSchedule& schedule : answered->schedules)
        by_command.push_back(meaning_key(schedule));
    EXPECT_EQ(page().study().study()->keys, by_command);
    EXPECT_THAT(by_command, Contains(meaning_key(chunked(8)))) << "measured on another machine";
}

TEST_F(WhatIfPageTest, MarksNoTimesThatWereSimulated) {
    begin_with_time("recorded:far", Milliseconds(0.5), "simulated");
    for (const StackedBar& bar : bars().picture().bars)
        EXPECT_FALSE(bar.marker) << bar.label.toStdString();
}

TEST_F(WhatIfPageTest, OtherOperatorsAndSetsAreCountedAnew) {
    begin();
    choose("what-if-set", 50);
    wait();
    EXPECT_EQ(bars().picture().bars.size(), 50);
    choose("what-if-operator", static_cast<int>(Operator::SpMV));
    wait();
    EXPECT_FALSE(find<QWidget>("what-if-dense")->isEnabled());
    EXPECT_EQ(page().study().study()->subject.op, Operator::SpMV);
}

TEST_F(WhatIfPageTest, ChoosesTheMatrixForEverybodyAndFollowsWhoeverChoosesIt) {
    const QString workspace = make_workspace();
    {
        auto file = Workspace::open(workspace.toStdString());
        const auto pattern = generate_matrix("banded", {{"size", 200}}, 1);
        ASSERT_TRUE(add_matrix(*file, {"other", "generated", {}}, *pattern).has_value());
    }
    open(workspace);
    program_->selection().select_workload(QStringLiteral("banded"));
    window().show_page(QStringLiteral("whatif"));
    wait();
    auto* const matrix = find<QComboBox>("what-if-matrix");
    ASSERT_EQ(matrix->count(), 2);
    EXPECT_EQ(matrix->currentText(), program_->selection().current().workload);
    const int other = matrix->currentIndex() == 0 ? 1 : 0;
    matrix->setCurrentIndex(other);
    EXPECT_EQ(program_->selection().current().workload, matrix->itemText(other));
    wait();
    EXPECT_EQ(page().study().subject().matrix, matrix->itemText(other));
    program_->selection().select_workload(matrix->itemText(1 - other));
    EXPECT_EQ(matrix->currentIndex(), 1 - other);
    program_->selection().select_workload({});
    EXPECT_EQ(matrix->currentIndex(), -1);
}

TEST_F(WhatIfPageTest, APresetIsToldFromAMachineOfTheWorkspaceWithItsName) {
    const QString file = make_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        MachineDescription machine = find_machine_preset("epyc-7543")->machine;
        ASSERT_TRUE(record_machine(*workspace, machine.name, "own", machine_to_text(machine)).has_value());
    }
    auto* const machines = find<QComboBox>("what-if-machine");
    EXPECT_EQ(machines->findText(QStringLiteral("EPYC 7543 (preset)")), -1) << "there is one of this name";
    open(file);
    EXPECT_EQ(
        machines->itemData(machines->findText(QStringLiteral("EPYC 7543"), Qt::MatchExactly)).toString(),
        QStringLiteral("workspace:own"));
    EXPECT_EQ(machines->itemData(machines->findText(QStringLiteral("EPYC 7543 (preset)"))).toString(),
              QStringLiteral("preset:epyc-7543"));
}

TEST_F(WhatIfPageTest, LongNamesOfMachinesAreToldInFull) {
    begin();
    const auto* const machine = find<MachineChoice>("what-if-machine");
    EXPECT_THAT(machine->toolTip().toStdString(),
                ::testing::StartsWith(machine->currentText().toStdString()));
    find<MachineChoice>("what-if-second-machine")->setCurrentIndex(2);
    EXPECT_THAT(
        find<MachineChoice>("what-if-second-machine")->toolTip().toStdString(),
        ::testing::StartsWith(find<MachineChoice>("what-if-second-machine")->currentText().toStdString()));
}

TEST_F(WhatIfPageTest, WithoutAMatrixItSaysWhatToDo) {
    open(make_workspace());
    Selected nothing;
    nothing.page = QStringLiteral("whatif");
    program_->selection().select(nothing);
    ASSERT_TRUE(wait_until([&] { return window().current_page() == &page(); }));
    click(find<QPushButton>("what-if-go-choosing"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("matrices"));
}

TEST_F(WhatIfPageTest, OfAMatrixWithoutEntriesItSaysThatTheyAreNotKnown) {
    const QString file = make_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        ASSERT_TRUE(add_matrix_name(*workspace, "nameless", "imported times"));
    }
    open(file);
    program_->selection().select_workload(QStringLiteral("nameless"));
    window().show_page(QStringLiteral("whatif"));
    ASSERT_TRUE(wait_until([&] { return window().current_page() == &page(); }));
    QStringList said;
    for (const QLabel* label : page().findChildren<QLabel*>())
        if (label->isVisible())
            said << label->text();
    EXPECT_THAT(said, Contains(QStringLiteral("The entries of nameless are not known")));
    EXPECT_THAT(said.join(u' ').toStdString(), HasSubstr("Import its file (nameless.mtx"));
}

} // namespace
} // namespace sparsight::testing
