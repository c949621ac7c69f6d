#include "learn/known_scorer.h"

#include "store/stored_pattern.h"

namespace sparsight {

Result<std::unique_ptr<PatternScorer>> scorer_of(Workspace& workspace, const ReasonsData& data,
                                                 const KnownMatrix& matrix, int threads) {
    const MachineDescription* machine = data.reads_machine ? &data.machine : nullptr;
    if (data.model->reads_statistics())
        return data.model->embed_statistics(matrix.statistics, machine);
    const auto pattern = load_pattern(workspace, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    return data.model->embed(*pattern, machine, threads);
}

} // namespace sparsight
