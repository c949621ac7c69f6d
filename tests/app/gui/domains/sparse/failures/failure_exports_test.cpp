// How long reports of failures are on paper.
#include "domains/sparse/explanation/pages/failure_report.h"
#include "evaluation/reports/figures.h"
#include "failures_fixture.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/domains/sparse/failures/failures_report.h"
#include "gui/page/report_printing.h"

#include <QRegularExpression>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ReportPagesTest : public FailuresTest {
protected:
    /// Six decisions differ; the pattern is a square, which takes the most room.
    FailurePage page_of_a_case() {
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", 600}, {"cols", 600}, {"density", 0.01}}, 1);
        const MachineDescription machine = find_machine_preset("epyc-7543")->machine;
        const PairSubject subject{
            QStringLiteral("uniform"),
            fixed_csr(Operator::SpMM, 4),
            *parse_schedule(Operator::SpMM, "16 4 64 i1 k1 k0 j1 i0 j0 1 0 1 1 i1 4 256"),
            dense,
            {},
            4};
        auto explanation = explain_pair(subject, pattern, machine, {});
        EXPECT_TRUE(explanation) << explanation.error().text();
        return {.matrix = "uniform-of-a-name-that-is-not-short",
                .statistics = compute_statistics(pattern, 1),
                .picture = *report_picture(pattern, 1),
                .dense = dense,
                .against_name = "fixed CSR",
                .explanation = std::move(*explanation),
                .origin = {.machine = "AMD EPYC 7543",
                           .machine_facts = "2 sockets, 32 cores each, last cache 256 MiB each",
                           .model = "first",
                           .seed = 7,
                           .date = "2026-01-01T00:00:00Z",
                           .created_by = "test 1",
                           .command = "sparsight-cli report --matrix uniform-of-a-name-that-is-not-short "
                                      "--schedule '16 4 64 i1 k1 k0 j1 i0 j0 1 0 1 1 i1 4 256' --against csr "
                                      "--machine epyc-7543 --seed 7 -o page.html"}};
    }

    /// Every part has something to say.
    static ModelReasons reasons() {
        ModelReasons told;
        told.model = "first";
        told.architecture = "statistics";
        told.op = "spmm";
        told.against_score = 1;
        told.times = {2, 1, TimeOrigin::Simulated};
        Anchor anchor;
        for (const char* key : {"longest_row", "row_length_gini", "bandwidth"})
            anchor.predicates.push_back(
                {ReasonSubject::Workload, key, key, PredicateRelation::Above, "40", 40.0, "entries"});
        anchor.precision = {0.97, 0.95, 0.99, 400};
        anchor.coverage = {0.2, 0.18, 0.22, 400};
        told.anchors.emplace();
        told.anchors->anchor = anchor;
        told.sensitivity.emplace();
        for (const char* key : {"chunk", "split_i", "split_k", "split_j", "order", "format_k1"}) {
            SensitivityCurve curve{.kind = VariedKind::Decision, .key = key, .title = key};
            for (const double number : {1.0, 4.0, 16.0, 64.0})
                curve.points.push_back({.value = fmt::format("{}", number),
                                        .number = number,
                                        .is_present = number == 4,
                                        .margin = number,
                                        .times = {number, 8, TimeOrigin::Simulated}});
            compare_curves(curve);
            told.sensitivity->curves.push_back(curve);
        }
        told.nearest.emplace();
        told.nearest->trained = 20;
        for (int at = 0; at < 5; ++at)
            told.nearest->matrices.push_back({.name = fmt::format("training-matrix-{}", at),
                                              .distance = 1.0 + at,
                                              .schedule_ms = 2,
                                              .against_ms = 1,
                                              .best_ms = 0.5});
        told.uncertainty = UncertaintyReason{.method = "scale", .confidence = 0.9, .checked_pairs = 400};
        for (int at = 0; at < 5; ++at)
            told.uncertainty->bins.push_back({0.5 + 0.1 * at,
                                              0.6 + 0.1 * at,
                                              0.55 + 0.1 * at,
                                              {0.5 + 0.1 * at, 0.4 + 0.1 * at, 0.6 + 0.1 * at, 80}});
        told.saliency.emplace();
        told.saliency->row_edges = told.saliency->column_edges = {0, 300, 600};
        told.saliency->cells = {{0, 0, 900, 1.0}, {0, 1, 900, 0.1}, {1, 1, 900, -0.8}};
        return told;
    }

    /// Of the PDF that is printed.
    int sheets(const FailurePage& page) {
        const QString file = path("page.pdf");
        EXPECT_TRUE(print_report(QString::fromStdString(failure_html(page)), file));
        QFile pdf(file);
        EXPECT_TRUE(pdf.open(QIODevice::ReadOnly));
        static const QRegularExpression sheet(QStringLiteral("/Type\\s*/Page\\b"));
        return static_cast<int>(QString::fromLatin1(pdf.readAll()).count(sheet));
    }
};

TEST_F(ReportPagesTest, ACaseFitsOnOneSheet) {
    const FailurePage page = page_of_a_case();
    EXPECT_GE(page.explanation.blame.shares.size(), 5U) << "an easy one proves little";
    EXPECT_EQ(sheets(page), 1);
}

TEST_F(ReportPagesTest, ACaseWithWhatItsModelSaysFitsOnTwo) {
    FailurePage page = page_of_a_case();
    page.model_reasons = reason_sections(reasons(), page.picture);
    EXPECT_EQ(page.model_reasons.size(), 6U);
    EXPECT_EQ(sheets(page), 2);
}

TEST_F(ReportPagesTest, ACaseWhosePatternIsGoneIsNamedWithTheReason) {
    const QString file = make_failing_workspace();
    const auto read = read_failures_of({{.workspace = file.toStdString()}}, {});
    ASSERT_TRUE(read);
    const auto before = failures_report(**read, file.toStdString(), {});
    ASSERT_TRUE(before);
    EXPECT_EQ(before->without_page, 0U);
    EXPECT_THAT(before->html, Not(HasSubstr("No page of")));
    {
        const std::string gone = path("gone.mtx").toStdString();
        std::ofstream(gone) << "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";
        auto workspace = Workspace::open(file.toStdString());
        ASSERT_TRUE(remove_workload(*workspace, (*find_matrix(*workspace, "m2"))->id));
        ASSERT_TRUE(remove_workload(*workspace, (*find_matrix(*workspace, "m1"))->id));
        const auto pattern = generate_matrix("banded", {{"size", 500}}, 1);
        ASSERT_TRUE(add_matrix(*workspace, {"m2", "", gone}, *pattern, 0)) << "in its file alone";
        std::filesystem::remove(gone);
    }
    const auto after = failures_report(**read, file.toStdString(), {});
    ASSERT_TRUE(after) << after.error().text();
    EXPECT_EQ(after->without_page, 2U);
    EXPECT_THAT(after->html, AllOf(HasSubstr("No page of m2"), HasSubstr("gone.mtx"),
                                   HasSubstr("No page of m1: the workspace does not have its pattern")));
}

TEST_F(ReportPagesTest, WhoeverSavesAReportLearnsHowManyCasesHaveNoPage) {
    open_failures();
    page().open_table(make_table());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().table().model()->rowCount() == 22; }));
    page().exports().write(path("report.html"));
    ASSERT_TRUE(
        wait_until([&] { return !page().exports().is_busy() && QFile::exists(path("report.html")); }));
    EXPECT_THAT(window().notices().texts().join(u'\n').toStdString(),
                HasSubstr("21 cases have no page of their own"));
}

} // namespace
} // namespace sparsight::testing
