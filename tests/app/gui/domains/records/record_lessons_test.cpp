// The lessons on tuning records, walked through from the Help menu. What they say in numbers is read from the
// window.
#include "app/gui/shell/domains_fixture.h"
#include "app/gui/shell/lesson_walk.h"
#include "gui/configurations/configuration_why.h"
#include "gui/selection/selection.h"
#include "widgets/chart/plots/waterfall_chart.h"

#include <QLabel>
#include <map>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class RecordLessonsTest : public LessonWalk<DomainsTest> {
protected:
    RecordLessonsTest() {
        recorded_checks_ = {{QStringLiteral("ratio"), [this] { expect_ratio(); }},
                            {QStringLiteral("blame"), [this] { expect_blame(); }},
                            {QStringLiteral("tuners"), [this] { expect_tuners(); }}};
    }
    /// "The same configuration takes 6.7 times as long as the fastest one there."
    void expect_ratio() {
        EXPECT_TRUE(wait_until([&] { return selected_ratio() == "6.72×"; })) << selected_ratio();
        EXPECT_THAT(shown<QLabel>("headline")->text().toStdString(),
                    HasSubstr("takes 6.72× of this time and has rank 323."));
    }
    /// "One decision carries almost all of the loss: *read_only*, which is 0 instead of 1."
    void expect_blame() {
        auto* const why = shown<ConfigurationWhy>("configuration-why");
        const auto* const sentence = why->findChild<QLabel*>(QStringLiteral("why-sentence"));
        ASSERT_NE(sentence, nullptr);
        EXPECT_TRUE(wait_until([&] { return sentence->text().contains(QStringLiteral("read_only")); }));
        EXPECT_THAT(sentence->text().toStdString(), HasSubstr("read_only as 0 instead of 1 costs"));
    }
    /// "Transfer needs as few. Random search is still far away after ten."
    void expect_tuners() {
        const std::string told = shown<QLabel>("search-progress-sentence")->text().toStdString();
        EXPECT_THAT(told, HasSubstr("Transfer takes 1.02× of the fastest time after 10 measurements"));
        EXPECT_THAT(told, HasSubstr("random search 7.55×"));
    }
    /// Of the selected configuration in the table; empty where none is selected.
    [[nodiscard]] std::string selected_ratio() {
        auto* const list = shown<DataTable>("configuration-list");
        const auto row = list->current_source_row();
        const auto ratios = column(*list, QStringLiteral("Ratio to best"));
        const auto names = column(*list, QStringLiteral("Configuration"));
        const std::string wanted = program_->selection().current().configuration.toStdString();
        for (std::size_t at = 0; at < names.size(); ++at)
            if (names[at] == wanted)
                return ratios[at];
        return row < 0 ? "" : "not there";
    }
};

TEST_F(RecordLessonsTest, HaveACheckForWhatTheySayOfJobs) {
    expect_checks_for(lessons_of(QStringLiteral("records")));
}

TEST_F(RecordLessonsTest, TheBestOfOneGpuLosesOnAnotherAndFewMeasurementsMendIt) {
    const std::vector<Lesson> all = lessons_of(QStringLiteral("records"));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_GE(all.front().minutes, 3);
    EXPECT_LE(all.front().minutes, 6);
    std::map<std::size_t, int> looked;
    constexpr QSize small(960, 540); // 1920 × 1080 at 200 %
    window().resize(small);
    walk(all.front(), [&](std::size_t step) {
        ++looked[step];
        EXPECT_EQ(window().size(), small) << step;
        EXPECT_EQ(program_->session().domain().name(), "records");
        if (step == 1) {
            EXPECT_EQ(selected_ratio(), "1.00×");
        }
    });
    EXPECT_EQ(looked.size(), all.front().steps.size());
}

} // namespace
} // namespace sparsight::testing
