// Learning from a failure with real jobs: what is added is measured, a real model is fine-tuned with it, and
// both models are measured on what neither has learned from.
#include "failures_fixture.h"
#include "gui/failures/tuning_plan.h"
#include "gui/runs/stored_evaluations.h"
#include "store/rematches.h"

#include <QLabel>
#include <QProcess>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Names may break where they do not by themselves.
std::string without_places_to_break(const std::string& text) {
    return QString::fromStdString(text).remove(QChar(0x200B)).toStdString();
}

class TuningChainTest : public FailuresTest {
protected:
    void run_worker(const QStringList& words) {
        QProcess process;
        process.start(QStringLiteral(SPARSIGHT_CLI),
                      words + QStringList{QStringLiteral("--quiet"), QStringLiteral("--workspace"),
                                          path("w.sparsight")});
        ASSERT_TRUE(process.waitForFinished(120'000));
        ASSERT_EQ(process.exitCode(), 0)
            << words.join(u' ').toStdString() << ": " << process.readAllStandardError().toStdString();
    }
    [[nodiscard]] QStringList words_of_jobs(JobKind kind) {
        QStringList words;
        for (const Job& job : program_->jobs().jobs())
            if (job.kind == kind)
                words << job.arguments;
        return words;
    }
    void run_worker(const char* words) { run_worker(QString::fromLatin1(words).split(u' ')); }

    /// As if the turns of the evaluation had something far faster than whatever a model could choose on these
    /// matrices: all of its choices fail, however fast this computer is at the moment.
    void plant_best_known(const QStringList& matrices) {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(workspace);
        const auto evaluations = list_evaluations(*workspace);
        ASSERT_TRUE(evaluations && evaluations->size() == 1);
        const RunId run = evaluations->front().run;
        RematchTime planted{.schedule = fixed_csr(Operator::SpMM, 1), .turns_ms = std::vector(5, 1e-5)};
        planted.schedule.chunk = 2;
        for (const QString& name : matrices) {
            const auto matrix = find_matrix(*workspace, name.toStdString());
            ASSERT_TRUE(matrix && *matrix);
            auto times = list_rematch(*workspace, run, (*matrix)->id);
            ASSERT_TRUE(times && !times->empty()) << "an evaluation measures in turns";
            times->push_back(planted);
            ASSERT_TRUE(record_rematch(*workspace, run, (*matrix)->id, *times));
        }
    }
};

TEST_F(TuningChainTest, FromAFailureToAModelThatHasLearnedFromItAndTheComparisonOfBoth) {
    run_worker("new");
    run_worker("simulate banded --name learned-band --param size=400");
    run_worker("simulate uniform --name learned-uniform --param rows=300 cols=300");
    run_worker("simulate row-skewed --name learned-skew --param rows=350 cols=350");
    run_worker("simulate block-diagonal --name learned-blocks --param size=300");
    run_worker("simulate stencil-2d --name learned-plane --param x=20 y=20");
    run_worker("collect --schedules 12 --threads 1 --dense 32");
    run_worker("train --name first --epochs 2 --dense 32 --no-baseline --threads 1");
    run_worker("simulate banded --count 3 --seed 11 --name band --param size=500");
    run_worker("simulate row-skewed --count 2 --name skew --param rows=400 cols=400");
    run_worker("evaluate --models first --matrices band-11,band-12,band-13,skew-1,skew-2 --k 2 --threads 1 "
               "--dense 32");
    plant_best_known({QStringLiteral("band-11"), QStringLiteral("band-12"), QStringLiteral("band-13"),
                      QStringLiteral("skew-1"), QStringLiteral("skew-2")});
    open(path("w.sparsight"));
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().read()->cases.size() == 5; }, 60));
    program_->selection().select_matrix(QStringLiteral("band-12"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().study().shown() != nullptr; }, 60));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>band-12</b>"));

    auto* const tune = find<QPushButton>("tune-again");
    click(find<QPushButton>("add-measurements"));
    EXPECT_FALSE(tune->isEnabled()) << "its measurements come first";
    EXPECT_THAT(tune->toolTip().toStdString(), HasSubstr("being measured"));
    ASSERT_TRUE(wait_until([&] { return tune->isEnabled(); }, 60)) << tune->toolTip().toStdString();
    const QStringList searched = words_of_jobs(JobKind::Collect).filter(QStringLiteral("--search="));
    EXPECT_EQ(searched.size(), 1) << "the path from one schedule to the other alone teaches little";
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("on the 4 matrices of this evaluation"));
    click(tune);
    ASSERT_TRUE(wait_until([&] { return text("before-after") != ""; }, 120))
        << text("tuning-outcome") << program_->jobs().jobs().front().error.toStdString();
    for (const Job& job : program_->jobs().jobs())
        EXPECT_EQ(job.error.toStdString(), "") << job.title.toStdString();
    EXPECT_THAT(text("before-after"),
                AllOf(HasSubstr("same family (banded; 2 matrices)"), HasSubstr("other families (2 matrices)"),
                      HasSubstr("of first before"), HasSubstr("of first-mended after")));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>band-12</b>"))
        << "the case that it was asked for is still looked at";
    EXPECT_EQ(text("before-after-models"),
              "Before: first, after: first-mended. It has learned from band-12.");
    EXPECT_THAT(without_places_to_break(text("before-after-times")),
                AllOf(HasSubstr("<b>band-12</b>"), HasSubstr("before"), HasSubstr("after"),
                      HasSubstr("fixed CSR"), HasSubstr("best known")));
    EXPECT_THAT(text("before-after-choices"), HasSubstr("It chose"));
    EXPECT_THAT(text("before-after-turns"), HasSubstr("turns"));
    EXPECT_THAT(text("tuning-outcome"), HasSubstr("first-mended"));
}

} // namespace
} // namespace sparsight::testing
