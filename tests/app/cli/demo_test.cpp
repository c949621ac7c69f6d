#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

class Demo : public CliTest {};

TEST_F(Demo, MeasuresItsMatricesAndTheUsersAndWritesAReport) {
    write_matrix("mine.mtx");
    write("broken.mtx", "junk");
    const Words words{"demo",    "mine.mtx", "broken.mtx", "--schedules", "2",
                      "--dense", "8",        "--folder",   "out",         "--json"};
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 1) << "one file could not be read";
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: broken.mtx:1: "));

    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json), (Words{"workspace", "csv", "html", "complete", "failed", "matrices"}));
    EXPECT_EQ(json["complete"], true);
    ASSERT_EQ(json["failed"].size(), 1);
    EXPECT_EQ(json["failed"][0]["file"], "broken.mtx");
    ASSERT_EQ(json["matrices"].size(), 4);
    for (const Json& matrix : json["matrices"]) {
        EXPECT_EQ(keys(matrix), (Words{"matrix", "fixed_csr_ms", "best_ms", "speedup", "best_schedule"}));
        EXPECT_GT(matrix["fixed_csr_ms"], 0);
        EXPECT_GE(matrix["speedup"], 1.0) << "fixed CSR itself is among those that may win";
    }
    EXPECT_THAT(read("out/report.html"), HasSubstr("mine"));
    EXPECT_THAT(read("out/report.csv"), HasSubstr("mine"));
    EXPECT_EQ(answer({"results", "--workspace", "out/demo.sparsight"}).size(), 4 * 3);

    const Json again = parsed(run(words).out);
    EXPECT_EQ(again["matrices"], json["matrices"]) << "nothing is measured twice";
}

} // namespace sparsight::testing
