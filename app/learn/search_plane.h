// The plane along which the embeddings of the schedules of a search vary most, and where they lie on it.
#pragma once

#include "base/error.h"
#include "model/cost_model.h"
#include "search/plane_projection.h"
#include "search/schedule_index.h"

#include <vector>

namespace sparsight {

struct SearchPlane {
    std::vector<SuperSchedule> schedules; ///< one for each embedding
    PlaneProjection projection;
    std::vector<PlanePoint> places; ///< of the schedules
};

/// `model` embeds schedules.
[[nodiscard]] Result<SearchPlane> plane_of(const CostModel& model, std::vector<SuperSchedule> schedules);

/// Of its nodes, in their order.
[[nodiscard]] SearchPlane plane_of(const ScheduleIndex& index);

} // namespace sparsight
