// Small pictures of the matrices of a workspace, made in the background one after the other and kept on the
// disk by the content of the matrix.
#pragma once

#include "domains/sparse/storage/matrices.h"

#include <QHash>
#include <QObject>
#include <QPixmap>
#include <QStringList>

namespace sparsight {

class WorkspaceSession;

class Thumbnails : public QObject {
    Q_OBJECT

public:
    static constexpr int size = 40; ///< logical pixels, both ways

    explicit Thumbnails(WorkspaceSession& session, QObject* parent = nullptr);

    /// Null while it is not there yet: then it is made, and ready() says so.
    [[nodiscard]] QPixmap find(const MatrixRecord& matrix);
    /// None is being made.
    [[nodiscard]] bool is_idle() const { return in_flight_.isEmpty(); }

Q_SIGNALS:
    void ready(const QString& matrix_name);

private:
    void start_next();
    [[nodiscard]] static QString key_of(const MatrixRecord& matrix);

    WorkspaceSession& session_;
    QHash<QString, QPixmap> pictures_; ///< by content and theme
    QStringList wanted_;               ///< names, the one asked for last at the end
    QString in_flight_;
};

} // namespace sparsight
