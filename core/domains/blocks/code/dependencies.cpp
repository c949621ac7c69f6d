#include "domains/blocks/code/dependencies.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace sparsight {
namespace {

/// What an instruction reads and writes: wholes of registers, and places in memory.
struct Accesses {
    std::set<std::string> read;
    std::set<std::string> written;
};

/// Of what an instruction may write, only these make others wait: the address of the code and the bases of
/// segments do not change in a block, and modes of floating-point arithmetic are hardly ever set.
bool is_tracked(const Register& reg) {
    return reg.whole == "eflags" || reg.whole == "df" || (reg.bits > 0 && reg.whole != "rip");
}

class AccessReader {
public:
    explicit AccessReader(bool only_named)
        : only_named_(only_named) {}

    Accesses of(const Instruction& instruction) {
        Accesses accesses;
        const bool is_idiom = !only_named_ && is_zero_idiom(instruction);
        for (const Operand& operand : instruction.operands)
            add(operand, instruction, is_idiom, accesses);
        if (!only_named_)
            for (const ImplicitRegister& implicit : instruction.implicit)
                add(implicit.reg, implicit.is_read, implicit.is_written, accesses);
        for (const std::string& whole : accesses.written)
            ++versions_[whole];
        if (only_named_) // a push moves addresses, too
            for (const ImplicitRegister& implicit : instruction.implicit)
                if (implicit.is_written)
                    ++versions_[implicit.reg.whole];
        return accesses;
    }

private:
    void add(const Operand& operand, const Instruction& instruction, bool is_idiom, Accesses& accesses) {
        if (operand.kind == OperandKind::Register)
            return add(operand.reg, operand.is_read && !is_idiom, operand.is_written, accesses);
        if (operand.kind != OperandKind::Memory)
            return;
        for (const auto& reg : {operand.address.base, operand.address.index})
            if (reg)
                add(*reg, true, false, accesses);
        const std::string place = place_of(operand, instruction);
        if (operand.is_read)
            accesses.read.insert(place);
        if (operand.is_written)
            accesses.written.insert(place);
    }

    static void add(const Register& reg, bool is_read, bool is_written, Accesses& accesses) {
        if (!is_tracked(reg))
            return;
        const bool keeps_the_rest = is_written && (reg.bits == 8 || reg.bits == 16);
        if (is_read || keeps_the_rest)
            accesses.read.insert(reg.whole);
        if (is_written)
            accesses.written.insert(reg.whole);
    }

    /// Equal where the address is: the registers have the values that they had. An address by rip counts from
    /// the end of its instruction.
    [[nodiscard]] std::string place_of(const Operand& operand, const Instruction& instruction) const {
        const bool is_by_rip = operand.address.base && operand.address.base->whole == "rip";
        const std::int64_t start =
            is_by_rip ? static_cast<std::int64_t>(instruction.offset + instruction.size) : 0;
        const auto written = [&](const std::optional<Register>& reg) {
            if (!reg)
                return std::string("-");
            const auto version = versions_.find(reg->whole);
            return fmt::format("{}.{}", reg->name, version == versions_.end() ? 0 : version->second);
        };
        return fmt::format("memory {} {} {} {} {} {}", written(operand.address.segment),
                           written(operand.address.base), written(operand.address.index),
                           operand.address.scale, start + operand.address.displacement, operand.bits);
    }

    bool only_named_;
    std::map<std::string, int> versions_; ///< how often a register was written
};

using Found = std::map<std::tuple<bool, std::size_t, std::size_t, DependencyKind>, std::string>;

class Tracker {
public:
    explicit Tracker(std::size_t length)
        : length_(length) {}

    void take(std::size_t at, const Accesses& accesses) {
        for (const std::string& place : accesses.read)
            if (const auto last = writes_.find(place); last != writes_.end())
                note(DependencyKind::ReadAfterWrite, last->second, at, place);
        for (const std::string& place : accesses.written) {
            for (const std::size_t reader : reads_[place])
                note(DependencyKind::WriteAfterRead, reader, at, place);
            if (const auto last = writes_.find(place); last != writes_.end())
                note(DependencyKind::WriteAfterWrite, last->second, at, place);
        }
        for (const std::string& place : accesses.read)
            reads_[place].insert(at);
        for (const std::string& place : accesses.written) {
            writes_[place] = at;
            reads_[place].clear();
        }
    }

    [[nodiscard]] const Found& found() const { return found_; }

private:
    void note(DependencyKind kind, std::size_t from, std::size_t to, const std::string& place) {
        const bool is_carried = from < length_ && to >= length_;
        if (from >= length_) // within the second iteration, as within the first
            return;
        found_.try_emplace({is_carried, to % length_, from, kind},
                           place.starts_with("memory") ? "memory" : place);
    }

    std::size_t length_;
    std::map<std::string, std::size_t> writes_;
    std::map<std::string, std::set<std::size_t>> reads_; ///< since the last write
    Found found_;
};

} // namespace

std::string_view name(DependencyKind kind) {
    switch (kind) {
    case DependencyKind::ReadAfterWrite:
        return "RAW";
    case DependencyKind::WriteAfterRead:
        return "WAR";
    case DependencyKind::WriteAfterWrite:
        return "WAW";
    }
    return {};
}

bool is_zero_idiom(const Instruction& instruction) {
    constexpr std::array<std::string_view, 24> mnemonics{
        "xor",    "sub",     "pxor",    "xorps",   "xorpd",   "psubb",  "psubw",    "psubd",
        "psubq",  "pcmpgtb", "pcmpgtw", "pcmpgtd", "pcmpgtq", "vpxor",  "vpxord",   "vpxorq",
        "vxorps", "vxorpd",  "vpsubb",  "vpsubw",  "vpsubd",  "vpsubq", "vpcmpgtb", "vpcmpgtd"};
    if (std::ranges::find(mnemonics, instruction.mnemonic) == mnemonics.end() ||
        instruction.operands.size() < 2)
        return false;
    const std::span operands(instruction.operands);
    const Operand& last = operands.back();
    const Operand& other = operands[operands.size() - 2];
    return last.kind == OperandKind::Register && last.reg == other.reg && last.reg.bits >= 32;
}

std::vector<Dependency> dependencies_of(std::span<const Instruction> block, const DependencyRules& rules) {
    if (block.empty())
        return {};
    AccessReader reader(rules.only_named);
    Tracker tracker(block.size());
    const std::size_t iterations = rules.between_iterations ? 2 : 1;
    for (std::size_t at = 0; at < iterations * block.size(); ++at)
        tracker.take(at, reader.of(block[at % block.size()]));
    std::vector<Dependency> dependencies;
    for (const auto& [key, through] : tracker.found()) {
        const auto& [is_carried, to, from, kind] = key;
        dependencies.push_back({kind, from, to, through, is_carried});
    }
    return dependencies;
}

} // namespace sparsight
