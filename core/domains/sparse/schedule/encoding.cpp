#include "domains/sparse/schedule/encoding.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace sparsight {
namespace {

int floor_log2(std::int64_t value) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

std::size_t place(std::span<const LoopIndex> names, LoopIndex loop) {
    return static_cast<std::size_t>(std::ranges::find(names, loop) - names.begin());
}

Result<void> check_category(std::string_view what, int value, std::size_t categories) {
    if (value >= 0 && static_cast<std::size_t>(value) < categories)
        return {};
    return fail(Fault::Input,
                fmt::format("the category of {} is {}, expected 0 to {}", what, value, categories - 1));
}

Result<void> check_categories(const ScheduleEncoding& encoding) {
    const std::size_t loops = loop_count(encoding.op);
    if (encoding.splits.size() != indices(encoding.op).size() || encoding.order.size() != loops * loops)
        return fail(Fault::Input,
                    fmt::format("{} splits and {} numbers of the loop order, where {} has {} and {}",
                                encoding.splits.size(), encoding.order.size(), name(encoding.op),
                                indices(encoding.op).size(), loops * loops));
    if (const std::size_t levels = level_names(encoding.op).size(); encoding.formats.size() != levels)
        return fail(Fault::Input, fmt::format("{} level formats, where {} has {}", encoding.formats.size(),
                                              name(encoding.op), levels));
    for (const int split : encoding.splits)
        if (auto valid = check_category("a split", split, split_categories); !valid)
            return valid;
    for (const int format : encoding.formats)
        if (auto valid = check_category("a level format", format, 2); !valid)
            return valid;
    if (auto valid = check_category("the parallel loop", encoding.parallel, loops); !valid)
        return valid;
    return check_category("the chunk", encoding.chunk, chunk_categories);
}

} // namespace

ScheduleEncoding encode(const SuperSchedule& schedule) {
    const SuperSchedule form = canonical(schedule);
    const LoopList& names = loop_names(form.op);
    ScheduleEncoding encoding;
    encoding.op = form.op;
    for (const Index index : indices(form.op))
        encoding.splits.push_back(floor_log2(form.split(index)));
    for (const LevelFormat format : form.formats)
        encoding.formats.push_back(static_cast<int>(format));
    encoding.parallel = static_cast<int>(place(names, form.parallel));
    encoding.chunk = floor_log2(form.chunk);
    encoding.order.assign(names.size() * names.size(), 0.0F);
    for (std::size_t depth = 0; depth < names.size(); ++depth)
        encoding.order[place(names, form.order[depth]) * names.size() + depth] = 1.0F;
    return encoding;
}

Result<SuperSchedule> decode(const ScheduleEncoding& encoding, int threads) {
    if (auto valid = check_categories(encoding); !valid)
        return std::unexpected(std::move(valid.error()));
    const LoopList& names = loop_names(encoding.op);
    SuperSchedule schedule(encoding.op);
    schedule.threads = threads;
    for (std::size_t i = 0; i < encoding.splits.size(); ++i)
        schedule.split(indices(encoding.op)[i]) = std::int64_t{1} << encoding.splits[i];
    std::ranges::transform(encoding.formats, schedule.formats.begin(),
                           [](int format) { return static_cast<LevelFormat>(format); });
    schedule.parallel = names[static_cast<std::size_t>(encoding.parallel)];
    schedule.chunk = 1 << encoding.chunk;
    for (std::size_t depth = 0; depth < names.size(); ++depth) {
        std::size_t standing = 0;
        for (std::size_t loop = 0; loop < names.size(); ++loop) {
            const float entry = encoding.order[loop * names.size() + depth];
            if (entry == 1.0F) {
                schedule.order[depth] = names[loop];
                ++standing;
            } else if (entry != 0.0F) {
                return fail(Fault::Input,
                            fmt::format("the matrix of the loop order holds {}, expected 0 or 1", entry));
            }
        }
        if (standing != 1)
            return fail(Fault::Input,
                        fmt::format("{} loops stand at depth {} of the loop order, expected one", standing,
                                    depth + 1));
    }
    if (auto valid = check(schedule); !valid)
        return std::unexpected(std::move(valid.error()));
    return canonical(schedule);
}

} // namespace sparsight
