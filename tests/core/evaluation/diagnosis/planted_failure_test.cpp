#include "core/evaluation/diagnosis/planted_failures.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/simulated_evaluator.h"
#include "machine/machine_presets.h"
#include "matrix/generators/generator.h"
#include "matrix/reading.h"
#include "schedule/text.h"
#include "support/shared_data.h"

#include <gmock/gmock.h>
#include <map>
#include <numeric>

namespace sparsight {
namespace {

using testing::all_plants;
using testing::Plant;
using testing::plant_failure;
using testing::PlantedFailure;

constexpr std::int64_t dense = 64;

struct Tally {
    int planted = 0;
    int found = 0;
};

/// Every failure that can be planted on a pattern, on two machines.
void examine(const std::string& matrix, const CsrPattern& pattern, std::map<Plant, Tally>& tallies) {
    const ProfiledPattern profiled(pattern);
    for (const std::string machine : {"epyc-7543", "laptop"}) {
        const auto preset = find_machine_preset(machine);
        ASSERT_TRUE(preset) << machine;
        const MachineParameters parameters = resolve_parameters(preset->machine).values;
        Random random(1);
        for (const Operator op : all_operators) {
            SimulatedEvaluator evaluator(profiled, dense, parameters);
            for (const Plant plant : all_plants) {
                const auto failure = *plant_failure(plant, op, pattern, 4, evaluator, random);
                if (!failure)
                    continue;
                const auto blame = *find_blame(*HybridSpace::make(failure->good, failure->bad), evaluator);
                Tally& tally = tallies[plant];
                ++tally.planted;
                const bool is_found = blame.shares.front().decision == failure->planted;
                tally.found += is_found ? 1 : 0;
                if (!is_found)
                    GTEST_LOG_(INFO) << matrix << " on " << machine << ", " << name(plant) << ": blamed "
                                     << key(blame.shares.front().decision) << " of '" << to_text(failure->bad)
                                     << "' against '" << to_text(failure->good) << "', " << failure->slower
                                     << " times slower";
                const double sum = std::accumulate(
                    blame.shares.begin(), blame.shares.end(), 0.0,
                    [](double all, const DecisionShare& each) { return all + each.milliseconds; });
                EXPECT_NEAR(sum, blame.difference_ms(), 1e-9 * *blame.to.milliseconds);
            }
        }
    }
}

void expect_nearly_all_found(const std::map<Plant, Tally>& tallies) {
    for (const Plant plant : all_plants) {
        const auto tally = tallies.find(plant);
        ASSERT_NE(tally, tallies.end()) << name(plant) << " could be planted nowhere";
        EXPECT_GE(tally->second.planted, 4) << name(plant);
        EXPECT_GE(tally->second.found, 0.9 * tally->second.planted)
            << name(plant) << ": " << tally->second.found << " of " << tally->second.planted;
    }
}

TEST(PlantedFailures, AreBlamedOnTheirDecisionOnGeneratedMatrices) {
    std::map<Plant, Tally> tallies;
    for (const char* family : {"uniform", "row-skewed", "scattered-blocks", "banded"}) {
        SCOPED_TRACE(family);
        const auto pattern = generate_matrix(family, {}, 1);
        ASSERT_TRUE(pattern) << pattern.error().message;
        examine(family, *pattern, tallies);
    }
    expect_nearly_all_found(tallies);
}

TEST(PlantedFailures, AreBlamedOnTheirDecisionOnRealMatrices) {
    SPARSIGHT_NEEDS_SHARED("matrices");
    std::map<Plant, Tally> tallies;
    for (const char* name : {"cage8", "bcsstk19", "can_1072", "lp_pilot87", "bcspwr09", "3elt"}) {
        SCOPED_TRACE(name);
        const auto matrix = read_matrix(testing::shared_path("matrices") / (std::string(name) + ".mtx.gz"));
        ASSERT_TRUE(matrix) << matrix.error().text();
        examine(name, matrix->pattern, tallies);
    }
    expect_nearly_all_found(tallies);
}

} // namespace
} // namespace sparsight
