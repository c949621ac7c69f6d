#include "model/schedule_layout.h"

#include "schedule/encoding.h"

#include <algorithm>
#include <string>

namespace sparsight {
namespace {

bool has_parallel(const ScheduleLayout& layout) {
    return layout.tables == ScheduleTables::Full || layout.network == Operator::SDDMM;
}

int split_categories_of(const ScheduleLayout& layout, Index index) {
    constexpr int waco_sparse = 17;
    constexpr int waco_dense = 8;
    if (layout.tables == ScheduleTables::Full)
        return split_categories;
    return is_sparse_index(layout.network, index) ? waco_sparse : waco_dense;
}

int chunk_categories_of(const ScheduleLayout& layout) {
    if (layout.tables == ScheduleTables::Full)
        return chunk_categories;
    return layout.network == Operator::SDDMM ? 6 : 9;
}

} // namespace

std::vector<CategoryTable> category_tables(const ScheduleLayout& layout) {
    std::vector<CategoryTable> tables;
    for (const Index index : indices(layout.network))
        tables.push_back({letter(index) + std::string("split"), split_categories_of(layout, index)});
    for (const Index index : {row_index(layout.network), column_index(layout.network)})
        for (const char part : {'1', '0'})
            tables.push_back({std::string("format") + letter(index) + part, 2});
    if (has_parallel(layout))
        tables.push_back({"paridx", static_cast<int>(loop_count(layout.network))});
    tables.push_back({"parchunk", chunk_categories_of(layout)});
    return tables;
}

ScheduleBatch encode_batch(const ScheduleLayout& layout, std::span<const SuperSchedule> schedules) {
    const std::vector<CategoryTable> tables = category_tables(layout);
    const std::size_t loops = loop_count(layout.op);
    ScheduleBatch batch;
    batch.count = schedules.size();
    batch.categories.reserve(schedules.size() * tables.size());
    batch.orders.reserve(schedules.size() * loops * loops);
    for (const SuperSchedule& schedule : schedules) {
        const ScheduleEncoding encoding = encode(schedule);
        std::size_t table = 0;
        const auto add = [&](int category) {
            batch.categories.push_back(std::min(category, tables[table].categories - 1));
            ++table;
        };
        std::ranges::for_each(encoding.splits, add);
        std::ranges::for_each(encoding.formats, add);
        if (has_parallel(layout))
            add(encoding.parallel);
        add(encoding.chunk);
        batch.orders.insert(batch.orders.end(), encoding.order.begin(), encoding.order.end());
    }
    return batch;
}

} // namespace sparsight
