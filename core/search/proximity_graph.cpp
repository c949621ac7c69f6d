#include "search/proximity_graph.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <hnswlib/hnswlib.h>
#include <memory>
#include <new>

#define NO_MANUAL_VECTORIZATION

namespace sparsight {

// Its own vector code is chosen by the compiler's flags, and defines functions that are not inline.
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
    Space(VectorInstructions set, std::size_t width)
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
                                             const ProgressSink& progress, VectorInstructions set) {
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
                return fail(Fault::Cancelled, "stopped before all configurations were linked");
            hnsw->addPoint(rows.data() + row * width, row, -1);
            if (progress && row % 256 == 0)
                progress({"linking configurations", row, count});
        }
        ProximityGraph graph = copy_of(*hnsw);
        make_reachable(graph);
        return graph;
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, fmt::format("not enough memory for a graph of {} configurations", count));
    } catch (const std::exception& error) {
        return fail(Fault::Internal, fmt::format("hnswlib: {}", error.what()));
    }
}

namespace {

using AddedLinks = std::vector<std::vector<std::uint32_t>>; ///< of each node

class Reach {
public:
    explicit Reach(const LinkLists& bottom, std::uint32_t nodes)
        : bottom_(bottom)
        , reached_(nodes, false) {}

    [[nodiscard]] bool reaches(std::uint32_t node) const { return reached_[node]; }

    /// With everything that can be reached from there.
    void add(std::uint32_t start) {
        std::vector<std::uint32_t> waiting{start};
        reached_[start] = true;
        while (!waiting.empty()) {
            const std::uint32_t node = waiting.back();
            waiting.pop_back();
            for (const std::uint32_t next : bottom_.of(node)) {
                if (reached_[next])
                    continue;
                reached_[next] = true;
                waiting.push_back(next);
            }
        }
    }

private:
    const LinkLists& bottom_;
    std::vector<bool> reached_;
};

LinkLists joined(const LinkLists& lists, const AddedLinks& added) {
    LinkLists result;
    result.starts.push_back(0);
    for (std::uint32_t node = 0; node < added.size(); ++node) {
        const auto links = lists.of(node);
        result.links.insert(result.links.end(), links.begin(), links.end());
        result.links.insert(result.links.end(), added[node].begin(), added[node].end());
        result.starts.push_back(static_cast<std::uint32_t>(result.links.size()));
    }
    return result;
}

} // namespace

void make_reachable(ProximityGraph& graph) {
    if (graph.node_count == 0)
        return;
    LinkLists& bottom = graph.layers.front();
    Reach reach(bottom, graph.node_count);
    reach.add(graph.entry);
    AddedLinks added(graph.node_count);
    // Once around for those that link to a reachable node, once more for those that still have none.
    for (const bool from_entry : {false, true}) {
        for (std::uint32_t node = 0; node < graph.node_count; ++node) {
            if (reach.reaches(node))
                continue;
            const auto links = bottom.of(node);
            const auto from =
                std::ranges::find_if(links, [&](std::uint32_t link) { return reach.reaches(link); });
            if (from == links.end() && !from_entry)
                continue;
            added[from != links.end() ? *from : graph.entry].push_back(node);
            reach.add(node);
        }
    }
    bottom = joined(bottom, added);
}

namespace {

/// Two sums, so that one addition need not wait for the last.
template <std::size_t Lanes>
[[gnu::always_inline]] inline float squared_distance(const float* a, const float* b, std::size_t count) {
    FloatVector<Lanes> even{};
    FloatVector<Lanes> odd{};
    std::size_t at = 0;
    for (; at + 2 * Lanes <= count; at += 2 * Lanes) {
        const FloatVector<Lanes> first =
            as_vectors<Lanes>(a + at)[0].value - as_vectors<Lanes>(b + at)[0].value;
        const FloatVector<Lanes> second =
            as_vectors<Lanes>(a + at)[1].value - as_vectors<Lanes>(b + at)[1].value;
        even += first * first;
        odd += second * second;
    }
    even += odd;
    float sum = 0;
    for (std::size_t lane = 0; lane < Lanes; ++lane)
        sum += even[lane];
    for (; at < count; ++at)
        sum += (a[at] - b[at]) * (a[at] - b[at]);
    return sum;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] float squared_distance_avx512(const float* a, const float* b, std::size_t count) {
    return squared_distance<16>(a, b, count);
}
[[gnu::target("avx2,fma")]] float squared_distance_avx2(const float* a, const float* b, std::size_t count) {
    return squared_distance<8>(a, b, count);
}
#endif
float squared_distance_128(const float* a, const float* b, std::size_t count) {
    return squared_distance<4>(a, b, count);
}

} // namespace

SquaredDistance squared_distance_kernel(VectorInstructions set) {
    switch (set) {
#if defined(__x86_64__)
    case VectorInstructions::Avx512:
        return squared_distance_avx512;
    case VectorInstructions::Avx2:
        return squared_distance_avx2;
#endif
    default:
        return squared_distance_128;
    }
}

} // namespace sparsight
