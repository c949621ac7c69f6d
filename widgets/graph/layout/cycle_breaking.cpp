#include "widgets/graph/layout/cycle_breaking.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace sparsight {

std::vector<std::size_t> strong_components(std::size_t vertices, std::span<const Arc> arcs) {
    const Adjacency below(vertices, arcs, Adjacency::Of::Successors);
    constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> component(vertices, unseen);
    std::vector<std::size_t> number(vertices, unseen); // in the order of discovery
    std::vector<std::size_t> lowest(vertices);         // number of a vertex on the path that is reached
    std::vector<std::size_t> path;                     // vertices without a component
    struct Visit {
        std::size_t vertex;
        std::size_t next; ///< of its successors
    };
    std::vector<Visit> visits; // a recursion would be as deep as the graph
    std::size_t numbers = 0;
    std::size_t components = 0;
    const auto enter = [&](std::size_t vertex) {
        number[vertex] = lowest[vertex] = numbers++;
        path.push_back(vertex);
        visits.push_back({vertex, 0});
    };
    for (std::size_t first = 0; first < vertices; ++first) {
        if (number[first] != unseen)
            continue;
        enter(first);
        while (!visits.empty()) {
            Visit& visit = visits.back();
            const std::size_t vertex = visit.vertex;
            if (const auto successors = below[vertex]; visit.next < successors.size()) {
                const std::size_t successor = successors[visit.next++];
                if (number[successor] == unseen)
                    enter(successor);
                else if (component[successor] == unseen)
                    lowest[vertex] = std::min(lowest[vertex], number[successor]);
                continue;
            }
            visits.pop_back();
            if (!visits.empty())
                lowest[visits.back().vertex] = std::min(lowest[visits.back().vertex], lowest[vertex]);
            if (lowest[vertex] != number[vertex])
                continue;
            std::size_t last = unseen;
            do {
                last = path.back();
                path.pop_back();
                component[last] = components;
            } while (last != vertex);
            ++components;
        }
    }
    return component;
}

std::vector<bool> feedback_arcs(std::size_t vertices, std::span<const Arc> arcs) {
    const auto component = strong_components(vertices, arcs);
    std::vector<Arc> cyclic;
    for (const Arc& arc : arcs)
        if (arc.from != arc.to && component[arc.from] == component[arc.to])
            cyclic.push_back(arc);
    std::vector<bool> is_feedback(arcs.size(), false);
    if (cyclic.empty())
        return is_feedback;

    // Sources go to the front, sinks to the back; if there are none, the vertex goes to the front that most
    // more arcs leave than enter. Arcs that point to the front close cycles.
    const Adjacency below(vertices, cyclic, Adjacency::Of::Successors);
    const Adjacency above(vertices, cyclic, Adjacency::Of::Predecessors);
    std::vector<std::size_t> leaving(vertices);
    std::vector<std::size_t> entering(vertices);
    enum class Kind { Sink, Source, Other };
    struct Turn {
        Kind kind;
        std::ptrdiff_t missing; ///< arcs that enter less those that leave
        std::size_t vertex;
        auto operator<=>(const Turn&) const = default;
    };
    const auto turn_of = [&](std::size_t vertex) {
        const auto missing =
            static_cast<std::ptrdiff_t>(entering[vertex]) - static_cast<std::ptrdiff_t>(leaving[vertex]);
        if (leaving[vertex] == 0)
            return Turn{Kind::Sink, 0, vertex};
        if (entering[vertex] == 0)
            return Turn{Kind::Source, 0, vertex};
        return Turn{Kind::Other, missing, vertex};
    };
    std::set<Turn> turns;
    for (std::size_t v = 0; v < vertices; ++v) {
        leaving[v] = below[v].size();
        entering[v] = above[v].size();
        if (leaving[v] + entering[v] > 0)
            turns.insert(turn_of(v));
    }
    std::vector<std::ptrdiff_t> place(vertices, 0);
    std::vector<bool> is_placed(vertices, false);
    std::ptrdiff_t front = 0;
    std::ptrdiff_t back = static_cast<std::ptrdiff_t>(vertices);
    while (!turns.empty()) {
        const Turn turn = *turns.begin();
        turns.erase(turns.begin());
        place[turn.vertex] = turn.kind == Kind::Sink ? back-- : front++;
        is_placed[turn.vertex] = true;
        const auto lose = [&](std::size_t neighbour, std::vector<std::size_t>& count) {
            if (is_placed[neighbour])
                return;
            turns.erase(turn_of(neighbour));
            --count[neighbour];
            turns.insert(turn_of(neighbour));
        };
        for (const std::size_t neighbour : below[turn.vertex])
            lose(neighbour, entering);
        for (const std::size_t neighbour : above[turn.vertex])
            lose(neighbour, leaving);
    }
    for (std::size_t a = 0; a < arcs.size(); ++a)
        is_feedback[a] = arcs[a].from != arcs[a].to && component[arcs[a].from] == component[arcs[a].to] &&
                         place[arcs[a].from] > place[arcs[a].to];
    return is_feedback;
}

} // namespace sparsight
