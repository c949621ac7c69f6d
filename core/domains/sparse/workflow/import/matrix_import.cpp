#include "domains/sparse/workflow/import/matrix_import.h"

#include "domains/sparse/storage/matrices.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

std::string absolute_path(const std::string& file) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return error ? file : absolute.lexically_normal().string();
}

} // namespace

Result<ImportedMatrix> import_file(Workspace& workspace, const std::string& file, const std::string& name,
                                   int threads, const std::stop_token& stop) {
    const auto loaded = read_matrix(file, {.threads = threads, .limits = {}, .stop = stop, .progress = {}});
    if (!loaded)
        return std::unexpected(loaded.error());
    const MatrixOrigin origin{name.empty() ? loaded->name : name, absolute_path(file), file};
    const auto known = find_matrix(workspace, origin.name);
    if (!known)
        return std::unexpected(known.error());
    const auto id = add_matrix(workspace, origin, loaded->pattern);
    if (!id) {
        Error error = id.error();
        if (!error.file.empty())
            return std::unexpected(std::move(error));
        error.file = file;
        if (*known)
            error.message += " with --name";
        return std::unexpected(std::move(error));
    }
    return ImportedMatrix{origin.name,
                          origin.source,
                          loaded->pattern.rows,
                          loaded->pattern.cols,
                          loaded->pattern.nnz(),
                          loaded->report,
                          *known && (*known)->pattern != PayloadPlace::Unknown};
}

Json imported_json(const ImportedMatrix& matrix) {
    return {{"name", matrix.name},
            {"rows", matrix.rows},
            {"cols", matrix.cols},
            {"nnz", matrix.nnz},
            {"source", matrix.source},
            {"duplicates_merged", matrix.report.duplicates_merged},
            {"explicit_zeros", matrix.report.explicit_zeros},
            {"already_there", matrix.already_there}};
}

Result<ImportReport> import_files(Workspace& workspace, const ImportRequest& request, Observer& observer,
                                  const std::stop_token& stop) {
    const std::size_t files = request.files.size();
    observer.start({{"files", files}});
    ImportReport report;
    for (const std::string& file : request.files) {
        if (stop.stop_requested())
            break;
        observer.progress({.stage = fmt::format("reading {}", file), .done = report.size(), .total = files});
        auto imported = import_file(workspace, file, request.name, request.threads, stop);
        if (!imported && imported.error().fault == Fault::Cancelled)
            break;
        if (imported) {
            observer.event("imported", imported_json(*imported));
            report.imported.push_back(*std::move(imported));
            continue;
        }
        if (imported.error().file == workspace.path().string())
            return std::unexpected(std::move(imported).error());
        observer.event("failed", failure_json(imported.error()));
        observer.complain(imported.error());
        report.failed.push_back(std::move(imported).error());
    }
    observer.progress({.stage = "imported", .done = report.size(), .total = files});
    return report;
}

Json generated_json(const GeneratedMatrix& matrix) {
    return {{"name", matrix.name}, {"rows", matrix.rows},     {"cols", matrix.cols},
            {"nnz", matrix.nnz},   {"source", matrix.source}, {"already_there", matrix.already_there}};
}

std::int64_t GeneratedMatrices::known() const {
    return std::ranges::count_if(matrices, &GeneratedMatrix::already_there);
}

namespace {

class Generation {
public:
    Generation(Workspace& workspace, const GenerationRequest& request, Observer& observer,
               const std::stop_token& stop)
        : workspace_(workspace)
        , request_(request)
        , observer_(observer)
        , stop_(stop) {}

    Result<GeneratedMatrices> run() {
        auto count = request_.family == simulated_matrices_name ? generate_collection() : generate_family();
        if (!count)
            return std::unexpected(std::move(count).error());
        generated_.is_complete = generated_.matrices.size() + generated_.failed.size() == *count;
        return std::move(generated_);
    }

private:
    void fail_with(const Error& error) {
        observer_.event("failed", failure_json(error));
        observer_.complain(error);
        generated_.failed.push_back(error);
    }

    /// An error is the workspace's; a name that is taken is a failure of this matrix alone.
    Result<void> add(const std::string& name, const std::string& source, const CsrPattern& pattern) {
        const auto known = find_matrix(workspace_, name);
        if (!known)
            return std::unexpected(known.error());
        const auto id = add_matrix(workspace_, {name, source, {}}, pattern);
        if (!id && !id.error().file.empty())
            return std::unexpected(id.error());
        if (!id) {
            fail_with(id.error());
            return {};
        }
        const bool already_there = *known && (*known)->pattern != PayloadPlace::Unknown;
        generated_.matrices.push_back(
            {name, pattern.rows, pattern.cols, pattern.nnz(), source, already_there});
        observer_.event("simulated", generated_json(generated_.matrices.back()));
        return {};
    }

    /// How many were asked for.
    Result<std::size_t> generate_family() {
        const int count = request_.count.value_or(1);
        const auto total = static_cast<std::uint64_t>(count);
        observer_.start({{"family", request_.family}, {"matrices", count}});
        for (std::uint64_t done = 0; done < total && !stop_.stop_requested(); ++done) {
            const std::uint64_t seed = request_.seed + done;
            const bool is_named = !request_.name.empty();
            const std::string name =
                is_named && count == 1
                    ? request_.name
                    : fmt::format("{}-{}", is_named ? request_.name : request_.family, seed);
            observer_.progress({.stage = name, .done = done, .total = total});
            const auto pattern = generate_matrix(request_.family, request_.values, seed, stop_);
            if (!pattern && pattern.error().fault == Fault::Cancelled)
                break;
            if (!pattern) {
                fail_with(pattern.error());
                continue;
            }
            const std::string source = generated_source(request_.family, request_.values, seed);
            if (auto added = add(name, source, *pattern); !added)
                return std::unexpected(std::move(added).error());
            observer_.progress({.stage = name, .done = done + 1, .total = total});
        }
        return static_cast<std::size_t>(count);
    }

    /// Likewise; stopped before there is any, it counts as one that is missing.
    Result<std::size_t> generate_collection() {
        ParameterValues values = request_.values;
        if (request_.count)
            values["count"] = *request_.count;
        const auto matrices = simulate_matrices(values, request_.seed, stop_);
        if (!matrices && matrices.error().fault == Fault::Cancelled)
            return 1;
        if (!matrices)
            return std::unexpected(matrices.error());
        values.erase("count"); // a matrix does not depend on it
        observer_.start({{"family", request_.family}, {"matrices", matrices->size()}});
        std::uint64_t done = 0;
        constexpr std::string_view usual_name = "matrix";
        for (const NamedPattern& matrix : *matrices) {
            if (stop_.stop_requested())
                break;
            const std::string number = matrix.name.substr(usual_name.size());
            const std::string source = fmt::format(
                "{} number={}", generated_source(simulated_matrices_name, values, request_.seed), number);
            const std::string name =
                (request_.name.empty() ? std::string(usual_name) : request_.name) + number;
            if (auto added = add(name, source, matrix.pattern); !added)
                return std::unexpected(std::move(added).error());
            observer_.progress({.stage = name, .done = ++done, .total = matrices->size()});
        }
        return matrices->size();
    }

    Workspace& workspace_;
    const GenerationRequest& request_;
    Observer& observer_;
    const std::stop_token& stop_;
    GeneratedMatrices generated_;
};

} // namespace

Result<GeneratedMatrices> generate_matrices(Workspace& workspace, const GenerationRequest& request,
                                            Observer& observer, const std::stop_token& stop) {
    return Generation(workspace, request, observer, stop).run();
}

} // namespace sparsight
