// How kernels are measured: protocols, operands, and the team of threads.
#include "base/parallel.h"
#include "base/random.h"
#include "core/domains/sparse/clock/interpreter.h"
#include "core/domains/sparse/kernel/kernel_cases.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "study/measurement.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <sched.h>
#include <span>
#include <vector>

namespace sparsight {
namespace {

/// A kernel whose runs take the listed times, again and again, on a clock that only it moves.
struct FakeKernel {
    std::vector<double> run_times;
    double time = 0;
    std::size_t runs = 0;

    std::function<void()> run() {
        return [this] { time += run_times[runs++ % run_times.size()]; };
    }
    MillisecondClock clock() {
        return [this] { return Milliseconds(time); };
    }
};

TEST(WacoProtocol, RunsFiveWarmUpsAndThirtyTimedRuns) {
    FakeKernel kernel{{2.0}};
    const auto rules = timing_rules(Protocol::FixedRuns, Operator::SpMM, false, Milliseconds(0.001));
    const auto timing = time_runs(rules, kernel.run(), kernel.clock());
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->repeats, 30);
    EXPECT_EQ(kernel.runs, 34U) << "the first of the five warm-ups is the run that the caller made";
    EXPECT_DOUBLE_EQ(timing->median.count(), 2);
}

TEST(WacoProtocol, RunsFixedCsrTenAndFiftyTimes) {
    FakeKernel kernel{{2.0}};
    const auto rules = timing_rules(Protocol::FixedRuns, Operator::SpMM, true, std::nullopt);
    EXPECT_EQ(time_runs(rules, kernel.run(), kernel.clock())->repeats, 50);
    EXPECT_EQ(kernel.runs, 59U);
}

TEST(WacoProtocol, GivesUpSpmmAboveAHundredMillisecondsOnly) {
    const auto spmm = timing_rules(Protocol::FixedRuns, Operator::SpMM, false, std::nullopt);
    EXPECT_TRUE(is_given_up(spmm, Milliseconds(150)));
    EXPECT_FALSE(is_given_up(spmm, Milliseconds(99)));
    const auto spmv = timing_rules(Protocol::FixedRuns, Operator::SpMV, false, std::nullopt);
    EXPECT_FALSE(is_given_up(spmv, Milliseconds(150)));
}

TEST(AdaptiveProtocol, StopsEarlyWhenRunsAgree) {
    FakeKernel kernel{{10.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, kernel.run(), kernel.clock());
    EXPECT_EQ(timing->repeats, rules.least_repeats);
    EXPECT_DOUBLE_EQ(timing->scatter.count(), 0);
}

TEST(AdaptiveProtocol, RunsOnWhileTheMedianIsUncertainAndStopsAtItsBudget) {
    FakeKernel kernel{{5.0, 9.0, 2.0, 14.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, kernel.run(), kernel.clock());
    EXPECT_GT(timing->repeats, rules.least_repeats);
    EXPECT_LE(kernel.time, rules.budget.count());
    EXPECT_GT(timing->scatter.count(), 0);
}

TEST(AdaptiveProtocol, GivesUpWhatIsTenTimesSlowerThanTheBest) {
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(1));
    EXPECT_TRUE(is_given_up(rules, Milliseconds(10.5)));
    EXPECT_FALSE(is_given_up(rules, Milliseconds(9.5)));
}

TEST(AdaptiveProtocol, GivesUpAboveAnAbsoluteLimitUnlessTheBestIsAsSlow) {
    const auto gives_up = [&](std::optional<Milliseconds> best, double first_run) {
        const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, best, Milliseconds(100));
        return is_given_up(rules, Milliseconds(first_run));
    };
    EXPECT_TRUE(gives_up(std::nullopt, 101));
    EXPECT_FALSE(gives_up(std::nullopt, 99));
    EXPECT_TRUE(gives_up(Milliseconds(20), 101));
    EXPECT_FALSE(gives_up(Milliseconds(60), 119));
    EXPECT_TRUE(gives_up(Milliseconds(60), 121));
}

TEST(AdaptiveProtocol, SpendsLittleOnWhatIsSlowerInEveryRunThanTheBestByHalf) {
    FakeKernel kernel{{1.6, 1.61, 1.62}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(1));
    EXPECT_EQ(time_runs(rules, kernel.run(), kernel.clock())->repeats, 3);
    FakeKernel sometimes_fast{{1.6, 1.4, 1.62}};
    EXPECT_GT(time_runs(rules, sometimes_fast.run(), sometimes_fast.clock())->repeats, 3);
}

TEST(AdaptiveProtocol, RunsAPossibleWinnerLonger) {
    const auto repeats = [](double best) {
        FakeKernel kernel{{5.0, 9.0, 2.0, 14.0}};
        const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(best));
        return time_runs(rules, kernel.run(), kernel.clock())->repeats;
    };
    EXPECT_GT(repeats(7.0), 1.5 * repeats(6.0)) << "its median is 7";
}

TEST(AnyProtocol, StopsAfterTheRunInFlightAndKeepsWhatIsMeasured) {
    FakeKernel kernel{{1.0}};
    std::stop_source source;
    const auto run = [&] {
        kernel.run()();
        if (kernel.runs == 8)
            source.request_stop();
    };
    const auto rules = timing_rules(Protocol::FixedRuns, Operator::SpMV, false, std::nullopt);
    const auto timing = time_runs(rules, run, kernel.clock(), source.get_token());
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->repeats, 4);
    source = {};
    source.request_stop();
    EXPECT_FALSE(time_runs(rules, run, kernel.clock(), source.get_token()).has_value());
}

TEST(ShortRuns, AreTimedInBatchesWithoutTheCostOfTheClock) {
    FakeKernel kernel{{0.005}};
    const MillisecondClock costly = [&] {
        kernel.time += 0.0002;
        return Milliseconds(kernel.time);
    };
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, kernel.run(), costly);
    EXPECT_NEAR(timing->median.count(), 0.005, 1e-9);
    EXPECT_GE(kernel.runs, 20U * static_cast<std::size_t>(timing->repeats)) << "0.1 ms a batch";
    EXPECT_GE(kernel.time, rules.least_time.count()) << "most_repeats counts batches";
}

TEST(ShortRuns, AreTimedAloneByWacosProtocol) {
    FakeKernel kernel{{0.005}};
    const auto rules = timing_rules(Protocol::FixedRuns, Operator::SpMM, false, std::nullopt);
    EXPECT_EQ(time_runs(rules, kernel.run(), kernel.clock())->repeats, 30);
    EXPECT_EQ(kernel.runs, 34U);
}

TEST(APossibleWinner, IsTimedInTwoHalvesWhoseDifferenceIsPartOfItsError) {
    const auto error_of = [](double best, int& pauses) {
        FakeKernel kernel{{1.0}};
        const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(best));
        const auto timing = time_runs(rules, kernel.run(), kernel.clock(), {}, [&] {
            ++pauses;
            kernel.run_times = {1.2}; // the computer is another one meanwhile
        });
        return timing->error.count();
    };
    int pauses = 0;
    EXPECT_GE(error_of(1.0, pauses), 0.0999);
    EXPECT_EQ(pauses, 1);
    EXPECT_DOUBLE_EQ(error_of(0.8, pauses), 0) << "a quarter slower than the best";
    EXPECT_EQ(pauses, 1);
}

/// Times of a first-order process about 10 ms, successive ones alike by r.
std::vector<Milliseconds> alike_times(double r, std::size_t count, Random& random) {
    std::vector<Milliseconds> times;
    double off = random.normal();
    for (std::size_t at = 0; at < count; ++at) {
        times.emplace_back(10 + off);
        off = r * off + std::sqrt(1 - r * r) * random.normal();
    }
    return times;
}

/// How often the true median lies within two errors of that of 30 times.
double covered(double r) {
    constexpr int draws = 4000;
    Random random(7);
    int within = 0;
    for (int draw = 0; draw < draws; ++draw) {
        const auto times = alike_times(r, 30, random);
        within += std::abs(median_of(times).count() - 10) <= 2 * median_error_of(times).count() ? 1 : 0;
    }
    return static_cast<double>(within) / draws;
}

TEST(MedianError, CoversTheMedianNineteenTimesInTwenty) {
    EXPECT_NEAR(covered(0), 0.95, 0.03);
}

TEST(MedianError, CoversTheMedianOfATimeThatWandersToo) {
    EXPECT_GT(covered(0.4), 0.88);
    EXPECT_GT(covered(0.7), 0.8) << "the square root law alone covers 0.58";
}

TEST(Spread, IsTwiceTheErrorAndTheDriftTogether) {
    EXPECT_DOUBLE_EQ(spread_from(Milliseconds(3), Milliseconds(4)).count(), 10);
}

struct Ran {
    PackedMatrix packed;
    KernelOperands operands;
};

class KernelInputsOf : public ::testing::TestWithParam<Operator> {
protected:
    KernelInputs workload_ = [] {
        Random random(2);
        return *KernelInputs::make(testing::random_pattern(23, 31, 0.2, random), GetParam(), 20, 2);
    }();
    PackedMatrix packed_ = [this] {
        PackingOptions options;
        options.keep_entry_positions = true;
        return *pack(workload_.pattern(), storage_format(fixed_csr(GetParam(), 1), 23, 31), options);
    }();
};
INSTANTIATE_TEST_SUITE_P(Operators, KernelInputsOf, ::testing::ValuesIn(all_operators),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(KernelInputsOf, AcceptsTheRightResult) {
    const auto operands = workload_.operands(packed_);
    ASSERT_TRUE(operands.has_value());
    const LoopNest nest = lower(fixed_csr(GetParam(), 1), workload_.extents(), {4, 8});
    ASSERT_TRUE(interpret(nest, *operands).has_value());
    EXPECT_TRUE(workload_.verify(packed_).has_value());
}

TEST_P(KernelInputsOf, RefusesAResultThatWasNeverWritten) {
    ASSERT_TRUE(workload_.operands(packed_).has_value());
    EXPECT_FALSE(workload_.verify(packed_).has_value());
}

TEST_P(KernelInputsOf, RefusesOneWrongElementAndNamesItsRow) {
    const auto operands = workload_.operands(packed_);
    const LoopNest nest = lower(fixed_csr(GetParam(), 1), workload_.extents(), {4, 8});
    ASSERT_TRUE(interpret(nest, *operands).has_value());
    operands->c[operands->c.size() - 1] *= 1.5F;
    const auto verified = workload_.verify(packed_);
    ASSERT_FALSE(verified.has_value());
    EXPECT_NE(verified.error().message.find("row 23 "), std::string::npos) << verified.error().message;
}

/// One row with every column, and its result.
class LongRow {
public:
    LongRow(Operator op, std::int64_t length)
        : workload_(*KernelInputs::make(full_row(length), op, 4, 2))
        , packed_(*pack(workload_.pattern(), storage_format(fixed_csr(op, 1), 1, length),
                        {.limits = {}, .threads = 1, .keep_entry_positions = true, .stop = {}}))
        , operands_(*workload_.operands(packed_)) {
        EXPECT_TRUE(interpret(lower(fixed_csr(op, 1), workload_.extents(), {4, 8}), operands_).has_value());
    }

    [[nodiscard]] std::span<float> result() const { return operands_.c; }
    [[nodiscard]] bool is_right() const { return workload_.verify(packed_).has_value(); }

private:
    static CsrPattern full_row(std::int64_t length) {
        CsrPattern pattern;
        pattern.rows = 1;
        pattern.cols = length;
        pattern.row_pointers = {0, length};
        pattern.column_ids.resize(static_cast<std::size_t>(length));
        std::iota(pattern.column_ids.begin(), pattern.column_ids.end(), 0);
        return pattern;
    }

    KernelInputs workload_;
    PackedMatrix packed_;
    KernelOperands operands_;
};

TEST(KernelInputs, RefusesOneMissingProductInAVeryLongRow) {
    for (const Operator op : {Operator::SpMM, Operator::SpMV}) {
        const LongRow row(op, 300'000);
        EXPECT_TRUE(row.is_right()) << name(op);
        row.result()[0] -= 1; // the smallest product there is
        EXPECT_FALSE(row.is_right()) << name(op);
    }
}

TEST(KernelInputs, AcceptsRoundingWhereARowIsTooLongForExactSums) {
    const LongRow row(Operator::SpMV, 5'000'000);
    EXPECT_TRUE(row.is_right());
    row.result()[0] *= 1.01F;
    EXPECT_FALSE(row.is_right());
}

TEST(KernelInputs, RefusesADenseExtentOfZero) {
    EXPECT_EQ(KernelInputs::make(CsrPattern{}, Operator::SpMM, 0, 1).error().fault, Fault::Input);
}

TEST(KernelInputs, RefusesOperandsOverItsLimitAndSaysHowLargeTheyAre) {
    CsrPattern pattern;
    pattern.rows = 1000;
    pattern.cols = 1000;
    pattern.row_pointers.assign(1001, 0);
    const auto workload = KernelInputs::make(pattern, Operator::SpMM, 1 << 20, 1, 1 << 20);
    ASSERT_FALSE(workload.has_value());
    EXPECT_EQ(workload.error().fault, Fault::Limit);
    EXPECT_NE(workload.error().message.find("7.81 GiB"), std::string::npos) << workload.error().message;
}

// The team hands the context through untouched, so the test may put its counters behind `c`.
void count_visits(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                  std::int64_t end) {
    for (std::int64_t at = begin; at < end; ++at)
        std::atomic_ref(context->c[at]).fetch_add(static_cast<float>(captured[0]));
}

TEST(Team, RunsEveryIterationOnceWhateverTheChunk) {
    for (const int threads : {1, 2, 5}) {
        Team team(threads);
        EXPECT_EQ(team.size(), threads);
        for (const std::int64_t chunk : {1, 3, 64, 10000}) {
            std::vector<float> visits(1000);
            KernelContext context;
            context.c = visits.data();
            const std::int64_t captured = 1;
            team.run(&context, count_visits, &captured, 0, std::ssize(visits), chunk);
            EXPECT_EQ(std::ranges::count(visits, 1.0F), std::ssize(visits))
                << threads << " threads, chunk " << chunk;
        }
    }
}

TEST(Team, StartsInsideTheRangeItIsGiven) {
    Team team(2);
    std::vector<float> visits(100);
    KernelContext context;
    context.c = visits.data();
    const std::int64_t captured = 2;
    team.run(&context, count_visits, &captured, 40, 60, 4);
    EXPECT_EQ(std::ranges::count(visits, 2.0F), 20);
    EXPECT_EQ(visits[39] + visits[60], 0.0F);
    team.run(&context, count_visits, &captured, 60, 40, 4);
    EXPECT_EQ(std::ranges::count(visits, 2.0F), 20) << "an empty range runs nothing";
}

TEST(Team, SurvivesManyShortRegionsOneAfterTheOther) {
    Team team(3);
    std::vector<float> visits(16);
    KernelContext context;
    context.c = visits.data();
    const std::int64_t captured = 1;
    for (int region = 0; region < 20000; ++region)
        team.run(&context, count_visits, &captured, 0, std::ssize(visits), 1);
    EXPECT_EQ(std::ranges::count(visits, 20000.0F), std::ssize(visits));
}

// Abandons the run from inside, when it meets iteration 40.
void abandon_at_forty(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                      std::int64_t end) {
    if (begin <= 40 && 40 < end)
        context->abandoned = 1;
    count_visits(context, captured, begin, end);
}

TEST(Team, TakesNoFurtherChunkOnceTheRunIsAbandoned) {
    for (const int threads : {1, 3}) {
        Team team(threads);
        std::vector<float> visits(100000);
        KernelContext context;
        context.c = visits.data();
        const std::int64_t captured = 1;
        team.run(&context, abandon_at_forty, &captured, 0, std::ssize(visits), threads == 1 ? 100000 : 8);
        const auto visited = std::ranges::count(visits, 1.0F);
        EXPECT_EQ(visits[40], 1.0F) << "what has begun is finished";
        const bool is_complete = visited == std::ssize(visits);
        EXPECT_EQ(is_complete, threads == 1);
        EXPECT_EQ(context.abandoned == KernelContext::left_early, !is_complete) << "what is done is not left";
        team.run(&context, count_visits, &captured, 0, std::ssize(visits), 8);
        EXPECT_EQ(std::ranges::count(visits, 1.0F), visited) << "nor begins another region";
        EXPECT_EQ(context.abandoned, KernelContext::left_early);
    }
}

TEST(Team, EndsWithoutHavingRunAnything) {
    const Team team(4);
    EXPECT_EQ(team.size(), 4);
}

cpu_set_t processors_of(pthread_t thread) {
    cpu_set_t set;
    CPU_ZERO(&set);
    EXPECT_EQ(pthread_getaffinity_np(thread, sizeof set, &set), 0);
    return set;
}

/// The only processor that a thread may use; -1 when there are several.
int place_of(std::jthread& thread) {
    const cpu_set_t set = processors_of(thread.native_handle());
    if (CPU_COUNT(&set) != 1)
        return -1;
    for (int processor = 0;; ++processor)
        if (CPU_ISSET(processor, &set))
            return processor;
}

/// The calling thread runs there, and where it ran before when this ends.
class OnProcessor {
public:
    explicit OnProcessor(int processor)
        : before_(processors_of(pthread_self())) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    }
    ~OnProcessor() { pthread_setaffinity_np(pthread_self(), sizeof before_, &before_); }
    OnProcessor(const OnProcessor&) = delete;
    OnProcessor& operator=(const OnProcessor&) = delete;

private:
    cpu_set_t before_;
};

class ThreadPlacementTest : public ::testing::Test {
protected:
    void start_helpers(int count) {
        for (int h = 0; h < count; ++h)
            helpers_.emplace_back([this](const std::stop_token& stop) {
                std::unique_lock lock(mutex_);
                never_.wait(lock, stop, [] { return false; });
            });
    }

    std::mutex mutex_;
    std::condition_variable_any never_;
    std::vector<std::jthread> helpers_;
    ThreadPlacement placement_;
};

TEST_F(ThreadPlacementTest, GivesEachHelperAProcessorOfItsOwnApartFromTheCaller) {
    if (available_threads() < 2)
        GTEST_SKIP() << "this computer has one processor";
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    placement_.separate_from_caller();
    const int caller = sched_getcpu();
    std::vector<int> places;
    for (std::jthread& helper : helpers_)
        places.push_back(place_of(helper));
    std::ranges::sort(places);
    EXPECT_EQ(std::ranges::adjacent_find(places), places.end());
    EXPECT_GE(places.front(), 0);
    if (sched_getcpu() == caller) { // or it was moved while we looked
        EXPECT_FALSE(std::ranges::binary_search(places, caller));
    }
}

TEST_F(ThreadPlacementTest, MovesAHelperOutOfTheCallersWay) {
    if (available_threads() < 2)
        GTEST_SKIP() << "this computer has one processor";
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    for (int turn = 0; turn < 3; ++turn) {
        const int taken = place_of(helpers_.front());
        const OnProcessor here(taken);
        placement_.separate_from_caller();
        EXPECT_GE(place_of(helpers_.front()), 0);
        EXPECT_NE(place_of(helpers_.front()), taken);
    }
}

TEST_F(ThreadPlacementTest, LeavesTheCallerFree) {
    const cpu_set_t before = processors_of(pthread_self());
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    placement_.separate_from_caller();
    const cpu_set_t after = processors_of(pthread_self());
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST_F(ThreadPlacementTest, LeavesThreadsAloneThatAreMoreOrFewerThanTheProcessors) {
    if (available_threads() == 1)
        GTEST_SKIP() << "this computer has one processor";
    for (const int count : {available_threads(), available_threads() - 2}) {
        helpers_.clear();
        start_helpers(count);
        placement_.place(helpers_);
        placement_.separate_from_caller();
        for (std::jthread& helper : helpers_)
            EXPECT_EQ(place_of(helper), -1);
    }
}

} // namespace
} // namespace sparsight
