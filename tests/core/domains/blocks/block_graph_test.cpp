// The graph that GRANITE reads, of blocks as they are decoded.
#include "domains/blocks/learning/networks/block_graph.h"

#include "decoded_fixture.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class BlockGraphs : public testing::DecodedBlockTest {
protected:
    [[nodiscard]] static BlockGraph graph(std::string_view hex) { return graph_of(block(hex).instructions); }

    [[nodiscard]] static std::vector<std::string> tokens(const BlockGraph& graph) {
        std::vector<std::string> list;
        for (const GraphNode& node : graph.nodes)
            list.push_back(node.token);
        return list;
    }

    /// "add -> rax", of one kind.
    [[nodiscard]] static std::vector<std::string> edges(const BlockGraph& graph, EdgeKind kind) {
        std::vector<std::string> list;
        for (const GraphEdge& edge : graph.edges)
            if (edge.kind == kind)
                list.push_back(
                    fmt::format("{} -> {}", graph.nodes[edge.from].token, graph.nodes[edge.to].token));
        return list;
    }

    /// Places of nodes.
    [[nodiscard]] static std::vector<std::size_t> places(const BlockGraph& graph, std::string_view token) {
        std::vector<std::size_t> list;
        for (std::size_t place = 0; place < graph.nodes.size(); ++place)
            if (graph.nodes[place].token == token)
                list.push_back(place);
        return list;
    }
};

TEST_F(BlockGraphs, HaveAnInstructionWithItsValues) {
    const BlockGraph add = graph("4801d8"); // add rax, rbx
    EXPECT_THAT(add.nodes,
                ElementsAre(GraphNode{NodeKind::Instruction, "add"}, GraphNode{NodeKind::Register, "rax"},
                            GraphNode{NodeKind::Register, "rbx"}, GraphNode{NodeKind::Register, "rax"},
                            GraphNode{NodeKind::Register, "eflags"}));
    EXPECT_THAT(add.edges, ElementsAre(GraphEdge{EdgeKind::Input, 1, 0}, GraphEdge{EdgeKind::Input, 2, 0},
                                       GraphEdge{EdgeKind::Output, 0, 3}, GraphEdge{EdgeKind::Output, 0, 4}));
}

TEST_F(BlockGraphs, JoinInstructionsByTheValuesThatTheyPassOn) {
    const BlockGraph chain = graph("b801000000 4801c3 4801c3"); // mov eax, 1; add rbx, rax; add rbx, rax
    EXPECT_THAT(edges(chain, EdgeKind::NextInstruction), ElementsAre("mov -> add", "add -> add"));
    const auto values = places(chain, "eax");
    ASSERT_EQ(values.size(), 1U) << "rax is the same register, and it was written once";
    EXPECT_THAT(
        edges(chain, EdgeKind::Input),
        UnorderedElementsAre("<immediate> -> mov", "rbx -> add", "eax -> add", "rbx -> add", "eax -> add"));
    EXPECT_EQ(places(chain, "rbx").size(), 3U) << "before the block, and after each write";
    EXPECT_EQ(places(chain, "eflags").size(), 2U);
}

TEST_F(BlockGraphs, ReadWhatWasThereBeforeTheBlockFromOneNode) {
    EXPECT_EQ(places(graph("4801d8 4801d9"), "rbx").size(), 1U); // add rax, rbx; add rcx, rbx
}

TEST_F(BlockGraphs, HavePrefixesAddressesAndMemory) {
    const BlockGraph add = graph("f0015c8b10"); // lock add dword ptr [rbx + 4*rcx + 16], ebx
    EXPECT_THAT(edges(add, EdgeKind::Prefix), ElementsAre("lock -> add"));
    EXPECT_THAT(edges(add, EdgeKind::AddressBase), ElementsAre("rbx -> <address>"));
    EXPECT_THAT(edges(add, EdgeKind::AddressIndex), ElementsAre("rcx -> <address>"));
    EXPECT_THAT(edges(add, EdgeKind::AddressDisplacement), ElementsAre("<immediate> -> <address>"));
    EXPECT_THAT(edges(add, EdgeKind::AddressSegment), IsEmpty());
    EXPECT_THAT(edges(add, EdgeKind::Input),
                UnorderedElementsAre("<address> -> add", "<memory> -> add", "rbx -> add"));
    EXPECT_THAT(edges(add, EdgeKind::Output), UnorderedElementsAre("add -> <memory>", "add -> eflags"));
    EXPECT_THAT(edges(graph("64488b03"), EdgeKind::AddressSegment), ElementsAre("fs -> <address>"));
}

TEST_F(BlockGraphs, HaveAnAddressAloneForLea) {
    const BlockGraph lea = graph("488d048b"); // lea rax, [rbx + 4*rcx]
    EXPECT_THAT(tokens(lea), UnorderedElementsAre("lea", "<address>", "rbx", "rcx", "rax"));
    EXPECT_THAT(edges(lea, EdgeKind::Input), ElementsAre("<address> -> lea"));
}

TEST_F(BlockGraphs, LetLoadsReadTheLastStore) {
    // mov [rax], rbx; mov rcx, [rdx]; mov rsi, [rdx]
    const BlockGraph moves = graph("488918 488b0a 488b32");
    const auto values = places(moves, "<memory>");
    ASSERT_EQ(values.size(), 1U);
    EXPECT_EQ(std::ranges::count(moves.edges, values[0], &GraphEdge::from), 2);
    EXPECT_EQ(std::ranges::count(moves.edges, values[0], &GraphEdge::to), 1);
}

TEST_F(BlockGraphs, HaveWhatTheTextDoesNotName) {
    const BlockGraph push = graph("50"); // push rax
    EXPECT_THAT(edges(push, EdgeKind::Input), UnorderedElementsAre("rax -> push", "rsp -> push"));
    EXPECT_THAT(edges(push, EdgeKind::Output), UnorderedElementsAre("push -> <memory>", "push -> rsp"));
    EXPECT_THAT(edges(graph("58"), EdgeKind::Input), Contains("<memory> -> pop"));
    const BlockGraph mul = graph("48f7e1"); // mul rcx
    EXPECT_THAT(edges(mul, EdgeKind::Input), UnorderedElementsAre("rcx -> mul", "rax -> mul"));
    EXPECT_THAT(edges(mul, EdgeKind::Output), Contains("mul -> rdx"));
    EXPECT_THAT(edges(mul, EdgeKind::Output), Not(Contains("mul -> rcx")));
}

TEST_F(BlockGraphs, AreEmptyForNoInstruction) {
    EXPECT_EQ(graph_of({}), BlockGraph());
}

} // namespace
} // namespace sparsight
