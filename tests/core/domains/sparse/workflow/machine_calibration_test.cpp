#include "base/random.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/workflow/calibration/machine_calibration.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using P = MachineParameter;

/// Matrices measured on a computer whose loops cost twice what the simulator takes for typical.
class MachineCalibration : public ::testing::Test {
protected:
    MachineCalibration() {
        data_.description.name = "computer";
        data_.description.source = MachineSource::Recorded;
        data_.description.cores = 4;
        data_.description.threads = 4;
        data_.parameters = resolve_parameters(data_.description).values;
        options_.fitting.steps = 40;
    }

    void measure(const std::string& name) {
        const double rows = 200.0 + 60.0 * static_cast<double>(data_.matrices.size());
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 8 / rows}}, 1);
        const ProfiledPattern profiled(pattern);
        MachineParameters truth = data_.parameters;
        truth[P::UpdatedVector] *= 2;
        truth[P::CompressedStart] *= 2;
        truth[P::RegionCost] *= 3;
        CalibrationMatrix matrix{name, {}, {}, {}};
        Random random(data_.matrices.size() + 1);
        const Extents all = extents(Operator::SpMM, pattern.rows, pattern.cols, 64);
        for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, all, 16, 4, random)) {
            matrix.profiles.push_back(*profiled.profile(schedule, 64));
            matrix.milliseconds.push_back(simulate(truth, matrix.profiles.back()).total());
        }
        data_.matrices.push_back(std::move(matrix));
    }
    void measure_many(int count) {
        for (int at = 0; at < count; ++at)
            measure(fmt::format("m{}", at));
    }
    [[nodiscard]] CheckedCalibration calibrated() const {
        auto checked = calibrate_machine(data_, options_);
        EXPECT_TRUE(checked) << checked.error().text();
        return *std::move(checked);
    }

    CalibrationData data_;
    MachineCalibrationOptions options_;
};

TEST_F(MachineCalibration, OfFewMatricesIsCrossValidatedOverAllAndFittedToAll) {
    measure_many(4);
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::CrossValidated);
    EXPECT_EQ(checked.held_out, 4U);
    EXPECT_THAT(checked.fitted, ElementsAre("m0", "m1", "m2", "m3"));
    EXPECT_THAT(checked.stems_of_all, ElementsAre("m0", "m1", "m2", "m3"));
    EXPECT_EQ(checked.calibration.after,
              calibrate(uncalibrated_parameters(data_), data_.matrices, options_.fitting)->after);
    ASSERT_TRUE(checked.on_held_out && checked.on_fitted);
    EXPECT_DOUBLE_EQ(checked.on_held_out->before.median_error, checked.on_fitted->before.median_error)
        << "the same matrices by the same facts";
    EXPECT_LT(checked.on_held_out->after.median_error, checked.on_held_out->before.median_error);
}

TEST_F(MachineCalibration, HoldsAMatrixAgainstOthersThatAreNoFormsOfIt) {
    measure("cage8");
    measure("cage8_t");
    measure("bcsstk17");
    const CheckedCalibration checked = calibrated();
    std::vector<SimulationQuality> after;
    for (const auto& [held_out, fitted] : {std::pair{0U, std::vector{2U}}, std::pair{1U, std::vector{2U}},
                                           std::pair{2U, std::vector{0U, 1U}}}) {
        std::vector<CalibrationMatrix> others;
        for (const unsigned at : fitted)
            others.push_back(data_.matrices[at]);
        const auto calibration = calibrate(uncalibrated_parameters(data_), others, options_.fitting);
        after.push_back(*mean_quality(calibration->after, {&data_.matrices[held_out], 1}));
    }
    double error = 1;
    for (const SimulationQuality& quality : after)
        error *= quality.median_error;
    EXPECT_NEAR(checked.on_held_out->after.median_error, std::cbrt(error), 1e-12);
    EXPECT_THAT(checked.stems_of_all, ElementsAre("cage8", "bcsstk17"));
}

TEST_F(MachineCalibration, HoldsFormsUnderOtherNamesAgainstTheSameOthers) {
    measure("cage8");
    measure("cage8_t");
    measure("bcsstk17");
    const CheckedCalibration by_name = calibrated();
    data_.matrices[1].name = "of another name";
    const CheckedCalibration leaking = calibrated();
    data_.matrices[1].family = "cage8";
    EXPECT_EQ(calibrated().on_held_out->after.median_error, by_name.on_held_out->after.median_error);
    EXPECT_NE(leaking.on_held_out->after.median_error, by_name.on_held_out->after.median_error);
}

TEST_F(MachineCalibration, OfADozenMatricesKeepsAThirdBack) {
    measure_many(12);
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::KeptBack);
    EXPECT_EQ(checked.held_out + checked.fitted.size(), 12U);
    EXPECT_GT(checked.held_out, 0U);
    for (const std::string& name : checked.fitted)
        EXPECT_FALSE(is_held_out(name));
    EXPECT_THAT(checked.stems_of_all, IsEmpty());
}

TEST_F(MachineCalibration, IsTheSameOnAnyNumberOfThreads) {
    measure_many(3);
    const CheckedCalibration one = calibrated();
    options_.threads = 3;
    const CheckedCalibration three = calibrated();
    EXPECT_EQ(one.calibration.after, three.calibration.after);
    EXPECT_EQ(one.on_held_out->after.median_error, three.on_held_out->after.median_error);
}

TEST_F(MachineCalibration, FitsToNoMoreMatricesThanAskedFor) {
    measure_many(4);
    options_.most_matrices = 2;
    const CheckedCalibration checked = calibrated();
    EXPECT_THAT(checked.fitted, ElementsAre("m0", "m1"));
    EXPECT_EQ(checked.held_out, 4U) << "each against two others";
    EXPECT_THAT(checked.stems_of_all, ElementsAre("m0", "m1"));
}

TEST_F(MachineCalibration, OfOneMatrixIsHeldAgainstNone) {
    measure("alone");
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::Impossible);
    EXPECT_EQ(checked.held_out, 0U);
    EXPECT_FALSE(checked.on_held_out);
    EXPECT_TRUE(checked.on_fitted);
}

TEST_F(MachineCalibration, LeavesOutWhatCannotBeFittedFromTheCheckAlone) {
    measure("useful");
    measure("constant");
    data_.matrices[1].milliseconds.assign(data_.matrices[1].milliseconds.size(), 1.0);
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::Impossible);
    EXPECT_EQ(checked.fitted.size(), 2U);
}

TEST_F(MachineCalibration, BeginsWithWhatTheCodeForAProcessorCosts) {
    if (analysed_processors("x86_64").empty())
        GTEST_SKIP() << "LLVM was built without x86_64";
    measure_many(2);
    data_.description.float_lanes = 8;
    options_.code_of = "znver3";
    const CheckedCalibration checked = calibrated();
    const auto costs = analysed_costs("znver3");
    ASSERT_TRUE(costs);
    for (const auto& [parameter, cycles] : costs->cycles)
        EXPECT_EQ(checked.calibration.before[parameter], cycles) << parameter_info(parameter).key;
    options_.code_of = "skylake-avx512";
    EXPECT_FALSE(calibrate_machine(data_, options_)) << "its vectors are longer";
}

TEST(CalibrationEffects, AreForTheWorseWhenPairsOrTheFirstChoiceClearlyAre) {
    CalibrationEffect effect{{.kendall_tau = 0.5, .top_1_regret = 1.2},
                             {.kendall_tau = 0.49, .top_1_regret = 1.25}};
    EXPECT_FALSE(chooses_worse(effect)) << "that may be chance";
    effect.after.kendall_tau = 0.45;
    EXPECT_TRUE(chooses_worse(effect));
    effect.after = {.kendall_tau = 0.6, .top_1_regret = 1.4};
    EXPECT_TRUE(chooses_worse(effect)) << "better pairs do not make up for it";
}

TEST_F(MachineCalibration, StopsWhenItIsAskedTo) {
    measure_many(2);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = calibrate_machine(data_, options_, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using P = MachineParameter;

/// A computer on which schedules take exactly as long as its calibrated simulation says, with a tenth of
/// that as their spread.
class MachineValidationTest : public ::testing::Test {
protected:
    MachineValidationTest() {
        computer_.name = "computer";
        computer_.source = MachineSource::Probed;
        computer_.cores = 4;
        computer_.threads = 4;
        computer_.coefficients[P::DenseIteration] = 12;
        computer_.coefficients[P::CompressedIteration] = 0.3;
        machine_ = *record_machine(*workspace_, "computer", "0123", machine_to_text(computer_));
    }

    /// Two matrices that calibrations keep back and one that they see, in this order.
    void measure_three() {
        for (const bool held_out : {true, true, false})
            measure(next_name(held_out));
    }
    /// `seed` 0: another pattern for each name.
    void measure(const std::string& name, int schedules = 30, std::uint64_t seed = 0) {
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", 600}, {"cols", 500}, {"density", 0.02}},
                             seed > 0 ? seed : names_.size() + 1);
        const WorkloadId matrix = *add_matrix(*workspace_, {name, "generated", {}}, pattern);
        names_.push_back(name);
        Random random(3);
        const ProfiledPattern profiled(pattern);
        const Extents all = extents(Operator::SpMM, pattern.rows, pattern.cols, 256);
        for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, all, schedules, 4, random)) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(
                simulate(resolve_parameters(computer_).values, *profiled.profile(schedule, 256)).total());
            measurement.spread = 0.1 * measurement.median;
            measurement.repeats = 5;
            ASSERT_TRUE(
                record_measurement(*workspace_, {matrix, machine_, 256, "adaptive"}, schedule, measurement));
        }
    }
    std::string next_name(bool held_out) {
        for (;; ++drawn_)
            if (std::string name = fmt::format("m{}", drawn_); is_held_out(name) == held_out) {
                ++drawn_;
                return name;
            }
    }
    [[nodiscard]] static CalibrationRequest held_out() {
        CalibrationRequest request{.machine = "computer"};
        request.threads = 4;
        request.shortest_ms = 0;
        request.held_out_only = true;
        return request;
    }

    TemporaryFolder folder_;
    std::optional<Workspace> workspace_ = *Workspace::create((folder_ / "w.sparsight").string(), "test");
    MachineDescription computer_;
    MachineId machine_{};
    std::vector<std::string> names_;
    int drawn_ = 0;
};

TEST_F(MachineValidationTest, TellsOfEachMatrixThatIsKeptBackAndOfTheirMean) {
    measure_three();
    const auto validation = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(validation) << validation.error().text();
    ASSERT_EQ(validation->matrices.size(), 2U);
    std::int64_t runs = 0;
    for (std::size_t at = 0; at < 2; ++at) {
        const ValidatedMatrix& matrix = validation->matrices[at];
        EXPECT_EQ(matrix.name, names_[at]);
        ASSERT_EQ(matrix.simulated_ms.size(), matrix.measured_ms.size());
        for (std::size_t run = 0; run < matrix.measured_ms.size(); ++run)
            EXPECT_NEAR(matrix.simulated_ms[run] / matrix.measured_ms[run], 1, 1e-6);
        ASSERT_TRUE(matrix.ceiling);
        EXPECT_LT(matrix.ceiling->kendall_tau, matrix.quality.kendall_tau)
            << "no noise is in these times, whatever their spread says";
        runs += std::ssize(matrix.measured_ms);
    }
    EXPECT_EQ(validation->runs, runs);
    EXPECT_GT(validation->mean.kendall_tau, 0.999);
    EXPECT_EQ(validation->without.size(), time_term_count);
    ASSERT_TRUE(validation->ceiling);
    EXPECT_DOUBLE_EQ(
        validation->ceiling->kendall_tau,
        (validation->matrices[0].ceiling->kendall_tau + validation->matrices[1].ceiling->kendall_tau) / 2);
}

TEST_F(MachineValidationTest, SaysWhatTheMachinesFactsAloneWouldReach) {
    measure_three();
    const auto validation = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(validation);
    ASSERT_TRUE(validation->uncalibrated);
    EXPECT_GT(validation->uncalibrated->median_error, validation->mean.median_error);
    EXPECT_LT(validation->uncalibrated->kendall_tau, validation->mean.kendall_tau);

    ASSERT_TRUE(
        record_machine(*workspace_, "computer", "0123", machine_to_text(without_calibration(computer_))));
    const auto before = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(before);
    EXPECT_FALSE(before->uncalibrated) << "nothing was fitted";
    ASSERT_EQ(before->matrices.size(), 3U) << "of so few none will be kept back";
    EXPECT_DOUBLE_EQ(
        mean_of(std::vector{before->matrices[0].quality, before->matrices[1].quality}).kendall_tau,
        validation->uncalibrated->kendall_tau);
}

TEST_F(MachineValidationTest, LooksAtWhatTheLastCalibrationHasNotSeen) {
    measure_three();
    computer_.calibration.fitted_matrices = {names_[0], names_[2]};
    ASSERT_TRUE(record_machine(*workspace_, "computer", "0123", machine_to_text(computer_)));
    const auto validation = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(validation) << validation.error().text();
    ASSERT_EQ(validation->matrices.size(), 1U);
    EXPECT_EQ(validation->matrices[0].name, names_[1]);
    EXPECT_FALSE(validation->all_were_fitted);
}

TEST_F(MachineValidationTest, TakesNoMatrixForUnseenWhoseTwinUnderAnotherNameWasFitted) {
    const std::string with_twin = next_name(true);
    measure(with_twin, 30, 1);
    measure(next_name(true), 30, 2);
    measure(next_name(false), 30, 1);
    const auto by_names = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(by_names) << by_names.error().text();
    ASSERT_EQ(by_names->matrices.size(), 1U);
    EXPECT_EQ(by_names->matrices[0].name, names_[1]);

    computer_.calibration.fitted_matrices = {names_[2]};
    ASSERT_TRUE(record_machine(*workspace_, "computer", "0123", machine_to_text(computer_)));
    const auto by_record = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(by_record) << by_record.error().text();
    ASSERT_EQ(by_record->matrices.size(), 1U);
    EXPECT_EQ(by_record->matrices[0].name, names_[1]);
}

TEST_F(MachineValidationTest, SaysSoWhereTheCalibrationHasSeenAllMatrices) {
    measure_three();
    computer_.calibration.fitted_matrices = names_;
    ASSERT_TRUE(record_machine(*workspace_, "computer", "0123", machine_to_text(computer_)));
    const auto validation = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(validation) << validation.error().text();
    EXPECT_EQ(validation->matrices.size(), 3U);
    EXPECT_TRUE(validation->all_were_fitted);
}

TEST_F(MachineValidationTest, RemembersWhatACalibrationToAllWasWorthOnTheMatrixThatWasLeftOut) {
    measure_three();
    computer_.calibration.fitted_matrices = names_;
    SimulationQuality left_out_once;
    left_out_once.kendall_tau = 0.25;
    left_out_once.median_error = 3;
    computer_.calibration.cross_validation = CrossValidation{"spmm", 256, left_out_once};
    ASSERT_TRUE(record_machine(*workspace_, "computer", "0123", machine_to_text(computer_)));
    const auto validation = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(validation) << validation.error().text();
    EXPECT_EQ(validation->cross_validated, left_out_once);

    computer_.calibration.cross_validation->op = "spmv";
    ASSERT_TRUE(record_machine(*workspace_, "computer", "0123", machine_to_text(computer_)));
    EXPECT_FALSE(validate_machine(*workspace_, held_out())->cross_validated) << "it was of another operator";
}

TEST_F(MachineValidationTest, TakesNoMatrixForUnseenThatHasNoTimeToFitTo) {
    measure_three();
    computer_.calibration.fitted_matrices = names_;
    ASSERT_TRUE(record_machine(*workspace_, "computer", "0123", machine_to_text(computer_)));
    const CsrPattern pattern = *generate_matrix("uniform", {{"rows", 9}, {"cols", 9}, {"density", 0.5}}, 1);
    const WorkloadId failed = *add_matrix(*workspace_, {"failed", "generated", {}}, pattern);
    Measurement too_large;
    too_large.status = MeasurementStatus::TooLarge;
    ASSERT_TRUE(record_measurement(*workspace_, {failed, machine_, 256, "adaptive"},
                                   fixed_csr(Operator::SpMM, 4), too_large));
    const auto validation = validate_machine(*workspace_, held_out());
    ASSERT_TRUE(validation) << validation.error().text();
    EXPECT_EQ(validation->matrices.size(), 3U);
    EXPECT_TRUE(validation->all_were_fitted);
    EXPECT_EQ(validation->left_out.count(), 1);
    EXPECT_EQ(validation->left_out.without_time,
              (std::map<MeasurementStatus, std::int64_t>{{MeasurementStatus::TooLarge, 1}}));
    EXPECT_EQ(validation->left_out.too_short, 0);
}

TEST_F(MachineValidationTest, TakesRunsOfSecondsAndNamesMatricesWithoutAPattern) {
    measure_three();
    Measurement slow;
    slow.status = MeasurementStatus::Measured;
    slow.median = Milliseconds(5000);
    const SuperSchedule unusual = *parse_schedule(Operator::SpMM, "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 4 8");
    const auto matrices = *list_matrices(*workspace_);
    ASSERT_TRUE(record_measurement(*workspace_, {matrices[0].id, machine_, 256, "adaptive"}, unusual, slow));
    const WorkloadId unknown = *add_matrix_name(*workspace_, "known by its name", "");
    ASSERT_TRUE(record_measurement(*workspace_, {unknown, machine_, 256, "adaptive"}, unusual, slow));
    CalibrationRequest all = held_out();
    all.held_out_only = false;
    const auto data = calibration_data(*workspace_, all);
    ASSERT_TRUE(data) << data.error().text();
    EXPECT_THAT(data->matrices[0].milliseconds, ::testing::Contains(5000));
    EXPECT_EQ(data->left_out.count(), 0);
    ASSERT_EQ(data->without_pattern.size(), 1U);
    EXPECT_EQ(data->without_pattern[0].matrix, "known by its name");
    EXPECT_THAT(data->without_pattern[0].reason.message, HasSubstr("not known"));
}

TEST_F(MachineValidationTest, LooksAtAllMatricesWhereThatIsAskedForAndAgreesWithTheWholeAtOnce) {
    measure_three();
    CalibrationRequest all = held_out();
    all.held_out_only = false;
    const auto validation = validate_machine(*workspace_, all);
    ASSERT_TRUE(validation);
    EXPECT_EQ(validation->matrices.size(), 3U);
    const auto data = calibration_data(*workspace_, all);
    const auto at_once = validate_simulator(data->parameters, data->matrices);
    ASSERT_TRUE(at_once);
    for (const auto member : {&SimulationQuality::kendall_tau, &SimulationQuality::best_quarter_accuracy,
                              &SimulationQuality::top_1_regret, &SimulationQuality::median_error}) {
        EXPECT_DOUBLE_EQ(validation->mean.*member, at_once->mean.*member);
        EXPECT_DOUBLE_EQ((*validation->ceiling).*member, (*at_once->ceiling).*member);
        for (std::size_t term = 0; term < time_term_count; ++term)
            EXPECT_DOUBLE_EQ(validation->without[term].mean.*member, at_once->without[term].mean.*member);
    }
}

TEST_F(MachineValidationTest, SaysWhyThereIsNothingToCompare) {
    measure(next_name(false));
    const auto none = validate_machine(*workspace_, held_out());
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("is kept back from calibrations"));
    measure(next_name(true), 3);
    const auto few = validate_machine(*workspace_, held_out());
    ASSERT_FALSE(few);
    EXPECT_THAT(few.error().message, HasSubstr("five schedules"));
}

TEST_F(MachineValidationTest, StopsBetweenMatrices) {
    measure_three();
    std::stop_source source;
    std::vector<std::string> stages;
    const auto stopped =
        validate_machine(*workspace_, held_out(), 1, source.get_token(), [&](const Progress& progress) {
            stages.emplace_back(progress.stage);
            EXPECT_EQ(progress.total, 2U);
            if (progress.stage == "simulating")
                source.request_stop();
        });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_THAT(stages, ElementsAre("looking at schedules", "looking at schedules", "simulating"));
}

TEST(MeanOfQualities, IsGeometricForFactors) {
    SimulationQuality good;
    good.kendall_tau = 0.8;
    good.median_error = 1;
    SimulationQuality bad;
    bad.kendall_tau = 0.4;
    bad.median_error = 4;
    const SimulationQuality mean = mean_of(std::vector{good, bad});
    EXPECT_DOUBLE_EQ(mean.kendall_tau, 0.6);
    EXPECT_DOUBLE_EQ(mean.median_error, 2);
}

} // namespace
} // namespace sparsight::testing
