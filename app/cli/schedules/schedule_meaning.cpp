#include "cli/schedules/schedule_meaning.h"

#include "base/quantity.h"
#include "command/terminal_text.h"
#include "domains/sparse/schedule/text.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

std::string_view formula(Operator op) {
    switch (op) {
    case Operator::SpMM:
        return "C(i,j) = Σk A(i,k) · B(k,j)";
    case Operator::SpMV:
        return "y(i) = Σk A(i,k) · x(k)";
    case Operator::SDDMM:
        return "C(i,j) = A(i,j) · Σk B(i,k) · D(k,j)";
    }
    return "";
}

std::vector<std::string> names_of(const std::vector<LoopIndex>& loops) {
    std::vector<std::string> names;
    names.reserve(loops.size());
    for (const LoopIndex loop : loops)
        names.push_back(name(loop));
    return names;
}

std::string_view name(LevelFormat format) {
    return format == LevelFormat::Compressed ? "compressed" : "uncompressed";
}

std::string splits_text(const SuperSchedule& schedule) {
    std::vector<std::string> parts;
    for (const Index index : indices(schedule.op))
        parts.push_back(schedule.is_split(index)
                            ? fmt::format("{0} = {1}·{0}1 + {0}0", letter(index), schedule.split(index))
                            : fmt::format("{} not split", letter(index)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<LoopIndex> levels_of(const SuperSchedule& schedule) {
    auto loops = existing_loops(schedule);
    std::erase_if(loops, [&](LoopIndex loop) { return !is_sparse_index(schedule.op, loop.index); });
    return loops;
}

/// pos and crd arrays of 4-byte numbers; an uncompressed level stores nothing. In double, as an exploding
/// format has more positions than an integer holds.
double level_bytes(const StorageFacts& storage, std::size_t level) {
    if (storage.format.levels[level].format == LevelFormat::Uncompressed)
        return 0;
    const double parents = level == 0 ? 1 : static_cast<double>(storage.size.positions[level - 1]);
    return 4 * (parents + 1 + static_cast<double>(storage.size.positions[level]));
}

std::string bytes_text(double bytes) {
    constexpr double most = 1.8e19;
    return bytes < most ? format_bytes(static_cast<std::uint64_t>(bytes)) : "over 16 EiB";
}

} // namespace

std::string meaning_text(const SuperSchedule& schedule) {
    std::vector<std::string> formats;
    for (const LoopIndex level : levels_of(schedule))
        formats.push_back(fmt::format("{} {}", name(level), name(schedule.format(level))));
    return fmt::format("operator  {}: {}\n"
                       "schedule  {}\n"
                       "splits    {}\n"
                       "loops     {}  (outermost first)\n"
                       "A stored  {}\n"
                       "parallel  {}, in chunks of {}, on {} {}\n",
                       name(schedule.op), formula(schedule.op), to_text(schedule), splits_text(schedule),
                       fmt::join(names_of(existing_loops(schedule)), " → "), fmt::join(formats, ", "),
                       name(schedule.parallel), schedule.chunk, schedule.threads,
                       schedule.threads == 1 ? "thread" : "threads");
}

Json meaning_json(const SuperSchedule& schedule) {
    Json splits = Json::object();
    for (const Index index : indices(schedule.op))
        splits[std::string(1, letter(index))] = schedule.split(index);
    Json formats = Json::object();
    for (const LoopIndex level : levels_of(schedule))
        formats[name(level)] = name(schedule.format(level));
    return {{"schedule", to_text(schedule)},
            {"canonical", to_text(canonical(schedule))},
            {"operator", name(schedule.op)},
            {"splits", splits},
            {"loops", names_of(existing_loops(schedule))},
            {"formats", formats},
            {"parallel", name(schedule.parallel)},
            {"threads", schedule.threads},
            {"chunk", schedule.chunk}};
}

std::string to_text(const StorageFacts& storage) {
    Table table({{"level"},
                 {"format"},
                 {"extent", Align::Right},
                 {"positions", Align::Right},
                 {"size", Align::Right}});
    for (std::size_t l = 0; l < storage.format.levels.size(); ++l) {
        const StorageLevel& level = storage.format.levels[l];
        table.add_row({name(level.loop), std::string(name(level.format)), fmt::to_string(level.extent),
                       fmt::to_string(storage.size.positions[l]), bytes_text(level_bytes(storage, l))});
    }
    const std::int64_t values = storage.size.positions.back();
    table.add_row({"values", "", "", fmt::to_string(values), bytes_text(4 * static_cast<double>(values))});
    std::string text = fmt::format(
        "{}\nstorage   {}, {:.3g} times fixed CSR's {}\n", table.text(), format_bytes(storage.size.bytes),
        static_cast<double>(storage.size.bytes) / static_cast<double>(storage.csr_bytes),
        format_bytes(storage.csr_bytes));
    if (storage.refusal)
        text += fmt::format("          too large to be measured: {}\n", storage.refusal->message);
    return text;
}

Json to_json(const StorageFacts& storage) {
    Json levels = Json::array();
    for (std::size_t l = 0; l < storage.format.levels.size(); ++l)
        levels.push_back({{"loop", name(storage.format.levels[l].loop)},
                          {"format", name(storage.format.levels[l].format)},
                          {"extent", storage.format.levels[l].extent},
                          {"positions", storage.size.positions[l]}});
    return {{"levels", levels},
            {"bytes", storage.size.bytes},
            {"fixed_csr_bytes", storage.csr_bytes},
            {"refused", storage.refusal ? Json(storage.refusal->message) : Json()}};
}

} // namespace sparsight
