// Counting hardware events from the loop nest: a real process is started, and what it prints is shown.
#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "gui/domains/sparse/details/costed_code.h"

#include <QLabel>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// As on a computer whose processor shows its counters to everybody.
CounterAccess counters_of_another_computer() {
    return {.open = [](HardwareEvent) { return 1000; },
            .read = [](int) { return std::optional(std::array<std::uint64_t, 3>{1, 1, 1}); },
            .close = [](int) {}};
}

class CountedEventsTest : public WindowTest {
protected:
    CountedEventsTest() {
        open(make_workspace());
        view_.resize(900, 700);
        view_.setVisible(true);
    }

    /// What the view says after a click on *Count events*, where `worker` is the program that it starts.
    std::string told_by(const QString& worker) {
        view_.set_setting({.machine_key = worker,
                           .is_here = true,
                           .threads = 1,
                           .machine = MachineRequest(program_->session(), {}),
                           .worker = worker,
                           .workspace = program_->session().path()});
        view_.show(fixed_csr(Operator::SpMM, 1),
                   std::make_shared<const CsrPattern>(*generate_matrix("banded", {{"size", 300}}, 1)),
                   QStringLiteral("banded"), 16);
        auto* const count = view_.findChild<QPushButton*>(QStringLiteral("count-events"));
        auto* const told = view_.findChild<QLabel*>(QStringLiteral("hardware-counters"));
        EXPECT_TRUE(wait_until([&] { return view_.is_settled() && count->isVisible(); }, 30));
        click(count);
        EXPECT_FALSE(count->isEnabled()) << "one at a time";
        EXPECT_TRUE(wait_until([&] { return count->isEnabled(); }, 60));
        EXPECT_TRUE(told->isVisible());
        return told->text().toStdString();
    }

    QString script(const std::string& text) {
        const auto file = folder_ / "worker";
        std::ofstream(file) << "#!/bin/sh\n" << text;
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return QString::fromStdString(file.string());
    }

    CostedCode view_{nullptr, counters_of_another_computer()};
};

TEST_F(CountedEventsTest, TheRealProgramSaysWhatItCountedOrWhyItCannot) {
    const std::string told = told_by(QStringLiteral(SPARSIGHT_CLI));
    if (const auto counters = HardwareCounters::open(); !counters)
        EXPECT_EQ(told, "Hardware counters: " + counters.error().message);
    else
        EXPECT_THAT(told, StartsWith("Counted in one run: "));
}

/// All that the real program prints, but for the counts.
TEST_F(CountedEventsTest, CountsThatTheProgramPrintsAreShown) {
    const std::string counts = fmt::format(R"("counted": {{"{}": 1234000.0, "{}": 2345000.0, "{}": null}})",
                                           name(HardwareEvent::Cycles), name(HardwareEvent::Instructions),
                                           name(HardwareEvent::CacheMisses));
    const std::string told = told_by(script(fmt::format(
        "set -e\n'{}' \"$@\" > '{}'\nsed -z -e 's/\"counted\": \\(null\\|{{[^}}]*}}\\)/{}/' "
        "-e 's/\"no_counters\": \"[^\"]*\"/\"no_counters\": null/' '{}'\n",
        SPARSIGHT_CLI, path("printed.json").toStdString(), counts, path("printed.json").toStdString())));
    EXPECT_EQ(told, counted_text({{QStringLiteral("counted"),
                                   QJsonObject{{QStringLiteral("cycles"), 1234000.0},
                                               {QStringLiteral("instructions"), 2345000.0}}}})
                        .toStdString());
    EXPECT_THAT(told, AllOf(StartsWith("Counted in one run: 1"), HasSubstr(" cycles, 2"),
                            ::testing::EndsWith(" instructions")));
}

TEST_F(CountedEventsTest, AProgramThatFailsIsToldInItsWords) {
    EXPECT_EQ(told_by(script("echo 'there is no such matrix' >&2\nexit 2\n")),
              "Hardware counters: there is no such matrix");
}

TEST_F(CountedEventsTest, AKernelThatCrashesTakesOnlyItsProcessDown) {
    EXPECT_EQ(told_by(script("kill -SEGV $$\n")), "Hardware counters: the kernel crashed");
}

TEST_F(CountedEventsTest, AProgramThatIsNotThereIsTold) {
    EXPECT_THAT(told_by(path("nowhere")), StartsWith("Hardware counters: "));
}

} // namespace
} // namespace sparsight::testing
