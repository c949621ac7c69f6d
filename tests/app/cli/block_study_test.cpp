// The study of cost models of blocks, from end to end on few small blocks.
#include "app/cli/cli_fixture.h"

#include <csignal>
#include <fmt/format.h>
#include <map>
#include <set>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class BlockStudyCommand : public CliTest {
protected:
    /// Chains of additions and products, a cycle and three, on three machines.
    void import_chains() const {
        std::string table = "block_id,hex,group_id,group_in_other_split,tp_hsw,tp_ivb,tp_skl,tp_zenp\n";
        for (int adds = 0; adds < 16; ++adds)
            for (int products = 0; products < 8; ++products) {
                if (adds + products == 0)
                    continue;
                std::string code;
                for (int each = 0; each < adds; ++each)
                    code += "4801d8";
                for (int each = 0; each < products; ++each)
                    code += "480fafc3";
                const int cycles = adds + 3 * products;
                table += fmt::format("b{0}-{1},{2},g{0}-{1},{3},{4},{5},{4},7\n", adds, products, code,
                                     adds == 15 ? 1 : 0, 100 * cycles, 110 * cycles);
            }
        write("chains.csv", table);
        write("ports.csv", "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                           "haswell,\"IMUL (R64, R64)\",3,1.00 / 1.00,1 / 1,1*p1\n"
                           "haswell,\"ADD_01 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n");
        const Outcome outcome = run({"import-blocks", "chains.csv", "--table", "ports.csv"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
};

TEST_F(BlockStudyCommand, GoesThroughAllPartsAndWritesOnePage) {
    import_chains();
    const Words words{"experiment", "blocks",  "--quick", "--threads",   "1", "--seeds", "1", "--draws",
                      "1",          "--shots", "0,5",     "--explained", "2", "--width", "8"};
    Words first = words;
    first.insert(first.end(), {"--report", "page.html", "--csv", "all.csv", "--figure", "shots.svg"});
    const Json json = answer(first);
    EXPECT_EQ(json["complete"], true) << json["not_finished"].dump();
    std::map<std::string, std::set<std::string>> models;
    for (const Json& estimate : json["estimates"]) {
        models[estimate["section"]].insert(estimate["model"].get<std::string>());
        EXPECT_NE(estimate["of"], "Zen+") << "variants of each other";
    }
    EXPECT_EQ(models["accuracy"],
              (std::set<std::string>{
                  "Analytical bound", "LLVM-MCA, RThroughput", "LLVM-MCA, total cycles",
                  "Gray box: trees over the bound, all machines", "Ithemal, all machines",
                  "Ithemal, one machine", "Ithemal over dependencies, all machines", "GRANITE, all machines",
                  "GRANITE, one machine", "GRANITE without edge types, one machine",
                  "GRANITE, 4 iterations, one machine", "GRANITE, global read-out, one machine"}));
    EXPECT_EQ(models["multi-task"].size(), 2) << "Ithemal and GRANITE";
    EXPECT_EQ(models["ablations"].size(), 3);
    EXPECT_EQ(models["transfer"].size(), 5) << "three ways of Ithemal, two of trees";
    EXPECT_TRUE(models["explanations"].contains("Ithemal beside the bound"));
    EXPECT_THAT(read("page.html"), HasSubstr("One model for all machines, or one for each"));
    EXPECT_THAT(read("all.csv"), HasSubstr("section,model,of,figure,shots,value,low,high,trainings,blocks"));
    EXPECT_THAT(read("shots.svg"), HasSubstr("blocks of the new machine"));

    Words again = words;
    again.insert(again.end(), {"--progress", "json"});
    const std::vector<Json> told = events(run(again).out);
    EXPECT_EQ(told.front()["finished"], told.front()["cells"]) << "nothing is trained twice";
    EXPECT_EQ(told.back()["complete"], true);
}

TEST_F(BlockStudyCommand, GoesOnWhereItWasStopped) {
    import_chains();
    const Words words{"experiment", "blocks",  "--quick", "--parts",    "accuracy", "--threads",
                      "1",          "--width", "8",       "--progress", "json"};
    ChildProcess child(command_line(words), folder());
    while (const auto line = child.next_line())
        if (parsed(*line)["event"] == "cell")
            break;
    child.send(SIGINT);
    EXPECT_EQ(child.finish().exit_code, 130);
    const Json so_far =
        answer({"experiment", "blocks", "--quick", "--parts", "accuracy", "--width", "8", "--as-it-is"});
    EXPECT_EQ(so_far["complete"], false);
    EXPECT_FALSE(so_far["estimates"].empty());
    const std::vector<Json> told = events(run(words).out);
    EXPECT_EQ(told.front()["resumed"], true);
    EXPECT_EQ(told.back()["complete"], true);
}

TEST_F(BlockStudyCommand, SaysWhatItNeeds) {
    ASSERT_EQ(run({"new", "workspace.sparsight"}).exit_code, 0);
    EXPECT_THAT(run({"experiment", "blocks"}).err, HasSubstr("the workspace has no times of blocks"));
    EXPECT_THAT(run({"experiment", "blocks", "--parts", "speed"}).err,
                HasSubstr("'speed' is no part of the study"));
}

} // namespace
} // namespace sparsight::testing
