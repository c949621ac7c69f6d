#include "search/proximity_graph.h"

#include "search/reachability.h"
#include "search/squared_distance.h"

#include <exception>
#include <fmt/format.h>
#include <memory>
#include <new>

// Its own vector code is chosen by the compiler's flags, and defines functions that are not inline.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

namespace sparsight {
namespace {

using Hnsw = hnswlib::HierarchicalNSW<float>;

struct Metric {
    SquaredDistance distance;
    std::size_t width;
};

float distance(const void* a, const void* b, const void* metric) {
    const auto* of = static_cast<const Metric*>(metric);
    return of->distance(static_cast<const float*>(a), static_cast<const float*>(b), of->width);
}

class Space final : public hnswlib::SpaceInterface<float> {
public:
    Space(VectorSet set, std::size_t width)
        : metric_{squared_distance_kernel(set), width} {}
    size_t get_data_size() override { return metric_.width * sizeof(float); }
    hnswlib::DISTFUNC<float> get_dist_func() override { return distance; }
    void* get_dist_func_param() override { return &metric_; }

private:
    Metric metric_;
};

LinkLists layer_of(const Hnsw& hnsw, int layer) {
    LinkLists lists;
    lists.starts.push_back(0);
    for (hnswlib::tableint node = 0; node < hnsw.cur_element_count; ++node) {
        if (layer <= hnsw.element_levels_[node]) {
            hnswlib::linklistsizeint* list = hnsw.get_linklist_at_level(node, layer);
            lists.links.insert(lists.links.end(), list + 1, list + 1 + hnsw.getListCount(list));
        }
        lists.starts.push_back(static_cast<std::uint32_t>(lists.links.size()));
    }
    return lists;
}

ProximityGraph copy_of(const Hnsw& hnsw) {
    ProximityGraph graph;
    graph.node_count = static_cast<std::uint32_t>(hnsw.cur_element_count);
    graph.entry = hnsw.enterpoint_node_;
    for (int layer = 0; layer <= hnsw.maxlevel_; ++layer)
        graph.layers.push_back(layer_of(hnsw, layer));
    return graph;
}

} // namespace

Result<ProximityGraph> build_proximity_graph(std::span<const float> rows, std::size_t width,
                                             const GraphSettings& settings, std::stop_token stop,
                                             const ProgressSink& progress, VectorSet set) {
    const std::size_t count = width == 0 ? 0 : rows.size() / width;
    if (count == 0)
        return ProximityGraph{};
    try {
        Space space(set, width);
        const auto hnsw =
            std::make_unique<Hnsw>(&space, count, static_cast<std::size_t>(settings.links),
                                   static_cast<std::size_t>(settings.construction_width), settings.seed);
        for (std::size_t row = 0; row < count; ++row) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped before all schedules were linked");
            hnsw->addPoint(rows.data() + row * width, row, -1);
            if (progress && row % 256 == 0)
                progress({"linking schedules", row, count});
        }
        ProximityGraph graph = copy_of(*hnsw);
        make_reachable(graph);
        return graph;
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, fmt::format("not enough memory for a graph of {} schedules", count));
    } catch (const std::exception& error) {
        return fail(Fault::Internal, fmt::format("hnswlib: {}", error.what()));
    }
}

} // namespace sparsight
