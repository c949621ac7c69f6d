#include "learn/search_plane.h"

#include <cstdint>
#include <utility>

namespace sparsight {

Result<SearchPlane> plane_of(const CostModel& model, std::vector<SuperSchedule> schedules) {
    const auto embeddings = model.embed_schedules(schedules);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    SearchPlane plane{std::move(schedules), PlaneProjection::of(*embeddings, model.embedding_width()), {}};
    plane.places = plane.projection.project(*embeddings);
    return plane;
}

SearchPlane plane_of(const ScheduleIndex& index) {
    SearchPlane plane;
    for (std::uint32_t node = 0; node < index.nodes.count(); ++node)
        plane.schedules.push_back(index.schedules[index.nodes.of(node).front()]);
    plane.projection = PlaneProjection::of(index.embeddings, index.width);
    plane.places = plane.projection.project(index.embeddings);
    return plane;
}

} // namespace sparsight
