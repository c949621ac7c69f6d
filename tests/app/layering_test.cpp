// The shape of app/gui: an include points down its layers only, and folders of one layer (the pages above
// all) do not know each other.
#include "support/source_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {
namespace {

using testing::content_of;
using ::testing::ElementsAre;
using testing::first_folder;
using ::testing::HasSubstr;
using testing::includes_of;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::source_files;
using testing::SourceFile;

/// Bottom first. A folder may include itself and those of the layers before its own. What the window shows of
/// single domains lies above all else: main.cpp alone puts it together with the rest.
const std::vector<std::vector<std::string_view>> layers{
    {"program"},
    {"icons", "page", "settings"},
    {"workspace", "jobs"},
    {"runs"},
    {"selection", "search", "about"},
    {"workloads", "machines", "configurations", "train", "candidates", "results", "failures", "what_if",
     "help"},
    {"shell"},
    {"domains"},
};

auto layer_of(std::string_view folder) {
    return std::ranges::find_if(layers,
                                [&](const auto& layer) { return std::ranges::count(layer, folder) > 0; });
}

/// "sparse" of "domains/sparse/sparse_views.h", also where "gui/" stands before it.
std::optional<std::string> domain_of(const std::string& path) {
    static const std::regex parts("(?:gui/)?domains/([^/]+)/.*");
    std::smatch match;
    return std::regex_match(path, match, parts) ? std::optional(match[1].str()) : std::nullopt;
}

/// The number of a file's includes of a domain, which only main.cpp and views of that domain may have.
int known_domains(const std::string& path, const std::string& text) {
    if (path == "main.cpp" || domain_of(path))
        return 0;
    return static_cast<int>(std::ranges::count_if(
        includes_of(text), [](const auto& include) { return domain_of(include.header).has_value(); }));
}

/// What is wrong with one source file; `path` is relative to app/gui/ ("jobs/job.h"). main.cpp, which stands
/// in no folder, puts the program together and may include all.
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    std::vector<std::string> found;
    const std::string folder = first_folder(path);
    const bool is_main = path == "main.cpp";
    if (!is_main && layer_of(folder) == layers.end())
        found.push_back(fmt::format("{}: its folder is in none of the layers of app/gui", path));
    if (path.ends_with(".h") && text.find("#pragma once") == std::string::npos)
        found.push_back(fmt::format("{}: a header without #pragma once", path));
    for (const auto& [line, header, is_quoted] : includes_of(text)) {
        const auto complain = [&](std::string_view what) {
            found.push_back(fmt::format("{}:{}: {} {}", path, line, header, what));
        };
        const std::string top = first_folder(header);
        if (domain_of(path) && domain_of(header) && domain_of(path) != domain_of(header))
            complain("is of another domain");
        if (top == "cli" || top == "app" || header.starts_with(".")) {
            complain("is not named from gui/");
            continue;
        }
        if (top != "gui" || is_main)
            continue;
        const std::string target = first_folder(std::string_view(header).substr(top.size() + 1));
        if (target == "domains")
            continue; // known_domains() counts them
        if (layer_of(target) == layers.end())
            complain("is in none of the layers of app/gui");
        else if (layer_of(target) > layer_of(folder))
            complain("lies above this folder");
        else if (layer_of(target) == layer_of(folder) && target != folder)
            complain("is of a folder beside this one, which it must not know");
    }
    return found;
}

const std::filesystem::path app = std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "app";

TEST(WindowLayering, HoldsInEverySourceFileOfTheWindow) {
    const std::vector<SourceFile> files = source_files(app / "gui");
    EXPECT_GT(files.size(), 50) << "nothing was checked in " << app;
    std::vector<std::string> found;
    for (const auto& [path, text] : files)
        std::ranges::move(violations(path, text), std::back_inserter(found));
    EXPECT_THAT(found, IsEmpty());
}

TEST(WindowLayering, OnlyViewsOfADomainKnowIt) {
    for (const auto& [path, text] : source_files(app / "gui"))
        EXPECT_EQ(known_domains(path, text), 0) << path;
}

TEST(CommandLayering, WhatProgramsShareKnowsNoneOfThemAndTheyDoNotKnowEachOther) {
    const auto expect_none = [](std::string_view folder, std::initializer_list<std::string_view> others) {
        for (const auto& [path, text] : source_files(app / folder))
            for (const std::string_view other : others) {
                EXPECT_THAT(text, Not(HasSubstr(fmt::format("#include \"{}/", other)))) << path;
            }
    };
    expect_none("command", {"cli", "learn", "collection", "model", "learning", "search"});
    expect_none("cli", {"learn", "model", "learning", "search", "workflow/learning"});
    expect_none("learn", {"cli", "collection", "workflow/process", "workflow/import", "workflow/machines",
                          "workflow/evaluation", "workflow/explanation", "workflow/experiment"});
}

TEST(WindowLayering, WidgetsAndCommandsKnowNothingOfTheWindow) {
    for (const std::filesystem::path& folder : {app / "command", app / "cli", app / "learn",
                                                std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "widgets"})
        for (const auto& [path, text] : source_files(folder)) {
            EXPECT_THAT(text, Not(HasSubstr("#include \"gui/"))) << path;
        }
}

// The checker itself: planted violations must be found, and nothing else.
TEST(WindowLayeringChecker, AcceptsIncludesThatPointDown) {
    EXPECT_THAT(violations("configurations/configurations_page.cpp",
                           "#include \"gui/configurations/configurations_page.h\"\n"
                           "#include \"gui/jobs/job.h\"\n#include \"gui/page/page.h\"\n"
                           "#include \"study/domain.h\"\n#include \"widgets/chart/chart.h\"\n"
                           "#include <QWidget>\n"),
                IsEmpty());
    EXPECT_THAT(violations("domains/sparse/sparse_views.cpp",
                           "#include \"domains/sparse/tensor/pattern.h\"\n"
                           "#include \"gui/domains/sparse/matrices/matrices_page.h\"\n"
                           "#include \"gui/shell/application.h\"\n"),
                IsEmpty());
    EXPECT_THAT(violations("shell/application.h", "#pragma once\n#include \"gui/help/help_page.h\"\n"),
                IsEmpty());
    EXPECT_THAT(violations("main.cpp", "#include \"gui/shell/application.h\"\n"), IsEmpty());
}

TEST(WindowLayeringChecker, FindsAnIncludeThatPointsUp) {
    EXPECT_THAT(
        violations("machines/machines_page.cpp", "\n#include \"gui/shell/window_actions.h\"\n"),
        ElementsAre("machines/machines_page.cpp:2: gui/shell/window_actions.h lies above this folder"));
    EXPECT_THAT(violations("selection/selection_panel.cpp", "#include \"gui/results/result_view.h\"\n"),
                ElementsAre(HasSubstr("lies above this folder")));
}

TEST(WindowLayeringChecker, FindsPagesThatKnowEachOther) {
    EXPECT_THAT(
        violations("machines/machines_page.cpp", "#include \"gui/results/results_page.h\"\n"),
        ElementsAre("machines/machines_page.cpp:1: gui/results/results_page.h is of a folder beside this "
                    "one, which it must not know"));
}

TEST(WindowLayeringChecker, FindsADomainWhereItMustNotBeKnown) {
    const std::string sparse = "#include \"domains/sparse/tensor/pattern.h\"\n"
                               "#include \"gui/domains/sparse/sparse_views.h\"\n";
    EXPECT_EQ(known_domains("results/results_page.cpp", sparse), 2);
    EXPECT_EQ(known_domains("domains/sparse/sparse_views.cpp", sparse), 0);
    EXPECT_EQ(known_domains("main.cpp", sparse), 0);
    EXPECT_THAT(violations("domains/records/record_views.cpp", sparse),
                ElementsAre(HasSubstr("is of another domain"), HasSubstr("is of another domain")));
}

TEST(WindowLayeringChecker, FindsIncludesThatAreNotNamedFromTheirRoot) {
    for (const char* header : {"../jobs/job.h", "app/gui/jobs/job.h", "cli/command_line.h"})
        EXPECT_THAT(violations("shell/main_window.cpp", fmt::format("#include \"{}\"\n", header)),
                    ElementsAre(HasSubstr("is not named from gui/")))
            << header;
}

TEST(WindowLayeringChecker, FindsAFolderThatIsInNoLayer) {
    EXPECT_THAT(violations("utils/strings.cpp", ""),
                ElementsAre("utils/strings.cpp: its folder is in none of the layers of app/gui"));
    EXPECT_THAT(violations("strings.h", "#pragma once\n"), ElementsAre(HasSubstr("in none of the layers")));
    EXPECT_THAT(violations("jobs/job.cpp", "#include \"gui/program.h\"\n"),
                ElementsAre("jobs/job.cpp:1: gui/program.h is in none of the layers of app/gui"));
}

TEST(WindowLayeringChecker, FindsAHeaderWithoutPragmaOnce) {
    EXPECT_THAT(violations("jobs/job.h", ""), ElementsAre("jobs/job.h: a header without #pragma once"));
}

} // namespace
} // namespace sparsight
