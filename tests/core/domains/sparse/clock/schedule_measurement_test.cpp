// Compiled kernels: what they compute, and how they are measured.
#include "core/domains/sparse/clock/interpreter.h"
#include "core/domains/sparse/kernel/kernel_cases.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/text.h"

#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace sparsight {
namespace {

using testing::ExpectedResult;

/// Runs one schedule through the interpreter and the compiled kernel and compares both with Eigen.
class KernelCheck {
public:
    explicit KernelCheck(int threads)
        : team_(threads) {
        auto compiler = KernelCompiler::make();
        if (compiler)
            compiler_ = std::make_unique<KernelCompiler>(std::move(*compiler));
    }

    /// Empty when both agree; otherwise what went wrong.
    std::string check(const SuperSchedule& schedule, const CsrPattern& pattern, std::int64_t dense,
                      Random& random, const KernelTarget& target) {
        if (!compiler_)
            return "no compiler";
        const Extents extents = sparsight::extents(schedule.op, pattern.rows, pattern.cols, dense);
        const ExpectedResult expected = testing::expected_by_eigen(schedule.op, pattern, dense, random);
        PackingOptions options;
        options.keep_entry_positions = true;
        const auto packed = pack(pattern, storage_format(schedule, pattern.rows, pattern.cols), options);
        if (!packed)
            return packed.error().text();
        const auto size =
            static_cast<std::size_t>(operand_sizes(schedule.op, extents, std::ssize(packed->values)).c);
        const LoopNest nest = lower(schedule, extents, target, mean_fill(*packed));

        FloatBuffer c(size, std::numeric_limits<float>::quiet_NaN());
        if (const auto ran = interpret(nest, {*packed, expected.b, expected.d, c}); !ran)
            return "interpreter: " + ran.error().text();
        if (auto difference =
                testing::first_difference(testing::in_expected_order(schedule.op, *packed, c), expected);
            !difference.empty())
            return "interpreter: " + difference;

        const auto kernel = compiler_->compile(nest);
        if (!kernel)
            return kernel.error().text();
        std::ranges::fill(c, std::numeric_limits<float>::quiet_NaN());
        const KernelOperands operands{*packed, expected.b, expected.d, c};
        KernelRunner runner(*kernel, operands, schedule.chunk, team_);
        for (int run = 0; run < 2; ++run) { // twice: a second run must not add to the first
            runner.run();
            if (auto difference =
                    testing::first_difference(testing::in_expected_order(schedule.op, *packed, c), expected);
                !difference.empty())
                return "compiled: " + difference;
        }
        return {};
    }

    [[nodiscard]] KernelTarget target() const { return compiler_->target(); }

private:
    std::unique_ptr<KernelCompiler> compiler_;
    Team team_;
};

class EveryOperator : public ::testing::TestWithParam<Operator> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryOperator, ::testing::ValuesIn(all_operators),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(EveryOperator, FixedCsrEqualsEigenOnAwkwardMatrices) {
    KernelCheck kernels(2);
    Random random(1);
    for (const testing::NamedPattern& named : testing::awkward_patterns())
        for (const std::int64_t dense : {1, 7, 64, 256, 300})
            EXPECT_EQ(kernels.check(fixed_csr(GetParam(), 2), named.pattern, dense, random, kernels.target()),
                      "")
                << named.name << ", dense extent " << dense;
}

TEST_P(EveryOperator, AnyNumberOfColumnsEqualsEigenWithAnyStripsAndWithNone) {
    KernelCheck kernels(1);
    Random random(4);
    const std::array patterns{testing::random_pattern(9, 40, 0.2, random),
                              testing::random_pattern(40, 9, 0.03, random)}; // long rows, and hardly any
    const std::array targets{KernelTarget{4, 12}, KernelTarget{8, 12}, KernelTarget{16, 24}};
    std::size_t round = 0;
    for (std::int64_t dense = 1; dense <= 700; dense += dense < 50 ? 1 : 13) {
        const KernelTarget& target = targets[round % targets.size()];
        for (const CsrPattern& pattern : patterns) {
            ASSERT_EQ(kernels.check(fixed_csr(GetParam(), 1), pattern, dense, random, target), "")
                << "dense extent " << dense << ", " << target.lanes << " lanes";
            const SuperSchedule schedule = testing::random_schedule(GetParam(), random);
            ASSERT_EQ(kernels.check(schedule, pattern, dense, random, target), "")
                << to_text(schedule) << ", dense extent " << dense << ", " << target.lanes << " lanes";
        }
        ++round;
    }
}

TEST_P(EveryOperator, TwoThousandRandomSchedulesEqualEigenOnAwkwardMatrices) {
    KernelCheck kernels(2);
    const auto patterns = testing::awkward_patterns();
    static constexpr std::array<std::int64_t, 8> dense_extents{1, 2, 5, 16, 33, 64, 100, 256};
    for (int round = 0; round < 2000; ++round) {
        Random random(static_cast<std::uint64_t>(round) * 3 + static_cast<std::uint64_t>(GetParam()));
        const SuperSchedule schedule = testing::random_schedule(GetParam(), random);
        const testing::NamedPattern& named = random.pick(std::span<const testing::NamedPattern>(patterns));
        const std::int64_t dense = random.pick(std::span<const std::int64_t>(dense_extents));
        const std::string difference =
            kernels.check(schedule, named.pattern, dense, random, kernels.target());
        ASSERT_EQ(difference, "") << "seed " << round << ": " << to_text(schedule) << " on " << named.name
                                  << ", dense extent " << dense;
    }
}

TEST_P(EveryOperator, EveryKernelTargetGivesTheSameResult) {
    KernelCheck kernels(1);
    const auto patterns = testing::awkward_patterns();
    for (const KernelTarget target : {KernelTarget{4, 8}, KernelTarget{4, 12}, KernelTarget{8, 12},
                                      KernelTarget{16, 24}, KernelTarget{16, 24, 64}}) {
        for (int round = 0; round < 60; ++round) {
            Random random(static_cast<std::uint64_t>(round));
            const SuperSchedule schedule = testing::random_schedule(GetParam(), random);
            const testing::NamedPattern& named =
                random.pick(std::span<const testing::NamedPattern>(patterns));
            ASSERT_EQ(kernels.check(schedule, named.pattern, 96, random, target), "")
                << target.lanes << " lanes, seed " << round << ": " << to_text(schedule) << " on "
                << named.name;
        }
    }
}

TEST(CompiledKernel, StaysUsableAfterItsCompilerIsGone) {
    CompiledKernel kernel;
    const SuperSchedule schedule = fixed_csr(Operator::SpMV, 1);
    Random random(3);
    const CsrPattern pattern = testing::random_pattern(20, 20, 0.3, random);
    const Extents extents = sparsight::extents(Operator::SpMV, 20, 20, 1);
    {
        auto compiler = KernelCompiler::make();
        ASSERT_TRUE(compiler.has_value());
        auto compiled = compiler->compile(lower(schedule, extents, compiler->target()));
        ASSERT_TRUE(compiled.has_value());
        kernel = *compiled;
    }
    const ExpectedResult expected = testing::expected_by_eigen(Operator::SpMV, pattern, 1, random);
    const auto packed = pack(pattern, storage_format(schedule, 20, 20), {});
    ASSERT_TRUE(packed.has_value());
    FloatBuffer c(20, 0.0F);
    Team team(1);
    KernelRunner(kernel, {*packed, expected.b, expected.d, c}, 32, team).run();
    EXPECT_EQ(testing::first_difference({c.begin(), c.end()}, expected), "");
}

double drift(std::initializer_list<double> milliseconds) {
    std::vector<Milliseconds> times;
    for (const double time : milliseconds)
        times.emplace_back(time);
    return relative_drift(times);
}

TEST(RelativeDrift, IsTheSpreadAsAShareOfTheMedian) {
    EXPECT_DOUBLE_EQ(drift({}), 0);
    EXPECT_DOUBLE_EQ(drift({3}), 0) << "one time says nothing about drift";
    EXPECT_DOUBLE_EQ(drift({12, 9, 10}),
                     spread_of({Milliseconds(12), Milliseconds(9), Milliseconds(10)}).count() / 10);
    EXPECT_DOUBLE_EQ(drift({0, 0, 0}), 0);
}

TEST(RelativeDrift, IsNotMovedByASingleDisturbedLook) {
    EXPECT_DOUBLE_EQ(drift({10, 10, 50, 11, 10}), 0);
    EXPECT_GT(drift({10, 20, 20, 11, 20, 10, 12}), 0.15) << "a slow phase is no single look";
}

class Watching : public ::testing::Test {
protected:
    KernelInputs workload_ = [] {
        Random random(5);
        return *KernelInputs::make(testing::random_pattern(300, 200, 0.05, random), Operator::SDDMM, 32, 2);
    }();
    KernelCompiler compiler_ = *KernelCompiler::make();
    Team team_{2};
    std::shared_ptr<double> now_ = std::make_shared<double>(0);
    double run_time_ = 1;

    /// Each question is one run later.
    DriftMonitor watch() {
        return *DriftMonitor::make(workload_, compiler_, team_, [this] {
            *now_ += run_time_;
            return Milliseconds(*now_);
        });
    }
};

TEST_F(Watching, SeesNoDriftWhereThereIsNone) {
    EXPECT_DOUBLE_EQ(watch().relative(), 0);
}

TEST_F(Watching, SeesAComputerThatBecameSlower) {
    DriftMonitor watch = this->watch();
    run_time_ = 1.5;
    for (int look = 0; look < 3; ++look) {
        *now_ += 1000;
        ASSERT_TRUE(watch.look().has_value());
    }
    EXPECT_GT(watch.relative(), 0.15) << "three times 1 and three times 1.5";
    EXPECT_DOUBLE_EQ(watch.reference().count(), 1.5);
}

TEST_F(Watching, RemembersTheFirstLooksHoweverLongItLooks) {
    DriftMonitor watch = this->watch();
    for (int look = 0; look < 300; ++look) {
        run_time_ = 1 + look / 300.0;
        *now_ += 1000;
        ASSERT_TRUE(watch.look().has_value());
    }
    EXPECT_GT(watch.relative(), 0.15) << "it became twice as slow, bit by bit";
}

TEST_F(Watching, LooksAtMostTwiceASecond) {
    DriftMonitor watch = this->watch();
    run_time_ = 0.001;
    *now_ += 600;
    ASSERT_TRUE(watch.look().has_value());
    const double now = *now_;
    *now_ += 400; // a look costs a hundredth of a millisecond
    ASSERT_TRUE(watch.look().has_value());
    EXPECT_LT(*now_ - now, 400.01) << "it has only asked for the time";
}

TEST_F(Watching, DoesNotLookMoreOftenThanItsShareOfTheTime) {
    DriftMonitor watch = this->watch();
    run_time_ = 1.5;
    for (int look = 0; look < 3; ++look)
        ASSERT_TRUE(watch.look().has_value());
    EXPECT_DOUBLE_EQ(watch.relative(), 0) << "it has just looked";
}

class Measuring : public ::testing::Test {
protected:
    KernelInputs workload_ = [] {
        Random random(5);
        return *KernelInputs::make(testing::random_pattern(300, 200, 0.05, random), Operator::SpMM, 32, 2);
    }();
    KernelCompiler compiler_ = *KernelCompiler::make();
    Team team_{2};

    ScheduleMeasurer measurer(MeasurementOptions options = {}) {
        return {workload_, compiler_, team_, std::move(options)};
    }
    static SuperSchedule schedule(const char* text) { return *parse_schedule(Operator::SpMM, text); }
};

TEST_F(Measuring, ReportsTimeSpreadRepeatsAndWhatItCostToPrepare) {
    const auto measured = measurer().measure(fixed_csr(Operator::SpMM, 2));
    ASSERT_TRUE(measured.has_value());
    EXPECT_EQ(measured->status, MeasurementStatus::Measured) << measured->reason;
    EXPECT_GT(measured->median.count(), 0);
    EXPECT_GE(measured->spread.count(), 0);
    EXPECT_GE(measured->repeats, 11);
    EXPECT_GT(measured->pack.count(), 0);
    EXPECT_GT(measured->compile.count(), 0);
    EXPECT_EQ(measured->reference, measured->median) << "it is the baseline";
    ASSERT_TRUE(measured->scatter && measured->error && measured->drift);
    EXPECT_EQ(measured->spread, spread_from(*measured->error, *measured->drift));
    EXPECT_EQ(measured->engine, code_version(compiler_.target()));
    EXPECT_EQ(measured->bytes, 301 * 4 + static_cast<std::uint64_t>(workload_.pattern().nnz()) * 8);
}

TEST_F(Measuring, KeepsTheTimeOfFixedCsrAtThatMoment) {
    ScheduleMeasurer measurer = this->measurer();
    const auto measured = measurer.measure(schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8"));
    ASSERT_TRUE(measured->reference.has_value());
    EXPECT_GT(measured->reference->count(), 0);
    EXPECT_NE(measured->reference, measured->median);
}

TEST_F(Measuring, MeasuresDisturbedRunsAgainAndKeepsTheLeastDisturbed) {
    const auto measure = [&](std::vector<double> waits) { // seconds of each sample, from its start to its end
        double waited = 0;
        std::size_t question = 0;
        MeasurementOptions options;
        options.waited = [&, waits = std::move(waits)] {
            if (question % 2 == 1)
                waited += waits.at(question / 2);
            ++question;
            return std::optional(Seconds(waited));
        };
        const auto measured = measurer(options).measure(fixed_csr(Operator::SpMM, 2));
        return std::pair(question / 2, measured->disturbance);
    };
    const double never_ending = 1000;
    EXPECT_EQ(measure({0}), std::pair(std::size_t{1}, std::optional(0.0)));
    EXPECT_EQ(measure({never_ending, 0}), std::pair(std::size_t{2}, std::optional(0.0)));
    EXPECT_EQ(measure({never_ending, never_ending, never_ending}),
              std::pair(std::size_t{3}, std::optional(1.0)))
        << "it tries three times at most";
}

/// Of processors that are always busy, with this share stolen.
std::shared_ptr<StolenShare> always_stolen(double share) {
    return std::make_shared<StolenShare>([share, seconds = 0.0]() mutable {
        seconds += 10;
        return std::optional(ProcessorTime{Seconds(seconds), Seconds(seconds), Seconds(share * seconds)});
    });
}

/// By which a measurement takes more than a second, over which stolen time is known.
MillisecondClock slow_clock() {
    return [now = std::make_shared<double>(0)] { return Milliseconds(*now += 200); };
}

TEST_F(Measuring, CountsStolenTimeAsDisturbance) {
    const auto disturbance = [&](std::optional<Seconds> waited, double share) {
        MeasurementOptions options;
        options.waited = [waited] { return waited; };
        options.clock = slow_clock();
        options.stolen = always_stolen(share);
        return measurer(options).measure(fixed_csr(Operator::SpMM, 2))->disturbance;
    };
    EXPECT_EQ(disturbance(Seconds(0), 0), 0.0);
    EXPECT_EQ(disturbance(Seconds(0), 0.25), 0.25);
    EXPECT_EQ(disturbance(std::nullopt, 0.25), 0.25) << "where waiting is not counted";
    EXPECT_EQ(disturbance(std::nullopt, 0), std::nullopt);
}

TEST_F(Measuring, CountsTheWaitedShareAloneWhereStolenTimeIsUnknown) {
    MeasurementOptions options;
    options.waited = [] { return std::optional(Seconds(0)); };
    options.stolen = std::make_shared<StolenShare>([] { return std::optional<ProcessorTime>(); });
    EXPECT_EQ(measurer(options).measure(fixed_csr(Operator::SpMM, 2))->disturbance, 0.0);
}

TEST_F(Measuring, CountsWhatIsStolenOfTheTimeThatWasNotWaited) {
    double waited = 0;
    std::size_t question = 0;
    MeasurementOptions options;
    options.waited = [&] { // all of the time of each attempt
        waited += question++ % 2 == 1 ? 1000 : 0;
        return std::optional(Seconds(waited));
    };
    options.clock = slow_clock();
    options.stolen = always_stolen(0.25);
    EXPECT_EQ(measurer(options).measure(fixed_csr(Operator::SpMM, 2))->disturbance, 1.0)
        << "never more than all of it";
}

TEST_F(Measuring, FollowsWacosProtocolWhenAsked) {
    MeasurementOptions options;
    options.protocol = Protocol::FixedRuns;
    ScheduleMeasurer measurer = this->measurer(options);
    EXPECT_EQ(measurer.measure(fixed_csr(Operator::SpMM, 2))->repeats, 50);
    EXPECT_EQ(measurer.measure(schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8"))->repeats, 30);
}

TEST_F(Measuring, RefusesAFormatThatExplodesAndSaysTheSizes) {
    MeasurementOptions options;
    options.limits.max_bytes = 1 << 16;
    const auto measured = measurer(options).measure(schedule("1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 48 8"));
    EXPECT_EQ(measured->status, MeasurementStatus::TooLarge);
    EXPECT_NE(measured->reason.find("64.0 KiB"), std::string::npos) << measured->reason;
    EXPECT_GT(measured->bytes, options.limits.max_bytes) << "the size that was predicted";
}

TEST_F(Measuring, GivesUpWhatIsFarBehindTheBest) {
    MeasurementOptions options;
    options.longest_run = Milliseconds(1e-6);
    ScheduleMeasurer measurer = this->measurer(options);
    measurer.know(Milliseconds(1e-6));
    const auto measured = measurer.measure(schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8"));
    EXPECT_EQ(measured->status, MeasurementStatus::GaveUp);
    EXPECT_EQ(measured->repeats, 1);
    EXPECT_FALSE(measured->reason.empty());
}

TEST_F(Measuring, GivesNothingUpBeforeItsPatienceIsOver) {
    MeasurementOptions options;
    options.longest_run = Milliseconds(1e-6);
    ScheduleMeasurer measurer = this->measurer(options);
    measurer.know(Milliseconds(1e-6));
    measurer.set_patience(Seconds(60));
    const auto measured = measurer.measure(schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8"));
    EXPECT_EQ(measured->status, MeasurementStatus::Measured) << measured->reason;
}

TEST_F(Measuring, GivesNothingUpForOneDisturbance) {
    const auto slow_for_once = schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8");
    for (int disturbed = 1; disturbed <= 40; ++disturbed) {
        int looks = 0;
        const MillisecondClock steady = steady_clock();
        MeasurementOptions options;
        // The clock is a second later from this look on, as if another program had had the processor.
        options.clock = [&] { return steady() + Milliseconds(++looks >= disturbed ? 1000 : 0); };
        ScheduleMeasurer measurer = this->measurer(options);
        measurer.know(Milliseconds(5));
        EXPECT_EQ(measurer.measure(slow_for_once)->status, MeasurementStatus::Measured) << disturbed;
    }
}

TEST_F(Measuring, AbandonsAFirstRunWhereverItIs) {
    // Everything in one iteration of the parallel loop, so that only the kernel itself can end early: a
    // thousandth of the work is granted.
    Random random(7);
    auto workload =
        *KernelInputs::make(testing::random_pattern(2000, 2000, 0.1, random), Operator::SpMM, 256, 2);
    MeasurementOptions options;
    options.longest_run = Milliseconds(0.5);
    ScheduleMeasurer measurer(workload, compiler_, team_, options);
    const auto slow = schedule("2048 16 1 i1 j1 k1 k0 i0 j0 1 1 1 1 i1 48 1");
    measurer.know(Milliseconds(0.05));
    const auto abandoned = measurer.measure(slow);
    ASSERT_EQ(abandoned->status, MeasurementStatus::GaveUp) << abandoned->reason;
    const auto whole = ScheduleMeasurer(workload, compiler_, team_, {}).measure(slow);
    ASSERT_EQ(whole->status, MeasurementStatus::Measured)
        << "nothing is left of the limit: " << whole->reason;
    EXPECT_LT(abandoned->median, whole->median / 2);
}

TEST(KernelRunner, ARunThatEndsWhileItsAlarmFiresIsAbandonedOnlyIfWorkWasLeft) {
    Random random(3);
    const CsrPattern pattern = testing::random_pattern(400, 400, 0.1, random);
    auto compiler = *KernelCompiler::make();
    Team team(1);
    // Fixed CSR is one chunk here, which is never left; the other looks at each iteration of its outer loop.
    for (const SuperSchedule& schedule :
         {*parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 0 1 1 i1 48 512"),
          *parse_schedule(Operator::SpMM, "512 16 1 i1 j1 k1 k0 i0 j0 1 1 1 1 i1 48 1")}) {
        const Extents extents = sparsight::extents(schedule.op, 400, 400, 64);
        const auto packed = pack(pattern, storage_format(schedule, 400, 400), {});
        ASSERT_TRUE(packed.has_value()) << packed.error().text();
        const auto sizes = operand_sizes(schedule.op, extents, std::ssize(packed->values));
        const FloatBuffer b(static_cast<std::size_t>(sizes.b), 1.0F);
        const FloatBuffer d(static_cast<std::size_t>(sizes.d), 1.0F);
        FloatBuffer c(static_cast<std::size_t>(sizes.c), 0.0F);
        KernelRunner runner(*compiler.compile(lower(schedule, extents, compiler.target())),
                            {*packed, b, d, c}, schedule.chunk, team);
        runner.run();
        const FloatBuffer expected = c;
        for (int run = 0; run < 200; ++run) {
            std::ranges::fill(c, -1.0F);
            const bool is_finished = runner.run_within(Milliseconds(0.01 * (run % 20)));
            EXPECT_EQ(is_finished, c == expected) << "run " << run;
        }
    }
}

TEST_F(Measuring, AddsTheDriftOfTheComputerToTheSpread) {
    // Each look at the clock comes later than the one before by more: a computer that slows down.
    auto now = std::make_shared<std::atomic<double>>(1e-3);
    MeasurementOptions options;
    options.clock = [now] {
        double before = now->load();
        while (!now->compare_exchange_weak(before, before * 1.01))
            ;
        return Milliseconds(before);
    };
    const auto measured = measurer(options).measure(fixed_csr(Operator::SpMM, 2));
    ASSERT_EQ(measured->status, MeasurementStatus::Measured) << measured->reason;
    EXPECT_GT(measured->spread / measured->median, 0.05);
}

TEST_F(Measuring, GivesTheSameMedianByEveryProtocolWhenRunsTakeTheSameTime) {
    for (const auto& each :
         {fixed_csr(Operator::SpMM, 2), schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8")})
        for (const Protocol protocol : {Protocol::Adaptive, Protocol::FixedRuns}) {
            // A look at the clock comes half a millisecond after the one before it.
            auto looks = std::make_shared<std::atomic<int>>(0);
            MeasurementOptions options;
            options.protocol = protocol;
            options.clock = [looks] { return Milliseconds(0.5 * ++*looks); };
            const auto measured = measurer(options).measure(each);
            ASSERT_EQ(measured->status, MeasurementStatus::Measured) << measured->reason;
            EXPECT_DOUBLE_EQ(measured->median.count(), 0.5) << name(protocol);
            EXPECT_DOUBLE_EQ(measured->spread.count(), 0) << name(protocol);
        }
}

TEST_F(Measuring, GivesNothingUpForBeingColdOnASmallMatrix) {
    // Ten times a warm run of microseconds is less than what a first run and its caches take.
    Random random(9);
    auto workload =
        *KernelInputs::make(testing::random_pattern(200, 200, 0.01, random), Operator::SpMV, 1, 2);
    ScheduleMeasurer measurer(workload, compiler_, team_, {});
    ASSERT_EQ(measurer.measure(fixed_csr(Operator::SpMV, 2))->status, MeasurementStatus::Measured);
    for (const char* text : {"2 1 i1 i0 k1 k0 1 1 0 1 i1 2 64", "64 2 i1 i0 k1 k0 1 1 0 0 i1 2 16"}) {
        const auto measured = measurer.measure(*parse_schedule(Operator::SpMV, text));
        EXPECT_EQ(measured->status, MeasurementStatus::Measured) << text << ": " << measured->reason;
    }
}

TEST_F(Measuring, NeverGivesUpFixedCsr) {
    ScheduleMeasurer measurer = this->measurer();
    measurer.know(Milliseconds(1e-6));
    EXPECT_EQ(measurer.measure(fixed_csr(Operator::SpMM, 2))->status, MeasurementStatus::Measured);
}

TEST_F(Measuring, GivesNothingWhenStoppedBeforeTheFirstRun) {
    std::stop_source source;
    source.request_stop();
    MeasurementOptions options;
    options.stop = source.get_token();
    EXPECT_FALSE(measurer(options).measure(fixed_csr(Operator::SpMM, 2)).has_value());
}

} // namespace
} // namespace sparsight
