// Commands on basic blocks.
#include "app/cli/cli_fixture.h"

#include <fmt/format.h>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BlockCommand : public CliTest {};

TEST_F(BlockCommand, ShowTellsWhatEachInstructionWaitsFor) {
    const Json json = answer({"block", "show", "mov rax, qword ptr [rbx]; add rax, 1"});
    EXPECT_EQ(json["hex"], "488b034883c001");
    EXPECT_EQ(json["att"], "movq (%rbx), %rax\naddq $1, %rax\n");
    ASSERT_EQ(json["instructions"].size(), 2);
    EXPECT_EQ(json["instructions"][0]["reads"], (Json{"rbx", "memory"}));
    EXPECT_EQ(json["instructions"][1]["writes"], (Json{"rax", "eflags"}));
    const Json& first = json["dependencies"][0];
    EXPECT_EQ(first["kind"], "RAW");
    EXPECT_EQ(first["from"], 0);
    EXPECT_EQ(first["to"], 1);
    EXPECT_EQ(first["through"], "rax");
    EXPECT_EQ(answer({"block", "show", "48 8b 03\n4883c001"}), json) << "its bytes";
    EXPECT_THAT(run({"block", "show", "488b034883c001"}).out, HasSubstr("1 (rax)"));
}

TEST_F(BlockCommand, ShowReadsFilesOfEitherForm) {
    write("loop.s", "again: addq $8, %rax\n cmpq %rbx, %rax\n jne again\n");
    const Json json = answer({"block", "show", "loop.s", "--att"});
    EXPECT_EQ(json["hex"], "4883c0084839d875f7");
    write("loop.hex", json["hex"].get<std::string>() + "\n");
    EXPECT_EQ(answer({"block", "show", "loop.hex"}), json);
}

TEST_F(BlockCommand, ShowReadsAFunctionOfAnObjectFile) {
    write("two.c", "long sum(long a, long b) { return a + b; }\nlong twice(long a) { return 2 * a; }\n");
    ASSERT_EQ(ChildProcess({"/bin/bash", "-c", "cc -O1 -c two.c"}, folder()).finish().exit_code, 0);
    const Json json = answer({"block", "show", "two.o", "--function", "sum"});
    EXPECT_EQ(json["instructions"][0]["mnemonic"], "lea");
    EXPECT_EQ(json["instructions"].back()["mnemonic"], "ret");
    const Outcome which = run({"block", "show", "two.o"});
    EXPECT_EQ(which.exit_code, 1);
    EXPECT_THAT(which.err,
                HasSubstr("two.o: the object file has 2 functions, expected the name of one: sum, twice"));
    EXPECT_THAT(run({"block", "show", "two.o", "--function", "thrice"}).err,
                HasSubstr("has no function \"thrice\", expected one of: sum, twice"));
    const std::string whole = read("two.o");
    for (const std::size_t size : {std::size_t{5}, std::size_t{64}, whole.size() / 2}) {
        write("cut.o", whole.substr(0, size));
        EXPECT_EQ(run({"block", "show", "cut.o", "--function", "sum"}).exit_code, 1) << size;
    }
}

TEST_F(BlockCommand, WhatIsNoCodeIsRefusedWithItsPlace) {
    write("wrong.s", "nop\nfly away\n");
    const Outcome text = run({"block", "show", "wrong.s"});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_THAT(text.err, HasSubstr("wrong.s: line 2: found \"fly away\", expected an instruction"));
    const Outcome bytes = run({"block", "show", "909006"});
    EXPECT_EQ(bytes.exit_code, 1);
    EXPECT_THAT(bytes.err, HasSubstr("byte 3 begins no x86-64 instruction: 06"));
}

TEST_F(BlockCommand, ExplainSaysWhichFeaturesAloneSuffice) {
    write("t.csv", "instruction,throughput_cycles\n\"MOV (R64, M64)\",0.5\n\"MOV (M64, R64)\",1\n");
    const std::string code =
        "mov rax, qword ptr [r15 + 24]; mov qword ptr [rsp + 80], rax; mov rdx, qword ptr [rsp]";
    const Json json = answer({"block", "explain", code, "--table", "t.csv"});
    EXPECT_EQ(json["cycles"], 1.5);
    EXPECT_EQ(json["features"], Json{"0_1_RAW"});
    EXPECT_EQ(json["true_features"], json["features"]);
    EXPECT_GE(json["rules"][0]["precision"]["lowest"].get<double>(), 0.7);
    EXPECT_THAT(run({"block", "explain", code, "--table", "t.csv"}).out,
                HasSubstr("instruction 2 reads what 1 writes"));

    write("blocks.csv", "block_id,hex\na,498b47184889442450\nb,06\n");
    const Outcome table = run({"block", "explain", "blocks.csv", "--table", "t.csv", "--csv", "out.csv"});
    EXPECT_EQ(table.exit_code, 1) << "one of them is no code";
    EXPECT_THAT(table.err, HasSubstr("blocks.csv:3: byte 1 begins no x86-64 instruction"));
    EXPECT_THAT(read("out.csv"), HasSubstr("\na,1.5,0_1_RAW,0_1_RAW,"));
}

TEST_F(BlockCommand, PredictKeepsTheOrderAndSaysWhyAValueIsMissing) {
    write("blocks.csv", "block_id,hex,tp_hsw\nadd,4801d8,100\nbad,06,100\nmul,480fafc3,300\n");
    const Outcome outcome = run({"block", "predict", "blocks.csv", "--machine", "hsw", "--csv", "out.csv"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(read("out.csv"), "block_id,predicted,reason\nadd,25,\n"
                               "bad,,byte 1 begins no x86-64 instruction: 06\nmul,100,\n");
    write("odd.csv", "block_id,hex\nodd,4801d\nadd,4801d8\n");
    const Json odd = answer({"block", "predict", "odd.csv", "--machine", "hsw"});
    ASSERT_EQ(odd["blocks"].size(), 2) << "no line is lost";
    EXPECT_THAT(odd["blocks"][0]["reason"].get<std::string>(), HasSubstr("odd number of hexadecimal digits"));
    const Json json = answer({"block", "predict", "blocks.csv", "--machine", "hsw", "--model", "mca-cycles"});
    EXPECT_EQ(json["blocks"][1]["predicted"], nullptr);
    EXPECT_EQ(json["errors"]["blocks"], 2);
    EXPECT_LT(json["errors"]["mape"].get<double>(), 0.05) << "each waits for the last one";
    EXPECT_EQ(run({"block", "predict", "blocks.csv", "--machine", "486"}).exit_code, 2);
}

TEST_F(BlockCommand, SimulateTakesParametersOfAFile) {
    write("blocks.csv", "block_id,hex,tp_hsw\nadd,4801d8,100\nbad,06,100\nmul,480fafc3,300\n");
    const Json json = answer({"block", "simulate", "blocks.csv", "--machine", "hsw"});
    EXPECT_NEAR(json["blocks"][2]["predicted"].get<double>(), 300, 10);
    EXPECT_THAT(json["blocks"][1]["reason"].get<std::string>(), HasSubstr("begins no x86-64 instruction"));
    const Json predicted =
        answer({"block", "predict", "blocks.csv", "--machine", "hsw", "--model", "mca-cycles"});
    EXPECT_EQ(json["blocks"][2]["predicted"], predicted["blocks"][2]["predicted"]);

    ASSERT_EQ(run({"block", "simulate", "--machine", "hsw", "--write-parameters", "p.csv"}).exit_code, 0);
    EXPECT_THAT(read("p.csv"), HasSubstr("machine,parameter,value\nhsw,dispatch_width,4\n"));
    const Json same =
        answer({"block", "simulate", "blocks.csv", "--machine", "hsw", "--parameters", "p.csv"});
    EXPECT_EQ(same["blocks"], json["blocks"]);
    write("slow.csv", "machine,parameter,value\nhsw,WriteIMul64Reg.latency,9\n");
    const Json slow =
        answer({"block", "simulate", "blocks.csv", "--machine", "hsw", "--parameters", "slow.csv"});
    EXPECT_NEAR(slow["blocks"][2]["predicted"].get<double>(), 900, 10);
    EXPECT_EQ(slow["blocks"][0], json["blocks"][0]);

    write("wrong.csv", "machine,parameter,value\nhsw,WriteIMul64Reg.latency,-1\n");
    const Outcome wrong =
        run({"block", "simulate", "blocks.csv", "--machine", "hsw", "--parameters", "wrong.csv"});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("wrong.csv:2: "));
    EXPECT_EQ(run({"block", "simulate", "blocks.csv", "--machine", "486"}).exit_code, 2);
    EXPECT_EQ(run({"block", "simulate", "--machine", "hsw"}).exit_code, 2);
}

TEST_F(BlockCommand, TuneSimulatorFindsASpoiledLatencyAgain) {
    std::string table = "block_id,hex,group_id,tp_hsw\n";
    for (int adds = 0; adds < 8; ++adds)
        for (int products = 1; products < 6; ++products) {
            std::string code;
            for (int each = 0; each < adds; ++each)
                code += "4801d8";
            for (int each = 0; each < products; ++each)
                code += "480fafc3";
            table +=
                fmt::format("{0}-{1},{2},g{0}{1},{3}\n", adds, products, code, 100 * (adds + 3 * products));
        }
    write("blocks.csv", table);
    write("slow.csv", "machine,parameter,value\nhsw,WriteIMul64Reg.latency,7\n");
    const Json json = answer({"tune-simulator", "blocks.csv", "--machine", "hsw", "--from", "slow.csv",
                              "--output", "tuned.csv", "--sweeps", "1"});
    EXPECT_LT(json["validation"]["after"], json["validation"]["before"]);
    EXPECT_LT(json["held_out"]["learned"]["mape"]["value"].get<double>(), 0.05);
    EXPECT_THAT(read("tuned.csv"), HasSubstr("\nhsw,WriteIMul64Reg.latency,3,3,"));
    const Json simulated =
        answer({"block", "simulate", "blocks.csv", "--machine", "hsw", "--parameters", "tuned.csv"});
    EXPECT_LT(simulated["errors"]["mape"].get<double>(), 0.05);
}

TEST_F(BlockCommand, ImportKeepsBlocksInTheWorkspace) {
    write("blocks.csv", "block_id,hex,tp_hsw,tp_skl\na,4801d8,100,99\nb,06,1,1\n");
    const Outcome outcome = run({"import-blocks", "blocks.csv", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["blocks"], 1);
    EXPECT_EQ(json["measurements"], 2);
    EXPECT_EQ(json["failed"][0]["line"], 3);
    write("good.csv", "block_id,hex,tp_hsw,tp_skl\na,4801d8,100,99\n");
    const Json again = answer({"import", "--domain", "blocks", "good.csv", "--only-machines", "hsw"});
    EXPECT_EQ(again["already_there"], 1);
}

TEST_F(BlockCommand, DecodeTellsPeopleWhichCommandTheyWant) {
    const std::string typed = std::string("echo 4801d8480fafc3 | '") + SPARSIGHT_CLI + "' block decode";
    const Outcome outcome = ChildProcess({"/bin/bash", "-c", typed}, folder()).finish();
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("`block show` decodes a block for you"));
    const std::string asked =
        std::string("echo 4801d8480fafc3 | '") + SPARSIGHT_CLI + "' block answer-simulations";
    EXPECT_THAT(ChildProcess({"/bin/bash", "-c", asked}, folder()).finish().err,
                HasSubstr("`block simulate` simulates blocks for you"));
}

class BlockModels : public BlockCommand {
protected:
    /// Chains of additions and products: a cycle and three.
    void import_chains() {
        std::string table = "block_id,hex,group_id,tp_hsw,tp_skl\n";
        for (int adds = 0; adds < 12; ++adds)
            for (int products = 0; products < 6; ++products) {
                if (adds + products == 0)
                    continue;
                std::string code;
                for (int each = 0; each < adds; ++each)
                    code += "4801d8";
                for (int each = 0; each < products; ++each)
                    code += "480fafc3";
                const int cycles = adds + 3 * products;
                table += fmt::format("b{0}-{1},{2},g{0}-{1},{3},{3}\n", adds, products, code, 100 * cycles);
            }
        write("chains.csv", table);
        write("ports.csv", "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                           "haswell,\"IMUL (R64, R64)\",3,1.00 / 1.00,1 / 1,1*p1\n"
                           "haswell,\"ADD_01 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n");
        const Outcome outcome = run({"import-blocks", "chains.csv", "--table", "ports.csv"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("Ports of instructions are stored with hsw."));
    }
};

TEST_F(BlockModels, LearnTimesAndPredictThoseOfATable) {
    import_chains();
    const Json trained = answer({"train", "--domain", "blocks", "--name", "gray", "--machines", "hsw"});
    EXPECT_LT(trained["metrics"]["time_error"].get<double>(), 0.02) << "the bound is right by itself";
    EXPECT_EQ(answer({"train", "--domain", "blocks", "--name", "trees", "--architecture", "trees",
                      "--machines", "hsw,skl"})["model"],
              "trees");
    write("asked.csv", "block_id,hex,tp_hsw\ntwo,4801d84801d8,200\nbad,06,100\nmul,480fafc3,300\n");
    const Outcome outcome = run({"predict", "--domain", "blocks", "--model", "gray", "--machine", "hsw",
                                 "asked.csv", "--csv", "out.csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("on 2 blocks measured on hsw"));
    const std::string csv = read("out.csv");
    EXPECT_THAT(csv, HasSubstr("block_id,predicted,reason\ntwo,"));
    EXPECT_THAT(csv, HasSubstr("\nbad,,byte 1 begins no x86-64 instruction: 06\nmul,"));
    const Json json = answer({"predict", "--model", "gray", "--machine", "hsw", "asked.csv"});
    EXPECT_NEAR(json["blocks"][0]["predicted"].get<double>(), 200, 10);
    EXPECT_NEAR(json["blocks"][2]["predicted"].get<double>(), 300, 15);
    EXPECT_EQ(json["errors"]["blocks"], 2);
    EXPECT_THAT(run({"predict", "--model", "gray", "--machine", "skl", "asked.csv"}).err,
                HasSubstr("gray has not learned from the machine 'skl', expected one of: hsw"));
    EXPECT_THAT(run({"predict", "--model", "gray", "--machine", "hsw"}).err,
                HasSubstr("a table of blocks is missing"));
}

TEST_F(BlockModels, OfNetworksLearnTimesAndAreAdaptedToAnotherMachine) {
    import_chains();
    for (const char* const architecture : {"ithemal", "ithemal-dag", "granite-short"}) {
        const std::string name(architecture);
        const Json trained =
            answer({"train", "--domain", "blocks", "--name", name, "--machines", "hsw", "--architecture",
                    name, "--width", "8", "--epochs", "3", "--threads", "1"});
        EXPECT_TRUE(trained["metrics"].contains("time_error")) << name;
        EXPECT_TRUE(trained["baseline"].contains("time_error")) << "trees learn times, too";
        const Json tuned = answer({"finetune", "--name", name + "-skl", "--model", name, "--machine", "skl",
                                   "--workloads", "10", "--epochs", "2", "--threads", "1"});
        EXPECT_TRUE(tuned["after"].contains("time_error")) << tuned.dump();
        write("asked.csv", "block_id,hex\ntwo,4801d84801d8\n");
        const Json json = answer({"predict", "--model", name + "-skl", "--machine", "skl", "asked.csv"});
        EXPECT_GT(json["blocks"][0]["predicted"].get<double>(), 0);
    }
    const Outcome curve = run({"finetune", "--name",           "curve", "--model",  "ithemal", "--machine",
                               "skl",      "--workloads",      "10",    "--epochs", "2",       "--threads",
                               "1",        "--shots",          "0,5",   "--seeds",  "3",       "--against",
                               "scratch",  "--scratch-epochs", "2"});
    ASSERT_EQ(curve.exit_code, 0) << curve.err;
    EXPECT_THAT(curve.out, HasSubstr("mean error of the times: "));
    EXPECT_THAT(curve.out, ::testing::ContainsRegex("blocks +contender +mean error of the times +95 %\n"));
    EXPECT_THAT(curve.out, ::testing::ContainsRegex("5 +scratch +[0-9.]+ +[0-9.]+ … [0-9.]+\n"));
    EXPECT_THAT(run({"finetune", "--help"}).out, HasSubstr("the loss that they were trained with"));
}

TEST_F(BlockCommand, BoundSaysWhatBinds) {
    const Json json = answer({"block", "bound", "imul rax, rbx; add rax, rcx"});
    EXPECT_EQ(json["sentence"], "Latency: the chain of 2 instructions takes 4 cycles an iteration.");
    EXPECT_EQ(json["source"], "llvm");
    EXPECT_EQ(json["critical"], (Json{0, 1}));
    EXPECT_EQ(json["instructions"][0]["ports"], (Json{{{"ports", "port 1"}, {"count", 1.0}}}));
    write("ports.csv", "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                       "skylake,\"IMUL (R64, R64)\",3,1.00 / 1.00,1 / 1,1*p1\n");
    const Json table =
        answer({"block", "bound", "imul rax, rbx", "--machine", "skl", "--table", "ports.csv"});
    EXPECT_EQ(table["source"], "table");
    EXPECT_EQ(table["cycles"], 3);
    EXPECT_THAT(run({"block", "bound", "nop", "--machine", "zen2"}).err,
                HasSubstr("no machine whose front end is described"));
    EXPECT_THAT(run({"block", "bound", "imul rax, rbx"}).out, HasSubstr("Latency: the chain"));
}

TEST_F(BlockCommand, ErrorsAreThoseOfTheGroups) {
    write("blocks.csv", "block_id,hex,applications,tp_hsw\nadd,4801d8,gzip,100\n"
                        "load,488b03,gzip;ffmpeg,50\nnever,90,,\nnone,90,,25\n");
    write("predicted.csv", "block_id,predicted,reason\nadd,150,\nload,50,\nnone,,unknown\n");
    const Json json =
        answer({"block", "errors", "blocks.csv", "--machine", "hsw", "--predicted", "predicted.csv"});
    EXPECT_EQ(json["all"]["blocks"], 2);
    EXPECT_EQ(json["all"]["mape"], 0.25);
    EXPECT_EQ(json["by_class"][0]["name"], "integer arithmetic");
    EXPECT_EQ(json["by_application"][0]["name"], "gzip");
    EXPECT_EQ(json["by_application"][1]["mape"], 0);
    EXPECT_EQ(json["without_prediction"], 1);
    EXPECT_THAT(
        run({"block", "errors", "blocks.csv", "--machine", "skl", "--predicted", "predicted.csv"}).err,
        HasSubstr("has no times of 'skl', expected one of: hsw"));
    EXPECT_THAT(run({"block", "errors", "blocks.csv", "--machine", "hsw", "--predicted", "blocks.csv"}).err,
                HasSubstr("expected block_id and predicted"));
}

} // namespace
} // namespace sparsight::testing
