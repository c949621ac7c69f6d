#include "kernel_cases.h"

#include "kernel/c_printer.h"
#include "kernel/lowering.h"
#include "kernel/packing.h"
#include "schedule/text.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

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
