// What a model is asked of a case, and that its answer stays.
#include "evaluation/model_reasons/model_reasons_json.h"
#include "failures_fixture.h"
#include "gui/failures/case_view.h"
#include "gui/failures/reason_views.h"
#include "gui/failures/reasons_section.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"

#include <QFile>
#include <QLabel>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(FailuresTest, TheModelIsAskedInTheBackgroundAndItsAnswerStays) {
    open_failures();
    ModelReasons reasons;
    reasons.model = "first";
    reasons.matrix = "m2";
    reasons.schedule = reasons.against = to_text(exploding());
    reasons.op = "spmm";
    reasons.architecture = "statistics";
    reasons.against_score = 1;
    reasons.times = {2, 1, TimeOrigin::Simulated};
    SensitivityCurve chunk{.kind = VariedKind::Decision, .key = "chunk", .title = "chunk"};
    for (const double number : {1.0, 8.0, 64.0})
        chunk.points.push_back({.value = fmt::format("{}", number),
                                .number = number,
                                .is_present = number == 8,
                                .margin = number,
                                .times = {number, 8, TimeOrigin::Simulated}});
    compare_curves(chunk);
    SensitivityCurve cores{.kind = VariedKind::Machine, .key = "cores", .title = "cores"};
    cores.points = chunk.points;
    compare_curves(cores);
    reasons.sensitivity = SensitivityReason{{chunk, cores}};
    reasons.uncertainty = UncertaintyReason{.method = "scale", .confidence = 0.9, .checked_pairs = 40};
    reasons.uncertainty->bins = {{0.5, 1, 0.8, {0.6, 0.4, 0.8, 40}}};
    auto end = model_reasons_json(reasons);
    end["event"] = "end";
    end["complete"] = true;
    use_worker("echo '{\"event\":\"progress\",\"stage\":\"anchors\",\"done\":1,\"total\":5}'\nsleep 0.3\n"
               "cat <<'END'\n" +
               end.dump() + "\nEND\n");
    auto* const ask = find<QPushButton>("ask-model");
    click(ask);
    EXPECT_TRUE(wait_until([&] { return !ask->isEnabled(); }));
    EXPECT_THAT(ask->toolTip().toStdString(), HasSubstr("being asked"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    const Job job = program_->jobs().jobs().front();
    EXPECT_EQ(job.kind, JobKind::Reasons);
    EXPECT_THAT(job.arguments.join(u' ').toStdString(),
                AllOf(HasSubstr("--model=first"), HasSubstr("--matrix=m2"), HasSubstr("--machine=recorded")));
    ASSERT_TRUE(page().study().reasons()) << "its answer is understood";
    EXPECT_THAT(text("model-reasons"), HasSubstr("it prefers the slower one"));
    const ReasonsSection& section = page().view().reasons();
    const ChartView& curve = *section.sensitivity().chart().view();
    EXPECT_TRUE(section.sensitivity().isVisibleTo(&page()));
    EXPECT_EQ(curve.content().x.title, QStringLiteral("decision: chunk"));
    QTest::keyClick(&section.sensitivity().choice(), Qt::Key_Down);
    EXPECT_EQ(curve.content().x.title, QStringLiteral("machine: cores"));
    EXPECT_THAT(section.calibration().chart().csv().toStdString(), HasSubstr("0.6"));
    for (const char* name : {"curve.png", "curve.svg", "curve.csv"}) {
        ASSERT_TRUE(section.sensitivity().chart().write(path(name))) << name;
        EXPECT_GT(QFile(path(name)).size(), 50) << name;
    }
}

TEST_F(FailuresTest, WhatWasAskedOfAPairStaysWhenSomethingFasterIsMeasured) {
    open_failures();
    CaseStudy& study = page().study();
    const FailureCase before = *study.failure();
    FailureCase after = before;
    after.signs.front().against.schedule = "4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    after.signs.front().against.milliseconds /= 2;
    const FailureSetting setting = study.setting();
    study.set_case(&after, setting);
    EXPECT_EQ(study.failure()->main().against, after.main().against)
        << "nothing was measured or asked of the pair before";
    EXPECT_EQ(study.newer(), nullptr);

    study.set_case(&before, setting);
    ASSERT_EQ(study.asking_refusal().toStdString(), "");
    study.ask_model();
    ASSERT_TRUE(study.asking());
    study.set_case(&after, setting);
    EXPECT_EQ(study.failure()->main().against, before.main().against);
    ASSERT_NE(study.newer(), nullptr);
    EXPECT_THAT(text("case-newer"), HasSubstr("Measured since"));
    study.set_case(nullptr, setting);
    study.set_case(&after, setting);
    EXPECT_EQ(study.failure()->main().against, before.main().against) << "who comes back finds it again";
    study.take_newer();
    EXPECT_EQ(study.failure()->main().against, after.main().against);
    EXPECT_EQ(study.newer(), nullptr);
}

} // namespace
} // namespace sparsight::testing
