#include "store/pattern_folder.h"

#include "matrix/reading.h"
#include "store/matrices.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <system_error>

namespace sparsight {

namespace {

/// "cage8" of "cage8.mtx.gz"; nothing for what is no matrix file.
std::optional<std::string> matrix_name(const std::filesystem::path& file) {
    constexpr std::array<std::string_view, 9> packings{".gz",  ".bz2",  ".xz",  ".zst", ".tar",
                                                       ".tgz", ".tbz2", ".txz", ".zip"};
    constexpr std::array<std::string_view, 3> kinds{".mtx", ".csr", ".smtx"};
    std::filesystem::path name = file.filename();
    bool is_archive = false;
    while (std::ranges::find(packings, name.extension().string()) != packings.end()) {
        const std::string suffix = name.extension().string();
        is_archive = is_archive || suffix.starts_with(".t") || suffix == ".zip";
        name = name.stem();
    }
    if (std::ranges::find(kinds, name.extension().string()) != kinds.end())
        return name.stem().string();
    return is_archive ? std::optional(name.string()) : std::nullopt;
}

class PatternAdder {
public:
    PatternAdder(Workspace& workspace, const std::map<std::string, TableMatrix, std::less<>>& said,
                 const std::stop_token& stop)
        : workspace_(workspace)
        , said_(said)
        , stop_(stop) {}

    Result<void> add(const MatrixRecord& matrix, const std::filesystem::path& file) {
        auto loaded = read_matrix(file, {.limits = {}, .stop = stop_, .progress = {}});
        if (!loaded && loaded.error().fault == Fault::Cancelled)
            return std::unexpected(std::move(loaded).error());
        if (!loaded) {
            report_.problems.push_back(std::move(loaded).error());
            return {};
        }
        const CsrPattern& pattern = loaded->pattern;
        if (const auto said = said_.find(matrix.name);
            said != said_.end() && said->second.rows > 0 &&
            (said->second.rows != pattern.rows || said->second.cols != pattern.cols)) {
            report_.problems.push_back(
                {Fault::Input,
                 fmt::format(
                     "this is {} × {}, but the matrix {} whose runtimes were imported is {} × {}: it is "
                     "another one",
                     pattern.rows, pattern.cols, matrix.name, said->second.rows, said->second.cols),
                 file.string(), 0});
            return {};
        }
        const auto id = add_matrix(workspace_, {matrix.name, file.string(), file}, pattern);
        if (!id)
            return std::unexpected(id.error());
        ++report_.patterns;
        return {};
    }

    [[nodiscard]] PatternFolderReport report() && { return std::move(report_); }

private:
    Workspace& workspace_;
    const std::map<std::string, TableMatrix, std::less<>>& said_;
    const std::stop_token& stop_;
    PatternFolderReport report_;
};

} // namespace

Result<std::map<std::string, std::filesystem::path, std::less<>>>
matrix_files(const std::filesystem::path& folder) {
    std::map<std::string, std::filesystem::path, std::less<>> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (const auto name = matrix_name(entry->path())) {
            auto [file, is_new] = files.try_emplace(*name, entry->path());
            if (!is_new && entry->path() < file->second)
                file->second = entry->path();
        }
    if (error)
        return fail_in_file(Fault::Environment, folder.string(), 0,
                            fmt::format("this folder can't be read: {}", error.message()));
    return files;
}

Result<PatternFolderReport> add_patterns(Workspace& workspace, const std::filesystem::path& folder,
                                         const std::map<std::string, TableMatrix, std::less<>>& said,
                                         const std::stop_token& stop, const ProgressSink& progress) {
    const auto files = matrix_files(folder);
    if (!files)
        return std::unexpected(files.error());
    auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(std::move(matrices).error());
    std::erase_if(*matrices, [&](const MatrixRecord& matrix) {
        return matrix.pattern != PatternPlace::Unknown || !files->contains(matrix.name);
    });
    PatternAdder adder(workspace, said, stop);
    for (std::uint64_t done = 0; const MatrixRecord& matrix : *matrices) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, fmt::format("stopped after {} of {} patterns, which are imported",
                                                      done, matrices->size()));
        if (progress)
            progress({"importing matrices", done++, matrices->size()});
        if (auto added = adder.add(matrix, files->find(matrix.name)->second); !added)
            return std::unexpected(std::move(added).error());
    }
    if (progress)
        progress({"importing matrices", matrices->size(), matrices->size()});
    return std::move(adder).report();
}

} // namespace sparsight
