#include "gui/domains/sparse/matrices/loaded_matrix.h"

#include "base/parallel.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/matrices.h"
#include "gui/workspace/workspace_session.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sparsight {

std::vector<MatrixRecord> matrices_of(const WorkspaceSession& session) {
    std::vector<MatrixRecord> matrices;
    if (session.domain().name() == sparse_domain)
        std::ranges::transform(session.contents().workloads, std::back_inserter(matrices), &matrix_record);
    return matrices;
}

std::optional<MatrixRecord> find_matrix(const WorkspaceSession& session, const QString& name) {
    const WorkloadRecord* const found = session.workload(name);
    return found != nullptr && found->domain == sparse_domain ? std::optional(matrix_record(*found))
                                                              : std::nullopt;
}

namespace {

std::vector<std::int64_t> row_lengths(const CsrPattern& pattern) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(pattern.rows));
    for (std::size_t row = 0; row < lengths.size(); ++row)
        lengths[row] = pattern.row_pointers[row + 1] - pattern.row_pointers[row];
    return lengths;
}

std::vector<std::int64_t> column_lengths(const CsrPattern& pattern) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(pattern.cols));
    for (const std::int32_t column : pattern.column_ids)
        ++lengths[static_cast<std::size_t>(column)];
    return lengths;
}

} // namespace

std::uint64_t MatrixAnalysis::bytes() const {
    // The pyramid's index and levels take about as much memory as the column ids (density_pyramid.h).
    return pattern->row_pointers.size() * sizeof(std::int64_t) +
           2 * pattern->column_ids.size() * sizeof(std::int32_t) + pattern->values.size() * sizeof(float);
}

LengthHistogram length_histogram(const std::vector<std::int64_t>& lengths, int wanted) {
    if (lengths.empty())
        return {};
    const auto [shortest, longest] = std::ranges::minmax(lengths);
    const std::int64_t width = (longest - shortest) / wanted + 1;
    const auto bins = static_cast<std::size_t>((longest - shortest) / width + 1);
    LengthHistogram histogram;
    histogram.counts.resize(bins);
    for (std::size_t bin = 0; bin <= bins; ++bin)
        histogram.edges.push_back(static_cast<double>(shortest + static_cast<std::int64_t>(bin) * width));
    for (const std::int64_t length : lengths)
        histogram.counts[static_cast<std::size_t>((length - shortest) / width)] += 1;
    return histogram;
}

Result<std::shared_ptr<const MatrixAnalysis>> look_at_matrix(QString name, CsrPattern pattern, int threads) {
    auto loaded = std::make_shared<MatrixAnalysis>();
    loaded->name = std::move(name);
    try {
        loaded->pattern = std::make_shared<const CsrPattern>(std::move(pattern));
        auto pyramid = DensityPyramid::build(loaded->pattern, threads);
        if (!pyramid)
            return std::unexpected(pyramid.error());
        loaded->pyramid = std::make_shared<const DensityPyramid>(std::move(*pyramid));
        loaded->statistics = compute_statistics(*loaded->pattern, threads);
        loaded->row_lengths = length_histogram(row_lengths(*loaded->pattern));
        loaded->column_lengths = length_histogram(column_lengths(*loaded->pattern));
    } catch (const std::bad_alloc&) {
        return fail(Fault::Environment, "out of memory: the matrix is too large to be shown here");
    }
    return loaded;
}

namespace {

/// One core is left to the window, which waits for the picture.
int drawing_threads() {
    return std::max(1, available_threads() - 1);
}

Viewport viewport(const PatternArea& area) {
    return {area.row_begin, area.row_end, area.col_begin, area.col_end};
}

} // namespace

PatternCounts PyramidSource::counts(const PatternArea& area, int width, int height) const {
    auto grid = pyramid_->density(viewport(area), width, height, drawing_threads());
    if (!grid)
        throw std::runtime_error(grid.error().message);
    return {std::move(grid->row_edges), std::move(grid->col_edges), std::move(grid->counts)};
}

PatternEntries PyramidSource::entries(const PatternArea& area, std::int64_t limit) const {
    const EntryList list = pyramid_->entries_in(viewport(area), limit);
    PatternEntries found;
    found.total = list.total;
    found.entries.reserve(list.entries.size());
    for (const EntryPosition& entry : list.entries)
        found.entries.push_back({entry.row, entry.col});
    return found;
}

namespace {

constexpr std::uint64_t most_bytes_kept = std::uint64_t{2} << 30;

Result<MatrixLoader::Loaded> load(const std::string& workspace_file, const MatrixRecord& record) {
    auto workspace = Workspace::open(
        workspace_file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(5)});
    if (!workspace)
        return std::unexpected(workspace.error());
    auto pattern = load_pattern(*workspace, record.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    auto matrix =
        look_at_matrix(QString::fromStdString(record.name), std::move(*pattern), available_threads());
    if (!matrix)
        return std::unexpected(matrix.error());
    auto loaded = std::make_shared<MatrixAnalysis>(**matrix);
    loaded->content_hash = record.content_hash;
    return loaded;
}

} // namespace

MatrixLoader::MatrixLoader(WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session) {
    connect(&session, &WorkspaceSession::opened, this, &MatrixLoader::forget);
    connect(&session, &WorkspaceSession::closed, this, &MatrixLoader::forget);
}

MatrixLoader::Loaded MatrixLoader::find(const QString& name) {
    const auto found = std::ranges::find(kept_, name, [](const Loaded& loaded) { return loaded->name; });
    if (found == kept_.end())
        return nullptr;
    // Another matrix may now have the name.
    if (const WorkloadRecord* record = session_.workload(name);
        record == nullptr || record->known.content_hash != (*found)->content_hash) {
        kept_.erase(found);
        return nullptr;
    }
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front();
}

void MatrixLoader::request(const QString& name) {
    if (name.isEmpty() || name == wanted_)
        return;
    if (find(name)) {
        Q_EMIT loaded(name);
        return;
    }
    const auto record = find_matrix(session_, name);
    if (!record) {
        Q_EMIT failed(name, tr("This workspace has no matrix “%1”.").arg(name));
        return;
    }
    wanted_ = name;
    Q_EMIT loading(name);
    const QString content = name + QLatin1Char('/') + QString::fromStdString(record->content_hash);
    if (content == reading_) { // requests made since then are dropped
        answers_.drop_waiting();
        return;
    }
    (answers_.is_busy() ? waiting_ : reading_) = content;
    answers_.ask([file = session_.path().toStdString(),
                  record = *record](const std::stop_token&) { return load(file, record); },
                 [this, name](Result<Loaded> matrix, bool is_newest) {
                     reading_ = is_newest ? QString() : waiting_;
                     if (is_newest)
                         wanted_.clear();
                     if (matrix) {
                         keep(std::move(*matrix));
                         Q_EMIT loaded(name);
                     } else {
                         Q_EMIT failed(name, QString::fromStdString(matrix.error().text()));
                     }
                 });
}

void MatrixLoader::keep(Loaded matrix) {
    std::erase_if(kept_, [&](const Loaded& other) { return other->name == matrix->name; });
    kept_.push_front(std::move(matrix));
    std::uint64_t bytes = 0;
    for (auto at = kept_.begin(); at != kept_.end();) {
        bytes += (*at)->bytes();
        at = bytes > most_bytes_kept && at != kept_.begin() ? kept_.erase(at) : std::next(at);
    }
}

void MatrixLoader::forget() {
    answers_.cancel();
    kept_.clear();
    wanted_.clear();
    reading_.clear();
}

} // namespace sparsight
