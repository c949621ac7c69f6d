#include "domains/blocks/tuning/tuning_blocks.h"

#include "base/digest.h"
#include "base/random.h"
#include "domains/blocks/exchange/block_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace sparsight {
namespace {

/// The same for a group on every machine: the order in which groups are taken, and the part of each.
struct GroupDraw {
    double part = 0;         ///< in [0, 1)
    std::uint64_t place = 0; ///< smaller ones are taken first
};

GroupDraw draw_group(const std::string& group, std::uint64_t seed) {
    Digest digest;
    digest.add(seed);
    digest.add(std::string_view(group));
    Random random(digest.value());
    GroupDraw draw;
    draw.part = random.uniform();
    draw.place = random();
    return draw;
}

struct ReadBlock {
    TuningBlock block;
    std::uint64_t place = 0;
};

/// Keeps so many blocks of a part, of the groups that come first.
void keep_first(std::vector<ReadBlock>& blocks, TuningPart part, std::size_t most) {
    if (most == 0)
        return;
    std::size_t kept = 0;
    std::erase_if(blocks, [&](const ReadBlock& each) { return each.block.part == part && kept++ >= most; });
}

} // namespace

std::vector<std::size_t> TuningBlocks::of(TuningPart part) const {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < blocks.size(); ++at)
        if (blocks[at].part == part)
            places.push_back(at);
    return places;
}

Result<TuningBlocks> read_tuning_blocks(const TuningBlocksRequest& request, BlockSimulator& simulator,
                                        Observer& observer, const std::stop_token& stop) {
    auto table = BlockTable::open(request.file);
    if (!table)
        return std::unexpected(std::move(table).error());
    const std::string& machine = simulator.original().machine;
    const auto column = std::ranges::find(table->machines(), machine);
    if (column == table->machines().end())
        return fail_in_file(Fault::Input, request.file.string(), 1,
                            fmt::format("has no column tp_{}, expected measured cycles of {}; it has {}",
                                        machine, machine, fmt::join(table->machines(), ", ")));
    const auto of_machine = static_cast<std::size_t>(column - table->machines().begin());
    TuningBlocks found;
    std::vector<ReadBlock> read;
    std::map<std::string, std::size_t> groups;
    while (!table->is_over()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        auto row = table->next();
        if (!row) {
            observer.complain(row.error());
            continue;
        }
        if (!*row || !(**row).cycles[of_machine])
            continue;
        BlockTable::Row& block = **row;
        if (block.is_apart.value_or(false)) {
            ++found.apart;
            continue;
        }
        const std::string group = block.group.empty() ? to_hex(block.code) : block.group;
        const GroupDraw draw = draw_group(group, request.seed);
        const TuningPart part = draw.part < request.held_out                        ? TuningPart::HeldOut
                                : draw.part < request.held_out + request.validation ? TuningPart::Validation
                                                                                    : TuningPart::Training;
        const std::size_t number = groups.try_emplace(group, groups.size()).first->second;
        constexpr double iterations = 100; // of the table's cycles
        read.push_back(
            {{std::move(block.code), {}, *block.cycles[of_machine] / iterations, number, part}, draw.place});
        observer.show({.stage = "reading blocks", .done = table->consumed(), .total = table->total()});
    }
    std::ranges::stable_sort(read, {}, &ReadBlock::place);
    keep_first(read, TuningPart::Training, request.most_training);
    keep_first(read, TuningPart::Validation, request.most_validation);
    keep_first(read, TuningPart::HeldOut, request.most_held_out);
    std::vector<const MachineCode*> codes;
    for (const ReadBlock& each : read)
        codes.push_back(&each.block.code);
    auto classes = simulator.classes(codes);
    if (!classes)
        return std::unexpected(std::move(classes).error());
    for (std::size_t at = 0; at < read.size(); ++at) {
        auto& known = (*classes)[at];
        if (!known || known->empty()) {
            ++found.unknown;
            continue;
        }
        read[at].block.classes = *std::move(known);
        found.blocks.push_back(std::move(read[at].block));
    }
    for (const auto& [part, name] : {std::pair(TuningPart::Training, "training"),
                                     {TuningPart::Validation, "validation"},
                                     {TuningPart::HeldOut, "held-out"}})
        if (found.of(part).empty())
            return fail_in_file(
                Fault::Input, request.file.string(), 0,
                fmt::format("has no {} block of {}, expected more groups of blocks", name, machine));
    return found;
}

} // namespace sparsight
