// Loads the matrices that are looked at, off the window's thread, and keeps the last ones.
#pragma once

#include "base/error.h"
#include "gui/workspace/loaded_matrix.h"
#include "gui/workspace/newest_answer.h"

#include <QObject>
#include <list>
#include <memory>

namespace sparsight {

class WorkspaceSession;

class MatrixLoader : public QObject {
    Q_OBJECT

public:
    using Loaded = std::shared_ptr<const LoadedMatrix>;

    explicit MatrixLoader(WorkspaceSession& session, QObject* parent = nullptr);

    /// At once where it is there already.
    [[nodiscard]] Loaded find(const QString& name);
    /// Loads it unless it is there or on its way; ends in loaded() or failed(). Of several requests the
    /// newest goes first.
    void request(const QString& name);

Q_SIGNALS:
    void loading(const QString& name);
    void loaded(const QString& name);
    void failed(const QString& name, const QString& reason);

private:
    void keep(Loaded matrix);
    void forget();

    WorkspaceSession& session_;
    std::list<Loaded> kept_; ///< the one used last first
    QString wanted_;         ///< the newest on its way
    QString reading_;        ///< its content, while it is read
    QString waiting_;        ///< likewise of the one that is read next
    NewestAnswer<Result<Loaded>> answers_{this};
};

} // namespace sparsight
