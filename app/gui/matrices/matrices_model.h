// The matrices of the workspace as table rows.
#pragma once

#include "gui/workspace/workspace_session.h"
#include "widgets/table/record_model.h"

#include <QPixmap>

namespace sparsight {

class Thumbnails;

struct MatrixRow {
    MatrixRecord record;
    QPixmap picture;

    bool operator==(const MatrixRow& other) const {
        return record == other.record && picture.cacheKey() == other.picture.cacheKey();
    }
    [[nodiscard]] QString name() const { return QString::fromStdString(record.name); }
    /// nnz over rows · cols; NaN for a matrix without a pattern or without places.
    [[nodiscard]] double density() const;
    [[nodiscard]] double entries_a_row() const;
};

class MatricesModel : public RecordModel<MatrixRow> {
public:
    explicit MatricesModel(Thumbnails& thumbnails, QObject* parent = nullptr);

    enum Column { Name, Entries, Rows, Columns, EntriesARow, Density, Source, Added };

    void show_matrices(const std::vector<MatrixRecord>& records);
    void show_picture(const QString& name);

private:
    Thumbnails& thumbnails_;
};

} // namespace sparsight
