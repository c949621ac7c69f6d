#include "gui/workspace/matrix_loader.h"

#include "base/parallel.h"
#include "gui/workspace/workspace_session.h"
#include "store/stored_pattern.h"

namespace sparsight {

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
    auto loaded = std::make_shared<LoadedMatrix>(**matrix);
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
    // Another matrix may have taken the name.
    if (const MatrixRecord* record = session_.matrix(name);
        record == nullptr || record->content_hash != (*found)->content_hash) {
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
    const MatrixRecord* record = session_.matrix(name);
    if (record == nullptr) {
        Q_EMIT failed(name, tr("This workspace has no matrix “%1”.").arg(name));
        return;
    }
    wanted_ = name;
    Q_EMIT loading(name);
    const QString content = name + QLatin1Char('/') + QString::fromStdString(record->content_hash);
    if (content == reading_) { // whatever was asked for since is not wanted any more
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
