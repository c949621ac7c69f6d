// What instructions of a block wait for.
#include "domains/blocks/code/dependencies.h"

#include "block_fixture.h"

#include <fmt/format.h>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DependenciesTest : public BlockTest {
protected:
    /// "0 1 RAW rax", "0 1 RAW rax next".
    [[nodiscard]] std::vector<std::string> found(std::string_view assembly,
                                                 const DependencyRules& rules = {}) const {
        std::vector<std::string> texts;
        for (const Dependency& each : dependencies_of(block(assembly).instructions, rules))
            texts.push_back(fmt::format("{} {} {} {}{}", each.from, each.to, name(each.kind), each.through,
                                        each.is_carried ? " next" : ""));
        return texts;
    }
};

TEST_F(DependenciesTest, AreOfAllThreeKinds) {
    EXPECT_THAT(found("mov rax, rbx\nmov rcx, rax"), ElementsAre("0 1 RAW rax"));
    EXPECT_THAT(found("mov rcx, rax\nmov rax, rbx"), ElementsAre("0 1 WAR rax"));
    EXPECT_THAT(found("mov rax, rbx\nmov rax, rcx"), ElementsAre("0 1 WAW rax"));
    EXPECT_THAT(found("mov rax, rbx\nmov rcx, rdx"), IsEmpty());
}

TEST_F(DependenciesTest, GoThroughPartsOfRegistersAddressesAndFlags) {
    EXPECT_THAT(found("mov eax, ebx\nmov rcx, qword ptr [rax]"), ElementsAre("0 1 RAW rax"));
    EXPECT_THAT(found("cmp rax, rbx\ncmovne rcx, rdx"), ElementsAre("0 1 RAW eflags"));
    EXPECT_THAT(found("mov rbx, rax\nmov cl, dl\nmov rsi, rcx"), ElementsAre("1 2 RAW rcx"));
    EXPECT_THAT(found("mov rcx, rax\nmov cl, dl"), ElementsAre("0 1 RAW rcx", "0 1 WAW rcx"))
        << "the rest of rcx stays";
    EXPECT_THAT(found("push rax\npop rbx"), ElementsAre("0 1 RAW rsp", "0 1 WAW rsp"));
}

TEST_F(DependenciesTest, GoThroughMemoryWhereTheAddressIsTheSame) {
    EXPECT_THAT(found("mov qword ptr [rsp + 8], rax\nmov rbx, qword ptr [rsp + 8]"),
                ElementsAre("0 1 RAW memory"));
    EXPECT_THAT(found("mov qword ptr [rsp + 8], rax\nmov rbx, qword ptr [rsp + 16]"), IsEmpty());
    EXPECT_THAT(found("mov qword ptr [rdi], rax\nlea rdi, [rdi + 8]\nmov rbx, qword ptr [rdi]"),
                ElementsAre("0 1 WAR rdi", "1 2 RAW rdi"))
        << "the register of the address has changed";
}

TEST_F(DependenciesTest, AnAddressByRipCountsFromItsInstruction) {
    EXPECT_THAT(found("mov dword ptr [rip + 6], eax\nmov ebx, dword ptr [rip]"),
                ElementsAre("0 1 RAW memory"));
    EXPECT_THAT(found("mov dword ptr [rip + 8], eax\nmov ebx, dword ptr [rip + 8]"), IsEmpty());
}

TEST_F(DependenciesTest, AZeroIdiomWaitsForNothing) {
    EXPECT_TRUE(is_zero_idiom(instruction("xor eax, eax")));
    EXPECT_TRUE(is_zero_idiom(instruction("vpxor xmm0, xmm1, xmm1")));
    EXPECT_FALSE(is_zero_idiom(instruction("xor eax, ebx")));
    EXPECT_FALSE(is_zero_idiom(instruction("xor al, al"))) << "the rest of rax stays";
    EXPECT_THAT(found("mov rax, rbx\nxor eax, eax"), ElementsAre("0 1 WAW rax"));
}

TEST_F(DependenciesTest, ReachTheNextIteration) {
    EXPECT_THAT(found("add rax, rbx", {.between_iterations = true}),
                ElementsAre("0 0 RAW rax next", "0 0 WAW eflags next"));
    EXPECT_THAT(found("mov rcx, qword ptr [rax]\nlea rax, [rax + 8]", {.between_iterations = true}),
                ElementsAre("0 1 WAR rax", "0 0 WAW rcx next", "1 0 RAW rax next", "1 1 RAW rax next",
                            "1 1 WAW rax next"));
}

TEST_F(DependenciesTest, MayBeThoseThatTheTextNamesAlone) {
    EXPECT_THAT(found("cmp rax, rbx\ncmovne rcx, rdx", {.only_named = true}), IsEmpty());
    EXPECT_THAT(found("mov rax, rcx\ndiv rbx", {.only_named = true}), IsEmpty());
    EXPECT_THAT(found("mov qword ptr [rsp], rax\npush rbx\nmov rcx, qword ptr [rsp]", {.only_named = true}),
                IsEmpty())
        << "another place by then";
    EXPECT_THAT(found("mov rax, rbx\nxor eax, eax", {.only_named = true}),
                ElementsAre("0 1 RAW rax", "0 1 WAW rax"));
}

} // namespace
} // namespace sparsight
