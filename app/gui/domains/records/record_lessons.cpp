#include "gui/domains/records/record_lessons.h"

#include "base/observer.h"
#include "domains/records/exchange/record_import.h"

#include <QFile>
#include <QTemporaryDir>

namespace sparsight {

namespace {

/// The resource as a file of its own, as imports read files.
Result<std::filesystem::path> unpacked(const QTemporaryDir& folder, const QString& name) {
    const QString path = folder.filePath(name);
    if (!folder.isValid() || !QFile::copy(QStringLiteral(":/records/") + name, path))
        return fail_in_file(Fault::Environment, path.toStdString(), 0,
                            "the lesson's data can't be written there");
    return std::filesystem::path(path.toStdString());
}

Result<void> add_convolution(Workspace& workspace) {
    const QTemporaryDir folder;
    const auto times = unpacked(folder, QStringLiteral("convolution.csv.xz"));
    const auto machines = unpacked(folder, QStringLiteral("gpus.csv"));
    for (const auto* const file : {&times, &machines})
        if (!*file)
            return std::unexpected(file->error());
    Observer silent;
    const auto report =
        import_records(workspace, {.files = {*times}, .machines = *machines}, silent, std::stop_token());
    return report ? Result<void>() : std::unexpected(report.error());
}

} // namespace

LessonData record_lesson_data() {
    return {{QStringLiteral("convolution"), add_convolution}};
}

} // namespace sparsight
