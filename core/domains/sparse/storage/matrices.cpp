#include "domains/sparse/storage/matrices.h"

#include "base/quantity.h"
#include "base/text.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/pattern_codec.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

// The parts of a payload.
constexpr const char* structure_part = "structure";
constexpr const char* values_part = "values";

Result<CsrPattern> read_referred(const MatrixRecord& found) {
    auto loaded = read_matrix(found.file);
    if (!loaded)
        return std::unexpected(std::move(loaded).error());
    if (content_hash(loaded->pattern) != found.content_hash)
        return fail_in_file(Fault::Input, found.file, 0,
                            fmt::format("this file has changed since its import as {} ({} × {}, {} "
                                        "entries): now it has {} × {}, {}",
                                        found.name, found.rows, found.cols, found.nnz, loaded->pattern.rows,
                                        loaded->pattern.cols, loaded->pattern.nnz()));
    return std::move(loaded->pattern);
}

} // namespace

Result<void> store_pattern(Workspace& workspace, WorkloadId matrix, const CsrPattern& pattern,
                           const std::filesystem::path& file, std::uint64_t stored_limit) {
    auto encoded = encode_pattern(pattern);
    if (!encoded)
        return std::unexpected(std::move(encoded).error());
    const std::uint64_t size = encoded->structure.size() + encoded->values.size();
    if (size <= stored_limit) {
        std::vector<PayloadPart> parts{{structure_part, std::move(encoded->structure)}};
        if (!encoded->values.empty())
            parts.push_back({values_part, std::move(encoded->values)});
        return store_payload(workspace, matrix, parts);
    }
    if (file.empty())
        return fail(
            Fault::Limit,
            fmt::format("this pattern takes {} compressed, over the {} that a workspace stores, and there is "
                        "no file to refer to",
                        format_bytes(size), format_bytes(stored_limit)));
    return refer_to_payload(workspace, matrix, file);
}

Result<CsrPattern> load_pattern(Workspace& workspace, WorkloadId matrix) {
    auto found = find_workload(workspace, matrix);
    if (!found)
        return std::unexpected(std::move(found).error());
    const std::string workspace_file = workspace.path().string();
    if (!*found || (*found)->payload == PayloadPlace::Unknown)
        return fail_in_file(Fault::Input, workspace_file, 0,
                            "the pattern of this matrix is not known: only runtimes of it were imported");
    const MatrixRecord record = matrix_record(**std::move(found));
    if (record.pattern == PayloadPlace::File)
        return read_referred(record);
    const auto parts = load_payload(workspace, matrix);
    if (!parts)
        return std::unexpected(parts.error());
    std::span<const std::byte> structure;
    std::span<const std::byte> values;
    for (const PayloadPart& part : *parts)
        (part.name == values_part ? values : structure) = part.content;
    auto pattern = decode_pattern({record.rows, record.cols, record.nnz}, structure, values);
    if (!pattern)
        return fail_in_file(pattern.error().fault, workspace_file, 0,
                            fmt::format("the matrix {}: {}", record.name, pattern.error().message));
    return pattern;
}

std::string statistics_text(const PatternStatistics& statistics) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const Statistic& statistic : sparsight::statistics()) {
        const double value = statistic.of(statistics);
        if (statistic.is_integer)
            json[statistic.name] = static_cast<std::int64_t>(value);
        else
            json[statistic.name] = value;
    }
    return json.dump();
}

std::optional<PatternStatistics> parse_statistics(std::string_view text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto known = statistics();
    if (!json.is_object() || json.size() != known.size())
        return std::nullopt;
    PatternStatistics parsed;
    for (const Statistic& statistic : known) {
        const auto found = json.find(statistic.name);
        if (found == json.end() || !found->is_number())
            return std::nullopt;
        statistic.set(parsed, found->get<double>());
    }
    return parsed;
}

Result<PatternStatistics> matrix_statistics(Workspace& workspace, const MatrixRecord& matrix, int threads) {
    if (const auto kept = parse_statistics(matrix.statistics))
        return *kept;
    const auto pattern = load_pattern(workspace, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    const PatternStatistics computed = compute_statistics(*pattern, threads);
    // A workspace that can't be written is no error here: nothing is lost but time.
    (void)set_statistics(workspace, matrix.id, statistics_text(computed));
    return computed;
}

namespace {

/// "cage8" for "cage8.mtx.gz"; nothing for a file that is not a matrix.
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
        return matrix.pattern != PayloadPlace::Unknown || !files->contains(matrix.name);
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

namespace {

using Json = nlohmann::ordered_json;

std::string facts_text(const CsrPattern& pattern) {
    return Json{{"rows", pattern.rows}, {"cols", pattern.cols}, {"nnz", pattern.nnz()}}.dump();
}

/// 0 where the fact is not known.
std::int64_t fact(const Json& facts, const char* name) {
    const auto found = facts.find(name);
    return found != facts.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

} // namespace

MatrixRecord matrix_record(WorkloadRecord workload) {
    const Json facts = Json::parse(workload.known.facts, nullptr, /*allow_exceptions=*/false);
    const bool is_known = facts.is_object();
    return {.id = workload.id,
            .name = std::move(workload.name),
            .rows = is_known ? fact(facts, "rows") : 0,
            .cols = is_known ? fact(facts, "cols") : 0,
            .nnz = is_known ? fact(facts, "nnz") : 0,
            .source = std::move(workload.known.source),
            .content_hash = std::move(workload.known.content_hash),
            .statistics = std::move(workload.statistics),
            .pattern = workload.payload,
            .file = std::move(workload.file),
            .added = std::move(workload.added)};
}

Result<WorkloadId> add_matrix(Workspace& workspace, const MatrixOrigin& origin, const CsrPattern& pattern,
                              std::uint64_t stored_limit) {
    if (trimmed(origin.name).empty())
        return fail(Fault::Input, "a matrix needs a name that is more than blanks: give it one with --name");
    const std::string hash = content_hash(pattern);
    WorkloadId id{};
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto known = find_matrix(workspace, origin.name);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->pattern != PayloadPlace::Unknown) {
            const MatrixRecord& other = **known;
            id = other.id;
            if (other.content_hash == hash)
                return {};
            return fail(Fault::Input, fmt::format("another matrix is called {} already ({} × {}, {} "
                                                  "entries, {}): give this one ({} × {}, {}) another name",
                                                  origin.name, other.rows, other.cols, other.nnz,
                                                  other.source, pattern.rows, pattern.cols, pattern.nnz()));
        }
        const auto named = add_workload_name(workspace, sparse_domain, origin.name, origin.source);
        if (!named)
            return std::unexpected(named.error());
        id = *named;
        if (auto described = describe_workload(workspace, id, {facts_text(pattern), origin.source, hash});
            !described)
            return described;
        return store_pattern(workspace, id, pattern, origin.file, stored_limit);
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<WorkloadId> add_matrix_name(Workspace& workspace, std::string_view name, std::string_view source) {
    if (trimmed(name).empty())
        return fail(Fault::Input, "a matrix needs a name that is more than blanks");
    return add_workload_name(workspace, sparse_domain, name, source);
}

Result<std::vector<MatrixRecord>> list_matrices(Workspace& workspace) {
    auto workloads = list_workloads(workspace, sparse_domain);
    if (!workloads)
        return std::unexpected(std::move(workloads).error());
    std::vector<MatrixRecord> matrices;
    matrices.reserve(workloads->size());
    for (WorkloadRecord& workload : *workloads)
        matrices.push_back(matrix_record(std::move(workload)));
    return matrices;
}

Result<std::optional<MatrixRecord>> find_matrix(Workspace& workspace, std::string_view name) {
    auto workload = find_workload(workspace, sparse_domain, name);
    if (!workload)
        return std::unexpected(std::move(workload).error());
    if (!*workload)
        return std::nullopt;
    return matrix_record(**std::move(workload));
}

} // namespace sparsight
