#include "domains/sparse/kernel/lowering/program_signature.h"

#include "domains/sparse/kernel/lowering/kernel_context.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <span>
#include <vector>

namespace sparsight {

namespace {

/// A level of A as it lies in memory, whatever loop it is named after.
struct StoredLevel {
    std::size_t first = 0; ///< place of the first level of the format that is part of it
    std::size_t mode = 0;
    std::int64_t divisor = 1; ///< the coordinate is (x / divisor) mod modulus; modulus 0: not reduced
    std::int64_t modulus = 0;
    std::int64_t extent = 0;
    LevelFormat format = LevelFormat::Uncompressed;
};

StoredLevel stored(const StorageFormat& storage, std::size_t place) {
    const StorageLevel& level = storage.levels[place];
    const std::int64_t whole = storage.sizes[level.mode];
    const bool is_inner = level.loop.part == Part::Inner;
    StoredLevel found{place,
                      level.mode,
                      is_inner ? 1 : level.split,
                      is_inner && level.split < whole ? level.split : 0,
                      level.extent,
                      level.format};
    if (!is_inner)
        found.divisor = std::min(found.divisor, std::max<std::int64_t>(whole, 1)); // all coordinates are 0
    return found;
}

bool are_one_level(const StoredLevel& outer, const StoredLevel& inner) {
    return outer.mode == inner.mode && outer.divisor > 1 && inner.divisor == 1 &&
           inner.modulus == outer.divisor && outer.format == LevelFormat::Uncompressed &&
           inner.format == LevelFormat::Uncompressed;
}

std::vector<StoredLevel> stored_levels(const StorageFormat& storage) {
    std::vector<StoredLevel> levels;
    for (std::size_t place = 0; place < storage.levels.size(); ++place) {
        const StoredLevel level = stored(storage, place);
        if (level.format == LevelFormat::Uncompressed && level.extent == 1)
            continue;
        if (!levels.empty() && are_one_level(levels.back(), level)) {
            levels.back().divisor = 1;
            levels.back().extent *= level.extent;
        } else {
            levels.push_back(level);
        }
    }
    return levels;
}

class SignatureWriter {
public:
    explicit SignatureWriter(const LoopNest& nest)
        : nest_(nest) {}

    std::string write() {
        const auto extents = std::span(nest_.extents.by_index).first(description(nest_.op).index_places);
        add("{} {}\n", name(nest_.op), fmt::join(extents, " "));
        for (const StoredLevel& level : stored_levels(nest_.storage)) {
            const bool is_compressed = level.format == LevelFormat::Compressed;
            add("level {} /{} %{} {}\n", name_of_mode(level.mode), level.divisor, level.modulus,
                is_compressed ? "compressed" : fmt::to_string(level.extent));
        }
        write(nest_.body);
        return std::move(text_);
    }

private:
    [[nodiscard]] std::string name_of_mode(std::size_t mode) const {
        if (nest_.storage.sizes.size() == 2)
            return mode == 0 ? "row" : "column";
        return std::string(1, letter(sparse_indices(nest_.op)[mode]));
    }

    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    /// By where they are bound first.
    int number(Variable variable) {
        return numbers_.emplace(variable, static_cast<int>(numbers_.size())).first->second;
    }

    void add(const Affine& affine) {
        std::map<int, std::int64_t> factors;
        for (const Affine::Term& term : affine.terms)
            factors[number(term.variable)] += term.factor;
        add("{}", affine.constant);
        for (const auto& [variable, factor] : factors)
            if (factor != 0)
                add("+{}*v{}", factor, variable);
    }

    void add(const Access& access) {
        add(" {}[", static_cast<int>(access.operand));
        add(access.offset);
        add("]");
    }

    void add(const std::vector<Access>& accesses) {
        for (const Access& access : accesses)
            add(access);
    }

    void write(const Body& body) {
        add("{{\n");
        for (const KernelStatement& statement : body)
            std::visit([this](const auto& node) { write(node); }, statement.node);
        add("}}\n");
    }

    void write(const ZeroOutput&) { add("clear\n"); }

    [[nodiscard]] std::int64_t longest(const Loop& loop) const {
        return loop.kind == LoopKind::Compressed ? nest_.storage.levels[loop.level].extent : loop.extent;
    }

    void write_walk(std::size_t level, const Affine& parent) {
        const auto before = std::span(nest_.storage.levels).first(level);
        add("compressed {} below ",
            std::ranges::count(before, LevelFormat::Compressed, &StorageLevel::format));
        add(parent);
    }

    void write(const IfStored& stored) {
        add("if ");
        write_walk(stored.level, stored.parent);
        write(stored.body);
    }

    void write(const Loop& loop) {
        if (loop.kind == LoopKind::Compressed) {
            write_walk(loop.level, loop.parent);
            add(" at v{}", number(loop.position));
        } else {
            add("loop {}", loop.extent);
        }
        if (loop.clip)
            add(" clipped v{} {} {}", number(loop.clip->outer), loop.clip->last, loop.clip->remainder);
        if (loop.parallel)
            add(" parallel by {}", std::min<std::int64_t>(nest_.chunk, longest(loop)));
        add(" v{} {}{}", number(loop.coordinate), loop.vectorised ? "vectors " : "",
            loop.tile_axis  ? "axis "
            : loop.unrolled ? "steps "
                            : "");
        write(loop.body);
    }

    void write(const Accumulate& update) {
        add("add");
        if (update.into_tile)
            add(" tile");
        else
            add(update.target);
        add(" :");
        add(update.factors);
        add("\n");
    }

    void write(const Tile& tile) {
        add("tile");
        for (const Tile::Axis& axis : tile.axes)
            add(" v{} {}{}", number(axis.variable), axis.extent, axis.vectorised ? " vectors" : "");
        add(tile.target);
        add(" :");
        add(tile.scale);
        add("{}{}{}", tile.overwrites ? " overwrites" : "", tile.begins_with_output ? " goes on" : "",
            tile.streams ? " streams" : "");
        write(tile.body);
    }

    void write(const Branch& branch) {
        add("unless v{} {} ", number(branch.variable), branch.last);
        write(branch.full);
        write(branch.remainder);
    }

    const LoopNest& nest_;
    std::map<Variable, int> numbers_;
    std::string text_;
};

} // namespace

std::string program_signature(const LoopNest& nest) {
    return SignatureWriter(nest).write();
}

std::string program_signature(const SuperSchedule& schedule, const Extents& extents,
                              const KernelTarget& target) {
    // The lowering also looks at how much the matrix stores: hardly anything, and much.
    const SuperSchedule asked = canonical(schedule);
    return program_signature(lower(asked, extents, target)) +
           program_signature(lower(asked, extents, target, MeanFill(KernelContext::max_levels, 1.0)));
}

std::optional<KernelTarget> kernel_target_of(const MachineParameters& machine) {
    const auto accumulators = static_cast<int>(machine[MachineParameter::Accumulators]);
    if (accumulators < 1)
        return std::nullopt;
    return KernelTarget{static_cast<int>(machine[MachineParameter::Lanes]), accumulators, 0};
}

std::string ProgramIdentity::of(const SuperSchedule& schedule) const {
    if (target_)
        return program_signature(schedule, extents_, *target_);
    return to_text(canonical_without_threads(schedule));
}

} // namespace sparsight
