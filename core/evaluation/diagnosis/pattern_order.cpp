#include "evaluation/diagnosis/pattern_order.h"

#include "evaluation/diagnosis/pattern_entries.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

using Order = std::vector<std::int64_t>; ///< of rows: the first is to stand first

Order all_rows(const CsrPattern& pattern) {
    Order order(static_cast<std::size_t>(pattern.rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    return order;
}

std::vector<std::int64_t> places_in(const Order& order) {
    std::vector<std::int64_t> places(order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        places[static_cast<std::size_t>(order[at])] = static_cast<std::int64_t>(at);
    return places;
}

CsrPattern with_rows(const CsrPattern& pattern, const Order& order, const std::stop_token& stop) {
    const auto places = places_in(order);
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        entries.add(places[static_cast<std::size_t>(row)], column);
    });
    return entries.take();
}

/// Walks the graph whose edges are the entries of a square pattern and of its transpose, breadth first.
class Graph {
public:
    explicit Graph(const CsrPattern& pattern)
        : forward_(pattern)
        , backward_(transpose(pattern))
        , is_seen_(static_cast<std::size_t>(pattern.rows)) {}

    [[nodiscard]] std::int64_t degree(std::int64_t node) const {
        return length_of(forward_, node) + length_of(backward_, node);
    }
    [[nodiscard]] bool is_seen(std::int64_t node) const { return is_seen_[static_cast<std::size_t>(node)]; }

    /// All that can be reached from the node and was not seen, nearest first, those of low degree first.
    Order walk(std::int64_t start) {
        Order order{start};
        see(start);
        std::vector<std::int64_t> next;
        for (std::size_t at = 0; at < order.size(); ++at) {
            next.clear();
            for (const CsrPattern* side : {&forward_, &std::as_const(backward_)})
                for (const std::int32_t neighbour : columns_of(*side, order[at]))
                    if (!is_seen(neighbour)) {
                        see(neighbour);
                        next.push_back(neighbour);
                    }
            std::ranges::stable_sort(next, {}, [this](std::int64_t node) { return degree(node); });
            order.insert(order.end(), next.begin(), next.end());
        }
        return order;
    }
    void forget(const Order& nodes) {
        for (const std::int64_t node : nodes)
            is_seen_[static_cast<std::size_t>(node)] = false;
    }

private:
    void see(std::int64_t node) { is_seen_[static_cast<std::size_t>(node)] = true; }

    const CsrPattern& forward_;
    CsrPattern backward_;
    std::vector<bool> is_seen_;
};

} // namespace

CsrPattern with_rows_by_length(const CsrPattern& pattern, const std::stop_token& stop) {
    Order order = all_rows(pattern);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::int64_t row) { return length_of(pattern, row); });
    return with_rows(pattern, order, stop);
}

CsrPattern with_rows_by_columns(const CsrPattern& pattern, const std::stop_token& stop) {
    Order order = all_rows(pattern);
    std::ranges::stable_sort(order, [&](std::int64_t one, std::int64_t other) {
        const auto columns = columns_of(pattern, one);
        const auto others = columns_of(pattern, other);
        if (columns.empty() || others.empty())
            return !columns.empty() && others.empty();
        return std::ranges::lexicographical_compare(columns, others);
    });
    return with_rows(pattern, order, stop);
}

CsrPattern with_banded_order(const CsrPattern& pattern, const std::stop_token& stop) {
    Graph graph(pattern);
    Order starts = all_rows(pattern);
    std::ranges::stable_sort(starts, {}, [&](std::int64_t node) { return graph.degree(node); });
    Order order;
    constexpr int walks_to_the_far_end = 2;
    for (std::int64_t start : starts) {
        if (stop.stop_requested() || graph.is_seen(start))
            continue;
        for (int walk = 0; walk < walks_to_the_far_end; ++walk) {
            const Order found = graph.walk(start);
            graph.forget(found);
            start = found.back();
        }
        const Order found = graph.walk(start);
        order.insert(order.end(), found.begin(), found.end());
    }
    if (stop.stop_requested())
        return pattern;
    std::ranges::reverse(order);
    const auto places = places_in(order);
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        entries.add(places[static_cast<std::size_t>(row)], places[static_cast<std::size_t>(column)]);
    });
    return entries.take();
}

} // namespace sparsight
