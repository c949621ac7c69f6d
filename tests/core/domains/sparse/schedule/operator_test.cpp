// What must never change of the operators that workspaces, models and results name, and what follows from the
// description of an operator alone.
#include "base/digest.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {
namespace {

using Schedules = std::vector<SuperSchedule>;

void add(Digest& digest, const SuperSchedule& schedule) {
    digest.add(to_text(schedule));
    digest.add(describe(schedule));
    digest.add(hash_value(schedule));
    digest.add(hash_value(canonical_without_threads(schedule)));
    const Configuration configuration = configuration_of(schedule);
    for (const std::byte byte : configuration.bytes())
        digest.add(std::to_integer<std::uint64_t>(byte));
    digest.add(hash_value(configuration));
    const ScheduleEncoding encoding = encode(schedule);
    for (const int split : encoding.splits)
        digest.add(static_cast<std::uint64_t>(split));
    for (const int format : encoding.formats)
        digest.add(static_cast<std::uint64_t>(format));
    digest.add(static_cast<std::uint64_t>(encoding.parallel));
    digest.add(static_cast<std::uint64_t>(encoding.chunk));
    for (const float place : encoding.order)
        digest.add(std::bit_cast<std::uint32_t>(place));
}

std::uint64_t digest_of(const Schedules& schedules) {
    Digest digest;
    for (const SuperSchedule& schedule : schedules)
        add(digest, schedule);
    return digest.value();
}

void add_pair(Digest& digest, const SuperSchedule& one, const SuperSchedule& other) {
    digest.add(std::bit_cast<std::uint64_t>(decision_distance(one, other)));
    digest.add(std::uint64_t{one < other ? 1U : 0U});
    const auto hybrids = ScheduleHybrids::make(one, other).value();
    for (const Decision& decision : hybrids->decisions()) {
        digest.add(std::uint64_t{decision.index});
        digest.add(decision.key);
        digest.add(decision.name);
    }
    for (DecisionSet taken = 0; taken < 1U << hybrids->decisions().size(); taken += 5) {
        const HybridSchedule hybrid = hybrids->schedule_at(taken);
        digest.add(to_text(hybrid.schedule));
        digest.add(std::uint64_t{hybrid.is_repaired ? 1U : 0U});
    }
    for (const ScheduleDecision& decision : hybrids->schedule_decisions()) {
        digest.add(value_of(decision, hybrids->from_schedule()));
        digest.add(value_of(decision, hybrids->to_schedule()));
    }
}

struct Golden {
    Operator op;
    std::uint64_t waco, wide_waco, uniform, near, walk, designs, mixtures, pairs;
};

class GoldenOperator : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenOperator, HasTheSameSchedulesBytesHashesEncodingsAndHybridsForEver) {
    const Golden golden = GetParam();
    const Operator op = golden.op;
    const Extents sizes = extents(op, 5000, 3000, 256);
    Random random(17);
    const Schedules waco = sample_waco(op, sizes, 200, 48, random);
    const Schedules wide = sample_waco(op, sizes, 200, 8, random, FreeSplits::UpToDimension);
    const Schedules uniform = sample_uniform(op, sizes, 200, 8, random);
    const Schedules near = sample_near(fixed_csr(op, 8), sizes, 200, random);
    EXPECT_EQ(digest_of(waco), golden.waco);
    EXPECT_EQ(digest_of(wide), golden.wide_waco);
    EXPECT_EQ(digest_of(uniform), golden.uniform);
    EXPECT_EQ(digest_of(near), golden.near);
    EXPECT_EQ(digest_of(random_walk(wide.front(), sizes, 200, random)), golden.walk);
    EXPECT_EQ(digest_of(designed_schedules(op, sizes, 8)), golden.designs);
    Schedules children;
    Digest pairs;
    for (std::size_t at = 0; at < uniform.size(); ++at) {
        if (const auto child = mixture(uniform[at], canonical(wide[at]), random))
            children.push_back(*child);
        if (at % 10 == 0)
            add_pair(pairs, canonical(wide[at]), uniform[at]);
    }
    EXPECT_EQ(digest_of(children), golden.mixtures);
    EXPECT_EQ(pairs.value(), golden.pairs);
}

INSTANTIATE_TEST_SUITE_P(
    Operators, GoldenOperator,
    ::testing::Values(Golden{Operator::SpMM, 16811256708391575431U, 8644210038051342973U,
                             11402691723692499112U, 9213711436513370418U, 2055429139807957695U,
                             2387863620925325610U, 5541640890436676179U, 3203525273688100695U},
                      Golden{Operator::SpMV, 14465938141666615611U, 17494497943339188467U,
                             18040707097076385266U, 4386686121163333496U, 11512586791153191943U,
                             8930628473174408004U, 847773140692016493U, 5933486152219219547U},
                      Golden{Operator::SDDMM, 3557745797705465510U, 16445191912967763258U,
                             17499285696837141847U, 12438861962017110993U, 12050481502977090298U,
                             16267886907155786424U, 8253557946823825575U, 8088753216368750550U}),
    [](const auto& test) { return std::string(name(test.param.op)); });

constexpr Operator mttkrp = Operator::MTTKRP;
constexpr int team_size = 8;

SuperSchedule schedule(std::string_view text) {
    return parse_schedule(mttkrp, text).value();
}

/// C(i,j) = Σkl A(i,k,l) · B(k,j) · D(l,j): A has three modes, j belongs to dense operands alone.
class TensorOperator : public ::testing::Test {
protected:
    Extents sizes =
        extents(mttkrp, std::array<std::int64_t, 3>{600, 70, 5000}, std::array<std::int64_t, 1>{32});
    ScheduleSpace space{mttkrp, sizes};
    Random random{23};
    Schedules drawn = sample_uniform(mttkrp, sizes, 300, team_size, random);
};

TEST_F(TensorOperator, IsADescriptionFromWhichItsLoopsLevelsAndExtentsFollow) {
    EXPECT_THAT(indices(mttkrp), ::testing::ElementsAre(Index::I, Index::K, Index::L, Index::J));
    EXPECT_THAT(sparse_indices(mttkrp), ::testing::ElementsAre(Index::I, Index::K, Index::L));
    EXPECT_THAT(dense_indices(mttkrp), ::testing::ElementsAre(Index::J));
    EXPECT_EQ(loop_count(mttkrp), 8U);
    EXPECT_EQ(level_names(mttkrp).size(), 6U);
    EXPECT_THAT(parallel_loops(mttkrp), ::testing::ElementsAre(LoopIndex{Index::I, Part::Outer}));
    EXPECT_TRUE(is_summed(mttkrp, Index::L));
    EXPECT_FALSE(is_summed(mttkrp, Index::J));
    EXPECT_EQ(sizes[Index::I], 600);
    EXPECT_EQ(sizes[Index::J], 32);
    EXPECT_EQ(sizes[Index::K], 70);
    EXPECT_EQ(sizes[Index::L], 5000);
}

TEST_F(TensorOperator, TakesItsExtentsFromTheSizesOfAWorkloadsModes) {
    EXPECT_THAT(size_facts(Operator::SpMM), ::testing::ElementsAre("rows", "cols"));
    EXPECT_THAT(size_facts(mttkrp), ::testing::ElementsAre("size_1", "size_2", "size_3"));
    EXPECT_EQ(extents(SparseSetting{mttkrp, 32}, {{"size_1", 600}, {"size_2", 70}, {"size_3", 5000}}), sizes);
    EXPECT_EQ(extents(SparseSetting{mttkrp, 32}, {{"size_1", 600}, {"size_2", 70}}).error().message,
              "the fact 'size_3' of the tensor is missing");
    const SparseSetting second{.op = mttkrp, .dense = 32, .mode = 2};
    const Extents turned = extents(second, {{"size_1", 70}, {"size_2", 600}, {"size_3", 5000}}).value();
    EXPECT_EQ(turned, sizes) << "its second mode is the first of the operator";
    EXPECT_EQ(setting_of(second), (Setting{"tensors", "mttkrp mode=2 dense=32"}));
    EXPECT_EQ(parse_sparse_setting(setting_of(second)), second);
    for (const char* const wrong : {"mttkrp", "mttkrp dense=32", "mttkrp mode=4 dense=32",
                                    "mttkrp mode=0 dense=32", "mttkrp mode=1 dense=32 "})
        EXPECT_FALSE(parse_sparse_setting({"tensors", wrong})) << wrong;
    EXPECT_FALSE(parse_sparse_setting({"sparse", setting_of(second).text}));
    EXPECT_FALSE(parse_sparse_setting({"tensors", "spmv"}));
}

TEST_F(TensorOperator, IsNoneOfMatrices) {
    EXPECT_EQ(std::ranges::count(all_operators, mttkrp), 0);
    EXPECT_FALSE(parse_operator("mttkrp"));
}

TEST_F(TensorOperator, HasATextWithASplitOfEachIndexAndAFormatOfEachLevel) {
    const std::string text = "4 1 8 16 i1 k1 k0 l1 i0 l0 j1 j0 1 0 0 1 1 0 i1 48 32";
    const SuperSchedule read = schedule(text);
    EXPECT_EQ(to_text(read), text);
    EXPECT_EQ(read.split(Index::L), 8);
    EXPECT_EQ(read.split(Index::J), 16);
    EXPECT_EQ(read.format({Index::L, Part::Outer}), LevelFormat::Uncompressed);
    EXPECT_EQ(read.format({Index::L, Part::Inner}), LevelFormat::Compressed);
    EXPECT_EQ(describe(read),
              "A is stored by i-slice blocks of 4 (dense), then k-slices (compressed), then "
              "l-slice blocks of 8 (dense), then i-slices in a block (compressed), then "
              "l-slices in a block (compressed). 48 threads take 32 i-slice blocks at a time; in "
              "this schedule splitting j by 16 changes nothing, because j0 follows j1 directly.");
    EXPECT_EQ(
        parse_schedule(mttkrp, "1 1 1").error().message,
        "only 3 words where a schedule of mttkrp has 21: isplit ksplit lsplit jsplit o1 … o8 f(i1) f(i0) "
        "f(k1) f(k0) f(l1) f(l0) parallel threads chunk");
    for (const SuperSchedule& each : drawn)
        EXPECT_EQ(schedule(to_text(each)), each);
}

TEST_F(TensorOperator, HasABaselineThatFollowsTheModesOfA) {
    EXPECT_EQ(to_text(fixed_csr(mttkrp, 2)), "1 1 1 1 i1 i0 k1 k0 l1 l0 j1 j0 1 1 0 1 0 1 i1 2 32");
    EXPECT_EQ(canonical(fixed_csr(mttkrp, 2)), fixed_csr(mttkrp, 2));
    EXPECT_TRUE(space.check(space.baseline().value()));
}

TEST_F(TensorOperator, SaysWhyAScheduleIsNotValid) {
    const auto reason = [](auto spoil) {
        SuperSchedule spoiled = fixed_csr(mttkrp, 2);
        spoil(spoiled);
        const Result<void> result = check(spoiled);
        return result ? std::string() : result.error().message;
    };
    EXPECT_EQ(reason([](SuperSchedule& s) { s.split(Index::L) = 0; }),
              "the split of l is 0, expected 1 to 1073741824");
    EXPECT_EQ(reason([](SuperSchedule& s) { s.parallel = {Index::K, Part::Outer}; }),
              "mttkrp cannot run in parallel over k1, expected i1");
    EXPECT_EQ(reason([](SuperSchedule& s) { s.order[6] = s.order[4]; }),
              "the loop order names l1 more than once; expected each of i1 i0 k1 k0 l1 l0 j1 j0 once");
    EXPECT_EQ(reason([](SuperSchedule& s) { s.op = Operator::SpMM; }),
              "the schedule has 4 splits, 8 loops and 6 level formats, where spmm has 3, 6 and 4");
}

TEST_F(TensorOperator, IsDrawnUniformlyAndAsWacosFreePartDraws) {
    EXPECT_EQ(drawn.size(), 300U);
    const Schedules free = sample_waco(mttkrp, sizes, 100, team_size, random);
    EXPECT_EQ(free.size(), 100U);
    std::set<SuperSchedule> distinct(drawn.begin(), drawn.end());
    EXPECT_EQ(distinct.size(), 300U);
    for (const SuperSchedule& each : drawn) {
        EXPECT_TRUE(check(each)) << to_text(each);
        EXPECT_EQ(canonical(each), each);
    }
    for (const SuperSchedule& each : free) {
        EXPECT_TRUE(check(each)) << to_text(each);
        EXPECT_EQ(each.order.back(), (LoopIndex{Index::J, Part::Inner}));
    }
    const Schedules designs = designed_schedules(mttkrp, sizes, team_size);
    EXPECT_GT(designs.size(), 100U);
    for (const SuperSchedule& each : designs)
        EXPECT_FALSE(each.is_split(Index::K)) << "between the first and the last index of A";
}

TEST_F(TensorOperator, NumbersEveryScheduleOfASmallSpaceOnce) {
    const Extents small =
        extents(mttkrp, std::array<std::int64_t, 3>{1, 1, 2}, std::array<std::int64_t, 1>{1});
    const SearchSpace all(mttkrp, small, team_size);
    // 4! orders, 2³ formats, or 5!/2 orders with l in two parts and 2⁴ formats; nine chunks.
    EXPECT_EQ(all.size(), 9U * (24 * 8 + 60 * 16));
    std::set<SuperSchedule> found;
    for (std::uint64_t rank = 0; rank < all.size(); ++rank) {
        found.insert(all.at(rank));
        ASSERT_TRUE(check(all.at(rank)));
    }
    EXPECT_EQ(found.size(), all.size());
    EXPECT_EQ(sample_near(fixed_csr(mttkrp, team_size), small, 100'000, random).size(), all.size() - 1)
        << "steps of one decision reach all of them";
}

TEST_F(TensorOperator, ComesBackFromItsBytesAndItsNumbers) {
    std::set<std::uint64_t> hashes;
    for (const SuperSchedule& each : drawn) {
        const Configuration packed = configuration_of(each);
        EXPECT_LE(packed.bytes().size(), Configuration::most_in_place);
        EXPECT_EQ(schedule_of(packed, team_size), each);
        EXPECT_TRUE(space.check(packed));
        const ScheduleEncoding encoding = encode(each);
        EXPECT_EQ(encoding.splits.size(), 4U);
        EXPECT_EQ(encoding.formats.size(), 6U);
        EXPECT_EQ(encoding.order.size(), 64U);
        EXPECT_EQ(decode(encoding, team_size).value(), each);
        hashes.insert(hash_value(each));
    }
    EXPECT_EQ(hashes.size(), drawn.size());
    EXPECT_FALSE(ScheduleSpace(Operator::SpMM, sizes).check(configuration_of(drawn.front())));
}

TEST_F(TensorOperator, HasNeighboursThatDifferInOneDecisionAndMixturesOfTwo) {
    int mixed = 0;
    for (std::size_t at = 0; at < 50; ++at) {
        for (const SuperSchedule& near : neighbours(drawn[at], sizes)) {
            EXPECT_TRUE(check(near));
            EXPECT_EQ(canonical(near), near);
            EXPECT_EQ(differing_decisions(drawn[at], near).size(), 1U) << to_text(near);
            EXPECT_GT(decision_distance(drawn[at], near), 0);
            EXPECT_LE(decision_distance(drawn[at], near), 2);
        }
        if (const auto child = mixture(drawn[at], drawn[at + 1], random)) {
            EXPECT_TRUE(check(*child));
            ++mixed;
        }
    }
    EXPECT_GT(mixed, 5);
}

TEST_F(TensorOperator, HasAHybridForEverySetOfDecisions) {
    std::set<std::string> keys;
    for (std::size_t at = 0; at < 20; ++at) {
        const auto between = ScheduleHybrids::make(drawn[at], drawn[at + 1]);
        if (!between)
            continue; // more decisions than a diagnosis can take
        const ScheduleHybrids& hybrids = **between;
        for (const Decision& decision : hybrids.decisions())
            keys.insert(decision.key);
        const DecisionSet all = (DecisionSet{1} << hybrids.decisions().size()) - 1;
        EXPECT_EQ(hybrids.schedule_at(0).schedule, drawn[at]);
        EXPECT_EQ(hybrids.schedule_at(all).schedule, drawn[at + 1]);
        for (DecisionSet taken = 0; taken <= all; ++taken)
            ASSERT_TRUE(check(hybrids.schedule_at(taken).schedule));
    }
    EXPECT_THAT(keys, ::testing::IsSupersetOf({"split_i", "split_l", "split_j", "level_order", "dense_loops",
                                               "format_l1", "format_l0", "chunk"}));
    EXPECT_FALSE(keys.contains("parallel"));
}

TEST_F(TensorOperator, CountsEachDecisionInADistance) {
    const SuperSchedule start = fixed_csr(mttkrp, team_size);
    SuperSchedule other = start;
    other.format({Index::L, Part::Outer}) = LevelFormat::Uncompressed;
    EXPECT_EQ(decision_distance(start, other), 1);
    other.split(Index::L) = 16;
    EXPECT_EQ(decision_distance(start, canonical(other)), 2);
    for (std::size_t at = 0; at + 1 < drawn.size(); ++at) {
        EXPECT_EQ(decision_distance(drawn[at], drawn[at]), 0);
        EXPECT_EQ(decision_distance(drawn[at], drawn[at + 1]), decision_distance(drawn[at + 1], drawn[at]));
    }
}

} // namespace
} // namespace sparsight
