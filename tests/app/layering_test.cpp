// The shape of app/: in the window an include points down its layers only, and folders of one layer (the
// pages above all) do not know each other. No neutral file, and no neutral library, knows a domain.
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
    {"selection", "search", "about", "decisions"},
    {"tuners"},
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

/// The folders of core/domains: "sparse", "records".
std::vector<std::string> names_of_domains() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "core/domains"))
        if (entry.is_directory())
            names.push_back(entry.path().filename().string());
    return names;
}

/// Includes of a domain by a program of commands: main.cpp may have them, and the folder of that domain.
/// `path` is relative to the program's folder ("sparse/demo_command.cpp").
std::vector<std::string> domains_that_are_known(const std::string& path, const std::string& text,
                                                const std::vector<std::string>& domains) {
    std::vector<std::string> found;
    for (const auto& [line, header, is_quoted] : includes_of(text))
        for (const std::string& domain : domains) {
            const bool is_of_domain = header.starts_with(fmt::format("domains/{}/", domain)) ||
                                      header.starts_with(fmt::format("cli/{}/", domain)) ||
                                      header.starts_with(fmt::format("learn/{}/", domain));
            if (is_of_domain && path != "main.cpp" && first_folder(path) != domain)
                found.push_back(fmt::format("{}:{}: {} is of a domain", path, line, header));
        }
    return found;
}

TEST(CommandLayering, OnlyMainAndTheFolderOfADomainKnowIt) {
    const std::vector<std::string> domains = names_of_domains();
    EXPECT_GT(domains.size(), 1U);
    for (const char* const program : {"command", "cli", "learn"}) {
        std::vector<std::string> found;
        for (const auto& [path, text] : source_files(app / program))
            std::ranges::move(domains_that_are_known(path, text, domains), std::back_inserter(found));
        EXPECT_THAT(found, IsEmpty()) << "app/" << program;
    }
}

TEST(CommandLayeringChecker, FindsADomainWhereItMustNotBeKnown) {
    const std::vector<std::string> domains{"sparse", "records"};
    const std::string sparse = "#include \"domains/sparse/sparse_domain.h\"\n"
                               "#include \"cli/sparse/sparse_commands.h\"\n";
    EXPECT_THAT(domains_that_are_known("import_command.cpp", sparse, domains),
                ElementsAre("import_command.cpp:1: domains/sparse/sparse_domain.h is of a domain",
                            "import_command.cpp:2: cli/sparse/sparse_commands.h is of a domain"));
    EXPECT_EQ(domains_that_are_known("records/record_import_command.cpp", sparse, domains).size(), 2U);
    EXPECT_THAT(domains_that_are_known("sparse/sparse_commands.cpp", sparse, domains), IsEmpty());
    EXPECT_THAT(domains_that_are_known("main.cpp", sparse, domains), IsEmpty());
}

/// A library of CMake, or what one is linked with. `file` is relative to the source folder.
struct LibraryCall {
    std::string file;
    bool is_definition = false;
    std::string target;
    std::vector<std::string> libraries; ///< with their whole names
};

std::vector<LibraryCall> library_calls(const std::string& file, const std::string& text) {
    static const std::regex comment("#[^\n]*");
    static const std::regex call(
        R"((sparsight_add_library|add_library|target_link_libraries)\s*\(([^)]*)\))");
    static const std::regex word(R"(\S+)");
    const std::string code = std::regex_replace(text, comment, "");
    const auto whole_name = [](const std::string& name) {
        return name.starts_with("sparsight") ? name : "sparsight_" + name;
    };
    std::vector<LibraryCall> calls;
    for (std::sregex_iterator at(code.begin(), code.end(), call), end; at != end; ++at) {
        const std::string words = (*at)[2];
        LibraryCall found{file, (*at)[1] != "target_link_libraries", {}, {}};
        for (std::sregex_iterator each(words.begin(), words.end(), word); each != end; ++each)
            found.target.empty() ? found.target = whole_name(each->str())
                                 : found.libraries.emplace_back(whole_name(each->str()));
        calls.push_back(std::move(found));
    }
    return calls;
}

/// Whether a folder is that of one domain: core/domains/sparse/tensor, app/cli/sparse.
bool is_of_domain(const std::string& file, const std::string& target) {
    return file.starts_with("core/domains/") || target.ends_with("_sparse") || target.ends_with("_records") ||
           target.ends_with("_blocks") || target.ends_with("_tensors");
}

/// Links of neutral libraries with libraries of a domain. Programs put both together; the window is one
/// library.
std::vector<std::string> links_to_domains(const std::vector<LibraryCall>& calls) {
    std::vector<std::string> domains;
    for (const LibraryCall& call : calls)
        if (call.is_definition && is_of_domain(call.file, call.target))
            domains.push_back(call.target);
    std::vector<std::string> found;
    for (const auto& [file, is_definition, target, libraries] : calls) {
        const bool is_program = target == "sparsight" || target.starts_with("sparsight-");
        if (is_of_domain(file, target) || is_program || target == "sparsight_gui")
            continue;
        for (const std::string& library : libraries)
            if (std::ranges::count(domains, library) > 0)
                found.push_back(fmt::format("{}: {} is linked with {}", file, target, library));
    }
    return found;
}

TEST(LibraryLayering, NeutralLibrariesAreNotLinkedWithThoseOfADomain) {
    const std::filesystem::path root = SPARSIGHT_SOURCE_DIR;
    std::vector<LibraryCall> calls;
    for (const char* const top : {"core", "app", "widgets"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top))
            if (entry.path().filename() == "CMakeLists.txt")
                std::ranges::move(library_calls(entry.path().lexically_relative(root).generic_string(),
                                                content_of(entry.path())),
                                  std::back_inserter(calls));
    EXPECT_GT(calls.size(), 30U) << "nothing was checked";
    EXPECT_THAT(links_to_domains(calls), IsEmpty());
}

TEST(LibraryLayeringChecker, FindsALibraryThatIsLinkedWithADomain) {
    auto calls = library_calls("core/domains/sparse/tensor/CMakeLists.txt",
                               "sparsight_add_library(tensor SOURCES pattern.cpp DEPENDS base)\n");
    std::ranges::move(library_calls("core/workflow/CMakeLists.txt",
                                    "# with tensor\nsparsight_add_library(workflow\n"
                                    "    SOURCES job.cpp\n    DEPENDS store tensor)\n"),
                      std::back_inserter(calls));
    std::ranges::move(library_calls("app/cli/CMakeLists.txt",
                                    "add_library(sparsight_cli_sparse STATIC a.cpp)\n"
                                    "target_link_libraries(sparsight_cli_sparse PUBLIC sparsight_tensor)\n"
                                    "target_link_libraries(sparsight-cli PRIVATE sparsight_cli_sparse)\n"
                                    "target_link_libraries(sparsight_cli PUBLIC sparsight_cli_sparse)\n"),
                      std::back_inserter(calls));
    EXPECT_THAT(
        links_to_domains(calls),
        ElementsAre("core/workflow/CMakeLists.txt: sparsight_workflow is linked with sparsight_tensor",
                    "app/cli/CMakeLists.txt: sparsight_cli is linked with sparsight_cli_sparse"));
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
