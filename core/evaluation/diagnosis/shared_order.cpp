#include "evaluation/diagnosis/shared_order.h"

#include "schedule/existing_loops.h"

namespace sparsight {

std::vector<LoopIndex> SharedOrder::loops() const {
    std::vector<LoopIndex> result;
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

} // namespace sparsight
