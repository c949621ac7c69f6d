#include "evaluation/diagnosis/pattern_verification.h"

#include "collection/operand_limit.h"
#include "evaluation/diagnosis/change_verification.h"
#include "evaluation/diagnosis/measured_evaluator.h"
#include "kernel/workload.h"

#include <algorithm>
#include <span>

namespace sparsight {

Result<void> verify_pattern_changes(PatternSearch& search, const CsrPattern& pattern,
                                    const SuperSchedule& from, const SuperSchedule& to,
                                    KernelCompiler& compiler, Team& team,
                                    const PatternVerification& options) {
    const std::span<PatternChange> changes(search.winning);
    for (PatternChange& change : changes.first(std::min(changes.size(), options.most))) {
        if (options.is_over())
            break;
        auto changed = edited(pattern, change.edit, change.strength, change.blocks, options.stop);
        if (!changed)
            return std::unexpected(std::move(changed.error()));
        auto workload =
            Workload::make(std::move(*changed), to.op, options.dense, team.size(), operand_limit());
        if (!workload && workload.error().fault == Fault::Limit)
            continue; // its operands do not fit: simulated it stays
        if (!workload)
            return std::unexpected(std::move(workload.error()));
        MeasuredEvaluator evaluator(*workload, compiler, team, std::nullopt, options.stop);
        // As a change of the schedule: of several some win by luck, but hardly twice.
        for (int round = 0; round < 2 && (round == 0 || (change.lead && change.lead->wins)); ++round) {
            const auto leads =
                verify_in_turns(evaluator, from, std::span(&to, 1),
                                {.is_over = options.is_over, .tell = options.tell, .stop = options.stop});
            if (!leads)
                return std::unexpected(leads.error());
            change.lead = leads->front();
        }
        if (change.lead && change.lead->wins)
            break;
    }
    return {};
}

} // namespace sparsight
