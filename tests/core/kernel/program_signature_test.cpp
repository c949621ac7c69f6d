#include "kernel/program_signature.h"

#include "base/random.h"
#include "kernel/jit.h"
#include "kernel/kernel_context.h"
#include "kernel/lowering.h"
#include "schedule/sampler.h"
#include "schedule/text.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <utility>

namespace sparsight {
namespace {

constexpr KernelTarget avx512{16, 24};

std::string signature(const char* text, const KernelTarget& target = avx512,
                      const Extents& sizes = extents(Operator::SpMM, 1000, 1000, 256)) {
    return program_signature(*parse_schedule(Operator::SpMM, text), sizes, target);
}

constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";

TEST(ProgramSignature, IsThatOfTheUnsplitLoopWhereASplitIsFusedAgain) {
    EXPECT_EQ(signature("1 1 64 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"), signature(csr));
    EXPECT_EQ(signature("1 1 256 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"), signature(csr)) << "j1 runs once";
}

// With few registers a row of C is cut into strips, which is what the split says, too.
TEST(ProgramSignature, IsThatOfTheStripsIntoWhichTheLoweringCutsALoopByItself) {
    const char* const strips = "1 1 64 i1 i0 j1 k1 k0 j0 1 1 0 1 i1 2 32";
    const KernelTarget avx2{8, 12};
    EXPECT_EQ(signature(strips, avx2), signature(csr, avx2));
    EXPECT_NE(signature(strips, avx512), signature(csr, avx512));
}

TEST(ProgramSignature, DoesNotTellThreadsNorChunksThatHoldTheWholeLoop) {
    EXPECT_EQ(signature("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32"), signature(csr));
    EXPECT_EQ(signature("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 1024"),
              signature("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 4096"));
    EXPECT_NE(signature("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 16"), signature(csr));
}

TEST(ProgramSignature, IsOneForLevelsThatLieInMemoryAlike) {
    const Extents sizes = extents(Operator::SpMM, 1000, 1024, 256);
    const char* const dense = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32";
    EXPECT_EQ(signature("1 16 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32", avx512, sizes),
              signature(dense, avx512, sizes));
    const Extents padded = extents(Operator::SpMM, 1000, 1000, 256);
    EXPECT_NE(signature("1 16 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32", avx512, padded),
              signature(dense, avx512, padded))
        << "1008 columns are stored, not 1000";
}

TEST(ProgramSignature, TellsFormatsOrdersAndSplitsApart) {
    EXPECT_NE(signature("1 1 1 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 2 32"), signature(csr));
    EXPECT_NE(signature("1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 2 32"), signature(csr));
    EXPECT_NE(signature("4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 32"),
              signature("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    EXPECT_NE(signature("1 8 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"),
              signature("1 8 1 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 2 32"));
}

/// Where a pointer to an array of A's levels is loaded from the context, which level it is by their order in
/// this code: levels that a signature leaves out have numbers, too. All other text stays as it is.
std::string with_levels_by_order(const std::string& code) {
    static const std::regex load(R"(movq\t(\d+)\(%r(?:di|bx)\), %r)");
    using Field = std::pair<std::string, int>; ///< "pos" or "crd", and its place in the context
    const auto field_at = [](int offset) -> std::optional<Field> {
        constexpr int levels = 8 * static_cast<int>(KernelContext::max_levels);
        constexpr int pos = context_offset<ContextField::Pos>;
        constexpr int crd = context_offset<ContextField::Crd>;
        if (offset >= pos && offset < pos + levels)
            return Field("pos", offset - pos);
        if (offset >= crd && offset < crd + levels)
            return Field("crd", offset - crd);
        return std::nullopt;
    };
    std::map<std::string, std::set<int>> used;
    for (std::sregex_iterator found(code.begin(), code.end(), load), end; found != end; ++found)
        if (const auto field = field_at(std::stoi((*found)[1])))
            used[field->first].insert(field->second);
    std::string text;
    auto copied = code.begin();
    for (std::sregex_iterator found(code.begin(), code.end(), load), end; found != end; ++found) {
        const auto field = field_at(std::stoi((*found)[1]));
        if (!field)
            continue;
        const std::set<int>& places = used[field->first];
        const auto order = std::distance(places.begin(), places.find(field->second));
        text.append(copied, code.begin() + found->position(1));
        text += field->first + std::to_string(order);
        copied = code.begin() + found->position(1) + found->length(1);
    }
    return text.append(copied, code.end());
}

std::string machine_code(KernelCompiler& compiler, const SuperSchedule& schedule, const Extents& sizes) {
    return with_levels_by_order(*compiler.print_assembly(lower(schedule, sizes, compiler.target())));
}

TEST(ProgramSignature, IsJudgedByCodeInWhichOnlyNumbersOfLevelsAreNamedByTheirOrder) {
    EXPECT_EQ(with_levels_by_order("\tmovq\t40(%rdi), %rax\n\tmovq\t56(%rbx), %rcx\n\tmovq\t72(%rdi), %r8\n"),
              "\tmovq\tpos0(%rdi), %rax\n\tmovq\tpos1(%rbx), %rcx\n\tmovq\tcrd0(%rdi), %r8\n");
    for (const char* other :
         {"\tmovq\t8(%rdi), %rax\n", "\tmovq\t96(%rdi), %rax\n", "\tmovq\t40(%rax), %rcx\n",
          "\tvmovups\t40(%rdi), %zmm0\n", "\tmovq\t%rax, 40(%rdi)\n", "\tmovl\t40(%rbx), %eax\n",
          "\tvfmadd231ps\t64(%rbx), %zmm1, %zmm0\n"})
        EXPECT_EQ(with_levels_by_order(other), other) << "an operand, a function, or data: none of a level's";
}

// The compiler is the judge: what is called one program must be the same machine code.
TEST(ProgramSignature, IsOneOnlyForSchedulesOfTheSameMachineCode) {
    auto compiler = KernelCompiler::make();
    ASSERT_TRUE(compiler) << compiler.error().message;
    for (const Operator op : all_operators) {
        const Extents sizes = extents(op, 96, 128, 32);
        Random random(7);
        std::map<std::string, SuperSchedule> programs;
        int same = 0;
        for (SuperSchedule& schedule : random_walk(fixed_csr(op, 1), sizes, 800, random)) {
            const std::string text = program_signature(schedule, sizes, compiler->target());
            const auto [known, is_new] = programs.emplace(text, schedule);
            if (is_new || canonical(schedule) == canonical(known->second) || same >= 12)
                continue;
            ++same;
            schedule.chunk = known->second.chunk; // where nothing is parallel it is no part of the code
            EXPECT_EQ(machine_code(*compiler, schedule, sizes), machine_code(*compiler, known->second, sizes))
                << to_text(schedule) << '\n'
                << to_text(known->second);
        }
        EXPECT_GT(same, 0) << name(op) << ": nothing was compared";
    }
}

} // namespace
} // namespace sparsight
