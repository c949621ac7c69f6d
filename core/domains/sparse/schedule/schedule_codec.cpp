#include "domains/sparse/schedule/schedule_codec.h"

#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "study/nicknames.h"

#include <string>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// All that a schedule of the operator decides.
std::vector<ScheduleDecision> decisions_of(Operator op) {
    std::vector<ScheduleDecision> decisions;
    for (const Index index : indices(op))
        decisions.push_back({DecisionKind::Split, {index, Part::Outer}});
    decisions.push_back({DecisionKind::LevelOrder});
    if (dense_index(op))
        decisions.push_back({DecisionKind::DenseLoops});
    for (const LoopIndex level : level_names(op))
        decisions.push_back({DecisionKind::LevelFormat, level});
    decisions.push_back({DecisionKind::ParallelLoop});
    decisions.push_back({DecisionKind::Chunk});
    return decisions;
}

class ScheduleCodec final : public NicknamingCodec {
public:
    explicit ScheduleCodec(Operator op)
        : op_(op) {}

    Result<ParsedConfiguration> parse(std::string_view text) const override {
        const auto schedule = parse_schedule(op_, text);
        if (!schedule)
            return std::unexpected(schedule.error());
        return ParsedConfiguration{configuration_of(*schedule), schedule->threads};
    }
    std::string text(const Configuration& configuration, int threads) const override {
        return to_text(schedule_of(configuration, threads));
    }
    std::vector<DecisionValue> decisions(const Configuration& configuration) const override {
        const SuperSchedule schedule = schedule_of(configuration, 1);
        std::vector<DecisionValue> made;
        for (const ScheduleDecision& decision : decisions_of(op_)) {
            if (decision.kind == DecisionKind::LevelFormat && !schedule.has(decision.subject))
                continue; // there is no such level
            Decision named = decision_of(decision, op_);
            made.push_back({std::move(named.key), std::move(named.name), value_of(decision, schedule)});
        }
        return made;
    }
    std::vector<std::string> nicknames(std::span<const ParsedConfiguration> configurations) const override {
        std::vector<SuperSchedule> schedules;
        schedules.reserve(configurations.size());
        for (const ParsedConfiguration& each : configurations)
            schedules.push_back(schedule_of(each.configuration, each.threads));
        return sparsight::nicknames(schedules);
    }

private:
    Operator op_;
};

} // namespace

std::shared_ptr<const ConfigurationCodec> schedule_codec(Operator op) {
    return std::make_shared<ScheduleCodec>(op);
}

WrittenConfiguration written(const SuperSchedule& schedule) {
    std::string text = to_text(schedule);
    const SuperSchedule meant = canonical(schedule);
    std::string canonical_text = meant == schedule ? text : to_text(meant);
    return {.domain = std::string(domain_of(schedule.op)),
            .family = std::string(name(schedule.op)),
            .text = std::move(text),
            .canonical = std::move(canonical_text),
            .threads = schedule.threads,
            .is_baseline = is_fixed_csr(schedule)};
}

} // namespace sparsight
