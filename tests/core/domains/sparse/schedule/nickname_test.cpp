#include "domains/sparse/schedule/nickname.h"

#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

SuperSchedule coded(std::string_view code, Operator op = Operator::SpMM) {
    const auto parsed = parse_schedule(op, code);
    EXPECT_TRUE(parsed) << code;
    return parsed.value_or(SuperSchedule(op));
}

std::string name_of(std::string_view code, Operator op = Operator::SpMM) {
    return nickname(coded(code, op));
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

TEST(Nickname, OfFixedCsrIsFixedCsrWhateverTheThreads) {
    for (const Operator op : all_operators)
        for (const int threads : {1, 8})
            EXPECT_EQ(nickname(fixed_csr(op, threads)), "fixed CSR");
}

TEST(Nickname, SaysHowAIsStoredAndTheChunk) {
    EXPECT_EQ(name_of("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 8"), "CSR, chunk 8");
    EXPECT_EQ(name_of("1 1 1 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 4 8"), "DCSR, chunk 8");
    EXPECT_EQ(name_of("1 1 1 k1 i1 i0 k0 j1 j0 0 1 1 1 i1 4 8"), "CSC, chunk 8");
    EXPECT_EQ(name_of("1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 4 8"), "dense, chunk 8");
    EXPECT_EQ(name_of("2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32"), "2-row blocks, chunk 32");
    EXPECT_EQ(name_of("1 8 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32"), "8-column blocks, chunk 32");
    EXPECT_EQ(name_of("4 8 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32"), "4×8 blocks, chunk 32");
    EXPECT_EQ(name_of("4 8 1 i1 k1 i0 k0 j1 j0 1 0 0 0 i1 4 32"), "4×8 tiles, chunk 32");
    EXPECT_EQ(name_of("4 8 1 i1 k1 i0 k0 j1 j0 1 1 0 0 i1 4 32"), "4×8 half-tiles, chunk 32");
    EXPECT_EQ(name_of("4 8 1 k1 i1 i0 k0 j1 j0 0 0 1 1 i1 4 32"),
              "8-column blocks by column, chunk 32, i by 4");
}

TEST(Nickname, SaysWhatIsUnusualAboutTheLoops) {
    EXPECT_EQ(name_of("1 1 64 i1 i0 j1 k1 k0 j0 1 1 0 1 i1 4 32"), "CSR, 64-wide strips, chunk 32");
    EXPECT_EQ(name_of("1 1 1 j1 i1 i0 k1 k0 j0 1 1 0 1 i1 4 32"), "CSR, j outermost, chunk 32");
    EXPECT_EQ(name_of("1 1 1 i1 i0 j1 k1 k0 j0 1 1 0 1 i1 4 32"), "CSR, j outside k1, chunk 32");
    EXPECT_EQ(name_of("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32"), "CSR, 4-row groups, chunk 32");
}

TEST(Nickname, SaysEverySplit) {
    EXPECT_EQ(name_of("2 1 8 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32"), "2-row blocks, chunk 32, j by 8");
    EXPECT_EQ(name_of("4 8 4 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 2 8"),
              "CSR, 4-row groups, chunk 8, k by 8, j by 4");
    EXPECT_EQ(name_of("32 16 4 j1 i1 i0 k1 k0 j0 1 1 0 0 i1 2 8"),
              "CSR, 32-row groups, chunk 8, k by 16, j by 4");
    EXPECT_EQ(nickname(coded("4 8 i1 i0 k1 k0 1 1 0 0 i1 2 8", Operator::SpMV)),
              "CSR, 4-row groups, chunk 8, k by 8");
}

/// Splitting j changes nothing where j0 follows j1, but it is not the schedule that everything is held
/// against.
TEST(Nickname, OfNothingElseIsFixedCsr) {
    EXPECT_EQ(name_of("1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32"), "CSR, chunk 32, j by 4");
}

TEST(Nickname, DoesNotDependOnHowTheScheduleIsWritten) {
    EXPECT_EQ(name_of("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 8"),
              name_of("1 1 1 i1 k1 j1 k0 i0 j0 1 0 0 0 i1 8 8"));
}

TEST(Nicknames, SayWhatTellsNamesakesApart) {
    const std::vector<SuperSchedule> list{
        coded("2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32"), coded("2 1 1 i1 k1 i0 k0 j1 j0 0 1 0 1 i1 4 32"),
        coded("2 1 8 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32"), coded("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 8")};
    EXPECT_EQ(nicknames(list),
              (std::vector<std::string>{"2-row blocks, chunk 32", "2-row blocks, chunk 32, i1 packed",
                                        "2-row blocks, chunk 32, j by 8", "CSR, chunk 8"}));
}

TEST(Nicknames, NeverSayTheThreadsSoThatListsOfSeveralMachinesKeepThem) {
    const SuperSchedule with_four = coded("2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32");
    SuperSchedule serial = with_four;
    serial.threads = 1;
    const SuperSchedule by_two = coded("1 1 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32");
    const std::vector<SuperSchedule> list{with_four, serial, fixed_csr(Operator::SpMM, 4),
                                          fixed_csr(Operator::SpMM, 1), by_two};
    EXPECT_EQ(nicknames(list), (std::vector<std::string>{"2-row blocks, chunk 32", "2-row blocks, chunk 32",
                                                         "fixed CSR", "fixed CSR", "CSR, chunk 32, j by 2"}));
    for (std::size_t each = 0; each < list.size(); ++each)
        EXPECT_EQ(nickname(list[each]), nicknames(list)[each]) << "as alone";
}

TEST(Nicknames, OfSampledSchedulesAreDistinctAndShort) {
    for (const Operator op : all_operators)
        for (const Sampler sampler : {Sampler::Waco, Sampler::Uniform})
            for (const int count : {100, 1000}) {
                Random random(7);
                const auto list = draw_schedules(sampler, op, extents(op, 4096, 4096, 256), count, 4, random);
                const auto names = nicknames(list);
                ASSERT_EQ(names.size(), list.size());
                EXPECT_EQ(std::set(names.begin(), names.end()).size(), list.size());
                std::vector<std::size_t> lengths;
                std::ranges::transform(names, std::back_inserter(lengths), &characters);
                std::ranges::sort(lengths);
                EXPECT_LE(lengths[lengths.size() / 2], 44U) << name(op) << " " << name(sampler);
                EXPECT_LE(lengths[lengths.size() * 9 / 10], 54U) << name(op) << " " << name(sampler);
                EXPECT_LE(lengths.back(), 62U) << name(op) << " " << name(sampler);
                std::size_t other = 0;
                for (std::size_t each = 0; each < list.size(); ++each)
                    other += names[each] == nickname(list[each]) ? 0 : 1;
                EXPECT_LE(other, list.size() / 25) << "names that depend on the list, " << name(op);
            }
}

TEST(CodeLegend, ExplainsEachGroupOfTheWords) {
    EXPECT_EQ(code_legend(coded("2 1 i1 k1 i0 k0 1 1 0 1 i1 4 32", Operator::SpMV)),
              "2 1: splits of i, k (1: not split)\n"
              "i1 k1 i0 k0: loops, outermost first; i0 runs within blocks of i\n"
              "1 1 0 1: storage of i1, i0, k1, k0 (1: every position, 0: only those with entries)\n"
              "i1: parallel loop\n"
              "4: threads\n"
              "32: chunk, the iterations that a thread takes at a time");
}

} // namespace
} // namespace sparsight
