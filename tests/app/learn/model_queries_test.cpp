// From the real model to its rule: trees that learned from a rule are explained by that rule.
#include "domains/sparse/workflow/learning/reasons/model_queries.h"

#include "base/random.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/explanation/reasons/comparison_space.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/boosted_trees.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::UnorderedElementsAre;

constexpr LoopIndex k1{Index::K, Part::Outer};

bool is_compressed(const SuperSchedule& schedule) {
    return schedule.format(k1) == LevelFormat::Compressed;
}

std::vector<CsrPattern> some_patterns() {
    std::vector<CsrPattern> patterns;
    for (std::uint64_t seed = 1; seed <= 24; ++seed)
        patterns.push_back(generate_matrix("uniform",
                                           {{"rows", 40 + 4 * static_cast<double>(seed)},
                                            {"cols", 160 - 3 * static_cast<double>(seed)},
                                            {"density", 0.01 * static_cast<double>(seed)}},
                                           seed)
                               .value());
    return patterns;
}

std::vector<SuperSchedule> some_schedules(std::uint64_t seed, int count) {
    Random random(seed);
    return sample_uniform(Operator::SpMM, extents(Operator::SpMM, 128, 128, 64), count, 4, random);
}

/// Trees that saw times by this rule.
std::unique_ptr<CostModel>
trees_of(const std::vector<CsrPattern>& patterns,
         const std::function<double(const PatternStatistics&, const SuperSchedule&)>& milliseconds) {
    std::vector<TreesGroup> groups;
    for (const CsrPattern& pattern : patterns) {
        const PatternStatistics statistics = compute_statistics(pattern, 1);
        const std::vector<SuperSchedule> schedules = some_schedules(groups.size() + 1, 60);
        TreesGroup group{statistics_vector(statistics), configurations_of(schedules), {}};
        for (const SuperSchedule& schedule : schedules)
            group.milliseconds.push_back(milliseconds(statistics, schedule));
        groups.push_back(std::move(group));
    }
    Checkpoint checkpoint;
    checkpoint.model.architecture = describe_trees(Operator::SpMM);
    checkpoint.trees =
        BoostedTrees::train(schedule_features(Operator::SpMM), groups, {.rounds = 40, .depth = 4})
            ->save()
            .value();
    return make_cost_model(checkpoint, SparseLearning()).value();
}

class AskedTrees : public ::testing::Test {
protected:
    [[nodiscard]] SparseAnchorReason
    explained(const std::function<double(const PatternStatistics&, const SuperSchedule&)>& milliseconds) {
        const auto model = trees_of(patterns_, milliseconds);
        ModelQueries asked(
            *model, false,
            [&](std::size_t place) { return std::make_shared<const CsrPattern>(patterns_[place]); }, 1);
        ComparisonRequest request;
        request.schedule =
            canonical(*parse_schedule(Operator::SpMM, "4 8 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 16"));
        request.against =
            canonical(*parse_schedule(Operator::SpMM, "2 4 1 k1 i1 i0 k0 j1 j0 1 1 1 1 i1 4 64"));
        request.others = some_schedules(99, 300);
        for (const CsrPattern& pattern : patterns_)
            request.patterns.push_back(compute_statistics(pattern, 1));
        // The one with most entries in a row is explained.
        std::ranges::reverse(request.patterns);
        request.pattern_draws = PatternDraws::Statistics;
        request.machines = {MachineDescription{}};
        request.margins = [&](std::span<const ReasonCase> cases) { return asked.margins(cases); };
        const auto space = ComparisonSpace::make(request);
        EXPECT_TRUE(space) << space.error().message;
        auto reason = anchor_reason(**space, request, {});
        EXPECT_TRUE(reason) << reason.error().message;
        return *std::move(reason);
    }

    const std::vector<CsrPattern> patterns_ = some_patterns();
};

std::vector<std::string> in_words(const AnchorReason& reason) {
    std::vector<std::string> words;
    EXPECT_TRUE(reason.anchor);
    if (reason.anchor)
        for (const ReasonPredicate& predicate : reason.anchor->predicates)
            words.push_back(to_text(predicate, sparse_subject_words()));
    return words;
}

TEST_F(AskedTrees, AreExplainedByTheDecisionThatTheyLearnedFrom) {
    const SparseAnchorReason reason = explained([](const PatternStatistics&, const SuperSchedule& schedule) {
        return is_compressed(schedule) ? 1.0 : 3.0;
    });
    EXPECT_THAT(in_words(reason), UnorderedElementsAre("schedule: format of k1 is compressed",
                                                       "against: format of k1 is uncompressed"));
}

TEST_F(AskedTrees, AreExplainedByTheStatisticThatTurnsTheirChoice) {
    // Compressed columns pay off above twelve entries a row, and only there.
    const SparseAnchorReason reason =
        explained([](const PatternStatistics& of, const SuperSchedule& schedule) {
            return is_compressed(schedule) == (of.row_length.mean > 12) ? 1.0 : 3.0;
        });
    const auto words = in_words(reason);
    EXPECT_THAT(words, ::testing::IsSupersetOf({"schedule: format of k1 is compressed",
                                                "against: format of k1 is uncompressed"}));
    EXPECT_THAT(words, ::testing::Contains(::testing::StartsWith("matrix: ")));
    EXPECT_EQ(words.size(), 3U);
}

} // namespace
} // namespace sparsight
