// A basic block as a graph of its instructions and the values that they read and write: the input of GRANITE
// (Sykora, Phothilimthana, Mendis, Yazdanbakhsh: GRANITE: a graph neural network model for basic block
// throughput estimation, IISWC 2022).
#pragma once

#include "domains/blocks/code/instruction.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The paper also has floating-point immediates, which no instruction of x86-64 has.
enum class NodeKind {
    Instruction, ///< its token is the mnemonic
    Prefix,      ///< its token is the prefix
    Register,    ///< a value in a register, which is the token
    Immediate,   ///< also a displacement, and the distance of a branch
    Address,     ///< the computation of an address
    Memory,      ///< a value in memory
};

enum class EdgeKind {
    NextInstruction, ///< the paper's structural dependency
    Prefix,
    Input,
    Output,
    AddressBase,
    AddressIndex,
    AddressSegment,
    AddressDisplacement,
};
inline constexpr std::size_t edge_kinds = 8;

struct GraphNode {
    NodeKind kind = NodeKind::Instruction;
    std::string token; ///< "add", "lock", "eax", immediate_token …

    bool operator==(const GraphNode&) const = default;
};

struct GraphEdge {
    EdgeKind kind = EdgeKind::NextInstruction;
    std::size_t from = 0; ///< places of nodes
    std::size_t to = 0;

    bool operator==(const GraphEdge&) const = default;
};

struct BlockGraph {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;

    bool operator==(const BlockGraph&) const = default;
};

inline constexpr std::string_view immediate_token = "<immediate>";
inline constexpr std::string_view address_token = "<address>";
inline constexpr std::string_view memory_token = "<memory>";

/// Each write makes a new node for its value, and a read has an edge from the node of the last write. What no
/// instruction wrote before has one node for all its reads. Implicit registers count like named ones.
/// Registers that overlap are one place (Register::whole), and so is the whole memory, as in the authors'
/// program: a load reads the last store.
[[nodiscard]] BlockGraph graph_of(std::span<const Instruction> block);

} // namespace sparsight
