#include "kernel/program_signature.h"

#include "base/random.h"
#include "kernel/jit.h"
#include "kernel/lowering.h"
#include "schedule/sampler.h"
#include "schedule/text.h"

#include <gtest/gtest.h>
#include <map>
#include <regex>

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

/// But for the places of the arrays of A's levels in the context, which go by the number of the level.
std::string machine_code(KernelCompiler& compiler, const SuperSchedule& schedule, const Extents& sizes) {
    const std::string text = *compiler.print_assembly(lower(schedule, sizes, compiler.target()));
    return std::regex_replace(text, std::regex(R"(\d+\(%r(di|bx)\))"), "CONTEXT");
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
