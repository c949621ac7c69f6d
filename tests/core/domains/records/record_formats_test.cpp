// Files of other auto-tuners, read as records. Those in tests/data/records are described there.
#include "domains/records/formats/record_formats.h"

#include "domains/records/formats/find_database.h"
#include "domains/records/formats/json_values.h"
#include "domains/records/formats/tvm_log.h"
#include "domains/records/record_space.h"
#include "support/test_files.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::write_file;

const std::filesystem::path example_files =
    std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "tests" / "data" / "records";

/// What a file holds: "line machine/run workload setting configuration: 2 ms ± 0.5 (3)" of each record.
struct ReadFile {
    std::vector<std::string> records;
    std::vector<std::string> problems;
    std::vector<std::vector<WorkloadFact>> facts;
    std::string end; ///< why the rest could not be read
};
ReadFile read_source(RecordSource& source) {
    ReadFile read;
    RecordRow row;
    for (;;) {
        const auto has_row = source.next(row);
        if (!has_row)
            read.end = has_row.error().text();
        if (!has_row || !*has_row)
            break;
        DecisionValues values;
        for (std::size_t i = 0; i < row.values.size(); ++i)
            if (!row.values[i].empty())
                values.emplace_back(row.decisions[i], row.values[i]);
        const std::string time =
            row.status == MeasurementStatus::Measured
                ? fmt::format("{:.6g} ms ± {:.3g} ({})", row.median.count(), row.spread.count(), row.repeats)
                : std::string(row.reason);
        read.records.push_back(fmt::format("{} {} {} [{}] {}: {}", row.line, row.machine, row.workload,
                                           record_setting(row.space, row.variant).text,
                                           decisions_to_text(std::move(values)), time));
        read.facts.push_back(source.facts());
    }
    for (const Error& problem : source.problems().first)
        read.problems.push_back(fmt::format("{}: {}", problem.line, problem.message));
    return read;
}
ReadFile read_file(const std::filesystem::path& path, const RecordOptions& options = {}) {
    return read_source(*open_records(path, options).value());
}
ReadFile read_text(const std::string& name, std::string_view text, const RecordOptions& options = {}) {
    return read_source(*open_records(RecordFile::of_text(name, text), options).value());
}
std::string refusal_of(const std::string& name, std::string_view text) {
    return open_records(RecordFile::of_text(name, text)).error().text();
}

TEST(RecordFormat, IsSeenInTheContent) {
    EXPECT_EQ(record_format_of("workload,machine,a,time_ms\n"), RecordFormat::Table);
    EXPECT_EQ(record_format_of(""), RecordFormat::Table);
    EXPECT_EQ(record_format_of("{\n\"device_name\": \"A\","), RecordFormat::JsonDocument);
    EXPECT_EQ(record_format_of("{\"results\": ["), RecordFormat::JsonDocument);
    EXPECT_EQ(record_format_of("\xef\xbb\xbf{\"r\": [[0.1]"), RecordFormat::TvmLog);
    EXPECT_EQ(record_format_of("# tuned\n{\"input\": ["), RecordFormat::TvmLog);
    EXPECT_EQ(record_format_of("1-2-2-3x3-2-5-5-16-0x0-2x2-1x1-0-NCHW-FP32-F=A:B,1,0,A,B\n"),
              RecordFormat::FindDatabase);
}

TEST(RecordFormat, IsReadWhateverTheNameOfTheFileAndItsCompression) {
    const testing::TemporaryFolder folder;
    const auto plain =
        write_file(folder / "renamed.csv", testing::file_content(example_files / "autotvm.log"));
    EXPECT_THAT(read_file(plain).records, SizeIs(3));
    ASSERT_EQ(std::system(("gzip " + plain.string()).c_str()), 0);
    EXPECT_THAT(read_file(folder / "renamed.csv.gz").records, SizeIs(3));
    const auto cache =
        write_file(folder / "cache.txt", testing::file_content(example_files / "kernel_tuner.json"));
    ASSERT_EQ(std::system(("xz " + cache.string()).c_str()), 0);
    EXPECT_THAT(read_file(folder / "cache.txt.xz").records, SizeIs(4));
}

TEST(KernelTunerCache, IsReadWithItsFailuresAndItsDefects) {
    const ReadFile read = read_file(example_files / "kernel_tuner.json");
    EXPECT_THAT(
        read.records,
        ElementsAre("34 Example GPU 9000 convolution_512x256 [convolution] block_size_x=16 layout=rows "
                    "padding=true tile=1: 2 ms ± 0.608 (3)",
                    "35 Example GPU 9000 convolution_512x256 [convolution] block_size_x=16 layout=rows "
                    "padding=true tile=2: CompilationFailedConfig",
                    "36 Example GPU 9000 convolution_512x256 [convolution] block_size_x=32 layout=columns "
                    "padding=true tile=1: 1.75 ms ± 0 (1)",
                    "39 Example GPU 9000 convolution_512x256 [convolution] block_size_x=32 layout=rows "
                    "padding=true tile=4: recorded as a run that failed (1e20)"));
    EXPECT_THAT(read.problems,
                ElementsAre("37: configuration \"32,2,rows,True\": there is no \"tile\", which "
                            "tune_params_keys names",
                            "38: configuration \"32,2,columns,True\": \"time\": found nothing, expected "
                            "milliseconds or why there is no time"));
    EXPECT_THAT(read.facts.front(),
                ElementsAre(WorkloadFact{"kernel", "convolution"}, WorkloadFact{"problem_size_0", "512"},
                            WorkloadFact{"problem_size_1", "256"}));
    EXPECT_THAT(read.end, IsEmpty());
}

TEST(KernelTunerCache, IsReadAsFarAsItGoesWhereItWasNotClosed) {
    const ReadFile read = read_file(example_files / "kernel_tuner_open.json");
    EXPECT_THAT(read.records,
                ElementsAre("15 Example GPU 9000 vector_add [vector_add] block_size_x=128: 0.5 ms ± 0 (1)",
                            "16 Example GPU 9000 vector_add [vector_add] block_size_x=256: "
                            "RuntimeFailedConfig"));
    EXPECT_THAT(read.problems, ElementsAre("17: the file ends within the value that begins here"));
    EXPECT_THAT(read.end, IsEmpty());

    // As Kernel Tuner leaves it: behind a whole entry, with its comma or without.
    const std::string text = testing::file_content(example_files / "kernel_tuner_open.json");
    const std::string whole = text.substr(0, text.find("\n\"512\""));
    for (const std::string& end : {whole, whole.substr(0, whole.size() - 1)}) {
        const ReadFile cut = read_text("a.json", end);
        EXPECT_THAT(cut.records, SizeIs(2));
        EXPECT_THAT(cut.problems, IsEmpty());
    }
}

TEST(KernelTunerCache, TakesTheMachineAndTheSpaceThatAreGiven) {
    const ReadFile read =
        read_file(example_files / "kernel_tuner.json", {.space = "conv", .machine = "GPU9000"});
    EXPECT_THAT(read.records.front(), StartsWith("34 GPU9000 convolution_512x256 [conv] "));
}

TEST(KernelTunerCache, SaysWhatItNeeds) {
    EXPECT_THAT(refusal_of("a.json", R"({"cache": {}})"), HasSubstr("a.json: there is no \"kernel_name\""));
    EXPECT_THAT(refusal_of("a.json", R"({"kernel_name": "k", "cache": {}})"),
                HasSubstr("there is no \"device_name\", and no name of a machine was given"));
    EXPECT_THAT(refusal_of("a.json", R"({"kernel_name": "k", "device_name": "d", "cache": {}})"),
                HasSubstr("there is no \"tune_params_keys\""));
    EXPECT_THAT(refusal_of("a.json", "{\"kernel_name\":\n \"k\",\n !}"),
                HasSubstr("a.json:3: found '!', expected a name in quotation marks"));
    EXPECT_THAT(refusal_of("a.json", R"({"a": 1})"),
                HasSubstr("this JSON holds no tuning records, expected \"cache\""));
}

TEST(KernelTunerCache, NamesTheLineOfWhatIsNoJson) {
    const std::string head =
        R"({"kernel_name": "k", "device_name": "d", "tune_params_keys": ["a"], "cache": {)";
    const ReadFile read =
        read_text("a.json", head + "\n\"1\": {\"a\": 1,\n \"time\" 2},\n\"2\": {\"a\": 2, \"time\": 2}}}");
    EXPECT_THAT(read.records, ElementsAre("4 d k [k] a=2: 2 ms ± 0 (1)"));
    EXPECT_THAT(read.problems, ElementsAre(HasSubstr("3: this is no JSON")));
    const ReadFile cut = read_text("a.json", head + "\n\"1\": {\"a\": 1, \"time\": 2} \"2\": {}}}");
    EXPECT_THAT(cut.records, SizeIs(1));
    EXPECT_THAT(cut.end, HasSubstr("a.json:2: found '\"', expected ',' or '}' behind a member"));
    const ReadFile deep =
        read_text("a.json", head + "\"1\": " + std::string(1000, '[') + std::string(1000, ']') + "}}");
    EXPECT_THAT(deep.problems, ElementsAre(HasSubstr("nested more than 64 deep")));
}

TEST(T4Results, AreReadWithTheirUnits) {
    const ReadFile read = read_file(example_files / "t4.json");
    EXPECT_THAT(
        read.records,
        ElementsAre("3 Example GPU 9000 convolution [t4] block_size_x=16 layout=rows: 2 ms ± 0.608 (3)",
                    "13 Example GPU 9000 convolution [t4] block_size_x=32 layout=rows: 1.75 ms ± 0 (1)",
                    "22 Example GPU 9000 convolution [t4] block_size_x=64 layout=rows: compile"));
    EXPECT_THAT(read.problems,
                ElementsAre("30: the unit \"J\" is no unit of time, expected ms, s, us or ns"));
}

TEST(T4Results, NeedAMachineAndAreCalledAfterTheirFile) {
    constexpr std::string_view results =
        R"({"results": [{"configuration": {"a": 1}, "times": {"runtimes": [4]}, "invalidity": "correct"}]})";
    EXPECT_THAT(
        read_text("dir/gemm.json", results).problems,
        ElementsAre("1: the metadata name no machine, and no name of a machine was given for the file"));
    EXPECT_THAT(read_text("dir/gemm.json", results, {.machine = "A"}).records,
                ElementsAre("1 A gemm [gemm] a=1: 4 ms ± 0 (1)"));
    EXPECT_THAT(
        read_text("a.json", R"({"results": [{"configuration": {"a": 1}, "times": {}})", {.machine = "A"}).end,
        HasSubstr("the file ends too early"));
}

TEST(TvmLog, ReadsTheFirstFormOfAutoTvm) {
    const ReadFile read = read_file(example_files / "autotvm_old.log");
    EXPECT_THAT(read.records,
                ElementsAre("2 board1 topi_nn_conv2d(1x3x32x32:float32,16x3x3x3:float32,[2,2],[1,1],NCHW,"
                            "float32) [autotvm/topi_nn_conv2d/direct] ann_spatial=none,unroll,vec "
                            "reorder_0=0,1,3,2 tile_co=8x2: 250 ms ± 191 (3)",
                            "3 board1 topi_nn_conv2d(1x3x32x32:float32,16x3x3x3:float32,[2,2],[1,1],NCHW,"
                            "float32) [autotvm/topi_nn_conv2d/direct] ann_spatial=none,none,vec "
                            "reorder_0=0,1,2,3 tile_co=4x4: error 4 (RUNTIME_DEVICE)"));
    EXPECT_THAT(read.problems, IsEmpty());
}

TEST(TvmLog, ReadsTheFormOfAutoTvmSinceThen) {
    const ReadFile read = read_file(example_files / "autotvm.log");
    EXPECT_THAT(read.records,
                ElementsAre("1 gpu9000 dense_large_batch.cuda(8x64:float32,32x64:float32,none,float32) "
                            "[autotvm/dense_large_batch.cuda] auto_unroll_max_step=512 tile_x=-1x1x4x2 "
                            "unroll_explicit=true: 0.015 ms ± 0 (1)",
                            "2 gpu9000 dense_large_batch.cuda(8x64:float32,32x64:float32,none,float32) "
                            "[autotvm/dense_large_batch.cuda] auto_unroll_max_step=512 tile_x=-1x1x8x1 "
                            "unroll_explicit=true: error 7 (RUN_TIMEOUT)",
                            "3 gpu9000 dense_small_batch.cuda(1x64:float32) "
                            "[autotvm/dense_small_batch.cuda] index=0: 0.02 ms ± 0 (1)"));
    EXPECT_THAT(read.problems,
                ElementsAre(HasSubstr("4: this is no JSON"),
                            "5: the configuration: found a knob [\"tile_x\",\"sp\"], expected [name, kind, "
                            "value]"));
}

TEST(TvmLog, NamesTheMachineByItsTarget) {
    EXPECT_EQ(machine_of_target("cuda -keys=cuda,gpu -model=titanx"), "titanx");
    EXPECT_EQ(machine_of_target("llvm -keys=cpu --mcpu=core-avx2 -num-cores=2"), "core-avx2");
    EXPECT_EQ(machine_of_target("opencl -model=unknown -device=mali"), "mali");
    EXPECT_EQ(machine_of_target("cuda -model v100"), "v100");
    EXPECT_EQ(machine_of_target("llvm"), "llvm");
    EXPECT_EQ(machine_of_target(R"({"kind": "cuda", "model": "a100"})"), "a100");
    EXPECT_EQ(machine_of_target(R"({"kind": "cuda"})"), "cuda");
}

TEST(TvmLog, ReadsTheStepsOfTheAutoScheduler) {
    const ReadFile read = read_file(example_files / "ansor.json", {.machine = "Xeon"});
    ASSERT_THAT(read.records, SizeIs(3));
    EXPECT_EQ(read.records[0],
              "1 Xeon matmul(64,32,[16,8],float32) [ansor/matmul] 00.CHW.2=local 01.SP.2.0=1x8x4 "
              "01.SP.2.0.extent=64 02.RE.2=[0,2,1] 03.CI=1 04.FU.3=[0,1] 05.AN.3.0=3 "
              "06.PR.2.0.auto_unroll_max_step=64 layout_rewriting=1 steps=7: 2 ms ± 1.53 (3)");
    EXPECT_THAT(read.records[1], HasSubstr("01.SP.2.0=1x4x8 "));
    EXPECT_THAT(read.records[1], HasSubstr("steps=7: error 6 (BUILD_TIMEOUT)"));
    EXPECT_EQ(
        read.records[2],
        "3 Xeon matmul(64,32,[16,8],float32) [ansor/matmul] layout_rewriting=1 steps=0: 500 ms ± 0 (1)");
    EXPECT_THAT(read.problems, ElementsAre("4: step 0: expected a list of its kind, its stage and more"));
    EXPECT_THAT(read.facts.front(),
                ElementsAre(WorkloadFact{"computation", "matmul"}, WorkloadFact{"arg_0", "64"},
                            WorkloadFact{"arg_1", "32"}, WorkloadFact{"arg_2_0", "16"},
                            WorkloadFact{"arg_2_1", "8"}, WorkloadFact{"arg_3", "float32"}));
}

TEST(TvmLog, NeverTakesTwoListsOfStepsForOneConfiguration) {
    const std::vector<std::string> lists{R"(["SP",2,0,64,[1,8,4],1])",
                                         R"(["SP",2,0,64,[1,8,4],0])",
                                         R"(["SP",2,0,32,[1,8,4],1])",
                                         R"(["SP",2,0,64,[1,null,4],1])",
                                         R"(["SP",2,1,64,[1,8,4],1])",
                                         R"(["SP",20,1,64,[1,8,4],1])",
                                         R"(["FSP",2,0,1,2])",
                                         R"(["FSP",2,0,12])",
                                         R"(["FSP",2,0,[1,2]])",
                                         R"(["FSP",2,0,"1,2"])",
                                         R"(["PR",2,0,"unroll$16"])",
                                         R"(["PR",2,0,"unroll$016"])",
                                         R"(["PR",2,0,"unroll"])",
                                         R"(["PR",2,0,16])",
                                         R"(["CI",2])",
                                         R"(["CI",2],["CI",2])",
                                         R"(["CA",2,0,1])",
                                         R"(["CA",2,"0",1])",
                                         R"(["FU",2,[0,1]])",
                                         R"(["FU",2,0,1])",
                                         R"(["CHR",2,"shared",[5]])",
                                         R"(["CHW",2,"shared"])",
                                         R"(["CHW",2,"local"])",
                                         ""};
    std::string text;
    for (const std::string& list : lists)
        text += fmt::format(R"({{"i": [["[\"f\"]", "llvm"], [[], [{}]]], "r": [[1], 0, 1, 1], "v": "v0.6"}})"
                            "\n",
                            list);
    const ReadFile read = read_text("a.json", text);
    EXPECT_THAT(read.problems, IsEmpty());
    std::set<std::string> different;
    for (const std::string& record : read.records)
        different.insert(record.substr(record.find('[')));
    EXPECT_EQ(different.size(), lists.size()) << ::testing::PrintToString(read.records);
}

TEST(TvmLog, SaysWhatIsWrongWithALine) {
    const ReadFile read =
        read_text("a.log", "{\"v\": 0.1}\n"
                           "{\"i\": 3, \"r\": []}\n"
                           "{\"i\": [\"llvm\", \"task\"], \"r\": []}\n"
                           "{\"input\": [\"llvm\", \"t\", []], \"config\": {\"entity\": 1}}\n"
                           "{\"input\": [\"llvm\", \"t\", []], \"config\": {\"entity\": []}}\n"
                           "{\"input\": [\"llvm\", \"t\", []], \"config\": {\"entity\": []}, "
                           "\"result\": [[0], 0]}\n");
    EXPECT_THAT(read.problems,
                ElementsAre(HasSubstr("1: this is no tuning record of TVM"), HasSubstr("2: \"i\": expected"),
                            HasSubstr("3: the input: expected a list of target, task and arguments (6"),
                            HasSubstr("4: the configuration: found a number, expected a list of its knobs"),
                            "5: there is no result", "6: found a time of 0 ms, expected one above 0"));
}

TEST(FindDatabase, NamesSolversAndSizesAsThePublishedTablesDo) {
    const ReadFile read = read_file(example_files / "gfx906_60.HIP.fdb.txt");
    EXPECT_THAT(read.records,
                ElementsAre("1 gfx906_60 miopen_conv:64-56-28-1x1-32-56-28-8-0x0-1x1-1x1-0-NCHW-FP32-F "
                            "[miopen_conv] solver=ConvAsm1x1U: 0.05 ms ± 0 (1)",
                            "1 gfx906_60 miopen_conv:64-56-28-1x1-32-56-28-8-0x0-1x1-1x1-0-NCHW-FP32-F "
                            "[miopen_conv] solver=GemmFwd1x1_0_1: 0.125 ms ± 0 (1)",
                            "2 gfx906_60 miopen_conv:32-7-14-14-3x3x3-32-7-14-14-2-1x1x1-1x1x1-1x1x1-0-NCDHW-"
                            "FP16-B_g32 [miopen_conv] solver=GemmBwdRest: 3.5 ms ± 0 (1)"));
    EXPECT_THAT(
        read.problems,
        ElementsAre(HasSubstr("2: found \"miopenConvolutionBwdDataAlgoDirect:ConvD"),
                    HasSubstr("3: found \"64-56-28-1x1-32-56-28\", expected the key of a convolution")));
    const auto fact = [&](std::size_t record, std::string_view name) {
        for (const WorkloadFact& each : read.facts[record])
            if (each.name == name)
                return each.text;
        return std::string("absent");
    };
    EXPECT_EQ(fact(0, "in_c"), "64");
    EXPECT_EQ(fact(0, "in_h"), "56");
    EXPECT_EQ(fact(0, "in_w"), "28");
    EXPECT_EQ(fact(0, "fil_w"), "1");
    EXPECT_EQ(fact(0, "batch"), "8");
    EXPECT_EQ(fact(0, "dil_h"), "1");
    EXPECT_EQ(fact(0, "dtype"), "FP32");
    EXPECT_EQ(fact(0, "direction"), "F");
    EXPECT_EQ(fact(0, "groups"), "1");
    EXPECT_EQ(fact(2, "in_d"), "7");
    EXPECT_EQ(fact(2, "fil_d"), "3");
    EXPECT_EQ(fact(2, "groups"), "32");
}

TEST(FindDatabase, IsReadInItsNewerForm) {
    const ReadFile read = read_file(example_files / "gfx90a6e.HIP.2_20_0_abcdef.ufdb.txt");
    EXPECT_THAT(read.records,
                ElementsAre("1 gfx90a_110 miopen_conv:64-56-28-1x1-32-56-28-8-0x0-1x1-1x1-0-NCHW-FP32-W "
                            "[miopen_conv] solver=ConvAsmBwdWrW1x1: 0.0625 ms ± 0 (1)",
                            "1 gfx90a_110 miopen_conv:64-56-28-1x1-32-56-28-8-0x0-1x1-1x1-0-NCHW-FP32-W "
                            "[miopen_conv] solver=GemmWrw1x1_stride1: 0.25 ms ± 0 (1)"));
    EXPECT_THAT(read.problems, IsEmpty());
}

TEST(FindDatabase, TellsTheMachineFromItsName) {
    EXPECT_EQ(machine_of_database("db/gfx900_56.OpenCL.fdb.txt"), "gfx900_56");
    EXPECT_EQ(machine_of_database("gfx90878.HIP.fdb.txt.bz2"), "gfx908_120");
    EXPECT_EQ(machine_of_database("gfx942130.HIP.fdb.txt"), "gfx942_304");
    EXPECT_EQ(machine_of_database("gfx1030_36.HIP.fdb.txt"), "gfx1030_36");
    EXPECT_EQ(machine_of_database("find.txt"), "");
    EXPECT_THAT(refusal_of("find.txt", "1-2-2-3x3-2-5-5-16-0x0-2x2-1x1-0-NCHW-FP32-F=A:B,1,0\n"),
                HasSubstr("find.txt: the file's name has no GPU in it"));
}

TEST(DecisionTexts, DifferForValuesThatDiffer) {
    const std::vector<std::string> values{R"(8)",
                                          R"("8")",
                                          R"("8x")",
                                          R"(true)",
                                          R"("true")",
                                          R"(null)",
                                          R"("null")",
                                          R"("")",
                                          R"(" ")",
                                          R"("a ")",
                                          R"("a")",
                                          R"("\"a\"")",
                                          R"([1,2])",
                                          R"("[1,2]")",
                                          R"("1,2")",
                                          R"("[1, 2]")",
                                          R"({"a":1})",
                                          R"("{\"a\":1}")",
                                          R"("a\nb")",
                                          R"("08")",
                                          R"("1.50")",
                                          R"(1.5)",
                                          R"("12345678901234567890.5")"};
    std::set<std::string> different;
    for (const std::string& value : values)
        different.insert(canonical_value(decision_text(parse_json({value, 1}).value())));
    EXPECT_EQ(different.size(), values.size()) << ::testing::PrintToString(different);
}

TEST(Records, OfAPublishedTableAreThoseOfItsReader) {
    SPARSIGHT_NEEDS_SHARED("tuning/conv15_milo_small.csv.xz");
    const auto source = open_records(testing::shared_path("tuning/conv15_milo_small.csv.xz")).value();
    EXPECT_THAT(read_source(*source).records, SizeIs(7'326));
}

} // namespace
} // namespace sparsight
