// The shape of core/: no Qt, and an include points down the list of folders only.
#include "support/source_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <iterator>
#include <optional>
#include <regex>
#include <span>
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
using testing::source_files;
using testing::SourceFile;

/// Bottom first: a folder may include itself and those before it. Domains stand beside them: see below.
constexpr std::array<std::string_view, 12> folders{"base",   "study",      "machine",  "code_analysis",
                                                   "store",  "collection", "model",    "learning",
                                                   "search", "evaluation", "workflow", "domains"};

/// Likewise the folders of one domain. That without a name holds the domain itself, as the engine sees it.
constexpr std::array<std::string_view, 10> sparse_folders{"tensor",      "schedule",  "",      "storage",
                                                          "kernel",      "simulator", "clock", "encoder",
                                                          "explanation", "workflow"};
constexpr std::array<std::string_view, 3> records_folders{"", "formats", "exchange"};
constexpr std::array<std::string_view, 11> blocks_folders{"code",     "tables",      "models", "decoder",
                                                           "analyser", "simulator",   "",       "exchange",
                                                           "tuning",   "explanation", "study"};
/// What tensors of a higher order have in common with matrices.
constexpr std::array<std::string_view, 5> kernels_of_tensors{"tensor", "schedule", "storage", "kernel",
                                                             "clock"};
/// The folder of a domain in which it does what core/workflow does for all: it alone may include that.
constexpr std::string_view domain_workflow = "/workflow/";

auto place(std::string_view folder) {
    return std::ranges::find(folders, folder);
}

/// What a file of one domain may not include of the domains.
std::optional<std::string_view> domain_violation(const std::string& path, const std::string& header) {
    static const std::regex parts("domains/([^/]+)/(?:([^/]+)/)?[^/]+.*");
    std::smatch from;
    std::smatch to;
    if (!std::regex_match(path, from, parts) || !std::regex_match(header, to, parts))
        return std::nullopt;
    if (from[1] == "tensors" && to[1] == "sparse") // its schedules and kernels are the same
        return std::ranges::find(kernels_of_tensors, std::string(to[2])) == kernels_of_tensors.end()
                   ? std::optional("is of matrices alone")
                   : std::nullopt;
    if (from[1] != to[1])
        return "is of another domain";
    const std::span<const std::string_view> of_domain =
        from[1] == "records"  ? std::span<const std::string_view>(records_folders)
        : from[1] == "blocks" ? std::span<const std::string_view>(blocks_folders)
                              : sparse_folders;
    const auto place_of = [&](const std::string& folder) { return std::ranges::find(of_domain, folder); };
    return place_of(to[2]) > place_of(from[2]) ? std::optional("lies above this folder") : std::nullopt;
}

/// What is wrong with one source file; `path` is relative to core/ ("store/runs.h").
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    static const std::regex qt_header(R"((.*/)?Q[A-Za-z0-9]+|q[a-z0-9_]+\.h|Qt[A-Za-z0-9]*/.*)");
    std::vector<std::string> found;
    const std::string folder = first_folder(path);
    if (place(folder) == folders.end())
        found.push_back(fmt::format("{}: its folder is not in the list of core's folders", path));
    if (path.ends_with(".h") && text.find("#pragma once") == std::string::npos)
        found.push_back(fmt::format("{}: a header without #pragma once", path));

    for (const auto& [line, header, is_quoted] : includes_of(text)) {
        const std::string target = first_folder(header);
        const auto complain = [&](std::string_view what) {
            found.push_back(fmt::format("{}:{}: {} {}", path, line, header, what));
        };
        if (std::regex_match(header, qt_header))
            complain("is Qt, which the engine does without");
        else if (const auto wrong = domain_violation(path, header))
            complain(*wrong);
        else if (path.starts_with("domains/") && target == "workflow") {
            if (path.find("/workflow/") == std::string::npos)
                complain("lies above this folder");
        } else if (target == "domains") {
            if (folder != "domains")
                complain("is of a domain, which this folder must not know");
        } else if (place(target) != folders.end()) {
            if (place(target) > place(folder) ||
                (folder == "domains" && target == "workflow" && !path.contains(domain_workflow)))
                complain("lies above this folder");
        } else if (is_quoted)
            complain("is not named by a folder of core/");
    }
    return found;
}

const std::filesystem::path core = std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "core";

TEST(Layering, HoldsInEverySourceFileOfTheEngine) {
    const std::vector<SourceFile> files = source_files(core);
    EXPECT_GT(files.size(), 10) << "nothing was checked in " << core;
    std::vector<std::string> found;
    for (const auto& [path, text] : files)
        std::ranges::move(violations(path, text), std::back_inserter(found));
    EXPECT_THAT(found, IsEmpty());
}

/// No process loads LLVM and LibTorch together, so what a user does with the one knows nothing of the other.
TEST(Layering, WorkflowsWithKernelsAndWorkflowsWithLearningAreApart) {
    const auto expect_none = [](const std::string& text, const std::string& path, const auto& unknown) {
        for (const std::string_view folder : unknown) {
            EXPECT_EQ(text.find(fmt::format("#include \"{}/", folder)), std::string::npos)
                << path << " includes " << folder;
        }
    };
    for (const auto& [path, text] : source_files(core / "workflow")) {
        if (first_folder(path) == "learning")
            expect_none(text, path,
                        std::array<std::string_view, 7>{"collection", "workflow/process", "workflow/import",
                                                        "workflow/machines", "workflow/evaluation",
                                                        "workflow/explanation", "workflow/experiment"});
        else
            expect_none(text, path,
                        std::array<std::string_view, 4>{"model", "learning", "search", "workflow/learning"});
    }
}

TEST(Layering, WorkflowsOfADomainWithKernelsKnowNothingOfLearning) {
    for (const auto& [path, text] : source_files(core / "domains" / "sparse" / "workflow"))
        if (first_folder(path) != "learning")
            for (const char* const folder : {"model", "learning", "search", "workflow/learning",
                                             "domains/sparse/encoder", "domains/sparse/workflow/learning"}) {
                EXPECT_EQ(text.find(fmt::format("#include \"{}/", folder)), std::string::npos)
                    << path << " includes " << folder;
            }
}

TEST(Layering, HoldsInTheBuildFilesOfTheEngine) {
    const std::string list = content_of(core / "CMakeLists.txt");
    ASSERT_THAT(list, HasSubstr("add_subdirectory(base)"));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(core)) {
        if (entry.path().filename() == "CMakeLists.txt") {
            EXPECT_EQ(content_of(entry.path()).find("Qt6"), std::string::npos) << entry.path();
        }
    }
}

// The checker itself: planted violations must be found, and nothing else.
TEST(LayeringChecker, AcceptsIncludesThatPointDown) {
    EXPECT_THAT(
        violations("domains/sparse/kernel/lowering/loop_nest.cpp",
                   "#include \"domains/sparse/kernel/lowering/loop_nest.h\"\n"
                   "#include \"domains/sparse/tensor/pattern.h\"\n#include \"machine/machine_json.h\"\n"
                   "#include <vector>\n#include <fmt/format.h>\n#include <queue>\n"),
        IsEmpty());
    EXPECT_THAT(violations("evaluation/report.h", "#pragma once\n#include \"search/index.h\"\n"), IsEmpty());
}

TEST(LayeringChecker, FindsAnIncludeThatPointsUp) {
    EXPECT_THAT(violations("machine/probe/probe.cpp", "\n  #  include \"store/runs.h\"\n"),
                ElementsAre("machine/probe/probe.cpp:2: store/runs.h lies above this folder"));
    EXPECT_THAT(violations("base/error.cpp", "#include <machine/machine_json.h>"),
                ElementsAre("base/error.cpp:1: machine/machine_json.h lies above this folder"));
    EXPECT_THAT(
        violations("domains/sparse/tensor/pattern.cpp", "#include \"domains/sparse/kernel/packing.h\"\n"),
        ElementsAre(HasSubstr("lies above this folder")));
}

TEST(LayeringChecker, FindsADomainWhereNoneMayBeKnown) {
    EXPECT_THAT(violations("machine/machine_json.cpp", "#include \"domains/sparse/tensor/pattern.h\"\n"),
                ElementsAre(HasSubstr("is of a domain, which this folder must not know")));
    EXPECT_THAT(violations("domains/records/codec.cpp", "#include \"domains/sparse/tensor/pattern.h\"\n"),
                ElementsAre(HasSubstr("is of another domain")));
}

TEST(LayeringChecker, KnowsTheFoldersOfEveryDomain) {
    EXPECT_THAT(violations("domains/records/exchange/record_import.cpp",
                           "#include \"domains/records/formats/record_formats.h\"\n"
                           "#include \"domains/records/record_space.h\"\n"),
                IsEmpty());
    EXPECT_THAT(violations("domains/records/formats/record_table.cpp",
                           "#include \"domains/records/exchange/record_import.h\"\n"),
                ElementsAre(HasSubstr("lies above this folder")));
}

TEST(LayeringChecker, LetsOnlyTheWorkflowsOfADomainKnowThoseOfAnyDomain) {
    const char* const text = "#include \"workflow/process/learn_process.h\"\n";
    EXPECT_THAT(violations("domains/sparse/workflow/experiment/demo.cpp", text), IsEmpty());
    EXPECT_THAT(violations("domains/sparse/explanation/explanation.cpp", text),
                ElementsAre(HasSubstr("lies above this folder")));
}

TEST(LayeringChecker, FindsQtHoweverItIsIncluded) {
    for (const char* header : {"<QString>", "\"QString\"", "<QtCore/qglobal.h>", "<QtCore/QObject>",
                               "<qstring.h>", "<x86_64-linux-gnu/qt6/QtCore/QString>", "<QtCharts>"})
        EXPECT_THAT(violations("model/network.cpp", fmt::format("#include {}\n", header)),
                    ElementsAre(HasSubstr("is Qt")))
            << header;
}

TEST(LayeringChecker, FindsIncludesThatAreNotNamedByAFolderOfTheEngine) {
    for (const char* header : {"pattern.h", "../store/runs.h", "widgets/density_colours.h", "app/cli/main.h"})
        EXPECT_THAT(violations("machine/probe/probe.cpp", fmt::format("#include \"{}\"\n", header)),
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
