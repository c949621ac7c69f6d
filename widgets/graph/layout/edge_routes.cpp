#include "widgets/graph/layout/edge_routes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace sparsight {

namespace {

/// Layers are this much farther apart for each unit that an edge between them moves aside: no edge is flat.
constexpr double steepness = 0.12;
constexpr double most_stretch = 2.5; ///< times the usual distance

/// An end of an edge at the top or the bottom of a node.
struct Port {
    std::size_t line = 0; ///< the edge, by its place among all of the part
    double order = 0;     ///< where the edge goes on
    double wanted = 0;
    double place = 0;
};

/// Gives ports of a side their places: as near to what they want as the distance allows, by pooling adjacent
/// violators (Ayer et al. 1955).
void spread(std::vector<Port>& ports, double low, double high, double distance) {
    if (ports.empty())
        return;
    std::ranges::sort(ports, {}, [](const Port& port) { return std::pair(port.order, port.line); });
    const auto gaps = static_cast<double>(ports.size() - 1);
    if (gaps > 0)
        distance = std::min(distance, (high - low) / gaps);
    struct Pool {
        double sum;
        double count;
        [[nodiscard]] double mean() const { return sum / count; }
    };
    std::vector<Pool> pools;
    double offset = 0;
    for (const Port& port : ports) {
        pools.push_back({std::clamp(port.wanted, low, high) - offset, 1});
        offset += distance;
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().count += last.count;
        }
    }
    std::size_t next = 0;
    for (const Pool& pool : pools)
        for (double i = 0; i < pool.count; ++i, ++next)
            ports[next].place =
                std::clamp(pool.mean(), low, high - distance * gaps) + distance * static_cast<double>(next);
}

/// The horizontal part of an edge that turns above or below a layer.
struct Turn {
    double left = 0;
    double right = 0;
    std::size_t line = 0;
    std::size_t track = 0; ///< counted from the layer
};

/// Shorter turns are nearer to the layer; those that overlap have different tracks. Returns how many there
/// are.
std::size_t give_tracks(std::vector<Turn>& turns) {
    std::ranges::sort(turns, {},
                      [](const Turn& turn) { return std::pair(turn.right - turn.left, turn.line); });
    std::size_t tracks = 0;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            if (turns[j].left <= turns[i].right && turns[i].left <= turns[j].right)
                turns[i].track = std::max(turns[i].track, turns[j].track + 1);
        tracks = std::max(tracks, turns[i].track + 1);
    }
    return tracks;
}

class Drawing {
public:
    Drawing(const LayeredGraph& graph, const std::vector<double>& places, const std::vector<QSizeF>& sizes,
            const std::vector<LoopEdge>& loops, const LayoutSpacing& spacing)
        : graph_(graph)
        , places_(places)
        , sizes_(sizes)
        , loops_(loops)
        , spacing_(spacing) {}

    PartDrawing draw() {
        place_ports();
        straighten();
        place_turns();
        place_layers();
        PartDrawing drawing;
        double width = 0;
        for (std::size_t v = 0; v < graph_.vertices(); ++v)
            if (!graph_.is_turn[v])
                width = std::max(width, places_[v] + graph_.extents[v].right);
        drawing.size = {width, bottom_};
        for (std::size_t n = 0; n < graph_.nodes; ++n)
            drawing.nodes.push_back(node_rect(n));
        for (std::size_t line = 0; line < graph_.chains.size(); ++line)
            drawing.routes.emplace_back(graph_.chains[line].edge, route(line));
        for (std::size_t loop = 0; loop < loops_.size(); ++loop)
            drawing.routes.emplace_back(loops_[loop].edge, turned_route(graph_.chains.size() + loop));
        return drawing;
    }

private:
    enum Side : std::size_t { Above, Below };

    struct Line {
        std::size_t from = 0;
        std::size_t to = 0;
        double leaves = 0; ///< where at the bottom of its first node
        double enters = 0;
        double beside_first = 0; ///< upwards: where it runs beside its nodes
        double beside_last = 0;
        std::size_t track_below = 0;
        std::size_t track_above = 0;
    };

    [[nodiscard]] double node_left(std::size_t node) const {
        return places_[node] - graph_.extents[node].left;
    }

    void place_ports() {
        lines_.resize(graph_.chains.size() + loops_.size());
        ends_.assign(graph_.nodes, {});
        for (std::size_t line = 0; line < graph_.chains.size(); ++line)
            add_ports_of_chain(line);
        std::vector<double> room(graph_.nodes, 0);
        for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
            const std::size_t line = graph_.chains.size() + loop;
            const std::size_t node = loops_[loop].node;
            const double right = node_left(node) + sizes_[node].width();
            const double beside = right + room[node] + spacing_.edges;
            room[node] += spacing_.edges + loops_[loop].label_room;
            lines_[line] = {.from = node, .to = node, .beside_first = beside, .beside_last = beside};
            // The innermost loop has the outermost ports.
            const double order = std::numeric_limits<double>::max() / (1 + static_cast<double>(loop));
            for (const Side side : {Above, Below})
                ends_[node][side].push_back({.line = line, .order = order, .wanted = right});
        }
        for (std::size_t node = 0; node < graph_.nodes; ++node) {
            const double width = sizes_[node].width();
            const double inset = std::min(spacing_.ports, width / 4);
            for (const Side side : {Above, Below}) {
                auto& ports = ends_[node][side];
                spread(ports, node_left(node) + inset, node_left(node) + width - inset, spacing_.ports);
                for (const Port& port : ports)
                    (side == Below ? lines_[port.line].leaves : lines_[port.line].enters) = port.place;
            }
        }
    }

    /// An edge that is nearly vertical becomes vertical, where other ports leave room.
    void straighten() {
        for (std::size_t line = 0; line < graph_.chains.size(); ++line) {
            const EdgeChain& chain = graph_.chains[line];
            Line& made = lines_[line];
            if (chain.upwards)
                continue;
            made.leaves = moved_port(chain.ends.from, Below, line,
                                     chain.bends.empty() ? made.enters : places_[chain.bends.front()]);
            made.enters = moved_port(chain.ends.to, Above, line,
                                     chain.bends.empty() ? made.leaves : places_[chain.bends.back()]);
        }
    }

    double moved_port(std::size_t node, Side side, std::size_t line, double wanted) {
        auto& ports = ends_[node][side];
        const auto port = std::ranges::find(ports, line, &Port::line);
        const double inset = std::min(spacing_.ports, sizes_[node].width() / 4) / 2;
        double low = node_left(node) + inset;
        double high = node_left(node) + sizes_[node].width() - inset;
        if (port != ports.begin())
            low = std::min(port->place, std::prev(port)->place + spacing_.ports / 2);
        if (std::next(port) != ports.end())
            high = std::max(port->place, std::next(port)->place - spacing_.ports / 2);
        if (std::abs(wanted - port->place) <= spacing_.ports && low <= wanted && wanted <= high)
            port->place = wanted;
        return port->place;
    }

    void add_ports_of_chain(std::size_t line) {
        const EdgeChain& chain = graph_.chains[line];
        const auto& bends = chain.bends;
        const auto [from, to] = chain.ends;
        lines_[line] = {.from = from, .to = to};
        double next = 0;
        double previous = 0;
        double wanted_below = 0;
        double wanted_above = 0;
        if (bends.empty()) {
            next = places_[to];
            previous = places_[from];
            wanted_below = wanted_above = (next + previous) / 2;
        } else {
            next = wanted_below = places_[chain.upwards ? bends.back() : bends.front()];
            previous = wanted_above = places_[chain.upwards ? bends.front() : bends.back()];
            lines_[line].beside_first = next;
            lines_[line].beside_last = previous;
        }
        ends_[from][Below].push_back({.line = line, .order = next, .wanted = wanted_below});
        ends_[to][Above].push_back({.line = line, .order = previous, .wanted = wanted_above});
    }

    [[nodiscard]] bool turns_around(std::size_t line) const {
        return line >= graph_.chains.size() || graph_.chains[line].upwards;
    }

    void place_turns() {
        turns_.assign(graph_.layers.size(), {});
        tracks_.assign(graph_.layers.size(), {0, 0});
        for (std::size_t line = 0; line < lines_.size(); ++line) {
            if (!turns_around(line))
                continue;
            const auto turn = [&](double a, double b) { return Turn{std::min(a, b), std::max(a, b), line}; };
            const Line& made = lines_[line];
            turns_[graph_.layer_of[made.from]][Below].push_back(turn(made.leaves, made.beside_first));
            turns_[graph_.layer_of[made.to]][Above].push_back(turn(made.enters, made.beside_last));
        }
        for (std::size_t layer = 0; layer < turns_.size(); ++layer)
            for (const Side side : {Above, Below}) {
                tracks_[layer][side] = give_tracks(turns_[layer][side]);
                for (const Turn& turn : turns_[layer][side])
                    (side == Above ? lines_[turn.line].track_above : lines_[turn.line].track_below) =
                        turn.track;
            }
    }

    /// How far edges move aside between a layer and the next one.
    [[nodiscard]] std::vector<double> widest_steps() const {
        std::vector<double> widest(graph_.layers.size(), 0);
        const auto step = [&](std::size_t layer, double from, double to) {
            widest[layer] = std::max(widest[layer], std::abs(to - from));
        };
        for (std::size_t line = 0; line < graph_.chains.size(); ++line) {
            const auto& bends = graph_.chains[line].bends;
            for (std::size_t i = 0; i + 1 < bends.size(); ++i)
                step(graph_.layer_of[bends[i]], places_[bends[i]], places_[bends[i + 1]]);
            if (turns_around(line))
                continue;
            const Line& made = lines_[line];
            const std::size_t first = graph_.layer_of[made.from];
            if (bends.empty()) {
                step(first, made.leaves, made.enters);
            } else {
                step(first, made.leaves, places_[bends.front()]);
                step(graph_.layer_of[bends.back()], places_[bends.back()], made.enters);
            }
        }
        return widest;
    }

    /// The first and the last layer have turns only.
    void place_layers() {
        const std::size_t count = graph_.layers.size();
        tops_.assign(count, 0);
        bottoms_.assign(count, 0);
        const auto widest = widest_steps();
        double y = room_for(tracks_[1][Above]);
        for (std::size_t layer = 1; layer + 1 < count; ++layer) {
            double height = 0;
            for (const std::size_t vertex : graph_.layers[layer])
                if (!graph_.is_bend(vertex))
                    height = std::max(height, sizes_[vertex].height());
            tops_[layer] = y;
            bottoms_[layer] = y + height;
            const double slant = layer + 2 < count ? std::clamp(steepness * widest[layer], spacing_.layers,
                                                                most_stretch * spacing_.layers)
                                                   : 0;
            y += height + room_for(tracks_[layer][Below]) + slant + room_for(tracks_[layer + 1][Above]);
        }
        bottom_ = y;
    }

    [[nodiscard]] double room_for(std::size_t tracks) const {
        return static_cast<double>(tracks) * spacing_.turns;
    }

    [[nodiscard]] QRectF node_rect(std::size_t node) const {
        const std::size_t layer = graph_.layer_of[node];
        const double top = (tops_[layer] + bottoms_[layer] - sizes_[node].height()) / 2;
        return {QPointF(node_left(node), top), sizes_[node]};
    }

    /// Edges cross beyond the turns of a layer, never within a layer.
    [[nodiscard]] double slant_top(std::size_t layer) const {
        return bottoms_[layer] + room_for(tracks_[layer][Below]);
    }
    [[nodiscard]] double slant_bottom(std::size_t layer) const {
        return tops_[layer] - room_for(tracks_[layer][Above]);
    }

    [[nodiscard]] LayoutRoute route(std::size_t line) const {
        const Line& made = lines_[line];
        const EdgeChain& chain = graph_.chains[line];
        if (chain.upwards)
            return turned_route(line);
        LayoutRoute result;
        auto& points = result.points;
        points.emplace_back(made.leaves, node_rect(made.from).bottom());
        points.emplace_back(made.leaves, slant_top(graph_.layer_of[made.from]));
        for (const std::size_t bend : chain.bends) {
            points.emplace_back(places_[bend], slant_bottom(graph_.layer_of[bend]));
            points.emplace_back(places_[bend], slant_top(graph_.layer_of[bend]));
        }
        points.emplace_back(made.enters, slant_bottom(graph_.layer_of[made.to]));
        points.emplace_back(made.enters, node_rect(made.to).top());
        drop_straight_points(points);
        return result;
    }

    [[nodiscard]] LayoutRoute turned_route(std::size_t line) const {
        const Line& made = lines_[line];
        const double below = bottoms_[graph_.layer_of[made.from]] + room_for(made.track_below + 1);
        const double above = tops_[graph_.layer_of[made.to]] - room_for(made.track_above + 1);
        LayoutRoute result{.points = {}, .upwards = true};
        auto& points = result.points;
        points.emplace_back(made.leaves, node_rect(made.from).bottom());
        points.emplace_back(made.leaves, below);
        points.emplace_back(made.beside_first, below);
        if (line < graph_.chains.size()) {
            const auto& bends = graph_.chains[line].bends;
            for (std::size_t i = bends.size(); i-- > 0;) {
                const std::size_t layer = graph_.layer_of[bends[i]];
                if (i + 1 < bends.size())
                    points.emplace_back(places_[bends[i]], slant_top(layer));
                if (i > 0)
                    points.emplace_back(places_[bends[i]], slant_bottom(layer));
            }
        }
        points.emplace_back(made.beside_last, above);
        points.emplace_back(made.enters, above);
        points.emplace_back(made.enters, node_rect(made.to).top());
        drop_straight_points(points);
        return result;
    }

    static void drop_straight_points(std::vector<QPointF>& points) {
        std::size_t kept = 1;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const bool is_last = i + 1 == points.size();
            if (points[i] == points[kept - 1])
                continue;
            if (!is_last && points[i].x() == points[kept - 1].x() && points[i].x() == points[i + 1].x())
                continue;
            points[kept++] = points[i];
        }
        points.resize(kept);
    }

    const LayeredGraph& graph_;
    const std::vector<double>& places_;
    const std::vector<QSizeF>& sizes_;
    const std::vector<LoopEdge>& loops_;
    const LayoutSpacing& spacing_;
    std::vector<Line> lines_; ///< chains, then loops
    std::vector<std::array<std::vector<Port>, 2>> ends_;
    std::vector<std::array<std::vector<Turn>, 2>> turns_;
    std::vector<std::array<std::size_t, 2>> tracks_;
    std::vector<double> tops_;
    std::vector<double> bottoms_;
    double bottom_ = 0;
};

} // namespace

PartDrawing draw_part(const LayeredGraph& graph, const std::vector<double>& places,
                      const std::vector<QSizeF>& sizes, const std::vector<LoopEdge>& loops,
                      const LayoutSpacing& spacing) {
    return Drawing(graph, places, sizes, loops, spacing).draw();
}

} // namespace sparsight
