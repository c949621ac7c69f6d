#include "learning/transfer_split.h"

#include "base/plural.h"
#include "learning/matrix_split.h"
#include "learning/siblings.h"

#include <fmt/format.h>
#include <set>

namespace sparsight {

std::size_t count_families(const TaskSet& set, std::size_t task) {
    const auto family_of = sibling_families(set.matrices);
    std::set<std::size_t> families;
    for (const MatrixRuntimes& runtimes : set.tasks[task].runtimes)
        families.insert(family_of[runtimes.matrix]);
    return families.size();
}

Result<MatrixSplit> transfer_split(const TaskSet& set, std::size_t target, double test_share,
                                   std::uint64_t seed) {
    if (const std::size_t families = count_families(set, target); families < fewest_target_families)
        return fail(
            Fault::Input,
            fmt::format("{} has runtimes of {} that can be learned from, resized and transposed ones "
                        "counted once: expected {} or more, to learn from some and to test with others; "
                        "measure more there (`collect`), or import the entries of matrices whose "
                        "runtimes are known (`import-runtimes … --matrices FOLDER`)",
                        set.tasks[target].machine, counted(families, "matrix", "matrices"),
                        fewest_target_families));
    std::vector<std::size_t> places;
    std::vector<TaskMatrix> measured;
    for (const MatrixRuntimes& runtimes : set.tasks[target].runtimes) {
        places.push_back(runtimes.matrix);
        measured.push_back(set.matrices[runtimes.matrix]);
    }
    const auto own = split_matrices(measured, {1 - test_share, 0, test_share}, seed);
    if (!own)
        return std::unexpected(own.error());
    // Over all matrices: two of the target's may be siblings by one that was measured elsewhere alone.
    const auto family_of = sibling_families(set.matrices);
    MatrixSplit split;
    std::set<std::size_t> tested;
    for (const std::size_t place : own->test) {
        split.test.push_back(places[place]);
        tested.insert(family_of[places[place]]);
    }
    for (std::size_t matrix = 0; matrix < set.matrices.size(); ++matrix)
        if (!tested.contains(family_of[matrix]))
            split.train.push_back(matrix);
    return split;
}

} // namespace sparsight
