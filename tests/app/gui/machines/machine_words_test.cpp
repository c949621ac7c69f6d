#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/domains/sparse/validation/validation_figures.h"
#include "gui/page/machine_words.h"
#include "machine/machine_presets.h"

#include <QAbstractItemModelTester>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

TEST(ParameterScale, ReachesBothEndsOfEveryRangeAndRises) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterScale scale(info);
        EXPECT_EQ(scale.value_at(0), info.lowest) << info.key;
        EXPECT_EQ(scale.value_at(scale.last_stop()), info.highest) << info.key;
        EXPECT_GT(scale.last_stop(), 14) << info.key;
        for (int stop = 1; stop <= scale.last_stop(); ++stop)
            ASSERT_GT(scale.value_at(stop), scale.value_at(stop - 1)) << info.key << stop;
    }
}

TEST(ParameterScale, FindsTheNearestStop) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterScale scale(info);
        for (int stop = 0; stop <= scale.last_stop(); ++stop) {
            EXPECT_EQ(scale.stop_of(scale.value_at(stop)), stop) << info.key;
            EXPECT_EQ(scale.stop_of(scale.value_at(stop) * 1.0001), stop) << info.key;
        }
        EXPECT_EQ(scale.stop_of(2 * info.highest), scale.last_stop()) << info.key;
        EXPECT_EQ(scale.stop_of(info.lowest - 1), 0) << info.key;
    }
}

TEST(ParameterScale, GoesByFactorsInNumbersThatPeopleRead) {
    const ParameterScale latency(parameter_info(MachineParameter::MemoryLatency)); // 5 to 5000 ns
    EXPECT_NEAR(latency.value_at(latency.last_stop() / 3), 50, 2);
    EXPECT_NEAR(latency.value_at(2 * latency.last_stop() / 3), 500, 20);
    constexpr double kib = 1024;
    const ParameterScale cache(parameter_info(MachineParameter::L2Bytes), kib);
    const double shown = cache.value_at(cache.last_stop() / 2) / kib;
    EXPECT_NEAR(shown * 10, std::round(shown * 10), 1e-6);
}

TEST(ParameterScale, StopsAtEverySmallCount) {
    const ParameterScale cores(parameter_info(MachineParameter::Cores));
    for (int stop = 0; stop < 32; ++stop)
        EXPECT_EQ(cores.value_at(stop), stop + 1);
    const ParameterScale registers(parameter_info(MachineParameter::Accumulators));
    EXPECT_EQ(registers.value_at(0), 0);
    EXPECT_EQ(registers.value_at(1), 1);
}

TEST(ParameterWords, NameEveryParameterByAWordOfItsOwn) {
    std::set<QString> names;
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterWords words = parameter_words(info.parameter);
        EXPECT_TRUE(names.insert(words.name).second) << info.key;
        EXPECT_GT(words.factor, 0) << info.key;
        EXPECT_EQ(words.unit.isEmpty(), info.unit.empty() && words.unit != QStringLiteral("×")) << info.key;
    }
}

TEST(ParameterWords, WriteAValueWithTheUnitThatIsRead) {
    EXPECT_EQ(parameter_text(MachineParameter::Cores, 64), QStringLiteral("64"));
    EXPECT_EQ(parameter_text(MachineParameter::L2Bytes, 512 << 10), QStringLiteral("512\u00A0KiB"));
    EXPECT_EQ(parameter_text(MachineParameter::ClockRate, 3.7), QStringLiteral("3.70\u00A0GHz"));
}

using ::testing::HasSubstr;
using P = MachineParameter;

SimulationQuality quality(double tau, double error = 1.25) {
    SimulationQuality quality;
    quality.kendall_tau = tau;
    quality.median_error = error;
    quality.top_1_regret = 1.1;
    return quality;
}

/// Two matrices; leaving out memory traffic hurts most.
MachineValidation validation() {
    MachineValidation validation;
    validation.runs = 5;
    validation.matrices = {{"worse", {1, 2}, {1.5, 1.9}, quality(0.4), quality(0.9)},
                           {"better", {4, 8, 6}, {4.4, 7, 6}, quality(0.8), quality(0.85)}};
    validation.mean = quality(0.6);
    validation.ceiling = quality(0.875);
    for (const TimeTerm term : all_time_terms())
        validation.without.push_back({term, quality(term == TimeTerm::MemoryTraffic ? 0.1 : 0.55)});
    return validation;
}

TEST(ValidationDrawing, APointStandsForEachScheduleAndTheDiagonalSpansThemAll) {
    const auto series = simulated_over_measured(validation(), {});
    ASSERT_EQ(series.size(), 2U);
    const auto& points = std::get<ScatterSeries>(series[0]).points;
    ASSERT_EQ(points.size(), 5U);
    EXPECT_EQ(points[0].x, 1);
    EXPECT_EQ(points[0].y, 1.5);
    EXPECT_EQ(points[0].key.toString(), QStringLiteral("worse"));
    EXPECT_FALSE(points[0].muted);
    const auto& line = std::get<LineSeries>(series[1]);
    EXPECT_EQ(line.x, (std::vector<double>{1, 8}));
    EXPECT_EQ(line.x, line.y);
}

TEST(ValidationDrawing, TheSelectedMatrixStandsOutAndAnotherOneDoesNot) {
    const auto series = simulated_over_measured(validation(), QStringLiteral("better"));
    ASSERT_EQ(series.size(), 3U);
    EXPECT_TRUE(std::get<ScatterSeries>(series[0]).points[0].muted);
    EXPECT_EQ(std::get<ScatterSeries>(series[1]).name, QStringLiteral("better"));
    EXPECT_EQ(std::get<ScatterSeries>(series[1]).points.size(), 3U);
    EXPECT_EQ(simulated_over_measured(validation(), QStringLiteral("elsewhere")).size(), 2U);
    EXPECT_TRUE(simulated_over_measured({}, {}).empty());
}

TEST(ValidationDrawing, MatricesAreSortedByTheirOrderWithTheirCeilings) {
    const auto series = agreement_bars(validation());
    ASSERT_EQ(series.size(), 2U);
    const auto& bars = std::get<BarSeries>(series[0]).bars;
    EXPECT_EQ(bars[0].label, QStringLiteral("better"));
    EXPECT_EQ(bars[1].label, QStringLiteral("worse"));
    EXPECT_TRUE(bars[0].hatched) << "it is simulated";
    const auto& ceiling = std::get<ScatterSeries>(series[1]).points;
    ASSERT_EQ(ceiling.size(), 2U);
    EXPECT_EQ(ceiling[1].x, 1.5) << "the middle of the bar's place";
    EXPECT_EQ(ceiling[1].y, 0.9);
    EXPECT_EQ(ceiling[1].key.toString(), QStringLiteral("worse"));

    MachineValidation unknown = validation();
    for (ValidatedMatrix& matrix : unknown.matrices)
        matrix.ceiling.reset();
    EXPECT_EQ(agreement_bars(unknown).size(), 1U) << "where nobody knows the noise";
}

TEST(ValidationDrawing, ThePartThatIsMissedMostComesFirst) {
    const StackedPicture picture = left_out_terms(validation());
    ASSERT_EQ(picture.bars.size(), time_term_count);
    EXPECT_EQ(picture.bars[0].label, QStringLiteral("memory traffic"));
    EXPECT_DOUBLE_EQ(picture.bars[0].total(), 0.1);
    EXPECT_EQ(picture.bars[0].marker, 0.6);
}

TEST(ValidationDrawing, SaysHowTrueItIsAndWhatItWasBefore) {
    MachineValidation told = validation();
    EXPECT_EQ(validation_finding(told).toStdString(),
              "Kendall’s τ 0.60, where measuring once more would reach 0.88; half of the times are off by "
              "×1.25 at most.");
    EXPECT_EQ(validation_remark(told, true).toStdString(),
              "5 schedules on 2 matrices that no calibration saw. Not calibrated: costs of loops and caches "
              "are typical ones.");
    told.ceiling.reset();
    told.uncalibrated = quality(0.3, 2.5);
    told.left_out.without_time = {{MeasurementStatus::GaveUp, 4}, {MeasurementStatus::TooLarge, 3}};
    EXPECT_THAT(validation_finding(told).toStdString(), HasSubstr("Kendall’s τ 0.60; half"));
    const std::string remark = validation_remark(told, false).toStdString();
    EXPECT_THAT(remark, HasSubstr("those that calibrations are fitted to among them"));
    EXPECT_THAT(remark, HasSubstr("Uncalibrated: τ 0.30, off by ×2.50."));
    EXPECT_THAT(remark,
                HasSubstr("The times of 7 measurements are of no use and left out (4 abandoned as far "
                          "too slow, 3 too large to store)."));
    EXPECT_THAT(remark, HasSubstr("measuring once more would reach is not known: these times came without"));
}

TEST(ValidationDrawing, WhatAFitToAllMatricesReachesOnThemIsNotTheHeadline) {
    MachineValidation told = validation();
    told.all_were_fitted = true;
    EXPECT_THAT(validation_finding(told).toStdString(), HasSubstr("Flattering, as it was fitted to these: "));
    told.cross_validated = quality(0.43, 2.6);
    for (const bool held_out_only : {true, false}) {
        const std::string remark = validation_remark(told, held_out_only).toStdString();
        EXPECT_THAT(remark, HasSubstr("to all of these: τ 0.60, off by ×1.25, which flatters it."));
        EXPECT_THAT(remark, ::testing::Not(HasSubstr("saw")));
    }
    EXPECT_EQ(
        validation_finding(told).toStdString(),
        "Cross-validated on left-out matrices: Kendall’s τ 0.43, where measuring once more would reach 0.88; "
        "half of the times are off by ×2.60 at most.");
    EXPECT_EQ(mean_rows(told).front().quality, *told.cross_validated);
}

TEST(ValidationRows, TellOfEachMatrixAndOfTheMeans) {
    RecordModel<QualityRow> rows(quality_columns(QStringLiteral("Matrix")),
                                 [](const QualityRow& row) { return row.key; });
    const QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::Fatal);
    rows.set_rows(matrix_rows(validation()));
    const auto text = [&](int row, int column) {
        return rows.index(row, column).data().toString().toStdString();
    };
    EXPECT_EQ(text(0, 0), "worse");
    EXPECT_EQ(text(0, 1), "0.40");
    EXPECT_EQ(text(0, 2), "0.90");
    EXPECT_EQ(text(0, 4), "+10\u00A0%");
    EXPECT_EQ(text(0, 7), "×1.25");
    EXPECT_EQ(text(1, 8), "3");

    MachineValidation calibrated = validation();
    calibrated.uncalibrated = quality(0.2);
    rows.set_rows(mean_rows(calibrated));
    EXPECT_EQ(rows.rowCount(), static_cast<int>(time_term_count) + 3);
    EXPECT_EQ(text(0, 0), "Simulation");
    EXPECT_EQ(text(1, 1), "0.20");
    EXPECT_EQ(text(2, 0), "Measured once more");
    EXPECT_EQ(text(3, 0), "Left out: compute");
}

TEST(FittedRows, SayWhatTheDataDetermine) {
    MachineDescription machine;
    machine.name = "here";
    machine.source = MachineSource::Probed;
    machine.coefficients[P::DenseIteration] = 0.75;
    machine.coefficients[P::DenseStart] = 4;
    machine.coefficients[P::Overlap] = 2; // by an earlier version, which kept nothing but the value
    machine.calibration.doubt_left = {{P::DenseIteration, 0.2}, {P::DenseStart, 0.95}};

    RecordModel<FittedRow> rows(fitted_columns(), [](const FittedRow& row) { return key_of(row); });
    const QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::Fatal);
    rows.set_rows(fitted_rows(machine));
    ASSERT_EQ(rows.rowCount(), 3);
    const auto text = [&](P parameter, int column) {
        const FittedRow row{parameter, 0, 0, {}};
        return rows.index(*rows.row_of(key_of(row)), column).data().toString().toStdString();
    };
    EXPECT_EQ(text(P::DenseIteration, 3), "×0.50");
    EXPECT_EQ(text(P::DenseIteration, 4), "determined (20.0\u00A0% of the doubt left)");
    EXPECT_EQ(text(P::DenseStart, 4), "not determined (95.0\u00A0% of the doubt left)");

    EXPECT_EQ(text(P::Overlap, 4), "–");

    rows.set_rows(fitted_rows(find_machine_preset("laptop")->machine));
    EXPECT_EQ(rows.rowCount(), 0);
}

} // namespace
} // namespace sparsight
