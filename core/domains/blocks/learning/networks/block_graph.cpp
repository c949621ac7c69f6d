#include "domains/blocks/learning/networks/block_graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

class GraphBuilder {
public:
    void add(const Instruction& instruction) {
        const std::size_t self = add_node(NodeKind::Instruction, instruction.mnemonic);
        for (const std::string& prefix : instruction.prefixes)
            add_edge(EdgeKind::Prefix, add_node(NodeKind::Prefix, prefix), self);
        if (last_instruction_)
            add_edge(EdgeKind::NextInstruction, *last_instruction_, self);
        add_inputs(instruction, self);
        add_outputs(instruction, self);
        last_instruction_ = self;
    }

    [[nodiscard]] BlockGraph result() && { return std::move(graph_); }

private:
    std::size_t add_node(NodeKind kind, std::string_view token) {
        graph_.nodes.push_back({kind, std::string(token)});
        return graph_.nodes.size() - 1;
    }
    void add_edge(EdgeKind kind, std::size_t from, std::size_t to) {
        graph_.edges.push_back({kind, from, to});
    }

    void add_inputs(const Instruction& instruction, std::size_t self) {
        bool has_loaded = false;
        for (const Operand& operand : instruction.operands) {
            switch (operand.kind) {
            case OperandKind::Register:
                if (operand.is_read)
                    add_edge(EdgeKind::Input, value_of(operand.reg), self);
                break;
            case OperandKind::Immediate:
            case OperandKind::Target:
                add_edge(EdgeKind::Input, add_node(NodeKind::Immediate, immediate_token), self);
                break;
            case OperandKind::Memory: // what is written needs an address, too
                add_edge(EdgeKind::Input, add_address(operand.address), self);
                if (operand.is_read) {
                    add_edge(EdgeKind::Input, value_in_memory(), self);
                    has_loaded = true;
                }
                break;
            }
        }
        if (instruction.reads_memory && !has_loaded)
            add_edge(EdgeKind::Input, value_in_memory(), self);
        for (const ImplicitRegister& implicit : instruction.implicit)
            if (implicit.is_read)
                add_edge(EdgeKind::Input, value_of(implicit.reg), self);
    }

    void add_outputs(const Instruction& instruction, std::size_t self) {
        bool has_stored = false;
        for (const Operand& operand : instruction.operands) {
            if (!operand.is_written)
                continue;
            if (operand.kind == OperandKind::Register)
                write(operand.reg, self);
            if (operand.kind == OperandKind::Memory) {
                write_memory(self);
                has_stored = true;
            }
        }
        if (instruction.writes_memory && !has_stored)
            write_memory(self);
        for (const ImplicitRegister& implicit : instruction.implicit)
            if (implicit.is_written)
                write(implicit.reg, self);
    }

    /// The scale has no part in the graph, as in the paper.
    std::size_t add_address(const MemoryAddress& address) {
        const std::size_t node = add_node(NodeKind::Address, address_token);
        const auto add_part = [&](EdgeKind kind, const std::optional<Register>& reg) {
            if (reg)
                add_edge(kind, value_of(*reg), node);
        };
        add_part(EdgeKind::AddressBase, address.base);
        add_part(EdgeKind::AddressIndex, address.index);
        add_part(EdgeKind::AddressSegment, address.segment);
        if (address.displacement != 0)
            add_edge(EdgeKind::AddressDisplacement, add_node(NodeKind::Immediate, immediate_token), node);
        return node;
    }

    /// The node of the last write, or of what was there before the block.
    std::size_t value_of(const Register& reg) {
        const auto known = registers_.find(reg.whole);
        if (known != registers_.end())
            return known->second;
        return registers_[reg.whole] = add_node(NodeKind::Register, reg.name);
    }
    std::size_t value_in_memory() {
        if (!memory_)
            memory_ = add_node(NodeKind::Memory, memory_token);
        return *memory_;
    }
    void write(const Register& reg, std::size_t instruction) {
        const std::size_t value = registers_[reg.whole] = add_node(NodeKind::Register, reg.name);
        add_edge(EdgeKind::Output, instruction, value);
    }
    void write_memory(std::size_t instruction) {
        memory_ = add_node(NodeKind::Memory, memory_token);
        add_edge(EdgeKind::Output, instruction, *memory_);
    }

    BlockGraph graph_;
    std::optional<std::size_t> last_instruction_;
    std::map<std::string, std::size_t, std::less<>> registers_; ///< nodes of their values, by Register::whole
    std::optional<std::size_t> memory_;
};

} // namespace

BlockGraph graph_of(std::span<const Instruction> block) {
    GraphBuilder builder;
    for (const Instruction& instruction : block)
        builder.add(instruction);
    return std::move(builder).result();
}

} // namespace sparsight
