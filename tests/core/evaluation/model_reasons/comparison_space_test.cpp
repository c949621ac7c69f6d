#include "domains/sparse/explanation/reasons/comparison_space.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/model_reasons/nearest_points.h"
#include "machine/machine_family.h"
#include "support/spmm_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace sparsight {

// Faithfulness in the words of the field: of models that go by a known decision, statistic or part of the
// machine, the anchor is just that.
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using testing::spmm;
using ::testing::UnorderedElementsAre;

const SuperSchedule blocked =
    canonical(*parse_schedule(Operator::SpMM, "16 32 1 k1 i1 j1 j0 k0 i0 1 1 0 1 i1 8 64"));

/// Statistics that have nothing to do with each other; the first are the highest of each but for the
/// bandwidth, which is the lowest.
std::vector<PatternStatistics> unrelated_patterns(std::size_t count) {
    Random random(11);
    std::vector<PatternStatistics> patterns(count);
    for (const Statistic& statistic : statistics()) {
        for (PatternStatistics& pattern : patterns)
            statistic.set(pattern, 1 + static_cast<double>(random.below(1000)));
        statistic.set(patterns.front(), statistic.name == "bandwidth" ? 0 : 1001);
    }
    return patterns;
}

/// The quartile of a statistic; q from 0 to 2.
double edge_of(const std::vector<PatternStatistics>& patterns, std::string_view name, std::size_t q) {
    const Statistic& statistic = *std::ranges::find(statistics(), name, &Statistic::name);
    std::vector<double> numbers;
    for (const PatternStatistics& each : patterns)
        numbers.push_back(statistic.of(each));
    return quartiles(numbers)[q];
}

double statistic_of(const ReasonCase& of, std::string_view name) {
    return std::ranges::find(statistics(), name, &Statistic::name)->of(of.statistics);
}

double cores_of(const ReasonCase& of) {
    return resolve_parameters(of.machine).values[MachineParameter::Cores];
}

bool has_compressed_k1(const SuperSchedule& schedule) {
    return schedule.format({Index::K, Part::Outer}) == LevelFormat::Compressed;
}

/// A model that prefers the schedule where the rule holds, and the other one elsewhere.
MarginFunction model_of(std::function<bool(const ReasonCase&)> rule) {
    return [rule = std::move(rule)](std::span<const ReasonCase> cases) -> Result<std::vector<double>> {
        std::vector<double> margins;
        for (const ReasonCase& each : cases)
            margins.push_back(rule(each) ? 0.5 : -0.5);
        return margins;
    };
}

ComparisonRequest request_of(MarginFunction margins) {
    Random random(3);
    ComparisonRequest request;
    request.schedule = blocked;
    request.against = fixed_csr(Operator::SpMM, 8);
    request.others = sample_waco(Operator::SpMM, extents(Operator::SpMM, 4096, 4096, 256), 200, 8, random);
    request.patterns = unrelated_patterns(60);
    request.pattern_draws = PatternDraws::Statistics;
    request.machines = sample_machines(5, 60);
    request.margins = std::move(margins);
    return request;
}

std::string in_words(const Anchor& anchor) {
    std::string text;
    for (const ReasonPredicate& predicate : anchor.predicates)
        text += (text.empty() ? "" : ", ") + to_text(predicate, sparse_subject_words());
    return text;
}

/// The predicates of the anchor that is found; of none, and with a failure, where none is.
std::vector<ReasonPredicate> rule_of(const AnchorReason& reason) {
    if (reason.anchor)
        return reason.anchor->predicates;
    ADD_FAILURE() << "no anchor; the nearest is " << in_words(*reason.nearest) << " with a precision from "
                  << reason.nearest->precision.lowest << " to " << reason.nearest->precision.highest << " of "
                  << reason.nearest->precision.draws << " draws after " << reason.calls << " calls";
    return {};
}

SparseAnchorReason explained(const ComparisonRequest& request, std::uint64_t seed = 1) {
    const auto space = ComparisonSpace::make(request);
    EXPECT_TRUE(space) << space.error().message;
    AnchorOptions options;
    options.seed = seed;
    auto reason = anchor_reason(**space, request, options);
    EXPECT_TRUE(reason) << reason.error().message;
    return *std::move(reason);
}

auto predicate(ReasonSubject subject, const std::string& key, PredicateRelation relation) {
    return AllOf(Field("subject", &ReasonPredicate::subject, subject),
                 Field("key", &ReasonPredicate::key, key),
                 Field("relation", &ReasonPredicate::relation, relation));
}

TEST(ComparisonSpace, FindsTheDecisionThatAModelGoesBy) {
    const auto request =
        request_of(model_of([](const ReasonCase& of) { return has_compressed_k1(of.schedule); }));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const SparseAnchorReason reason = explained(request, seed);
        ASSERT_TRUE(reason.anchor) << "seed " << seed;
        EXPECT_THAT(reason.anchor->predicates,
                    ElementsAre(predicate(ReasonSubject::Configuration, "format_k1", PredicateRelation::Is)));
        EXPECT_EQ(to_text(reason.anchor->predicates.front(), sparse_subject_words()),
                  "schedule: format of k1 is compressed");
        EXPECT_GE(reason.anchor->precision.lowest, 0.95);
    }
}

TEST(ComparisonSpace, FindsABoundOfANumberAndNotTheNumber) {
    const auto request = request_of(model_of([](const ReasonCase& of) { return of.schedule.chunk >= 64; }));
    EXPECT_THAT(rule_of(explained(request)),
                ElementsAre(predicate(ReasonSubject::Configuration, "chunk", PredicateRelation::AtLeast)));
}

TEST(ComparisonSpace, FindsADecisionOfTheOtherSchedule) {
    const auto request = request_of(model_of([](const ReasonCase& of) { return of.against.chunk <= 32; }));
    EXPECT_THAT(rule_of(explained(request)),
                ElementsAre(predicate(ReasonSubject::Against, "chunk", PredicateRelation::AtMost)));
}

TEST(ComparisonSpace, FindsAStatisticWithTheBoundThatCounts) {
    const auto patterns = unrelated_patterns(60);
    const double edge = edge_of(patterns, "row_length_variation", 1);
    const auto request = request_of(
        model_of([&](const ReasonCase& of) { return statistic_of(of, "row_length_variation") > edge; }));
    const SparseAnchorReason reason = explained(request);
    ASSERT_TRUE(reason.anchor);
    EXPECT_THAT(
        reason.anchor->predicates,
        ElementsAre(predicate(ReasonSubject::Workload, "row_length_variation", PredicateRelation::Above)));
    EXPECT_EQ(reason.anchor->predicates.front().number, edge);
}

TEST(ComparisonSpace, FindsARuleOverTheMachine) {
    std::vector<double> cores;
    for (const MachineDescription& machine : sample_machines(5, 60))
        cores.push_back(resolve_parameters(machine).values[MachineParameter::Cores]);
    const double own = cores.front();
    double edge = 0; // that the first machine lies above of
    for (const double each : quartiles(cores))
        if (own > each)
            edge = each;
    ASSERT_GT(edge, 0) << "the first machine of the family has too few cores for this test";
    const auto request = request_of(model_of([edge](const ReasonCase& of) { return cores_of(of) > edge; }));
    const SparseAnchorReason reason = explained(request);
    ASSERT_TRUE(reason.anchor);
    EXPECT_THAT(reason.anchor->predicates,
                ElementsAre(predicate(ReasonSubject::Machine, "cores", PredicateRelation::Above)));
    EXPECT_EQ(reason.anchor->predicates.front().number, edge);
    EXPECT_EQ(reason.machines, 60);
}

TEST(ComparisonSpace, FindsAConjunctionOverScheduleAndPattern) {
    const double edge = edge_of(unrelated_patterns(60), "row_length_variation", 0);
    const auto request = request_of(model_of([&](const ReasonCase& of) {
        return has_compressed_k1(of.schedule) && statistic_of(of, "row_length_variation") > edge;
    }));
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        EXPECT_THAT(
            rule_of(explained(request, seed)),
            UnorderedElementsAre(
                predicate(ReasonSubject::Configuration, "format_k1", PredicateRelation::Is),
                predicate(ReasonSubject::Workload, "row_length_variation", PredicateRelation::Above)));
}

TEST(ComparisonSpace, FindsAConjunctionOverScheduleAndPatternAndMachine) {
    const double edge = edge_of(unrelated_patterns(60), "bandwidth", 1);
    auto request = request_of({});
    std::vector<double> cores;
    for (const MachineDescription& machine : request.machines)
        cores.push_back(resolve_parameters(machine).values[MachineParameter::Cores]);
    double cores_edge = 0;
    for (const double each : quartiles(cores))
        if (cores.front() > each)
            cores_edge = each;
    request.margins = model_of([=](const ReasonCase& of) {
        return has_compressed_k1(of.schedule) && statistic_of(of, "bandwidth") <= edge &&
               cores_of(of) > cores_edge;
    });
    EXPECT_THAT(
        rule_of(explained(request)),
        UnorderedElementsAre(predicate(ReasonSubject::Configuration, "format_k1", PredicateRelation::Is),
                             predicate(ReasonSubject::Workload, "bandwidth", PredicateRelation::AtMost),
                             predicate(ReasonSubject::Machine, "cores", PredicateRelation::Above)));
}

TEST(ComparisonSpace, OfWholePatternsItDrawsThoseThatFit) {
    const double edge = edge_of(unrelated_patterns(60), "nnz", 1);
    auto request = request_of(model_of([&](const ReasonCase& of) { return statistic_of(of, "nnz") > edge; }));
    request.pattern_draws = PatternDraws::Matrices;
    const SparseAnchorReason reason = explained(request);
    ASSERT_TRUE(reason.anchor);
    EXPECT_THAT(reason.anchor->predicates,
                ElementsAre(predicate(ReasonSubject::Workload, "nnz", PredicateRelation::Above)));

    const auto space = ComparisonSpace::make(request);
    std::size_t place = 0;
    while (!(space.value()->predicate(place) == reason.anchor->predicates.front()))
        ++place;
    std::size_t others = 0;
    auto counted = request;
    counted.margins = [&](std::span<const ReasonCase> cases) -> Result<std::vector<double>> {
        for (const ReasonCase& each : cases) {
            EXPECT_EQ(each.statistics.nnz, counted.patterns[each.pattern].nnz);
            others += each.pattern != 0 ? 1 : 0;
        }
        return std::vector<double>(cases.size(), 1.0);
    };
    const auto counting = ComparisonSpace::make(counted);
    Random random(1);
    const auto draws = counting.value()->draw(std::span(&place, 1), 200, random);
    EXPECT_THAT(*draws, Each(::testing::Truly([&](const AnchorDraw& each) { return each.holds[place]; })));
    EXPECT_GT(others, 150U);
}

TEST(ComparisonSpace, OfAModelThatChoosesByChanceThereIsNoRule) {
    const auto request = request_of(model_of([](const ReasonCase& of) {
        return (hash_value(of.schedule) ^ (hash_value(of.against) * 31) ^
                static_cast<std::size_t>(of.statistics.nnz)) %
                   5 <
               2;
    }));
    const SparseAnchorReason reason = explained(request);
    EXPECT_FALSE(reason.anchor);
    EXPECT_TRUE(reason.nearest);
    EXPECT_LT(reason.unconditional.highest, 0.7);
}

TEST(ComparisonSpace, EveryPredicateHoldsInTheExplainedCase) {
    auto request = request_of({});
    std::vector<ReasonCase> seen;
    request.margins = [&](std::span<const ReasonCase> cases) -> Result<std::vector<double>> {
        seen.assign(cases.begin(), cases.end());
        return std::vector<double>(cases.size(), 1.0);
    };
    const auto space = ComparisonSpace::make(request);
    std::vector<std::size_t> all(space.value()->predicates());
    std::iota(all.begin(), all.end(), 0);
    Random random(1);
    const auto draws = space.value()->draw(all, 50, random);
    for (const AnchorDraw& draw : *draws)
        EXPECT_THAT(draw.holds, Each(true));
    for (const ReasonCase& each : seen) {
        EXPECT_EQ(each.schedule, blocked);
        EXPECT_EQ(canonical(each.against), canonical(request.against));
    }
}

TEST(ComparisonSpace, KeepsWhateverIsToBeKept) {
    auto request = request_of(model_of([](const ReasonCase&) { return true; }));
    const auto space = ComparisonSpace::make(request);
    Random random(7);
    for (std::size_t one = 0; one < space.value()->predicates(); ++one)
        for (const std::size_t other : {std::size_t{0}, one / 2}) {
            std::vector<std::size_t> kept{other, one};
            const auto draws = space.value()->draw(kept, 10, random);
            for (const AnchorDraw& draw : *draws)
                EXPECT_TRUE(draw.holds[one] && draw.holds[other])
                    << to_text(space.value()->predicate(one), sparse_subject_words()) << ", "
                    << to_text(space.value()->predicate(other), sparse_subject_words());
        }
}

TEST(ComparisonSpace, AModelThatRatesBothAlikeMakesNoChoice) {
    const auto request = request_of([](std::span<const ReasonCase> cases) -> Result<std::vector<double>> {
        return std::vector<double>(cases.size(), 0.0);
    });
    const auto space = ComparisonSpace::make(request);
    ASSERT_FALSE(space);
    EXPECT_EQ(space.error().fault, Fault::Input);
}

TEST(ScheduleVariants, ASplitThatAppearsChangesNothingElse) {
    const SuperSchedule schedule = spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32");
    // Others split k, too, and keep its inner loop elsewhere, in other formats.
    const std::vector others{spmm("1 8 1 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 2 32"),
                             spmm("1 64 1 i1 k1 i0 j1 k0 j0 1 1 1 0 i1 2 8")};
    const ScheduleVariants variants(schedule, others, ReasonSubject::Configuration);
    const auto curve = variants.one_changed({DecisionKind::Split, {Index::K, Part::Outer}});
    ASSERT_EQ(curve.size(), 3U);
    EXPECT_EQ(curve[0], schedule);
    EXPECT_EQ(curve[1], spmm("1 8 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    EXPECT_EQ(curve[2], spmm("1 64 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
}

} // namespace
} // namespace sparsight
