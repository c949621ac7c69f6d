// The hot loop of real kernels, as `hot-loop` shows it.
#include "app/cli/cli_fixture.h"

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* rows_first = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"; // fixed CSR of SpMM
constexpr const char* spmv_rows = "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 32";

class HotLoop : public CliTest {
protected:
    [[nodiscard]] Json on_haswell(Words words) const {
        words.insert(words.begin(), "hot-loop");
        words.insert(words.end(), {"--machine", "hsw"});
        const Json json = answer(words);
        EXPECT_THAT(json["processors"], SizeIs(1));
        return json["processors"][0];
    }
    static std::vector<std::string> listing(const Json& loop) { return loop["listing"]; }
};

TEST_F(HotLoop, OfSpmvIsUnrolledSoThatItDoesNotWaitForItsSum) {
    const Json loop = on_haswell({spmv_rows, "--operator", "spmv"})["schedule"];
    EXPECT_EQ(loop["loop"], "k");
    EXPECT_EQ(loop["depth"], 1);
    EXPECT_EQ(loop["entries"], 4);
    const auto text = listing(loop);
    EXPECT_EQ(
        std::ranges::count_if(text, [](const std::string& line) { return line.starts_with("vfmadd231ss"); }),
        4)
        << "four sums";
    EXPECT_EQ(loop["cycles_per_entry"].get<double>(), loop["cycles"].get<double>() / 4);
    EXPECT_NEAR(loop["cycles"].get<double>(), 6, 0.1) << "twelve loads at two ports";
}

TEST_F(HotLoop, OfVectorisedSpmmIsDoneWithAnEntryWithSeveralVectors) {
    const Json loop = on_haswell({rows_first, "--dense", "32"})["schedule"];
    EXPECT_EQ(loop["loop"], "k");
    EXPECT_EQ(loop["entries"], 1);
    const auto text = listing(loop);
    EXPECT_EQ(std::ranges::count_if(text,
                                    [](const std::string& line) {
                                        return line.find("vfmadd") != std::string::npos &&
                                               line.find("ymm") != std::string::npos;
                                    }),
              4)
        << "32 floats in vectors of 8";
}

TEST_F(HotLoop, OfBlockedSpmmIsInsideItsBlocks) {
    const Json loop = on_haswell({"4 1 1 i1 k1 k0 i0 j1 j0 1 0 1 0 i1 2 32", "--dense", "32"})["schedule"];
    EXPECT_GE(loop["depth"], 1);
    EXPECT_THAT(listing(loop), Contains(HasSubstr("vfmadd")));
}

TEST_F(HotLoop, IsDecodableAsABlockOfItsOwn) {
    const Json loop = on_haswell({spmv_rows, "--operator", "spmv"})["schedule"];
    const Json block = answer({"block", "show", loop["hex"].get<std::string>()});
    EXPECT_EQ(block["instructions"].size(), loop["listing"].size());
    EXPECT_THAT(listing(loop).back(), StartsWith("j")) << "it ends with the branch back";
}

TEST_F(HotLoop, StandsBesideThatOfAnotherSchedule) {
    const Json both =
        on_haswell({rows_first, "--dense", "8", "--against", "1 1 1 k1 k0 i1 i0 j1 j0 0 1 1 1 i1 1 32"});
    EXPECT_LT(both["against"]["cycles"], both["schedule"]["cycles"])
        << "one vector of sums waits for itself; updates of C in memory do not";
    EXPECT_THAT(both["sentence"].get<std::string>(),
                AllOf(StartsWith("On Haswell the hot loop of this schedule needs "),
                      HasSubstr("That of the other one needs ")));
}

TEST_F(HotLoop, HasABoundWhereThePortsAreKnown) {
    write("ports.csv", "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                       "haswell,\"VFMADD231PS (YMM, YMM, M256)\",[5;<=11],0.50 / 0.50,1 / 2,1*p01+1*p23\n"
                       "haswell,\"VBROADCASTSS (YMM, M32)\",[<=5;<=8],0.50 / 0.50,1 / 1,1*p23\n");
    const std::string table = (folder() / "ports.csv").string();
    const Json loop = on_haswell({rows_first, "--dense", "8", "--table", table})["schedule"];
    EXPECT_EQ(loop["bound"]["dependencies"], 5);
    EXPECT_EQ(loop["bound"]["cycles"], 5);
    EXPECT_EQ(loop["binds"], "the chain of vfmadd231ps from one iteration to the next");
    EXPECT_GT(loop["bound"]["unknown"], 0) << "the table is small";
    EXPECT_EQ(loop["cycles"], 5);
    EXPECT_NEAR(loop["simulated_cycles"].get<double>(), 5, 0.1);
}

TEST_F(HotLoop, TellsWhatIsWrong) {
    EXPECT_THAT(run({"hot-loop", rows_first, "--machine", "pentium"}).err,
                HasSubstr("there is no microarchitecture 'pentium': expected snb, "));
    EXPECT_THAT(run({"hot-loop", rows_first, "--table", "absent.csv"}).err, HasSubstr("absent.csv"));
    EXPECT_EQ(run({"hot-loop", "no schedule"}).exit_code, 1);
}

} // namespace
} // namespace sparsight::testing
