// Records that are exported and imported again.
#include "domains/records/exchange/record_export.h"

#include "domains/records/exchange/record_import.h"
#include "domains/records/exchange/record_writers.h"
#include "store/machines.h"
#include "store/stored_times.h"
#include "support/test_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::shared_path;
using ::testing::SizeIs;
using testing::write_file;

const std::filesystem::path exported_examples =
    std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "tests" / "data" / "records";

class RecordExportTest : public ::testing::Test {
protected:
    Workspace workspace(const std::string& name) { return Workspace::create(folder_ / name, "test").value(); }
    static void import(Workspace& workspace, const std::filesystem::path& file,
                       const RecordOptions& form = {}) {
        Observer nobody;
        (void)import_records(workspace, {.files = {file}, .form = form}, nobody, {}).value();
    }
    static Result<RecordExportReport> write(Workspace& workspace, RecordExportRequest request) {
        request.format = export_format_of(request.file).value();
        return export_records(workspace, request, {}, {});
    }
    /// Whole measurements, in the order of their names.
    static std::vector<std::string> times(Workspace& workspace) {
        std::vector<std::string> texts;
        EXPECT_TRUE(
            visit_times(workspace, {.domain = "records"}, [&](const StoredTime& time) -> Result<void> {
                texts.push_back(fmt::format(
                    "{} | {} | {} | {} | {} | {} {} ± {} ({}) {}", time.workload, time.machine,
                    time.setting.text, time.condition, time.configuration, name(time.status),
                    time.median_ms.value_or(-1), time.spread_ms.value_or(-1), time.repeats, time.reason));
                return {};
            }));
        std::ranges::sort(texts);
        return texts;
    }
    void expect_round_trip(Workspace& from) {
        const auto before = times(from);
        int number = 0;
        for (const char* const name : {"export.csv", "export.json"}) {
            ASSERT_TRUE(write(from, {.file = folder_ / name})) << name;
            Workspace again = workspace(fmt::format("again{}.sparsight", ++number + rounds_ * 10));
            import(again, folder_ / name);
            EXPECT_EQ(times(again), before) << name;
        }
        ++rounds_;
    }

    testing::TemporaryFolder folder_;
    int rounds_ = 0;
};

TEST_F(RecordExportTest, GivesTheSameMeasurementsOfEveryFormat) {
    Workspace all = workspace("all.sparsight");
    for (const char* const name :
         {"kernel_tuner.json", "kernel_tuner_open.json", "t4.json", "autotvm_old.log", "autotvm.log",
          "ansor.json", "gfx906_60.HIP.fdb.txt", "gfx90a6e.HIP.2_20_0_abcdef.ufdb.txt"}) {
        import(all, exported_examples / name);
    }
    EXPECT_THAT(times(all), SizeIs(4 + 2 + 3 + 2 + 3 + 3 + 3 + 2));
    expect_round_trip(all);
}

TEST_F(RecordExportTest, KeepsOddTextsOfATable) {
    Workspace all = workspace("all.sparsight");
    import(all, write_file(folder_ / "gemm.csv",
                           "workload,machine,run,template,tile,kind,odd;name,time_ms,std_ms,n_rep,status\n"
                           "\"gemm, large\",A,one,x,8,\"two words\",1.5,0.1,0.25,7,ok\n"
                           "\"gemm, large\",A,two,x,8,\"a \"\"b\"\"\",,1e-9,,,OK\n"
                           "small,\"B \"\"2\"\"\",,,007,true,\"[1,2]\",0.30000000000000004,0.1,0,ok\n"
                           "small,B,,,12345678901234567890.5,null,,,,,\"out of memory, twice\"\n"));
    ASSERT_THAT(times(all), SizeIs(4));
    expect_round_trip(all);
}

TEST_F(RecordExportTest, TakesOneWorkloadOrMachineOrSpace) {
    Workspace all = workspace("all.sparsight");
    import(all, write_file(folder_ / "gemm.csv", "workload,machine,tile,time_ms\n"
                                                 "w,A,1,1\nw,B,1,2\nv,A,2,3\nv,B,2,\n"));
    import(all, write_file(folder_ / "conv.csv", "workload,machine,unroll,time_ms\nc,A,1,4\n"));
    const auto content = [&](RecordExportRequest request) {
        request.file = folder_ / "some.csv";
        return write(all, request) ? testing::file_content(request.file) : "nothing";
    };
    EXPECT_EQ(content({.workload = "w"}), "workload,machine,space,tile,time_ms,std_ms,n_rep,status\n"
                                          "w,A,gemm,1,1,,,ok\nw,B,gemm,1,2,,,ok\n");
    EXPECT_EQ(content({.workload = "v", .machine = "A"}),
              "workload,machine,space,tile,time_ms,std_ms,n_rep,status\nv,A,gemm,2,3,,,ok\n");
    EXPECT_EQ(content({.space = "conv"}),
              "workload,machine,space,unroll,time_ms,std_ms,n_rep,status\nc,A,conv,1,4,,,ok\n");
    EXPECT_EQ(content({}).substr(0, 59), "workload,machine,space,tile,unroll,time_ms,std_ms,n_rep,sta");
}

TEST_F(RecordExportTest, WritesT4AsItsSchemaSays) {
    Workspace all = workspace("all.sparsight");
    import(all, exported_examples / "kernel_tuner.json");
    const auto report = write(all, {.file = folder_ / "t4.json"}).value();
    EXPECT_EQ(report.measurements, 4);
    EXPECT_EQ(report.failed_runs, 2);
    EXPECT_EQ(report.workloads, 1);
    EXPECT_EQ(report.machines, 1);
    const auto json = nlohmann::json::parse(testing::file_content(folder_ / "t4.json"));
    EXPECT_EQ(json["schema_version"], "1.0.0");
    ASSERT_EQ(json["results"].size(), 4U);
    const auto& first = json["results"][0];
    EXPECT_EQ(first["configuration"],
              nlohmann::json::parse(R"({"block_size_x": 16, "layout": "rows", "padding": true, "tile": 1})"));
    EXPECT_EQ(first["invalidity"], "correct");
    EXPECT_EQ(first["correctness"], 1);
    EXPECT_EQ(first["objectives"], nlohmann::json::array({"time"}));
    EXPECT_EQ(first["measurements"][0],
              nlohmann::json::parse(R"({"name": "time", "unit": "ms", "value": 2.0})"));
    EXPECT_EQ(first["metadata"]["machine"], "Example GPU 9000");
    EXPECT_EQ(json["results"][1]["invalidity"], "compile");
    EXPECT_EQ(json["results"][1]["error"], "CompilationFailedConfig");
}

TEST_F(RecordExportTest, LeavesTheFileAsItIsWhereItCannotWriteAnother) {
    Workspace all = workspace("all.sparsight");
    const auto file = write_file(folder_ / "export.csv", "before");
    EXPECT_THAT(write(all, {.file = file, .workload = "w"}).error().message,
                HasSubstr("the workspace has no such tuning record of w"));
    import(all, write_file(folder_ / "t.json", R"({"metadata": {"machine": "A"}, "results": [
        {"configuration": {"run": 1}, "times": {"runtimes": [4]}, "invalidity": "correct"}]})"));
    EXPECT_THAT(write(all, {.file = file}).error().message,
                HasSubstr("the decision run cannot be a column of a table"));
    EXPECT_EQ(testing::file_content(file), "before");
    EXPECT_TRUE(write(all, {.file = folder_ / "export.json"}));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped =
        export_records(all, {.file = file, .format = RecordFileFormat::T4}, {}, stop.get_token());
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_EQ(testing::file_content(file), "before");
}

TEST_F(RecordExportTest, KnowsTheFormatBySuffix) {
    EXPECT_EQ(export_format_of("a.csv"), RecordFileFormat::Table);
    EXPECT_EQ(export_format_of("b/a.json"), RecordFileFormat::T4);
    EXPECT_FALSE(export_format_of("a.txt"));
}

TEST_F(RecordExportTest, GivesAPublishedTableBack) {
    SPARSIGHT_NEEDS_SHARED("tuning/bert_autotvm.csv.xz");
    Workspace all = workspace("all.sparsight");
    import(all, shared_path("tuning/bert_autotvm.csv.xz"));
    expect_round_trip(all);
}

} // namespace
} // namespace sparsight
