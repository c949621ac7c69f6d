#include "domains/sparse/workflow/experiment/demo_matrices.h"

#include "domains/sparse/storage/generated_matrices.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"
#include "store/workloads.h"

#include <algorithm>
#include <array>

namespace sparsight {

namespace {

const std::vector<MatrixRecipe>& demo_matrices() {
    static const std::vector<MatrixRecipe> matrices{
        {"demo-weights", "pruned-block", {{"rows", 4096}, {"cols", 1024}}},
        {"demo-network", "power-law", {{"scale", 14}, {"edge-factor", 12}}},
        {"demo-mesh", "stencil-2d", {{"x", 160}, {"y", 160}}},
    };
    return matrices;
}

// About 10,000 to 60,000 entries each: a kernel takes a fraction of a millisecond, and hundreds of schedules
// a minute can be measured.
const std::vector<MatrixRecipe>& training_lessons() {
    static const std::vector<MatrixRecipe> matrices{
        {"lesson-uniform", "uniform", {{"rows", 3000}, {"cols", 2000}, {"density", 0.004}}},
        {"lesson-uniform-wide", "uniform", {{"rows", 900}, {"cols", 9000}, {"density", 0.003}}},
        {"lesson-banded", "banded", {{"size", 2500}, {"lower", 6}, {"upper", 6}}},
        {"lesson-banded-sparse", "banded", {{"size", 3500}, {"lower", 40}, {"upper", 40}, {"fill", 0.15}}},
        {"lesson-diagonals", "multi-diagonal", {{"size", 5000}, {"diagonals", 5}, {"reach", 900}}},
        {"lesson-plane", "stencil-2d", {{"x", 75}, {"y", 90}, {"points", 9}}},
        {"lesson-space", "stencil-3d", {{"x", 18}, {"y", 20}, {"z", 17}}},
        {"lesson-blocks", "block-diagonal", {{"size", 2200}, {"smallest-block", 6}, {"largest-block", 20}}},
        {"lesson-scattered",
         "scattered-blocks",
         {{"rows", 2600}, {"cols", 3100}, {"block", 8}, {"blocks", 420}}},
        {"lesson-scattered-large",
         "scattered-blocks",
         {{"rows", 1900}, {"cols", 1700}, {"block", 32}, {"blocks", 30}}},
        {"lesson-network", "power-law", {{"scale", 11}, {"edge-factor", 14}}},
        {"lesson-kronecker", "kronecker", {{"power", 12}}},
        {"lesson-skewed", "row-skewed", {{"rows", 2800}, {"cols", 2400}, {"mean-length", 12}}},
        {"lesson-arrow", "arrow", {{"size", 2300}, {"head", 5}, {"band", 2}}},
        {"lesson-empty-rows", "hyper-sparse", {{"rows", 21000}, {"cols", 15000}, {"occupied-rows", 0.2}}},
        {"lesson-weights", "pruned-random", {{"rows", 400}, {"cols", 1100}, {"sparsity", 0.93}}},
        {"lesson-groups", "pruned-n-m", {{"rows", 260}, {"cols", 420}}},
        {"lesson-weight-blocks",
         "pruned-block",
         {{"rows", 640}, {"cols", 960}, {"block-rows", 8}, {"block-cols", 8}, {"sparsity", 0.94}}},
        {"lesson-window", "attention-window", {{"tokens", 1300}, {"window", 14}}},
        {"lesson-longformer", "attention-longformer", {{"tokens", 1100}, {"window", 9}, {"global", 4}}},
    };
    return matrices;
}

const std::vector<MatrixRecipe>& validation_lessons() {
    static const std::vector<MatrixRecipe> matrices{
        {"lesson-check-uniform", "uniform", {{"rows", 1700}, {"cols", 2900}, {"density", 0.006}}},
        {"lesson-check-plane", "stencil-2d", {{"x", 110}, {"y", 64}}},
        {"lesson-check-network", "power-law", {{"scale", 12}, {"edge-factor", 7}}},
        {"lesson-check-blocks",
         "scattered-blocks",
         {{"rows", 1500}, {"cols", 1500}, {"block", 16}, {"blocks", 90}}},
    };
    return matrices;
}

const std::vector<MatrixRecipe>& test_lessons() {
    static const std::vector<MatrixRecipe> matrices{
        {"held-out-space", "stencil-3d", {{"x", 22}, {"y", 15}, {"z", 23}}},
        {"held-out-blocks", "block-diagonal", {{"size", 3300}, {"smallest-block", 4}, {"largest-block", 28}}},
        {"held-out-bigbird",
         "attention-bigbird",
         {{"tokens", 900}, {"block", 12}, {"global-blocks", 1}, {"random-blocks", 2}}},
        {"held-out-skewed",
         "row-skewed",
         {{"rows", 3600}, {"cols", 5200}, {"mean-length", 9}, {"exponent", 0.7}}},
        {"held-out-kronecker", "kronecker", {{"power", 13}}},
    };
    return matrices;
}

/// The names of all, added or there already.
Result<std::vector<std::string>> add(Workspace& workspace, const std::vector<MatrixRecipe>& matrices,
                                     std::uint64_t seed) {
    if (const auto added = add_generated_matrices(workspace, matrices, seed); !added)
        return std::unexpected(added.error());
    std::vector<std::string> names;
    for (const MatrixRecipe& matrix : matrices)
        names.emplace_back(matrix.name);
    return names;
}

} // namespace

Result<void> add_demo_matrices(Workspace& workspace, std::uint64_t seed) {
    if (const auto added = add_generated_matrices(workspace, demo_matrices(), seed); !added)
        return std::unexpected(added.error());
    return {};
}

Result<DemoSplit> add_demo_training_matrices(Workspace& workspace, std::uint64_t seed) {
    DemoSplit lessons;
    // Seeds of their own: a random pattern of the same family and seed may begin alike.
    std::uint64_t offset = 0;
    for (const auto& [matrices, names] :
         {std::pair(&training_lessons(), &lessons.train),
          std::pair(&validation_lessons(), &lessons.validation), std::pair(&test_lessons(), &lessons.test)}) {
        auto added = add(workspace, *matrices, seed + 1000 * ++offset);
        if (!added)
            return std::unexpected(added.error());
        *names = std::move(*added);
    }
    return lessons;
}

Result<void> save_demo_split(Workspace& workspace, const DemoSplit& split, const std::string& name) {
    Split stored{.name = name, .parts = {}};
    for (const auto& [part, names] :
         {std::pair(SplitPart::Train, &split.train), std::pair(SplitPart::Validation, &split.validation),
          std::pair(SplitPart::Test, &split.test)}) {
        for (const std::string& matrix_name : *names) {
            const auto matrix = find_matrix(workspace, matrix_name);
            if (!matrix)
                return std::unexpected(matrix.error());
            if (!*matrix)
                continue;
            stored[part].push_back((*matrix)->id);
            stored[SplitPart::Total].push_back((*matrix)->id);
        }
    }
    return save_split(workspace, stored);
}

Result<void> add_lesson_times(Workspace& workspace, std::uint64_t seed) {
    const auto split = add_demo_training_matrices(workspace, seed);
    if (!split)
        return std::unexpected(split.error());
    RuntimesSimulationRequest request{.machines = {"laptop", "epyc-7543", "graviton2"},
                                      .sampled = false,
                                      .matrices = {},
                                      .op = Operator::SpMM,
                                      .dense = 256,
                                      .schedules = {},
                                      .noise = false,
                                      .code_of = {},
                                      .seed = seed};
    for (const auto* const names : {&split->train, &split->validation, &split->test})
        request.matrices.insert(request.matrices.end(), names->begin(), names->end());
    Observer nobody;
    const auto simulated = add_simulated_runtimes(
        workspace, {.path = workspace.path().string(), .is_named = true, .program = {}}, request, nobody, {});
    if (!simulated)
        return std::unexpected(simulated.error());
    return save_demo_split(workspace, *split, "lessons"); // where it is there, the times are, too
}

bool is_demo_training_matrix(std::string_view name) {
    return std::ranges::any_of(std::array{&training_lessons(), &validation_lessons(), &test_lessons()},
                               [&](const std::vector<MatrixRecipe>* matrices) {
                                   return std::ranges::any_of(*matrices, [&](const MatrixRecipe& each) {
                                       return each.name == name;
                                   });
                               });
}

} // namespace sparsight
