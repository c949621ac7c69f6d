// What must never change of the operators that workspaces, models and results name, and what follows from the
// description of an operator alone.
#include "base/digest.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

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
    ::testing::Values(Golden{Operator::SpMM, 16811256708391575431U, 8644210038051342973U, 11402691723692499112U,
                             9213711436513370418U, 2055429139807957695U, 2387863620925325610U,
                             5541640890436676179U, 12117417291438917950U},
                      Golden{Operator::SpMV, 14465938141666615611U, 17494497943339188467U, 18040707097076385266U,
                             4386686121163333496U, 11512586791153191943U, 8930628473174408004U,
                             847773140692016493U, 5933486152219219547U},
                      Golden{Operator::SDDMM, 3557745797705465510U, 16445191912967763258U, 17499285696837141847U,
                             12438861962017110993U, 12050481502977090298U, 16267886907155786424U,
                             8253557946823825575U, 9712219701376856544U}),
    [](const auto& test) { return std::string(name(test.param.op)); });

} // namespace
} // namespace sparsight
