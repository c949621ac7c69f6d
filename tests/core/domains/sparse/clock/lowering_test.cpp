#include "base/random.h"
#include "core/domains/sparse/kernel/kernel_cases.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/lowering/kernel_context.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/lowering/program_signature.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <utility>

namespace sparsight {
namespace {

template <typename Node>
const Node* first(const Body& body) {
    for (const KernelStatement& statement : body) {
        if (const auto* found = std::get_if<Node>(&statement.node))
            return found;
        const Body* inner = nullptr;
        if (const auto* loop = std::get_if<Loop>(&statement.node))
            inner = &loop->body;
        if (const auto* tile = std::get_if<Tile>(&statement.node))
            inner = &tile->body;
        if (const auto* branch = std::get_if<Branch>(&statement.node))
            inner = &branch->full;
        if (const auto* stored = std::get_if<IfStored>(&statement.node))
            inner = &stored->body;
        if (inner != nullptr)
            if (const Node* found = first<Node>(*inner))
                return found;
    }
    return nullptr;
}

LoopNest lowered(Operator op, const char* text, std::int64_t rows, std::int64_t cols, std::int64_t dense,
                 KernelTarget target = {16, 24}) {
    return lower(*parse_schedule(op, text), extents(op, rows, cols, dense), target);
}

TEST(Lowering, FixedCsrKeepsAWholeRowOfCInRegistersAndNeverReadsC) {
    const LoopNest nest = lower(fixed_csr(Operator::SpMM, 1), extents(Operator::SpMM, 10, 10, 256), {16, 24});
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->axes.size(), 1U);
    EXPECT_EQ(tile->axes[0].extent, 256);
    EXPECT_TRUE(tile->axes[0].vectorised);
    EXPECT_TRUE(tile->overwrites);
    EXPECT_EQ(first<ZeroOutput>(nest.body), nullptr);
}

TEST(Lowering, CutsARowOfCIntoStripsWhereRegistersAreFewer) {
    const LoopNest nest = lower(fixed_csr(Operator::SpMM, 1), extents(Operator::SpMM, 10, 10, 256), {8, 12});
    EXPECT_EQ(first<Tile>(nest.body)->axes[0].extent, 96);
}

/// The extents of the tiles of a nest, in the order in which they are written.
void tile_extents(const Body& body, std::vector<std::int64_t>& extents) {
    for (const KernelStatement& statement : body) {
        if (const auto* tile = std::get_if<Tile>(&statement.node))
            extents.push_back(tile->axes.back().extent);
        if (const auto* loop = std::get_if<Loop>(&statement.node))
            tile_extents(loop->body, extents);
        if (const auto* stored = std::get_if<IfStored>(&statement.node))
            tile_extents(stored->body, extents);
        if (const auto* branch = std::get_if<Branch>(&statement.node)) {
            tile_extents(branch->full, extents);
            tile_extents(branch->remainder, extents);
        }
    }
}

std::vector<std::int64_t> tile_extents(const LoopNest& nest) {
    std::vector<std::int64_t> extents;
    tile_extents(nest.body, extents);
    return extents;
}

constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";

TEST(Lowering, CutsAnyNumberOfColumnsIntoStripsThatFitAndAreNearlyAlike) {
    using ::testing::ElementsAre;
    const auto extents = [](std::int64_t columns) {
        return tile_extents(lowered(Operator::SpMM, csr, 10, 10, columns, {16, 24}));
    };
    EXPECT_THAT(extents(384), ElementsAre(384));
    EXPECT_THAT(extents(400), ElementsAre(208, 192)) << "two strips";
    EXPECT_THAT(extents(512), ElementsAre(256));
    EXPECT_THAT(extents(500), ElementsAre(256, 244));
    EXPECT_THAT(tile_extents(lowered(Operator::SpMM, csr, 10, 10, 100, {8, 12})), ElementsAre(64, 36));
}

TEST(Lowering, StripsArePartsOfABlockWhoseLastOneMayBeShorter) {
    const LoopNest nest =
        lowered(Operator::SpMM, "1 1 448 i1 i0 j1 k1 k0 j0 1 1 0 1 i1 2 32", 10, 10, 700, {16, 24});
    EXPECT_THAT(tile_extents(nest), ::testing::ElementsAre(224, 252)) << "448 = 2 x 224, and 700 - 448";
}

TEST(Lowering, CutsNoStripsShorterThanACacheLineWhereEachWouldWalkAAgain) {
    const char* const blocks = "8 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 2 32";
    EXPECT_EQ(tile_extents(lowered(Operator::SpMM, blocks, 16, 16, 256, {16, 24})).front(), 48);
    EXPECT_EQ(first<Tile>(lowered(Operator::SpMM, blocks, 16, 16, 256, {8, 12}).body), nullptr);
}

TEST(Lowering, CutsNoStripsOfALoopThatAStores) {
    const LoopNest nest = lowered(Operator::SpMV, "1024 512 i1 k1 k0 i0 0 1 0 0 i1 1 2", 4096, 8192, 1);
    EXPECT_EQ(first<Tile>(nest.body), nullptr) << "each strip would read A in pieces";
}

TEST(Lowering, CutsNoStripsWhereRowsStoreHardlyAnything) {
    const auto nest = [](double entries_of_a_row) {
        return lower(*parse_schedule(Operator::SpMM, csr), extents(Operator::SpMM, 10, 10, 512), {16, 24},
                     {10, entries_of_a_row});
    };
    EXPECT_EQ(first<Tile>(nest(1.5).body), nullptr);
    EXPECT_NE(first<Tile>(nest(20).body), nullptr);
}

TEST(Lowering, ADenseLoopSinksBelowAnInnermostOneThatLanesCannotRunAlong) {
    const LoopNest nest = lowered(Operator::SpMM, "1 4 1 i1 k1 j1 i0 k0 j0 0 1 0 1 i1 48 4", 16, 16, 256);
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->axes.size(), 1U);
    EXPECT_TRUE(tile->axes[0].vectorised);
    EXPECT_EQ(tile->axes[0].extent, 256);
    const Loop* walk = first<Loop>(tile->body);
    ASSERT_NE(walk, nullptr);
    EXPECT_EQ(walk->kind, LoopKind::Compressed) << "C is touched once a row";
    const Loop* block = first<Loop>(walk->body);
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(block->unrolled);
    EXPECT_TRUE(first<Loop>(block->body)->sunk);
}

TEST(Lowering, ADenseLoopSinksBelowACompressedOne) {
    const LoopNest nest = lowered(Operator::SpMM, "1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 48 4", 16, 16, 64);
    ASSERT_NE(first<Tile>(nest.body), nullptr);
    EXPECT_EQ(first<Tile>(nest.body)->axes[0].extent, 64);
}

TEST(Lowering, AnIndexWhoseInnerPartIsShorterThanAVectorSinksAsAWhole) {
    const char* const text = "4 2 2 i1 k1 j1 i0 k0 j0 0 1 0 1 i1 48 4";
    const LoopNest nest = lowered(Operator::SpMM, text, 16, 16, 75);
    ASSERT_NE(first<Tile>(nest.body), nullptr);
    EXPECT_EQ(first<Tile>(nest.body)->axes.back().extent, 75);
    const LoopNest long_enough =
        lowered(Operator::SpMM, "4 2 16 i1 k1 j1 i0 k0 j0 0 1 0 1 i1 48 4", 16, 16, 64);
    EXPECT_EQ(first<Tile>(long_enough.body)->axes.back().extent, 16);
}

TEST(Lowering, NothingSinksInCodeThatFollowsTheScheduleLoopByLoop) {
    const char* const text = "1 4 1 i1 k1 j1 i0 k0 j0 0 1 0 1 i1 48 4";
    const LoopNest nest = lowered(Operator::SpMM, text, 16, 16, 256, {16, 0});
    EXPECT_EQ(first<Tile>(nest.body), nullptr);
    EXPECT_THAT(print_c(nest), ::testing::Not(::testing::HasSubstr("moved here")));
}

TEST(Lowering, SumsAlongLanesHaveAConstantExtentInTheLastBlockToo) {
    const LoopNest nest = lowered(Operator::SpMV, "1 8 i1 i0 k1 k0 1 1 0 1 i1 48 8", 16, 20, 1);
    const Branch* branch = first<Branch>(nest.body);
    ASSERT_NE(branch, nullptr);
    const Loop* full = first<Loop>(branch->full);
    const Loop* last = first<Loop>(branch->remainder);
    ASSERT_TRUE(full != nullptr && last != nullptr);
    EXPECT_TRUE(full->vectorised && last->vectorised);
    EXPECT_FALSE(full->clip || last->clip);
    EXPECT_EQ(full->extent, 8);
    EXPECT_EQ(last->extent, 4);
}

TEST(Lowering, ATileThatAddsToCIsLeftOutWhereNothingIsStoredAndBeginsWithWhatCHolds) {
    const LoopNest nest = lowered(Operator::SpMM, "1 16 32 k1 i1 i0 k0 j1 j0 1 1 0 0 i1 48 256", 16, 64, 64);
    const IfStored* stored = first<IfStored>(nest.body);
    ASSERT_NE(stored, nullptr);
    EXPECT_EQ(stored->level, 2U);
    const Tile* tile = first<Tile>(stored->body);
    ASSERT_NE(tile, nullptr);
    EXPECT_TRUE(tile->begins_with_output);
    const LoopNest rows = lowered(Operator::SpMM, csr, 16, 64, 64);
    EXPECT_EQ(first<IfStored>(rows.body), nullptr) << "an empty row of C is all zeros";
    EXPECT_FALSE(first<Tile>(rows.body)->begins_with_output);
}

TEST(Lowering, BlocksOfRowsShareARegisterTile) {
    const LoopNest nest = lowered(Operator::SpMM, "4 1 64 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 8", 16, 16, 64);
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->axes.size(), 2U);
    EXPECT_EQ(tile->axes[0].extent, 4);
    EXPECT_EQ(tile->axes[1].extent, 64);
}

TEST(Lowering, ASplitThatDoesNotDivideBecomesTwoTilesOfConstantExtent) {
    const LoopNest nest = lowered(Operator::SpMM, "4 1 64 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 8", 18, 16, 64);
    const Branch* branch = first<Branch>(nest.body);
    ASSERT_NE(branch, nullptr);
    EXPECT_EQ(branch->last, 4);
    EXPECT_EQ(first<Tile>(branch->full)->axes[0].extent, 4);
    EXPECT_EQ(first<Tile>(branch->remainder)->axes[0].extent, 2);
}

TEST(Lowering, AReductionOutsideTheTileMeansThatCIsZeroedAndAddedTo) {
    const LoopNest nest = lowered(Operator::SpMM, "4 8 64 k1 i1 k0 i0 j1 j0 0 1 0 1 i1 48 8", 16, 16, 64);
    EXPECT_NE(first<ZeroOutput>(nest.body), nullptr);
    EXPECT_FALSE(first<Tile>(nest.body)->overwrites);
}

TEST(Lowering, ACompressedRowLevelMeansThatCIsZeroedToo) {
    const LoopNest nest = lowered(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 48 8", 16, 16, 64);
    EXPECT_NE(first<ZeroOutput>(nest.body), nullptr);
}

TEST(Lowering, SddmmMultipliesByAOnceAndNotForEveryK) {
    const LoopNest nest =
        lower(fixed_csr(Operator::SDDMM, 1), extents(Operator::SDDMM, 10, 10, 64), {16, 24});
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->scale.size(), 1U);
    EXPECT_EQ(tile->scale[0].operand, Operand::A);
    EXPECT_EQ(first<Accumulate>(tile->body)->factors.size(), 2U);
}

TEST(Lowering, LoopsThatRunOnceAreGone) {
    const LoopNest nest = lowered(Operator::SpMM, "64 64 256 i1 k1 j1 i0 k0 j0 1 1 1 1 i1 48 8", 16, 16, 64);
    EXPECT_EQ(nest.variables.size(), 3U) << "i0, k0 and j0";
}

TEST(Lowering, AdjacentPartsOfAnIndexAreOneLoopAgain) {
    const LoopNest nest = lowered(Operator::SpMV, "1 8 i1 i0 k1 k0 1 1 1 1 i1 48 8", 16, 20, 1);
    EXPECT_EQ(nest.variables, (std::vector<std::string>{"i", "k"}));
}

constexpr KernelTarget avx512{16, 24};

std::string signature(const char* text, const KernelTarget& target = avx512,
                      const Extents& sizes = extents(Operator::SpMM, 1000, 1000, 256)) {
    return program_signature(*parse_schedule(Operator::SpMM, text), sizes, target);
}

TEST(ProgramSignature, IsThatOfTheUnsplitLoopWhereASplitIsFusedAgain) {
    EXPECT_EQ(signature("1 1 64 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"), signature(csr));
    EXPECT_EQ(signature("1 1 256 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"), signature(csr)) << "j1 runs once";
}

// With few registers a row of C is cut into strips, which is what the split says, too; but not where rows
// store hardly anything.
TEST(ProgramSignature, IsThatOfTheStripsIntoWhichTheLoweringCutsALoopByItself) {
    const auto of_rows_with = [](double entries, const char* text, const KernelTarget& target) {
        return program_signature(lower(*parse_schedule(Operator::SpMM, text),
                                       extents(Operator::SpMM, 1000, 1000, 256), target, {1000, entries}));
    };
    const char* const strips = "1 1 96 i1 i0 j1 k1 k0 j0 1 1 0 1 i1 2 32";
    const KernelTarget avx2{8, 12};
    EXPECT_EQ(of_rows_with(20, strips, avx2), of_rows_with(20, csr, avx2));
    EXPECT_NE(of_rows_with(1, strips, avx2), of_rows_with(1, csr, avx2));
    EXPECT_NE(signature(strips, avx2), signature(csr, avx2)) << "it is not known what rows store";
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
    EXPECT_NE(signature("1 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 2 32"), signature(csr));
    EXPECT_EQ(signature("1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 2 32"), signature(csr)) << "j sinks";
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
    EXPECT_EQ(
        with_levels_by_order("\tmovq\t40(%rdi), %rax\n\tmovq\t56(%rbx), %rcx\n\tmovq\t104(%rdi), %r8\n"),
        "\tmovq\tpos0(%rdi), %rax\n\tmovq\tpos1(%rbx), %rcx\n\tmovq\tcrd0(%rdi), %r8\n");
    for (const char* other :
         {"\tmovq\t8(%rdi), %rax\n", "\tmovq\t160(%rdi), %rax\n", "\tmovq\t40(%rax), %rcx\n",
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

TEST(PrintedC, ShowsFixedCsrAsOneWouldWriteIt) {
    const LoopNest nest = lower(fixed_csr(Operator::SpMM, 1), extents(Operator::SpMM, 4, 5, 8), {16, 24});
    EXPECT_EQ(print_c(nest), R"(#include <stdint.h>
#include <string.h>

void spmm(const int32_t* restrict k_pos, const int32_t* restrict k_crd, const float* restrict A, const float* restrict B, float* restrict C) {
  #pragma omp parallel for schedule(dynamic, 32)
  for (int64_t i = 0; i < 4; ++i) {
    {
      float sum[8] = {0};
      for (int64_t pk = k_pos[i]; pk < k_pos[i + 1]; ++pk) {
        const int64_t k = k_crd[pk];
        #pragma omp simd
        for (int64_t j = 0; j < 8; ++j) {
          sum[j] += A[pk] * B[k * 8 + j];
        }
      }
      for (int64_t j = 0; j < 8; ++j)
        C[i * 8 + j] = sum[j];
    }
  }
}
)");
}

TEST(PrintedC, ShowsBlocksAndTheirRemainder) {
    const auto schedule = *parse_schedule(Operator::SpMV, "4 1 i1 k1 k0 i0 1 1 0 1 i1 48 8");
    EXPECT_EQ(print_c(lower(schedule, extents(Operator::SpMV, 10, 6, 1), {16, 24})), R"(#include <stdint.h>
#include <string.h>

void spmv(const int32_t* restrict k_pos, const int32_t* restrict k_crd, const float* restrict A, const float* restrict B, float* restrict C) {
  #pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i1 = 0; i1 < 3; ++i1) {
    if (i1 != 2) {
      {
        float sum[4] = {0};
        for (int64_t pk = k_pos[i1]; pk < k_pos[i1 + 1]; ++pk) {
          const int64_t k = k_crd[pk];
          #pragma omp simd
          for (int64_t i0 = 0; i0 < 4; ++i0) {
            sum[i0] += A[pk * 4 + i0] * B[k];
          }
        }
        for (int64_t i0 = 0; i0 < 4; ++i0)
          C[i1 * 4 + i0] = sum[i0];
      }
    } else {
      {
        float sum[2] = {0};
        for (int64_t pk = k_pos[i1]; pk < k_pos[i1 + 1]; ++pk) {
          const int64_t k = k_crd[pk];
          #pragma omp simd
          for (int64_t i0 = 0; i0 < 2; ++i0) {
            sum[i0] += A[pk * 4 + i0] * B[k];
          }
        }
        for (int64_t i0 = 0; i0 < 2; ++i0)
          C[i1 * 4 + i0] = sum[i0];
      }
    }
  }
}
)");
}

TEST(PrintedC, SaysOfALoopThatTheScheduleDoesNotHaveWhatItIsFor) {
    const std::string c =
        print_c(lower(fixed_csr(Operator::SpMM, 1), extents(Operator::SpMM, 4, 5, 512), {8, 8}));
    EXPECT_THAT(c, ::testing::HasSubstr("    // strips of 64, whose sums fit the registers\n"
                                        "    for (int64_t js = 0; js < 8; ++js) {\n"));
}

/// Compiles many printed functions at once with the system's C compiler and loads them.
class CompiledText {
public:
    CompiledText() { std::filesystem::create_directories(folder_); }
    ~CompiledText() {
        if (library_ != nullptr)
            dlclose(library_);
        std::filesystem::remove_all(folder_);
    }
    CompiledText(const CompiledText&) = delete;
    CompiledText& operator=(const CompiledText&) = delete;

    void add(const std::string& name, const LoopNest& nest) {
        std::string text = print_c(nest);
        const std::string declared = fmt::format("void {}(", sparsight::name(nest.op));
        text.replace(text.find(declared), declared.size(), fmt::format("void {}(", name));
        std::ofstream(folder_ / "kernels.c", std::ios::app) << text;
    }
    bool compile() {
        const std::string command = fmt::format("cc -std=c99 -Wall -Werror -fopenmp -O1 -shared "
                                                "-fPIC {0}/kernels.c -o {0}/kernels.so",
                                                folder_.string());
        if (std::system(command.c_str()) != 0)
            return false;
        // NODELETE: OpenMP keeps threads in the library that it brings along.
        library_ = dlopen((folder_ / "kernels.so").c_str(), RTLD_NOW | RTLD_NODELETE);
        return library_ != nullptr;
    }
    void* find(const std::string& name) { return dlsym(library_, name.c_str()); }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("sparsight-printed-c-{}", getpid());
    void* library_ = nullptr;
};

/// Calls a printed function: the arrays that it takes depend on its levels.
void call(void* function, Operator op, const PackedMatrix& packed, const testing::ExpectedResult& expected,
          FloatBuffer& c) {
    std::vector<const void*> arrays;
    for (std::size_t level = 0; level < packed.levels.size(); ++level)
        if (packed.format.levels[level].format == LevelFormat::Compressed) {
            arrays.push_back(packed.levels[level].pos.data());
            arrays.push_back(packed.levels[level].crd.data());
        }
    arrays.push_back(packed.values.data());
    arrays.push_back(expected.b.data());
    if (op == Operator::SDDMM)
        arrays.push_back(expected.d.data());
    arrays.push_back(c.data());
    if (op == Operator::SDDMM)
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the last parameter is an int64_t in the same register
        // class
        arrays.push_back(reinterpret_cast<const void*>(std::ssize(c)));
    arrays.resize(13);
    using AnyArrays =
        void (*)(const void*, const void*, const void*, const void*, const void*, const void*, const void*,
                 const void*, const void*, const void*, const void*, const void*, const void*);
    reinterpret_cast<AnyArrays>(function)(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5],
                                          arrays[6], arrays[7], arrays[8], arrays[9], arrays[10], arrays[11],
                                          arrays[12]);
}

TEST(PrintedC, CompilesWithoutWarningsAndEqualsEigen) {
    if (std::system("cc --version > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "needs a C compiler, which is not here";
    CompiledText text;
    const auto patterns = testing::awkward_patterns();
    struct Case {
        SuperSchedule schedule;
        const testing::NamedPattern* pattern;
        std::int64_t dense;
    };
    std::vector<Case> cases;
    static constexpr std::array<KernelTarget, 3> units{KernelTarget{4, 8}, KernelTarget{8, 12},
                                                       KernelTarget{16, 24, 64}};
    for (const Operator op : all_operators) {
        for (int round = 0; round < 100; ++round) {
            Random random(static_cast<std::uint64_t>(round) + 1000);
            const auto& named = random.pick(std::span<const testing::NamedPattern>(patterns));
            cases.push_back({testing::random_schedule(op, random), &named, random.between(1, 70)});
            const Case& last = cases.back();
            text.add(fmt::format("kernel_{}", cases.size() - 1),
                     lower(last.schedule, extents(op, named.pattern.rows, named.pattern.cols, last.dense),
                           units[static_cast<std::size_t>(round) % units.size()]));
        }
    }
    ASSERT_TRUE(text.compile());
    for (std::size_t at = 0; at < cases.size(); ++at) {
        const auto& [schedule, named, dense] = cases[at];
        const CsrPattern& pattern = named->pattern;
        Random random(at);
        const auto expected = testing::expected_by_eigen(schedule.op, pattern, dense, random);
        PackingOptions options;
        options.keep_entry_positions = true;
        const auto packed = pack(pattern, storage_format(schedule, pattern.rows, pattern.cols), options);
        ASSERT_TRUE(packed.has_value()) << packed.error().text();
        const auto size = operand_sizes(schedule.op, extents(schedule.op, pattern.rows, pattern.cols, dense),
                                        std::ssize(packed->values))
                              .c;
        FloatBuffer c(static_cast<std::size_t>(size), 123.0F);
        void* function = text.find(fmt::format("kernel_{}", at));
        ASSERT_NE(function, nullptr);
        call(function, schedule.op, *packed, expected, c);
        EXPECT_EQ(testing::first_difference(testing::in_expected_order(schedule.op, *packed, c), expected),
                  "")
            << to_text(schedule) << " on " << named->name << ", dense extent " << dense;
    }
}

} // namespace
} // namespace sparsight
