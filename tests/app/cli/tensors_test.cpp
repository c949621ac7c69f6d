// Commands on sparse tensors: from a file to measured schedules.
#include "app/cli/cli_fixture.h"

#include <fmt/format.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class TensorCommand : public CliTest {
protected:
    void import_tensors() {
        std::string small;
        std::string large;
        for (int i = 1; i <= 40; ++i)
            for (int k = 1; k <= 5; ++k)
                for (int l = 1; l <= 30; l += 1 + (i + k) % 4) {
                    large += fmt::format("{} {} {} {}\n", i, k, l, i * 0.5);
                    if (i <= 8)
                        small += fmt::format("{} {} {} 1\n", i, l, k);
                }
        write("small.tns", small);
        write("large.tns", large);
        const Json imported = answer({"import", "small.tns", "large.tns"});
        ASSERT_EQ(imported["imported"].size(), 2);
        EXPECT_EQ(imported["imported"][1]["sizes"], Json({40, 5, 30}));
    }
};

TEST_F(TensorCommand, ImportRecognisesTensorsByTheirSuffix) {
    import_tensors();
    write("broken.tns", "1 1 1 1\n1 1\n");
    const Outcome broken = run({"import", "broken.tns"});
    EXPECT_EQ(broken.exit_code, 1);
    EXPECT_THAT(broken.err,
                HasSubstr("broken.tns:2: the line has 2 numbers; expected 3 indices and a value"));
    EXPECT_THAT(run({"import", "small.tns"}).out, HasSubstr("already there"));
}

TEST_F(TensorCommand, CollectMeasuresAlongAModeAndTreesLearnFromIt) {
    import_tensors();
    const Outcome collected =
        run({"collect", "--domain", "tensors", "--schedules", "8", "--mode", "2", "--threads", "1"});
    ASSERT_EQ(collected.exit_code, 0) << collected.err;
    const Json results = answer({"results", "--domain", "tensors", "--best"});
    ASSERT_EQ(results.size(), 2) << results.dump();
    for (const Json& best : results) {
        EXPECT_EQ(best["mode"], 2);
        EXPECT_EQ(best["operator"], "mttkrp");
        EXPECT_GT(best["median_ms"].get<double>(), 0);
    }
    const Json trained = answer({"train", "--domain", "tensors", "--mode", "2", "--name", "trees",
                                 "--architecture", "trees", "--threads", "1"});
    EXPECT_EQ(trained["model"], "trees");
    EXPECT_THAT(run({"collect", "--domain", "tensors", "--operator", "spmm"}).err,
                HasSubstr("'spmm' is no operator of tensors"));
    EXPECT_THAT(run({"collect", "--domain", "sparse", "--operator", "mttkrp"}).err,
                HasSubstr("'mttkrp' is no operator: expected spmm, spmv or sddmm"));
    EXPECT_THAT(run({"collect", "--operator", "gemm"}).err, HasSubstr("'gemm' is no operator"));
}

} // namespace
} // namespace sparsight::testing
