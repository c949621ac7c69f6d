#include "domains/sparse/explanation/pages/collection_report.h"

#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/workspace.h"

#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight {
namespace {

class ReportOfACollection : public ::testing::Test {
protected:
    ReportOfACollection() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
        machine_ = *recorded_machine(*workspace_, "here");
    }
    ~ReportOfACollection() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }

    WorkloadId matrix(const char* name) {
        return *add_matrix(*workspace_, {name, "generated", {}},
                           *generate_matrix("uniform", {{"rows", 30}, {"cols", 20}, {"density", 0.1}}, 1));
    }
    void store(WorkloadId matrix, const char* schedule, MeasurementStatus status, double median,
               double spread = 0, std::optional<Milliseconds> reference = {}) {
        Measurement measurement;
        measurement.reference = reference;
        measurement.status = status;
        measurement.median = Milliseconds(median);
        measurement.spread = Milliseconds(spread);
        measurement.repeats = 5;
        ASSERT_TRUE(record_measurement(*workspace_, {matrix, machine_, 256, "adaptive"},
                                       *parse_schedule(Operator::SpMM, schedule), measurement)
                        .has_value());
    }
    CollectionReport report() {
        MachineDescription machine;
        machine.name = "here & now";
        auto result =
            summarise_collection(*workspace_, {{}, "here", Operator::SpMM, 256, "adaptive", 2}, machine);
        EXPECT_TRUE(result.has_value()) << result.error().text();
        return *result;
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    static constexpr const char* blocked = "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8";
    static constexpr const char* slow = "1 8 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8";

    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-report-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
    MachineId machine_{};
};

TEST_F(ReportOfACollection, RanksByMedianAndComparesWithFixedCsr) {
    const WorkloadId id = matrix("a");
    store(id, csr, MeasurementStatus::Measured, 3, 0.1);
    store(id, blocked, MeasurementStatus::Measured, 2, 0.1);
    store(id, slow, MeasurementStatus::GaveUp, 50);
    const CollectionReport report = this->report();
    ASSERT_EQ(report.matrices.size(), 1U);
    const MatrixFinding& finding = report.matrices[0];
    EXPECT_EQ(finding.best()->schedule, blocked);
    EXPECT_DOUBLE_EQ(*finding.speedup(), 1.5);
    EXPECT_TRUE(finding.gain_exceeds_noise());
    EXPECT_EQ(finding.gave_up, 1);
    EXPECT_EQ(finding.statistics.rows, 30);
    EXPECT_FALSE(finding.picture.empty());
}

TEST_F(ReportOfACollection, SaysWhenAGainMayBeNoise) {
    const WorkloadId id = matrix("a");
    store(id, csr, MeasurementStatus::Measured, 3, 0.8);
    store(id, blocked, MeasurementStatus::Measured, 2, 0.8);
    EXPECT_FALSE(report().matrices[0].gain_exceeds_noise());
    EXPECT_NE(report_table(report()).find("1.50x~"), std::string::npos) << report_table(report());
}

TEST_F(ReportOfACollection, ComparesWithFixedCsrAtTheMomentOfTheBest) {
    const WorkloadId id = matrix("a");
    store(id, csr, MeasurementStatus::Measured, 10, 0.5);
    store(id, blocked, MeasurementStatus::Measured, 10.5, 0.5, Milliseconds(12.6));
    const CollectionReport report = this->report();
    const MatrixFinding& finding = report.matrices[0];
    ASSERT_EQ(finding.best()->schedule, blocked);
    EXPECT_EQ(finding.baseline_ms(), 12.6);
    EXPECT_TRUE(finding.gain_exceeds_noise())
        << "fixed CSR took 2.1 ms longer then, though 0.5 ms less later";
    EXPECT_NE(report_table(report).find("12.600 "), std::string::npos) << report_table(report);
    EXPECT_NE(report_table(report).find("1.20x "), std::string::npos) << report_table(report);
    EXPECT_NE(report_csv(report).find("a,12.600000,10.500000,1.2000,"), std::string::npos);
    EXPECT_NE(report_html(report).find("12.60 <span"), std::string::npos);
}

TEST_F(ReportOfACollection, MarksAGainThatATimeOfFixedCsrInTheSameCollectionReaches) {
    const WorkloadId id = matrix("a");
    store(id, csr, MeasurementStatus::Measured, 3.53, 0.1, Milliseconds(3.53));
    store(id, slow, MeasurementStatus::Measured, 12, 0.1, Milliseconds(8.3));
    store(id, blocked, MeasurementStatus::Measured, 6.28, 0.1, Milliseconds(12.27));
    EXPECT_FALSE(report().matrices[0].gain_exceeds_noise());
}

TEST_F(ReportOfACollection, AveragesSpeedupsGeometrically) {
    for (const auto& [name, best] : {std::pair("a", 2.0), std::pair("b", 0.5)}) {
        const WorkloadId id = matrix(name);
        store(id, csr, MeasurementStatus::Measured, 4);
        store(id, blocked, MeasurementStatus::Measured, best);
    }
    EXPECT_DOUBLE_EQ(*report().mean_speedup(), 4);
}

TEST_F(ReportOfACollection, LeavesOutMatricesThatWereNotMeasured) {
    matrix("a");
    EXPECT_TRUE(report().matrices.empty());
    EXPECT_FALSE(report().mean_speedup().has_value());
}

TEST_F(ReportOfACollection, WritesCsvThatSurvivesCommasAndQuotes) {
    const WorkloadId id = matrix("a,\"b\"");
    store(id, csr, MeasurementStatus::Measured, 3);
    store(id, blocked, MeasurementStatus::TooLarge, 0);
    const std::string csv = report_csv(report());
    EXPECT_EQ(csv.substr(csv.find('\n') + 1),
              fmt::format("\"a,\"\"b\"\"\",3.000000,3.000000,1.0000,{},0.000000,0.000000,30,20,{},1,0,1\r\n",
                          csr, report().matrices[0].statistics.nnz));
}

TEST_F(ReportOfACollection, WritesHtmlThatIsCompleteInItselfAndEscaped) {
    const WorkloadId id = matrix("<a>");
    store(id, csr, MeasurementStatus::Measured, 3);
    store(id, blocked, MeasurementStatus::Measured, 2);
    const std::string html = report_html(report());
    EXPECT_NE(html.find("&lt;a&gt;"), std::string::npos);
    EXPECT_EQ(html.find("<a>"), std::string::npos);
    EXPECT_NE(html.find("here &amp; now"), std::string::npos);
    EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
    EXPECT_NE(html.find("void spmm("), std::string::npos);
    EXPECT_EQ(html.find("http"), std::string::npos) << "nothing is fetched from anywhere";
}

} // namespace
} // namespace sparsight
