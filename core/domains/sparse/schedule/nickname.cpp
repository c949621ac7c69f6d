#include "domains/sparse/schedule/nickname.h"

#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <ranges>
#include <set>

namespace sparsight {
namespace {

bool is_packed(const SuperSchedule& schedule, LoopIndex level) {
    return schedule.format(level) == LevelFormat::Compressed;
}

bool follows(std::span<const LoopIndex> loops, LoopIndex first, LoopIndex second) {
    const auto at = std::ranges::find(loops, first);
    return at != loops.end() && std::next(at) != loops.end() && *std::next(at) == second;
}

/// Whether the inner level of a split index follows its outer one and is stored like it: A is then stored as
/// if the index were not split.
bool is_grouped(const SuperSchedule& schedule, Index index) {
    const LoopIndex outer{index, Part::Outer};
    const LoopIndex inner{index, Part::Inner};
    return schedule.is_split(index) && follows(existing_levels(schedule), outer, inner) &&
           is_packed(schedule, outer) == is_packed(schedule, inner);
}

/// Of a schedule whose storage has no blocks.
std::string whole_storage(const SuperSchedule& schedule, const LoopList& levels) {
    LoopList outer;
    for (const LoopIndex level : levels)
        if (level.part == Part::Outer)
            outer.push_back(level);
    const auto packed = [&](LoopIndex level) { return is_packed(schedule, level); };
    const bool by_column = outer[0].index != row_index(schedule.op);
    if (std::ranges::none_of(outer, packed))
        return by_column ? "dense by column" : "dense";
    if (outer.size() != 2) {
        std::string modes;
        for (const LoopIndex level : outer)
            modes += letter(level.index);
        return fmt::format(
            "{}{}", std::ranges::all_of(outer.begin() + 1, outer.end(), packed) ? "CSF" : "half-packed CSF",
            std::ranges::is_sorted(outer) ? "" : " by " + modes);
    }
    if (!packed(outer[outer.size() - 1]))
        return by_column ? "whole columns" : "whole rows";
    return fmt::format("{}CS{}", packed(outer[0]) ? "D" : "", by_column ? 'C' : 'R');
}

std::string storage(const SuperSchedule& schedule) {
    const LoopList levels = existing_levels(schedule);
    const auto is_blocked = [&](Index index) {
        return schedule.is_split(index) && !is_grouped(schedule, index);
    };
    const auto indices_of_a = sparse_indices(schedule.op);
    if (std::ranges::none_of(indices_of_a, is_blocked))
        return whole_storage(schedule, levels);
    std::vector<std::int64_t> sizes;
    std::size_t packed = 0;
    std::size_t blocked = 0;
    for (const Index index : indices_of_a) {
        sizes.push_back(is_blocked(index) ? schedule.split(index) : 1);
        blocked += is_blocked(index) ? 1 : 0;
        packed += is_blocked(index) && is_packed(schedule, {index, Part::Inner}) ? 1 : 0;
    }
    std::string shape = fmt::format("{}", fmt::join(sizes, "×"));
    if (sizes.size() == 2 && blocked == 1)
        shape =
            sizes.back() == 1 ? fmt::format("{}-row", sizes.front()) : fmt::format("{}-column", sizes.back());
    const std::string_view kind = packed == 0 ? "blocks" : packed == blocked ? "tiles" : "half-tiles";
    return fmt::format("{} {}{}", shape, kind, levels[0].index == row_index(schedule.op) ? "" : " by column");
}

std::string strips(const SuperSchedule& schedule, Index dense) {
    const bool is_in_strips = schedule.is_split(dense) &&
                              !follows(existing_loops(schedule), {dense, Part::Outer}, {dense, Part::Inner});
    return is_in_strips ? fmt::format("{}-wide strips", schedule.split(dense)) : "";
}

/// Which loop over A a dense loop stands outside of; empty where it is inside all of them.
std::string place(const SuperSchedule& schedule, Index dense) {
    const LoopList loops = existing_loops(schedule);
    const auto is_of_a = [&](LoopIndex loop) { return is_sparse_index(schedule.op, loop.index); };
    const auto at = std::ranges::find(loops, LoopIndex{dense, Part::Outer});
    const auto inside = std::find_if(at, loops.end(), is_of_a);
    if (inside == loops.end())
        return {};
    return std::none_of(loops.begin(), at, is_of_a)
               ? fmt::format("{} outermost", letter(dense))
               : fmt::format("{} outside {}", letter(dense), name(*inside));
}

std::string row_groups(const SuperSchedule& schedule) {
    const Index row = row_index(schedule.op);
    return is_grouped(schedule, row) && description(schedule.op).order == 2
               ? fmt::format("{}-row groups", schedule.split(row))
               : "";
}

/// The one thing about the loops that is least usual; empty where nothing is.
std::string loops_remark(const SuperSchedule& schedule) {
    if (std::string text = row_groups(schedule); !text.empty())
        return text;
    for (const Index dense : dense_indices(schedule.op)) {
        if (std::string text = strips(schedule, dense); !text.empty())
            return text;
        if (std::string text = place(schedule, dense); !text.empty())
            return text;
    }
    return {};
}

/// With a remark no name is longer; splits, and details of a list, may follow.
constexpr std::size_t longest_with_remark = 36;

/// In characters, of which "×" is one.
std::size_t length(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// ", j by 8": the splits that neither the blocks nor the remark tell.
std::string other_splits(const SuperSchedule& schedule, std::string_view remark) {
    std::string text;
    for (const Index index : indices(schedule.op)) {
        const bool is_of_a = is_sparse_index(schedule.op, index);
        const bool is_block = is_of_a && !is_grouped(schedule, index);
        const std::string own = !is_of_a                          ? strips(schedule, index)
                                : index == row_index(schedule.op) ? row_groups(schedule)
                                                                  : "";
        if (schedule.is_split(index) && !is_block && (remark.empty() || remark != own))
            text += fmt::format(", {} by {}", letter(index), schedule.split(index));
    }
    return text;
}

std::string base_name(const SuperSchedule& schedule) {
    const std::string stored = storage(schedule);
    const std::string remark = loops_remark(schedule);
    const std::string plain = fmt::format("{}, chunk {}", stored, schedule.chunk);
    if (remark.empty() || length(plain) + 2 + length(remark) > longest_with_remark)
        return plain + other_splits(schedule, "");
    return fmt::format("{}, {}, chunk {}{}", stored, remark, schedule.chunk, other_splits(schedule, remark));
}

/// Something that may tell two schedules apart, in words; empty where it is as usual.
using Detail = std::function<std::string(const SuperSchedule&)>;

/// Together with the splits they say all that a schedule decides; those that say most come first.
std::vector<Detail> details_of(Operator op) {
    std::vector<Detail> details;
    for (const Index dense : dense_indices(op)) {
        details.push_back([dense](const SuperSchedule& schedule) { return strips(schedule, dense); });
        details.push_back([dense](const SuperSchedule& schedule) { return place(schedule, dense); });
    }
    details.push_back([](const SuperSchedule& schedule) {
        const auto outermost = std::ranges::find_if(schedule.loops(), [&](LoopIndex loop) {
            return std::ranges::find(parallel_loops(schedule.op), loop) != parallel_loops(schedule.op).end();
        });
        return *outermost == schedule.parallel ? "" : "parallel " + name(schedule.parallel);
    });
    for (const LoopIndex level : level_names(op))
        details.push_back([level](const SuperSchedule& schedule) {
            if (!schedule.has(level))
                return std::string();
            const bool is_usually_packed = level.part == Part::Outer && existing_levels(schedule)[0] != level;
            if (is_packed(schedule, level) == is_usually_packed)
                return std::string();
            return name(level) + (is_packed(schedule, level) ? " packed" : " dense");
        });
    const LoopList& loops = loop_names(op);
    for (std::size_t one = 0; one < loops.size(); ++one)
        for (std::size_t other = one + 1; other < loops.size(); ++other)
            details.push_back([first = loops[one], second = loops[other]](const SuperSchedule& schedule) {
                const LoopList order = existing_loops(schedule);
                const auto at = std::ranges::find(order, second);
                return std::find(at, order.end(), first) == order.end()
                           ? std::string()
                           : fmt::format("{} before {}", name(second), name(first));
            });
    return details;
}

/// Schedules whose names are the same so far.
using Namesakes = std::vector<std::size_t>;

std::size_t longest(const std::map<std::string, Namesakes>& parts) {
    std::size_t most = 0;
    for (const auto& [text, part] : parts)
        most = std::max(most, length(text));
    return most;
}

/// Appends details until all of them have names of their own: first the one that tells most of them apart, in
/// the fewest letters. Two that mean the same keep the same name.
void tell_apart(const std::vector<SuperSchedule>& schedules, const std::vector<Detail>& details,
                const Namesakes& namesakes, std::vector<std::string>& names) {
    std::map<std::string, Namesakes> best;
    for (const Detail& detail : details) {
        std::map<std::string, Namesakes> parts;
        for (const std::size_t each : namesakes)
            parts[detail(schedules[each])].push_back(each);
        if (parts.size() > 1 &&
            (parts.size() > best.size() || (parts.size() == best.size() && longest(parts) < longest(best))))
            best = std::move(parts);
    }
    for (const auto& [text, part] : best) {
        for (const std::size_t each : part)
            if (!text.empty())
                names[each] += ", " + text;
        if (part.size() > 1)
            tell_apart(schedules, details, part, names);
    }
}

} // namespace

std::string nickname(const SuperSchedule& schedule) {
    return nicknames(std::span(&schedule, 1)).front();
}

std::vector<std::string> nicknames(std::span<const SuperSchedule> schedules) {
    if (schedules.empty())
        return {};
    std::vector<SuperSchedule> meant;
    meant.reserve(schedules.size());
    std::ranges::transform(schedules, std::back_inserter(meant), &canonical_without_threads);
    // Fixed CSR takes part in any list, so that nothing else is named like it.
    std::set<SuperSchedule> baselines;
    for (const SuperSchedule& schedule : schedules)
        baselines.insert(fixed_csr(schedule.op, 1));
    meant.insert(meant.end(), baselines.begin(), baselines.end());

    std::vector<std::string> names;
    std::map<std::pair<Operator, std::string>, Namesakes> by_name;
    for (std::size_t each = 0; each < meant.size(); ++each) {
        names.push_back(base_name(meant[each]));
        by_name[{meant[each].op, names.back()}].push_back(each);
    }
    std::map<Operator, std::vector<Detail>> details;
    for (const auto& [key, namesakes] : by_name) {
        std::vector<Detail>& known = details[key.first];
        if (known.empty())
            known = details_of(key.first);
        tell_apart(meant, known, namesakes, names);
    }
    for (std::size_t each = 0; each < schedules.size(); ++each)
        if (is_fixed_csr(meant[each]))
            names[each] = "fixed CSR";
    names.resize(schedules.size());
    return names;
}

std::vector<std::string> nicknames(Operator op, std::span<const std::string> codes) {
    std::vector<std::string> names(codes.begin(), codes.end());
    std::vector<SuperSchedule> schedules;
    std::vector<std::size_t> places;
    for (std::size_t each = 0; each < codes.size(); ++each)
        if (const auto schedule = parse_schedule(op, codes[each])) {
            schedules.push_back(*schedule);
            places.push_back(each);
        }
    std::vector<std::string> named = nicknames(schedules);
    for (std::size_t each = 0; each < places.size(); ++each)
        names[places[each]] = std::move(named[each]);
    return names;
}

std::string code_legend(const SuperSchedule& schedule) {
    std::vector<std::int64_t> splits;
    std::vector<std::string> letters;
    for (const Index index : indices(schedule.op)) {
        splits.push_back(schedule.split(index));
        letters.emplace_back(1, letter(index));
    }
    std::vector<std::string> loops;
    for (const LoopIndex loop : schedule.loops())
        loops.push_back(name(loop));
    std::vector<int> formats;
    std::vector<std::string> levels;
    for (const LoopIndex level : level_names(schedule.op)) {
        formats.push_back(static_cast<int>(schedule.format(level)));
        levels.push_back(name(level));
    }
    return fmt::format("{}: splits of {} (1: not split)\n"
                       "{}: loops, outermost first; i0 runs within blocks of i\n"
                       "{}: storage of {} (1: every position, 0: only those with entries)\n"
                       "{}: parallel loop\n"
                       "{}: {}\n"
                       "{}: chunk, the iterations that a thread takes at a time",
                       fmt::join(splits, " "), fmt::join(letters, ", "), fmt::join(loops, " "),
                       fmt::join(formats, " "), fmt::join(levels, ", "), name(schedule.parallel),
                       schedule.threads, schedule.threads == 1 ? "thread" : "threads", schedule.chunk);
}

} // namespace sparsight
