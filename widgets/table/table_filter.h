// Rows in which any column matches, sorted by raw values; what is missing stands last in both directions.
#pragma once

#include <QRegularExpression>
#include <QSortFilterProxyModel>

namespace sparsight {

class TableFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TableFilter(QObject* parent = nullptr);

    /// A regular expression without regard to case; plain text when it is none. Empty shows all rows.
    void set_filter_text(const QString& text);
    [[nodiscard]] QString filter_text() const { return text_; }
    [[nodiscard]] bool filter_is_plain_text() const { return plain_; }

protected:
    bool filterAcceptsRow(int source_row, const QModelIndex& source_parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString text_;
    QRegularExpression pattern_;
    bool plain_ = false;
};

} // namespace sparsight
