// Records: their texts, their space, the reading of tables, and the times to look up. The tables of others
// that lie beside the checkout are read as they are.
#include "domains/records/records.h"

#include "support/test_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::shared_path;
using ::testing::SizeIs;

constexpr std::string_view small_table = "workload,machine,run,tile,unroll,kind,time_ms,std_ms,n_rep,status\n"
                                         "gemm,A,one,16,0,x,4,0.5,7,ok\n"
                                         "gemm,A,one,2,0,x,3,,,ok\n"
                                         "gemm,A,one,8,1,y,2,,,ok\n"
                                         "gemm,A,one,8,0,x,,,0,compile error\n"
                                         "gemm,A,two,8.0,1,y,5,,,ok\n"
                                         "gemm,B,one,2,0,x,7,,,ok\n"
                                         "conv,A,one,16,1,y,9,,,ok\n";
const RecordPlace a_one{"A", "one"};

RecordTimes only(Result<RecordReader> reader) {
    auto all = read_record_times(reader.value()).value();
    EXPECT_THAT(all, SizeIs(1));
    return std::move(all.front());
}
RecordTimes small_times() {
    return only(RecordReader::of_text("small.csv", small_table));
}
Configuration configuration(const RecordTimes& times, std::string_view text) {
    return times.table()->parse(text).value().configuration;
}
std::vector<std::string> texts(const RecordTimes& times, std::span<const Configuration> configurations) {
    std::vector<std::string> texts;
    for (const Configuration& each : configurations)
        texts.push_back(times.table()->text(each, 1));
    return texts;
}

TEST(RecordText, IsWrittenInOneWayOnly) {
    const auto canonical = [](std::string_view text) {
        return decisions_to_text(parse_decisions(text).value());
    };
    EXPECT_EQ(canonical(" unroll=1  tile_y=04 tile_x=8.0 "), "tile_x=8 tile_y=4 unroll=1");
    EXPECT_EQ(canonical("a=-1x16 b=0x10 c=-0 d=1e3 e=.5"), "a=-1x16 b=0x10 c=0 d=1000 e=0.5");
    EXPECT_EQ(canonical("a=12345678901234567890.5"), "a=12345678901234567890.5") << "a double keeps less";
    EXPECT_EQ(canonical(R"(a="two words" b="a ""b"" = c" c=plain)"),
              R"(a="two words" b="a ""b"" = c" c=plain)");
    const std::string odd = decisions_to_text({{"config", R"([["tile", "sp"]])"}, {"b", "7"}});
    EXPECT_EQ(canonical(odd), odd);
}

TEST(RecordText, SaysWhatIsWrong) {
    const auto message = [](std::string_view text) { return parse_decisions(text).error().message; };
    EXPECT_EQ(message(" "), "there is no decision, expected decisions such as tile_x=8 unroll=1");
    EXPECT_EQ(message("a=1 b"), "'b' is no decision, expected decisions such as tile_x=8 unroll=1");
    EXPECT_EQ(message("a= b=1"), "the decision a has no value, expected decisions such as tile_x=8 unroll=1");
    EXPECT_EQ(message("a=\"x"), "the decision a has no value, expected decisions such as tile_x=8 unroll=1");
    EXPECT_EQ(message("a=1 a=2"), "the decision a occurs twice");
}

TEST(DecisionTable, OrdersNumbersByTheirValueAndOthersByText) {
    const auto table =
        DecisionTable::of_texts(std::vector<std::string>{"tile=16 kind=10x", "tile=2 kind=9x", "tile=8"})
            .value();
    ASSERT_THAT(table->table(), SizeIs(2));
    EXPECT_EQ(table->table()[0], (RecordDecision{"kind", {"10x", "9x"}, false, true}));
    EXPECT_EQ(table->table()[1], (RecordDecision{"tile", {"2", "8", "16"}, true, false}));
    EXPECT_LT(table->parse("kind=9x tile=2").value().configuration,
              table->parse("kind=9x tile=16").value().configuration);
}

TEST(DecisionTable, WritesWhatItParses) {
    const auto table = DecisionTable::of_texts(std::vector<std::string>{"a=1 b=x", "a=2"}).value();
    for (const std::string_view text : {"a=1 b=x", "a=2 b=x", "a=1", "a=2"}) {
        const auto parsed = table->parse(text).value();
        EXPECT_EQ(table->text(parsed.configuration, 1), text);
        EXPECT_EQ(parsed.threads, 1);
    }
    EXPECT_THAT(table->values(table->parse("a=2").value().configuration), ElementsAre("2", ""));
    EXPECT_EQ(table->parse("a=3").error().message, "the decision a has no value '3', expected one of: 1, 2");
    EXPECT_EQ(table->parse("c=3").error().message, "there is no decision c, expected one of: a, b");
    EXPECT_EQ(table->parse("b=x").error().message, "the decision a is missing, expected one of: 1, 2");
}

TEST(DecisionTable, PacksDecisionsWithManyValues) {
    std::vector<std::string> texts;
    for (int i = 0; i < 1000; ++i)
        texts.push_back(fmt::format("a={} b={}", i, i % 255));
    const auto table = DecisionTable::of_texts(texts).value();
    std::set<Configuration> packed;
    for (const std::string& text : texts) {
        const Configuration each = table->parse(text).value().configuration;
        EXPECT_THAT(each.bytes(), SizeIs(3));
        EXPECT_TRUE(packed.empty() || *packed.rbegin() < each);
        EXPECT_EQ(table->text(each, 1), text);
        packed.insert(each);
    }
    EXPECT_THAT(packed, SizeIs(1000));
}

std::vector<std::string> decisions_of(std::string_view text, const RecordTableOptions& options = {}) {
    const auto reader = RecordReader::of_text("t.csv", text, options).value();
    return {reader.decisions().begin(), reader.decisions().end()};
}

TEST(RecordReader, FindsTheDecisionsBetweenTheKnownColumnsAndTheTime) {
    EXPECT_THAT(decisions_of(small_table), ElementsAre("tile", "unroll", "kind"));
    EXPECT_THAT(decisions_of("wid,machine,solver,time_ms\n"), ElementsAre("solver"));
    EXPECT_THAT(
        decisions_of(
            "task_id,machine,backend,template,args_json,config_json,time_ms,status,heldout_because\n"),
        ElementsAre("config_json"));
    EXPECT_THAT(decisions_of(small_table, {.decisions = {"kind", "tile"}}), ElementsAre("kind", "tile"));
}

TEST(RecordReader, RefusesATableThatItCannotUnderstand) {
    const auto message = [](std::string_view text, const RecordTableOptions& options = {}) {
        return RecordReader::of_text("t.csv", text, options).error().text();
    };
    EXPECT_THAT(message("workload,machine,a\n"), HasSubstr("t.csv:1: there is no column time_ms"));
    EXPECT_THAT(message("machine,a,time_ms\n"), HasSubstr("expected one of: workload, wid, task_id"));
    EXPECT_THAT(message("workload,a,time_ms\n"), HasSubstr("there is no column machine"));
    EXPECT_THAT(message("workload,machine,time_ms,a\n"),
                HasSubstr("no column before time_ms holds a decision"));
    EXPECT_THAT(message("workload,machine,a b,time_ms\n"),
                HasSubstr("the column \"a b\" cannot be a decision"));
    EXPECT_THAT(message(small_table, {.decisions = {"tyle"}}), HasSubstr("there is no column \"tyle\""));
    EXPECT_THAT(message(small_table, {.decisions = {"tile", "tile"}}), HasSubstr("tile is named twice"));
}

TEST(RecordReader, ReadsALineWithItsConditionsAndItsFailure) {
    auto reader = RecordReader::of_text("small.csv", small_table).value();
    RecordRow row;
    ASSERT_TRUE(reader.next(row).value());
    EXPECT_EQ(row.workload, "gemm");
    EXPECT_EQ(row.machine, "A");
    EXPECT_EQ(row.run, "one");
    EXPECT_THAT(row.values, ElementsAre("16", "0", "x"));
    EXPECT_EQ(row.median, Milliseconds(4));
    EXPECT_EQ(row.spread, Milliseconds(0.5));
    EXPECT_EQ(row.repeats, 7);
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(reader.next(row).value());
    EXPECT_EQ(row.line, 5);
    EXPECT_EQ(row.status, MeasurementStatus::Failed);
    EXPECT_EQ(measurement_of(row).reason, "compile error");
}

TEST(RecordReader, NamesTheDefectOfALineAndReadsTheOthers) {
    auto reader = RecordReader::of_text("t.csv", "workload,machine,a,b,time_ms,n_rep,status\n"
                                                 "w,m,1,1,2,1\n"
                                                 "w,m,1,1,abc,1,ok\n"
                                                 "w,m,1,1,,1,ok\n"
                                                 ",m,1,1,2,1,ok\n"
                                                 "w,,1,1,2,1,ok\n"
                                                 "w,m,,,2,1,ok\n"
                                                 "w,m,1,1,2,many,ok\n"
                                                 "w,m,1,,2,,OK\n"
                                                 "w,m,2,,inf,,ok\n")
                      .value();
    RecordRow row;
    ASSERT_TRUE(reader.next(row).value());
    EXPECT_EQ(row.line, 9);
    EXPECT_THAT(row.values, ElementsAre("1", ""));
    ASSERT_TRUE(reader.next(row).value());
    EXPECT_EQ(row.status, MeasurementStatus::Failed);
    EXPECT_EQ(row.reason, "recorded as a run that failed (inf)");
    EXPECT_FALSE(reader.next(row).value());
    EXPECT_EQ(reader.problems().count, 7);
    std::vector<std::string> messages;
    for (const Error& problem : reader.problems().first)
        messages.push_back(problem.text());
    EXPECT_THAT(
        messages,
        ElementsAre(
            "t.csv:2: there are 6 fields, expected 7 as in the first line",
            "t.csv:3: column time_ms: found \"abc\", expected milliseconds above 0, or another status than "
            "ok",
            "t.csv:4: column time_ms: found \"\", expected milliseconds above 0, or another status than ok",
            "t.csv:5: column workload: found \"\", expected the name of a workload",
            "t.csv:6: column machine: found \"\", expected the name of a machine",
            "t.csv:7: column a: found \"\", expected a value, because all decisions of the line are empty",
            "t.csv:8: column n_rep: found \"many\", expected a whole number of repeats, or nothing"));
}

TEST(RecordReader, KeepsTheFirstOfManyProblems) {
    std::string text = "workload,machine,a,time_ms\n";
    for (int i = 0; i < 3000; ++i)
        text += "w,m,1,x\n";
    auto reader = RecordReader::of_text("t.csv", text).value();
    RecordRow row;
    EXPECT_FALSE(reader.next(row).value());
    EXPECT_EQ(reader.problems().count, 3000);
    EXPECT_THAT(reader.problems().first, SizeIs(RecordProblems::most_kept));
}

TEST(FactSheet, JoinsFactsOfWorkloadsAndMachines) {
    const auto of = [](std::string_view text) {
        return FactSheet::read(CsvTable::of_text("sheet.csv", text).value()).value();
    };
    const FactSheet machines = of("machine,arch,cores\nA,Turing,72\nB,,\nA,again,1\n");
    using Fact = FactSheet::Fact;
    EXPECT_THAT(machines.find("A").value(), ElementsAre(Fact{"arch", "Turing"}, Fact{"cores", "72"}));
    EXPECT_THAT(machines.find("B").value(), IsEmpty());
    EXPECT_EQ(machines.find("C"), std::nullopt);
    EXPECT_EQ(machines.problems().count, 1);
    EXPECT_THAT(of("wid,in_c\n0,64\n").find("miopen_conv:0").value(), ElementsAre(Fact{"in_c", "64"}));
    EXPECT_THAT(FactSheet::read(CsvTable::of_text("s.csv", "a,b\n").value()).error().text(),
                HasSubstr("s.csv:1: no column names what the lines describe"));
}

TEST(RecordTimes, AreLookedUpByWorkloadPlaceAndConfiguration) {
    const RecordTimes times = small_times();
    EXPECT_EQ(times.setting(), (Setting{"records", "small"}));
    EXPECT_EQ(times.size(), 7U);
    EXPECT_THAT(times.workloads(), ElementsAre("gemm", "conv"));
    const Configuration tile8 = configuration(times, "tile=8 unroll=1 kind=y");
    EXPECT_EQ(times.find("gemm", a_one, tile8).value().median, Milliseconds(2));
    EXPECT_EQ(times.find("gemm", {"A", "two"}, tile8).value().median, Milliseconds(5))
        << "another installation";
    EXPECT_FALSE(times.find("gemm", {"B", "one"}, tile8)) << "not in the table";
    EXPECT_FALSE(times.find("gemm", {"B", "two"}, tile8));
    EXPECT_FALSE(times.find("none", a_one, tile8));
    const auto failed = times.find("gemm", a_one, configuration(times, "tile=8 unroll=0 kind=x")).value();
    EXPECT_EQ(failed.status, MeasurementStatus::Failed);
    EXPECT_EQ(failed.reason, "compile error");
}

TEST(RecordTimes, KnowTheBestOfAWorkloadOnAMachine) {
    const RecordTimes times = small_times();
    const auto best = times.best("gemm", a_one).value();
    EXPECT_EQ(best.time, Milliseconds(2));
    EXPECT_EQ(times.table()->text(best.configuration, 1), "kind=y tile=8 unroll=1");
    EXPECT_EQ(times.best("gemm", {"B", "one"}).value().time, Milliseconds(7));
    EXPECT_FALSE(times.best("conv", {"B", "one"}));
}

TEST(RecordTimes, KeepTheFastestOfRepeatedLines) {
    const RecordTimes times =
        only(RecordReader::of_text("t.csv", "workload,machine,a,time_ms,status\n"
                                            "w,m,1,5,ok\nw,m,1.0,4,ok\nw,m,1,,broken\n"));
    EXPECT_EQ(times.size(), 1U);
    EXPECT_EQ(times.repeated(), 2);
    EXPECT_EQ(times.find("w", {"m", ""}, configuration(times, "a=1")).value().median, Milliseconds(4));
}

TEST(RecordTimes, AreApartForEachTemplate) {
    auto reader = RecordReader::of_text("t.csv", "workload,machine,template,a,b,time_ms\n"
                                                 "w,m,pack,1,2,5\nw,m,plain,1,,4\nw,m,pack,3,2,4\n")
                      .value();
    const auto all = read_record_times(reader).value();
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].setting().text, "t/pack");
    EXPECT_THAT(texts(all[0], all[0].configurations()), ElementsAre("a=1 b=2", "a=3 b=2"));
    EXPECT_EQ(all[1].setting().text, "t/plain");
    EXPECT_THAT(texts(all[1], all[1].configurations()), ElementsAre("a=1")) << "without the decision b";
}

TEST(RecordTimes, StopWhenTheyAreAsked) {
    std::string text = "workload,machine,a,time_ms\n";
    for (int i = 0; i < 60'000; ++i)
        text += fmt::format("w{},m,1,1\n", i);
    auto reader = RecordReader::of_text("t.csv", text).value();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(read_record_times(reader, stop.get_token()).error().fault, Fault::Cancelled);
}

TEST(RecordSpace, HoldsWhatIsRecordedOfAWorkload) {
    const RecordTimes times = small_times();
    const RecordSpace space = times.space("gemm");
    EXPECT_EQ(space.size(), 4U);
    EXPECT_THAT(texts(times, space.configurations()),
                ElementsAre("kind=x tile=2 unroll=0", "kind=x tile=8 unroll=0", "kind=x tile=16 unroll=0",
                            "kind=y tile=8 unroll=1"));
    EXPECT_FALSE(space.baseline());
    EXPECT_EQ(times.space("none").size(), 0U);
    EXPECT_EQ(space.check(configuration(times, "tile=16 unroll=1 kind=y")).error().message,
              "the table has no configuration kind=y tile=16 unroll=1");
    EXPECT_EQ(space.check(Configuration()).error().message,
              "what was to be chosen is no configuration of this table");
}

TEST(RecordSpace, DrawsDifferentConfigurationsUniformly) {
    const RecordTimes times = small_times();
    const RecordSpace space = times.space("gemm");
    Random random(3);
    std::map<Configuration, int> drawn;
    for (int i = 0; i < 4000; ++i) {
        const auto two = space.sample(2, random);
        ASSERT_THAT(two, SizeIs(2));
        EXPECT_NE(two[0], two[1]);
        for (const Configuration& each : two)
            ++drawn[each];
    }
    EXPECT_THAT(drawn, SizeIs(4));
    for (const auto& [each, count] : drawn)
        EXPECT_NEAR(count, 2000, 150);
    EXPECT_THAT(space.sample(100, random), SizeIs(4));
    EXPECT_THAT(times.space("none").sample(3, random), IsEmpty());
}

TEST(RecordSpace, StepsAndMixesWithinTheTable) {
    const RecordTimes times = small_times();
    const RecordSpace space = times.space("gemm");
    Random random(3);
    std::set<std::string> near;
    for (int i = 0; i < 50; ++i)
        near.insert(times.table()->text(
            space.neighbour(configuration(times, "tile=8 unroll=0 kind=x"), random).value(), 1));
    EXPECT_THAT(near, ElementsAre("kind=x tile=16 unroll=0", "kind=x tile=2 unroll=0"));
    const Configuration lonely = configuration(times, "tile=8 unroll=1 kind=y");
    EXPECT_FALSE(space.neighbour(lonely, random)) << "all others differ in two decisions";
    int absent = 0;
    for (int i = 0; i < 200; ++i) {
        const auto child = space.mixture(lonely, configuration(times, "tile=2 unroll=0 kind=x"), random);
        absent += child ? 0 : 1;
        EXPECT_TRUE(!child || space.check(*child));
    }
    EXPECT_GT(absent, 50);
    EXPECT_LT(absent, 150);
}

TEST(RecordSpace, MeasuresHowManyDecisionsDiffer) {
    const RecordTimes times = small_times();
    const std::vector<Configuration> some{configuration(times, "tile=2 unroll=0 kind=x"),
                                          configuration(times, "tile=8 unroll=0 kind=x"),
                                          configuration(times, "tile=8 unroll=1 kind=y")};
    EXPECT_THAT(times.space("gemm").distances(some), ElementsAre(0, 0.5, 2.5, 0.5, 0, 2, 2.5, 2, 0));
}

TEST(RecordsDomain, MakesASpaceOfWhatIsRecorded) {
    const auto records = make_records_domain();
    const Setting setting = records->setting_of({{"space", "gemm"}}).value();
    EXPECT_EQ(setting, (Setting{"records", "gemm"}));
    EXPECT_EQ(records->parse_setting(" bert/dense pack ").value().text, "bert/dense pack");
    EXPECT_FALSE(records->setting_of({}));
    EXPECT_THAT(records->setting_of({{"dense", "3"}}).error().message, HasSubstr("expected space"));
    const auto made = records->space({.setting = setting, .recorded = {"a=1 b=2", "a=2 b=1"}}).value();
    EXPECT_FALSE(made.space->baseline());
    const auto parsed = made.codec->parse("b=1 a=2").value();
    EXPECT_TRUE(made.space->check(parsed.configuration));
    EXPECT_FALSE(made.space->check(made.codec->parse("b=1 a=1").value().configuration));
    const auto narrow =
        records->space({.setting = setting, .recorded = {"a=1 b=2", "a=2 b=1"}, .available = {"a=2 b=1"}})
            .value();
    Random random(1);
    EXPECT_THAT(narrow.space->sample(9, random), ElementsAre(parsed.configuration)) << "packed alike";
    EXPECT_THAT(records->space({.setting = setting}).error().message,
                HasSubstr("no time of gemm is recorded"));
    EXPECT_FALSE(records->space({.setting = {"sparse", "spmv"}, .recorded = {"a=1"}}));
}

TEST(RecordsDomain, WritesConfigurationsAsAWorkspaceKeepsThem) {
    const auto records = make_records_domain();
    const Setting setting = record_setting("bert", "pack");
    EXPECT_EQ(records->written(setting, " b=1 a=02").value(),
              (WrittenConfiguration{"records", "bert/pack", "b=1 a=02", "a=2 b=1", 1, false}));
    EXPECT_FALSE(records->written(setting, "4096"));
    EXPECT_EQ(records->members(setting).front(),
              (SettingMember{"space", "Space of configurations", std::string("bert/pack")}));
    EXPECT_EQ(records->family_key("conv_2x2_1"), "conv_2x2_1");
    EXPECT_THAT(records->statistics(), IsEmpty());
}

// Real tables.

#define NEEDS_TABLE(name) SPARSIGHT_NEEDS_SHARED("tuning/" name)

RecordReader shared_table(std::string_view name) {
    return RecordReader::open(shared_path("tuning") / name).value();
}

TEST(SharedRecords, HaveTheExhaustiveSpaceOfGemm) {
    NEEDS_TABLE("gemm4096.csv.xz");
    auto reader = shared_table("gemm4096.csv.xz");
    EXPECT_THAT(reader.decisions(),
                ElementsAre("MWG", "NWG", "MDIMC", "NDIMC", "MDIMA", "NDIMB", "VWM", "VWN", "SA", "SB"));
    const auto all = read_record_times(reader).value();
    ASSERT_THAT(all, SizeIs(1));
    const RecordTimes& gemm = all.front();
    EXPECT_EQ(reader.problems().count, 0);
    EXPECT_EQ(gemm.size(), 171'604U);
    EXPECT_EQ(gemm.repeated(), 0);
    EXPECT_EQ(gemm.space("gemm4096").size(), 17'956U);
    EXPECT_THAT(gemm.table()->table()[2].values, ElementsAre("16", "32", "64", "128"))
        << "MWG, behind MDIMA, MDIMC";
    // Two installations of one GPU.
    const auto one = gemm.best("gemm4096", {"Titan_RTX", "gbp2021"}).value();
    const auto other = gemm.best("gemm4096", {"Titan_RTX", "hub_bat"}).value();
    EXPECT_NE(one.time, other.time);
    EXPECT_NEAR(one.time / other.time, 1, 0.2);
    EXPECT_FALSE(gemm.best("gemm4096", {"Titan_RTX", ""}));

    const RecordSpace space = gemm.space("gemm4096");
    Random random(1);
    for (const Configuration& each : space.sample(50, random)) {
        const auto near = space.neighbour(each, random);
        ASSERT_TRUE(near);
        EXPECT_GT(space.distances(std::vector{each, *near})[1], 0);
        EXPECT_LE(space.distances(std::vector{each, *near})[1], 1);
        EXPECT_EQ(gemm.table()->parse(gemm.table()->text(each, 1)).value().configuration, each);
    }
}

TEST(SharedRecords, AreReadToTheLastLine) {
    struct Expected {
        std::string_view file;
        std::size_t times, configurations, decisions, places;
    };
    for (const Expected& of : {Expected{"conv15_2021.csv.xz", 34'656, 5776, 6, 6},
                               {"conv15_bat.csv.xz", 20'304, 6768, 6, 3},
                               {"conv15_milo.csv.xz", 17'448, 4362, 7, 4},
                               {"conv15_milo_small.csv.xz", 7326, 2442, 6, 3},
                               {"pnpoly_2021.csv.xz", 49'104, 8184, 5, 6},
                               {"nas_nb201_latency.csv.xz", 296'875, 15'625, 6, 0}}) {
        if (!std::filesystem::exists(shared_path("tuning") / of.file))
            GTEST_SKIP() << "no table " << of.file;
        auto reader = shared_table(of.file);
        const auto all = read_record_times(reader).value();
        ASSERT_THAT(all, SizeIs(1)) << of.file;
        EXPECT_EQ(reader.problems().count, 0) << of.file;
        EXPECT_EQ(all.front().size(), of.times) << of.file;
        EXPECT_EQ(all.front().configurations().size(), of.configurations) << of.file;
        EXPECT_THAT(reader.decisions(), SizeIs(of.decisions)) << of.file;
        if (of.places != 0) {
            EXPECT_THAT(all.front().places(), SizeIs(of.places)) << of.file;
        }
    }
}

TEST(SharedRecords, PartTheTemplatesOfBert) {
    NEEDS_TABLE("bert_autotvm.csv.xz");
    auto reader = shared_table("bert_autotvm.csv.xz");
    const auto all = read_record_times(reader).value();
    std::vector<std::string> settings;
    std::size_t times = 0;
    for (const RecordTimes& of : all) {
        settings.push_back(of.setting().text);
        times += of.size();
    }
    EXPECT_EQ(times, 5540U);
    EXPECT_THAT(settings, ::testing::Contains("bert_autotvm/dense_nopack.x86"));
    EXPECT_THAT(settings, ::testing::Contains("bert_autotvm/dense_pack.x86"));
}

TEST(SharedRecords, JoinWhatIsKnownOfAMillionConvolutions) {
    NEEDS_TABLE("miopen_conv.csv.xz");
    auto reader = shared_table("miopen_conv.csv.xz");
    EXPECT_THAT(reader.decisions(), ElementsAre("solver"));
    const RecordTimes times = std::move(read_record_times(reader).value().front());
    EXPECT_EQ(reader.problems().count, 0);
    EXPECT_EQ(times.size(), 1'394'661U);
    EXPECT_THAT(times.workloads(), SizeIs(77'401));
    EXPECT_THAT(times.configurations(), SizeIs(82));
    EXPECT_THAT(times.places(), SizeIs(6));
    EXPECT_EQ(times.best("miopen_conv:0", {"gfx900_56", ""}).value().time, Milliseconds(0.022223));

    const auto sheet =
        FactSheet::read(CsvTable::open(shared_path("tuning/miopen_conv_workloads.csv.xz")).value()).value();
    EXPECT_EQ(sheet.problems().count, 0);
    EXPECT_EQ(sheet.size(), 90'209U);
    for (const std::string& workload : times.workloads())
        ASSERT_TRUE(sheet.find(workload)) << workload;
    const auto machines = FactSheet::read(CsvTable::open(shared_path("tuning/machines.csv")).value()).value();
    EXPECT_EQ(machines.size(), 62U);
    for (const RecordPlace& place : times.places())
        EXPECT_TRUE(machines.find(place.machine)) << place.machine;
}

} // namespace
} // namespace sparsight
