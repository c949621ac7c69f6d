// Data sheets of machines: what their files may say, what stays unknown, and the presets.
#include "machine/data_sheet.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

DataSheet parsed(std::string_view text) {
    auto sheet = parse_data_sheet(text, "gpu.toml");
    EXPECT_TRUE(sheet.has_value()) << (sheet ? "" : sheet.error().text());
    return sheet.value_or(DataSheet());
}

TEST(DataSheetTest, StatesFactsWithTheUnitsOfTheirKeys) {
    const DataSheet sheet = parsed("# a GPU\n"
                                   "name = \"A100\"\n"
                                   "vendor = NVIDIA   # the maker\n"
                                   "\n"
                                   "max_shared_memory_per_block = \"163KiB\"\n"
                                   "warp_size = 32\n"
                                   "boost_clock_mhz = 1410.5\n");
    EXPECT_EQ(sheet.name, "A100");
    EXPECT_EQ(facts_of(sheet).dump(), R"({"max_shared_memory_per_block":166912,"warp_size":32,)"
                                      R"("vendor":"NVIDIA","boost_clock_mhz":1410.5})");
}

TEST(DataSheetTest, LeavesOutWhatIsUnknown) {
    const DataSheet sheet = parsed("cores = 108\nl3_kb = unknown\n");
    EXPECT_EQ(facts_of(sheet).dump(), R"({"cores":108})") << "no zero takes the place of the L3 cache";
}

TEST(DataSheetTest, TakesTheNamesThatTablesHave) {
    EXPECT_EQ(parsed("num_cores = 24\ntype = CPU\n"), parsed("cores = 24\nkind = CPU\n"));
    EXPECT_EQ(field_of_column("cores_or_SM_or_CU", true), "cores");
    EXPECT_EQ(field_of_column("simd_or_warp_width", true), "warp_size");
    EXPECT_EQ(field_of_column("simd_or_warp_width", false), "") << "no warp of a processor";
    EXPECT_EQ(field_of_column("pins", true), "");
}

TEST(DataSheetTest, NamesFileLineAndUnitOfWhatIsWrong) {
    struct Case {
        std::string_view text;
        std::int64_t line;
        std::string_view says;
    };
    for (const Case& each : {
             Case{"cores = 82\nboost_clock_mhz = 1.4 GHz\n", 2,
                  "expected a number of MHz above 0, or unknown"},
             Case{"cores = 0\n", 1, "found \"0\", expected a whole number above 0"},
             Case{"cores = 1.5\n", 1, "expected a whole number above 0"},
             Case{"cores =\n", 1, "found \"\""},
             Case{"warp_size = -32\n", 1, "found \"-32\""},
             Case{"mem_bw_gbs = nan\n", 1, "a number of GB/s"},
             Case{"cache_line_bytes = many\n", 1, "a number of bytes above 0, such as 49152 or 48KiB"},
             Case{"kind = toaster\n", 1, "one of: CPU, GPU, mobile, FPGA, ASIC"},
             Case{"\n\ncore = 82\n", 3, "there is no field core, expected one of: "},
             Case{"cores = 82\nnum_sms = 3\n", 2, "there is no field num_sms"},
             Case{"cores = 82\ncores = 83\n", 2, "cores is stated in line 1 already"},
             Case{"cores = 82\nnum_cores = 83\n", 2, "cores is stated in line 1 already"},
             Case{"cores\n", 1, "found \"cores\", expected key = value"},
             Case{"[A100]\ncores = 82\n", 1, "has no sections"},
             Case{"name = A100\n", 0, "the sheet of A100 states no fact"},
             Case{"", 0, "the sheet states no fact"},
         }) {
        const auto sheet = parse_data_sheet(each.text, "gpu.toml");
        ASSERT_FALSE(sheet.has_value()) << each.text;
        EXPECT_EQ(sheet.error().file, "gpu.toml");
        EXPECT_EQ(sheet.error().line, each.line) << each.text;
        EXPECT_THAT(sheet.error().message, HasSubstr(each.says)) << each.text;
    }
}

TEST(DataSheetTest, AFileOfSeveralNamesEach) {
    const auto sheets = parse_data_sheets("[A]\ncores = 1\n[B]\ncores = 2\n", "all.toml");
    ASSERT_TRUE(sheets.has_value());
    ASSERT_EQ(sheets->size(), 2);
    EXPECT_EQ(sheets->back().name, "B");
    for (const std::string_view wrong :
         {"cores = 1\n", "[A]\ncores = 1\n[A]\ncores = 2\n", "[]\n", "[A\n", "[A]\n"})
        EXPECT_FALSE(parse_data_sheets(wrong, "all.toml").has_value()) << wrong;
}

TEST(DataSheetTest, PresetsAreWhatTheirFileSays) {
    std::ifstream stream(SPARSIGHT_SOURCE_DIR "/resources/machines/data-sheets.toml");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto sheets = parse_data_sheets(text, "data-sheets.toml");
    ASSERT_TRUE(sheets.has_value()) << sheets.error().text();
    EXPECT_EQ(data_sheet_presets(), *sheets);
    EXPECT_GE(sheets->size(), 60);
    const auto a100 = find_data_sheet_preset("a100");
    ASSERT_TRUE(a100.has_value());
    EXPECT_EQ(a100->numbers.at("cores"), 108);
    EXPECT_EQ(find_data_sheet_preset("a10"), std::nullopt) << "names are whole";
}

TEST(DataSheetTest, TheEightHardwareParametersAreAmongTheFields) {
    std::set<std::string_view> keys;
    std::ptrdiff_t parameters = 0;
    for (const DataSheetField& field : data_sheet_fields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_FALSE(field.title.empty() || field.meaning.empty()) << field.key;
        parameters += field.is_hardware_parameter ? 1 : 0;
    }
    EXPECT_EQ(parameters, 8);
}

} // namespace
} // namespace sparsight
