// The shape of core/: no Qt, and an include points down the list of folders only.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Bottom first: a folder may include itself and those before it.
constexpr std::array<std::string_view, 11> folders{"base",     "matrix", "schedule",   "kernel",
                                                   "machine",  "store",  "collection", "model",
                                                   "learning", "search", "evaluation"};

auto place(std::string_view folder) {
    return std::ranges::find(folders, folder);
}

std::string first_folder(std::string_view path) {
    const std::size_t slash = path.find('/');
    return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

/// What is wrong with one source file; `path` is relative to core/ ("matrix/pattern.h").
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    static const std::regex include_line(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    static const std::regex qt_header(R"((.*/)?Q[A-Za-z0-9]+|q[a-z0-9_]+\.h|Qt[A-Za-z0-9]*/.*)");
    std::vector<std::string> found;
    const std::string folder = first_folder(path);
    if (place(folder) == folders.end())
        found.push_back(fmt::format("{}: its folder is not in the list of core's folders", path));
    if (path.ends_with(".h") && text.find("#pragma once") == std::string::npos)
        found.push_back(fmt::format("{}: a header without #pragma once", path));

    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::smatch match;
        if (!std::regex_search(line, match, include_line))
            continue;
        const bool quoted = match[1] == "\"";
        const std::string header = match[2];
        const std::string target = first_folder(header);
        const auto complain = [&](std::string_view what) {
            found.push_back(fmt::format("{}:{}: {} {}", path, number, header, what));
        };
        if (std::regex_match(header, qt_header))
            complain("is Qt, which the engine does without");
        else if (place(target) != folders.end()) {
            if (place(target) > place(folder))
                complain("lies above this folder");
        } else if (quoted)
            complain("is not named by a folder of core/");
    }
    return found;
}

std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Layering, HoldsInEverySourceFileOfTheEngine) {
    const std::filesystem::path core = std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "core";
    int files = 0;
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(core)) {
        const std::string extension = entry.path().extension();
        if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp"))
            continue;
        ++files;
        std::ranges::move(
            violations(entry.path().lexically_relative(core).generic_string(), read(entry.path())),
            std::back_inserter(found));
    }
    EXPECT_GT(files, 10) << "nothing was checked in " << core;
    EXPECT_THAT(found, IsEmpty());
}

TEST(Layering, HoldsInTheBuildFilesOfTheEngine) {
    const std::filesystem::path core = std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "core";
    const std::string list = read(core / "CMakeLists.txt");
    ASSERT_THAT(list, HasSubstr("add_subdirectory(base)"));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(core)) {
        if (entry.path().filename() == "CMakeLists.txt") {
            EXPECT_EQ(read(entry.path()).find("Qt6"), std::string::npos) << entry.path();
        }
    }
}

// The checker itself: planted violations must be found, and nothing else.
TEST(LayeringChecker, AcceptsIncludesThatPointDown) {
    EXPECT_THAT(violations("kernel/loop_nest.cpp",
                           "#include \"kernel/loop_nest.h\"\n#include \"matrix/pattern.h\"\n"
                           "#include <vector>\n#include <fmt/format.h>\n#include <queue>\n"),
                IsEmpty());
    EXPECT_THAT(violations("evaluation/report.h", "#pragma once\n#include \"search/index.h\"\n"), IsEmpty());
}

TEST(LayeringChecker, FindsAnIncludeThatPointsUp) {
    EXPECT_THAT(violations("matrix/pattern.cpp", "\n  #  include \"kernel/packing.h\"\n"),
                ElementsAre("matrix/pattern.cpp:2: kernel/packing.h lies above this folder"));
    EXPECT_THAT(violations("base/error.cpp", "#include <matrix/pattern.h>"),
                ElementsAre("base/error.cpp:1: matrix/pattern.h lies above this folder"));
}

TEST(LayeringChecker, FindsQtHoweverItIsIncluded) {
    for (const char* header : {"<QString>", "\"QString\"", "<QtCore/qglobal.h>", "<QtCore/QObject>",
                               "<qstring.h>", "<x86_64-linux-gnu/qt6/QtCore/QString>", "<QtCharts>"})
        EXPECT_THAT(violations("model/network.cpp", fmt::format("#include {}\n", header)),
                    ElementsAre(HasSubstr("is Qt")))
            << header;
}

TEST(LayeringChecker, FindsIncludesThatAreNotNamedByAFolderOfTheEngine) {
    for (const char* header :
         {"pattern.h", "../kernel/packing.h", "widgets/density_colours.h", "app/cli/main.h"})
        EXPECT_THAT(violations("matrix/pattern.cpp", fmt::format("#include \"{}\"\n", header)),
                    ElementsAre(HasSubstr("is not named by a folder of core/")))
            << header;
}

TEST(LayeringChecker, FindsAHeaderWithoutPragmaOnce) {
    EXPECT_THAT(violations("base/error.h", "#ifndef ERROR_H\n"),
                ElementsAre("base/error.h: a header without #pragma once"));
}

TEST(LayeringChecker, FindsAFolderThatIsNotInTheList) {
    EXPECT_THAT(violations("utils/strings.cpp", ""),
                ElementsAre("utils/strings.cpp: its folder is not in the list of core's folders"));
    EXPECT_THAT(violations("main.cpp", ""), ElementsAre(HasSubstr("not in the list")));
}

} // namespace
} // namespace sparsight
