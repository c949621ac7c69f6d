#include "domains/sparse/schedule/schedule_decision.h"

#include <fmt/format.h>

namespace sparsight {

LoopList SharedOrder::loops() const {
    LoopList result;
    std::size_t next = 0;
    for (std::size_t outside = 0; outside <= levels.size(); ++outside) {
        for (; next < dense.size() && outside_dense[next] <= outside; ++next)
            result.push_back(dense[next]);
        if (outside < levels.size())
            result.push_back(levels[outside]);
    }
    return result;
}

SharedOrder shared_order(const SuperSchedule& schedule, const SuperSchedule& other) {
    SharedOrder order;
    for (const LoopIndex loop : existing_loops(schedule)) {
        if (!other.has(loop))
            continue;
        if (is_sparse_index(schedule.op, loop.index)) {
            order.levels.push_back(loop);
        } else {
            order.dense.push_back(loop);
            order.outside_dense.push_back(order.levels.size());
        }
    }
    return order;
}

namespace {

constexpr LoopIndex no_subject{Index::I, Part::Outer};

std::string joined(std::span<const LoopIndex> loops) {
    std::string text;
    for (const LoopIndex loop : loops)
        text += (text.empty() ? "" : " ") + name(loop);
    return text;
}

} // namespace

std::string key(const ScheduleDecision& decision) {
    switch (decision.kind) {
    case DecisionKind::Split:
        return fmt::format("split_{}", letter(decision.subject.index));
    case DecisionKind::LevelFormat:
        return "format_" + name(decision.subject);
    case DecisionKind::LevelOrder:
        return "level_order";
    case DecisionKind::DenseLoops:
        return "dense_loops";
    case DecisionKind::ParallelLoop:
        return "parallel";
    case DecisionKind::Chunk:
        return "chunk";
    }
    return {};
}

std::string name(const ScheduleDecision& decision) {
    switch (decision.kind) {
    case DecisionKind::Split:
        return fmt::format("split of {}", letter(decision.subject.index));
    case DecisionKind::LevelFormat:
        return "format of " + name(decision.subject);
    case DecisionKind::LevelOrder:
        return "level order";
    case DecisionKind::DenseLoops:
        return "place of the dense loops";
    case DecisionKind::ParallelLoop:
        return "parallel loop";
    case DecisionKind::Chunk:
        return "chunk";
    }
    return {};
}

std::string value_of(const ScheduleDecision& decision, const SuperSchedule& schedule) {
    switch (decision.kind) {
    case DecisionKind::Split:
        return schedule.is_split(decision.subject.index)
                   ? fmt::to_string(schedule.split(decision.subject.index))
                   : "not split";
    case DecisionKind::LevelFormat:
        return schedule.format(decision.subject) == LevelFormat::Compressed ? "compressed" : "uncompressed";
    case DecisionKind::LevelOrder:
        return joined(existing_levels(schedule));
    case DecisionKind::DenseLoops:
        return joined(existing_loops(schedule));
    case DecisionKind::ParallelLoop:
        return name(schedule.parallel);
    case DecisionKind::Chunk:
        return fmt::to_string(schedule.chunk);
    }
    return {};
}

Decision decision_of(const ScheduleDecision& decision, Operator op) {
    const std::uint32_t place = 2 * static_cast<std::uint32_t>(decision.subject.index) +
                                static_cast<std::uint32_t>(decision.subject.part);
    const auto places = 2 * static_cast<std::uint32_t>(description(op).index_places);
    return {static_cast<std::uint32_t>(decision.kind) * places + place, key(decision), name(decision)};
}

std::vector<ScheduleDecision> differing_decisions(const SuperSchedule& one, const SuperSchedule& other) {
    std::vector<ScheduleDecision> found;
    for (const Index index : indices(one.op))
        if (one.split(index) != other.split(index))
            found.push_back({DecisionKind::Split, {index, Part::Outer}});
    const SharedOrder order = shared_order(one, other);
    const SharedOrder other_order = shared_order(other, one);
    if (order.levels != other_order.levels)
        found.push_back({DecisionKind::LevelOrder, no_subject});
    if (order.outside_dense != other_order.outside_dense)
        found.push_back({DecisionKind::DenseLoops, no_subject});
    for (const LoopIndex loop : level_names(one.op))
        if (one.has(loop) && other.has(loop) && one.format(loop) != other.format(loop))
            found.push_back({DecisionKind::LevelFormat, loop});
    if (one.parallel != other.parallel)
        found.push_back({DecisionKind::ParallelLoop, no_subject});
    if (one.chunk != other.chunk)
        found.push_back({DecisionKind::Chunk, no_subject});
    return found;
}

} // namespace sparsight
