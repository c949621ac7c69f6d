// Records: their texts, their space and the reading of tables. The tables of others that lie beside the
// checkout are read as they are.
#include "domains/records/records.h"

#include "base/text.h"
#include "domains/records/exchange/fact_sheet.h"
#include "domains/records/formats/record_table.h"
#include "domains/records/record_space.h"
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

std::shared_ptr<const RecordSpace> small_space() {
    return RecordSpace::of(std::vector<std::string>{"tile=16 unroll=0 kind=x", "tile=2 unroll=0 kind=x",
                                                    "tile=8 unroll=1 kind=y", "tile=8.0 kind=y unroll=1",
                                                    "tile=8 unroll=0 kind=x"})
        .value();
}
Configuration configuration(std::string_view text) {
    return parse_record(text).value();
}
std::vector<std::string> texts(std::span<const Configuration> configurations) {
    std::vector<std::string> texts;
    for (const Configuration& each : configurations)
        texts.push_back(record_text(each));
    return texts;
}

/// What a whole table names.
struct NamedByTable {
    std::set<std::string> workloads, places, configurations, variants;
    std::size_t times = 0;
};
NamedByTable read_all(RecordReader& reader) {
    NamedByTable named;
    RecordRow row;
    while (reader.next(row).value()) {
        DecisionValues values;
        for (std::size_t i = 0; i < row.values.size(); ++i)
            if (!row.values[i].empty())
                values.emplace_back(reader.decisions()[i], row.values[i]);
        named.workloads.emplace(row.workload);
        named.places.insert(fmt::format("{} {}", row.machine, row.run));
        named.configurations.insert(decisions_to_text(std::move(values)));
        named.variants.emplace(row.variant);
        ++named.times;
    }
    return named;
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
    const std::vector some{configuration("tile=16 kind=10x"), configuration("tile=2 kind=9x"),
                           configuration("tile=8")};
    const auto table = DecisionTable::of(some).value();
    ASSERT_THAT(table.decisions(), SizeIs(2));
    EXPECT_EQ(table.decisions()[0], (RecordDecision{"kind", {"10x", "9x"}, false, true}));
    EXPECT_EQ(table.decisions()[1], (RecordDecision{"tile", {"2", "8", "16"}, true, false}));
    EXPECT_THAT(table.places(some[0]).value(), ElementsAre(1, 3));
    EXPECT_THAT(table.places(some[2]).value(), ElementsAre(0, 2));
    EXPECT_EQ(table.at(std::vector<std::uint16_t>{0, 2}), some[2]);
    EXPECT_FALSE(table.places(configuration("tile=4")));
    EXPECT_FALSE(table.places(configuration("tile=8 unroll=1")));
}

TEST(DecisionTable, HoldsDecisionsWithManyValues) {
    std::vector<Configuration> many;
    for (int i = 0; i < 1000; ++i)
        many.push_back(configuration(fmt::format("a={} b={}", i, i % 255)));
    const auto table = DecisionTable::of(many).value();
    for (const Configuration& each : many)
        EXPECT_EQ(table.at(table.places(each).value()), each);
}

TEST(RecordCodec, WritesWhatItParses) {
    const RecordCodec codec;
    for (const std::string_view text : {"a=1 b=x", "a=2 b=\"two words\"", "a=1"}) {
        const auto parsed = codec.parse(text).value();
        EXPECT_EQ(codec.text(parsed.configuration, 8), text);
        EXPECT_EQ(parsed.threads, 1);
    }
    EXPECT_EQ(codec.parse("b=x a=08").value(), codec.parse("a=8 b=x").value());
    EXPECT_THAT(codec.decisions(configuration("b=\"two words\" a=2")),
                ElementsAre(DecisionValue{"a", "a", "2"}, DecisionValue{"b", "b", "two words"}));
    EXPECT_FALSE(codec.parse("3"));
}

std::vector<std::string> decisions_of(std::string_view text, const RecordOptions& options = {}) {
    const auto reader = RecordReader::of_text("t.csv", text, options).value();
    return {reader.decisions().begin(), reader.decisions().end()};
}

TEST(RecordCodec, VisitsTheDecisionsThatItLists) {
    const RecordCodec codec;
    for (const char* text : {"tile_x=8 layout=row unroll=0", "a=1", "b=\"two words\" a=\"x\"\"=\" c=3"}) {
        std::vector<DecisionValue> visited;
        codec.visit_decisions(configuration(text), [&](std::string_view key, std::string_view value) {
            visited.push_back({std::string(key), std::string(key), std::string(value)});
        });
        EXPECT_EQ(visited, codec.decisions(configuration(text))) << text;
    }
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
    const auto message = [](std::string_view text, const RecordOptions& options = {}) {
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
    EXPECT_THAT(message(small_table, {.decisions = {"time_ms"}}),
                HasSubstr("the column \"time_ms\" cannot be a decision"));
    EXPECT_THAT(RecordReader::of_text(".csv", small_table).error().text(),
                HasSubstr("the space has no name"));
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

TEST(RecordReader, TakesTheMachineAndTheSpaceFromTheOptions) {
    auto reader =
        RecordReader::of_text("t.csv", "task_id,a,time_ms\n7,1,2\n", {.space = "log", .machine = "M"})
            .value();
    RecordRow row;
    ASSERT_TRUE(reader.next(row).value());
    EXPECT_EQ(row.workload, "log:7");
    EXPECT_EQ(row.machine, "M");
    EXPECT_EQ(reader.space(), "log");
}

TEST(RecordReader, TakesOkInAnyCaseOfItsLetters) {
    auto reader = RecordReader::of_text("t.csv", "workload,machine,a,time_ms,status\nw,m,1,2,Ok\n").value();
    RecordRow row;
    ASSERT_TRUE(reader.next(row).value());
    EXPECT_EQ(row.status, MeasurementStatus::Measured);
    EXPECT_EQ(row.median.count(), 2);
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
    const auto of = [](std::string_view text, std::span<const std::string_view> keys) {
        return FactSheet::read(CsvTable::of_text("sheet.csv", text).value(), keys).value();
    };
    const FactSheet machines =
        of("machine,arch,cores\nA,Turing,72\nB,,\nA,again,1\n", FactSheet::machine_keys);
    using Fact = FactSheet::Fact;
    EXPECT_THAT(machines.find("A").value(), ElementsAre(Fact{"arch", "Turing"}, Fact{"cores", "72"}));
    EXPECT_THAT(machines.find("B").value(), IsEmpty());
    EXPECT_EQ(machines.find("C"), std::nullopt);
    EXPECT_EQ(machines.problems().count, 1);
    EXPECT_THAT(of("wid,in_c\n0,64\n", FactSheet::workload_keys).find("miopen_conv:0").value(),
                ElementsAre(Fact{"in_c", "64"}));
    EXPECT_THAT(
        FactSheet::read(CsvTable::of_text("s.csv", "a,b\n").value(), FactSheet::machine_keys).error().text(),
        HasSubstr("s.csv:1: no column names what the lines describe, expected machine"));
}

TEST(RecordSpace, HoldsWhatIsRecordedOfAWorkload) {
    const auto space = small_space();
    EXPECT_EQ(space->size(), 4U);
    EXPECT_THAT(texts(space->configurations()),
                ElementsAre("kind=x tile=16 unroll=0", "kind=x tile=2 unroll=0", "kind=x tile=8 unroll=0",
                            "kind=y tile=8 unroll=1"));
    EXPECT_FALSE(space->baseline());
    EXPECT_EQ(space->check(configuration("tile=16 unroll=1 kind=y")).error().message,
              "the table has no configuration kind=y tile=16 unroll=1");
}

TEST(RecordSpace, NamesTheDecisionThatIsWrongAndItsValues) {
    const auto space = small_space();
    const auto complaint = [&](std::string_view text) {
        return space->check(configuration(text)).error().message;
    };
    EXPECT_EQ(complaint("tile=7 unroll=1 kind=y"),
              "the decision tile has no value \"7\"; possible values: 2, 8, 16");
    EXPECT_EQ(complaint("tiles=8 unroll=1 kind=y"),
              "there is no decision \"tiles\"; known decisions: kind, tile, unroll");
    EXPECT_EQ(complaint("tile=8 kind=y"), "the decision unroll is missing; possible values: 0, 1");
}

TEST(RecordSpace, DrawsDifferentConfigurationsUniformly) {
    const auto space = small_space();
    Random random(3);
    std::map<Configuration, int> drawn;
    for (int i = 0; i < 4000; ++i) {
        const auto two = space->sample(2, random);
        ASSERT_THAT(two, SizeIs(2));
        EXPECT_NE(two[0], two[1]);
        for (const Configuration& each : two)
            ++drawn[each];
    }
    EXPECT_THAT(drawn, SizeIs(4));
    for (const auto& [each, count] : drawn)
        EXPECT_NEAR(count, 2000, 150);
    EXPECT_THAT(space->sample(100, random), SizeIs(4));
}

TEST(RecordSpace, StepsAndMixesWithinTheTable) {
    const auto space = small_space();
    Random random(3);
    std::set<std::string> near;
    for (int i = 0; i < 50; ++i)
        near.insert(record_text(space->neighbour(configuration("tile=8 unroll=0 kind=x"), random).value()));
    EXPECT_THAT(near, ElementsAre("kind=x tile=16 unroll=0", "kind=x tile=2 unroll=0"));
    const Configuration lonely = configuration("tile=8 unroll=1 kind=y");
    EXPECT_FALSE(space->neighbour(lonely, random)) << "all others differ in two decisions";
    int absent = 0;
    for (int i = 0; i < 200; ++i) {
        const auto child = space->mixture(lonely, configuration("tile=2 unroll=0 kind=x"), random);
        absent += child ? 0 : 1;
        EXPECT_TRUE(!child || space->check(*child));
    }
    EXPECT_GT(absent, 50);
    EXPECT_LT(absent, 150);
}

TEST(RecordSpace, MeasuresHowManyDecisionsDiffer) {
    const std::vector<Configuration> some{configuration("tile=2 unroll=0 kind=x"),
                                          configuration("tile=8 unroll=0 kind=x"),
                                          configuration("tile=8 unroll=1 kind=y")};
    EXPECT_THAT(small_space()->distances(some), ElementsAre(0, 0.5, 2.5, 0.5, 0, 2, 2.5, 2, 0));
}

TEST(RecordSpace, NamesTheDecisionsBetweenTwoConfigurations) {
    const auto space = small_space();
    const Configuration from = configuration("tile=2 unroll=0 kind=x");
    const Configuration to = configuration("tile=8 unroll=1 kind=y");
    const auto changes = space->changes(from, to);
    ASSERT_THAT(changes, SizeIs(3));
    EXPECT_EQ(changes[1], (DecisionChange{{1, "tile", "tile"}, "2", "8"}));
    const auto hybrids = space->between(from, to).value();
    EXPECT_EQ(hybrids->at(0).configuration, from);
    EXPECT_EQ(hybrids->at(hybrids->all()).configuration, to);
    EXPECT_EQ(hybrids->text(hybrids->at(2).configuration), "kind=x tile=8 unroll=0");
    EXPECT_EQ(hybrids->text(hybrids->at(1).configuration), "kind=y tile=2 unroll=0") << "not in the table";
    EXPECT_EQ(hybrids->value(1, to), "8");
    EXPECT_FALSE(space->between(from, configuration("tile=2 unroll=0 kind=y")));
}

TEST(RecordsDomain, MakesASpaceOfWhatIsRecorded) {
    const auto records = make_records_domain();
    const Setting setting = records->setting_of({{"space", "gemm"}}).value();
    EXPECT_EQ(setting, (Setting{"records", "gemm"}));
    EXPECT_EQ(records->parse_setting(" bert/dense pack ").value().text, "bert/dense pack");
    EXPECT_FALSE(records->setting_of({}));
    EXPECT_THAT(records->setting_of({{"dense", "3"}}).error().message, HasSubstr("expected space"));
    const auto space = records->space({.setting = setting, .recorded = {"a=1 b=2", "a=2 b=1"}}).value();
    const auto codec = records->codec(setting).value();
    EXPECT_FALSE(space->baseline());
    EXPECT_TRUE(space->check(codec->parse("b=1 a=2").value().configuration));
    EXPECT_FALSE(space->check(codec->parse("b=1 a=1").value().configuration));
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
    const NamedByTable gemm = read_all(reader);
    EXPECT_EQ(reader.problems().count, 0);
    EXPECT_EQ(gemm.times, 171'604U);
    EXPECT_THAT(gemm.workloads, ElementsAre("gemm4096"));
    EXPECT_THAT(gemm.configurations, SizeIs(17'956));
    EXPECT_THAT(gemm.places, ::testing::IsSupersetOf({"Titan_RTX gbp2021", "Titan_RTX hub_bat"}))
        << "two installations of one GPU";
    const auto space =
        RecordSpace::of(std::vector(gemm.configurations.begin(), gemm.configurations.end())).value();
    EXPECT_EQ(space->size(), 17'956U);
    EXPECT_THAT(space->table().decisions()[2].values, ElementsAre("16", "32", "64", "128"))
        << "MWG, behind MDIMA, MDIMC";
    Random random(1);
    for (const Configuration& each : space->sample(50, random)) {
        const auto near = space->neighbour(each, random);
        ASSERT_TRUE(near);
        EXPECT_GT(space->distances(std::vector{each, *near})[1], 0);
        EXPECT_LE(space->distances(std::vector{each, *near})[1], 1);
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
        const NamedByTable all = read_all(reader);
        EXPECT_THAT(all.variants, SizeIs(1)) << of.file;
        EXPECT_EQ(reader.problems().count, 0) << of.file;
        EXPECT_EQ(all.times, of.times) << of.file;
        EXPECT_EQ(all.configurations.size(), of.configurations) << of.file;
        EXPECT_THAT(reader.decisions(), SizeIs(of.decisions)) << of.file;
        if (of.places != 0) {
            EXPECT_THAT(all.places, SizeIs(of.places)) << of.file;
        }
    }
}

TEST(SharedRecords, PartTheTemplatesOfBert) {
    NEEDS_TABLE("bert_autotvm.csv.xz");
    auto reader = shared_table("bert_autotvm.csv.xz");
    const NamedByTable all = read_all(reader);
    EXPECT_EQ(all.times, 5540U);
    EXPECT_THAT(all.variants, ::testing::IsSupersetOf({"dense_nopack.x86", "dense_pack.x86"}));
    EXPECT_EQ(record_setting(reader.space(), "dense_pack.x86").text, "bert_autotvm/dense_pack.x86");
}

TEST(SharedRecords, JoinWhatIsKnownOfAMillionConvolutions) {
    NEEDS_TABLE("miopen_conv.csv.xz");
    auto reader = shared_table("miopen_conv.csv.xz");
    EXPECT_THAT(reader.decisions(), ElementsAre("solver"));
    const NamedByTable all = read_all(reader);
    EXPECT_EQ(reader.problems().count, 0);
    EXPECT_EQ(all.times, 1'394'661U);
    EXPECT_THAT(all.workloads, SizeIs(77'401));
    EXPECT_THAT(all.configurations, SizeIs(82));
    EXPECT_THAT(all.places, SizeIs(6));

    const auto sheet =
        FactSheet::read(CsvTable::open(shared_path("tuning/miopen_conv_workloads.csv.xz")).value(),
                        FactSheet::workload_keys)
            .value();
    EXPECT_EQ(sheet.problems().count, 0);
    EXPECT_EQ(sheet.size(), 90'209U);
    for (const std::string& workload : all.workloads)
        ASSERT_TRUE(sheet.find(workload)) << workload;
    const auto machines =
        FactSheet::read(CsvTable::open(shared_path("tuning/machines.csv")).value(), FactSheet::machine_keys)
            .value();
    EXPECT_EQ(machines.size(), 62U);
    for (const std::string& place : all.places)
        EXPECT_TRUE(machines.find(trimmed(place))) << place << ", whose run has no name";
}

} // namespace
} // namespace sparsight
