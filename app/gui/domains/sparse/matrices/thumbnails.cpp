#include "gui/domains/sparse/matrices/thumbnails.h"

#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/density_grid.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/theme.h"
#include "widgets/plot/density_image.h"

#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QSaveFile>
#include <QStandardPaths>

namespace sparsight {

namespace {

constexpr int pixels = Thumbnails::size * 2; ///< for displays of 200 %

QString cache_file(const QString& key) {
    const QString folder =
        QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails");
    QDir().mkpath(folder);
    return folder + QLatin1Char('/') + key + QStringLiteral(".png");
}

/// As large as fits with the matrix's proportions, so that a tall matrix looks tall.
QImage draw(const CsrPattern& pattern, PlotTheme theme) {
    const auto longest = static_cast<double>(std::max<std::int64_t>({pattern.rows, pattern.cols, 1}));
    const auto extent = [&](std::int64_t count) {
        return std::max(1, static_cast<int>(std::lround(pixels * static_cast<double>(count) / longest)));
    };
    const int width = extent(pattern.cols);
    const int height = extent(pattern.rows);
    DensityGrid grid = overview(pattern, width, height, 1); // one thread: there may be hundreds of them
    RasterTarget target;
    target.width = width;
    target.height = height;
    target.cols_per_pixel = static_cast<double>(pattern.cols) / width;
    target.rows_per_pixel = static_cast<double>(pattern.rows) / height;
    const std::vector<float> values = density_values(
        {std::move(grid.row_edges), std::move(grid.col_edges), std::move(grid.counts)}, target);
    return density_image(values, width, height, DensityColours(theme, colour_scale_end(values)));
}

Result<QImage> make(const std::string& workspace_file, WorkloadId id, PlotTheme theme,
                    const QString& cached) {
    if (QImage known(cached); !known.isNull())
        return known;
    auto workspace = Workspace::open(
        workspace_file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    const auto pattern = load_pattern(*workspace, id);
    if (!pattern)
        return std::unexpected(pattern.error());
    QImage image = draw(*pattern, theme);
    // Whole or not at all, as another window may read it; without it the picture is made again next time.
    if (QSaveFile file(cached); file.open(QIODevice::WriteOnly) && image.save(&file, "PNG"))
        file.commit();
    return image;
}

} // namespace

Thumbnails::Thumbnails(WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session) {}

QString Thumbnails::key_of(const MatrixRecord& matrix) {
    return QString::fromStdString(matrix.content_hash) +
           (current_theme().dark ? QStringLiteral("-dark") : QStringLiteral("-light"));
}

QPixmap Thumbnails::find(const MatrixRecord& matrix) {
    const auto found = pictures_.constFind(key_of(matrix));
    if (found != pictures_.constEnd())
        return *found;
    const QString name = QString::fromStdString(matrix.name);
    if (matrix.pattern != PayloadPlace::Unknown && name != in_flight_ && !wanted_.contains(name)) {
        wanted_.append(name);
        start_next();
    }
    return {};
}

void Thumbnails::start_next() {
    if (!in_flight_.isEmpty())
        return;
    std::optional<MatrixRecord> matrix;
    while (!matrix && !wanted_.isEmpty())
        matrix = find_matrix(session_, wanted_.takeLast());
    if (!matrix)
        return;
    in_flight_ = QString::fromStdString(matrix->name);
    const QString key = key_of(*matrix);
    const PlotTheme theme = current_theme().dark ? PlotTheme::Dark : PlotTheme::Light;
    in_background(
        this,
        [file = session_.path().toStdString(), id = matrix->id, theme, cached = cache_file(key)] {
            return make(file, id, theme, cached);
        },
        [this, key, name = QString::fromStdString(matrix->name)](const Result<QImage>& image) {
            in_flight_.clear();
            if (image) { // otherwise it is tried again when the list is read again
                QPixmap picture = QPixmap::fromImage(*image);
                picture.setDevicePixelRatio(2);
                pictures_.insert(key, picture);
                Q_EMIT ready(name);
            }
            start_next();
        });
}

} // namespace sparsight
