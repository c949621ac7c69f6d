#include "schedule/description.h"

#include "schedule/existing_loops.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

/// What one iteration of an outer loop of A is: "row", "column block".
std::string item(const SuperSchedule& schedule, Index index, bool several) {
    return fmt::format("{}{}{}", index == row_index(schedule.op) ? "row" : "column",
                       schedule.is_split(index) ? " block" : "", several ? "s" : "");
}

std::string level_text(const SuperSchedule& schedule, LoopIndex loop) {
    const bool is_compressed = schedule.format(loop) == LevelFormat::Compressed;
    const bool is_row = loop.index == row_index(schedule.op);
    std::string what = item(schedule, loop.index, true);
    if (loop.part == Part::Inner)
        what = is_row ? "rows in a block" : "columns in a block";
    else if (schedule.is_split(loop.index))
        what += fmt::format(" of {}", schedule.split(loop.index));
    return fmt::format("{} ({})", what, is_compressed ? "compressed" : "dense");
}

/// Of formats that have one.
std::string_view common_name(const SuperSchedule& schedule, const std::vector<LoopIndex>& levels) {
    std::string key;
    for (const LoopIndex level : levels)
        key += fmt::format("{}{}{}", level.index == row_index(schedule.op) ? 'r' : 'c',
                           level.part == Part::Outer ? 1 : 0,
                           schedule.format(level) == LevelFormat::Compressed ? 'C' : 'U');
    if (key == "r1Uc1C")
        return "CSR: ";
    if (key == "r1Cc1C")
        return "DCSR (CSR without empty rows): ";
    if (key == "c1Ur1C")
        return "CSC: ";
    if (key == "c1Cr1C")
        return "DCSC (CSC without empty columns): ";
    if (key == "r1Uc1Cr0Uc0U" || key == "r1Uc1Cc0Ur0U")
        return "BCSR: ";
    if (key.find('C') == std::string::npos)
        return "a dense matrix: ";
    return "";
}

std::string storage_text(const SuperSchedule& schedule) {
    std::vector<LoopIndex> levels = existing_loops(schedule);
    std::erase_if(levels, [&](LoopIndex loop) { return !is_sparse_index(schedule.op, loop.index); });
    std::vector<std::string> parts;
    for (const LoopIndex level : levels)
        parts.push_back(level_text(schedule, level));
    const std::string_view name = common_name(schedule, levels);
    return fmt::format("A is stored {}{}{}", name.empty() ? "" : "as ", name.empty() ? "by " : name,
                       fmt::join(parts, ", then "));
}

/// Of an index that A does not have. An inner loop directly inside its outer one visits the index in order,
/// as if it were not split.
std::string strips_text(const SuperSchedule& schedule, Index dense) {
    const std::array split_loop{LoopIndex{dense, Part::Outer}, LoopIndex{dense, Part::Inner}};
    const std::vector<LoopIndex> loops = existing_loops(schedule);
    if (std::ranges::search(loops, split_loop).empty())
        return fmt::format("{} in strips of {}",
                           schedule.op == Operator::SDDMM ? "the sum over k runs" : "the columns of C run",
                           schedule.split(dense));
    return fmt::format("in this schedule splitting {} by {} changes nothing, because {} follows {} directly",
                       letter(dense), schedule.split(dense), name(split_loop[1]), name(split_loop[0]));
}

std::string work_text(const SuperSchedule& schedule) {
    std::string text = fmt::format("{} {} {} {} at a time", schedule.threads,
                                   schedule.threads == 1 ? "thread takes" : "threads take", schedule.chunk,
                                   item(schedule, schedule.parallel.index, schedule.chunk != 1));
    if (const auto dense = dense_index(schedule.op); dense && schedule.is_split(*dense))
        text += "; " + strips_text(schedule, *dense);
    return text;
}

} // namespace

std::string describe(const SuperSchedule& schedule) {
    return fmt::format("{}. {}.", storage_text(schedule), work_text(schedule));
}

} // namespace sparsight
