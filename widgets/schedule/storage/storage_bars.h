// What a schedule stores against what others store: one stacked bar each, a segment for each array, padding
// hatched.
#pragma once

#include "widgets/schedule/storage/storage_picture.h"

#include <QWidget>

namespace sparsight {

struct ExportedPicture;

class StorageBars : public QWidget {
    Q_OBJECT
public:
    explicit StorageBars(QWidget* parent = nullptr);

    /// `reference` is the bar that the others are compared with; absent: the last one.
    void set_bars(const std::vector<StorageBar>& bars, std::optional<std::size_t> reference = std::nullopt);
    /// What stands there while there are no bars.
    void set_empty_text(const QString& text);

    /// "k1 crd: 1 024 B (1.00 KiB), 12.5 % of this schedule"
    [[nodiscard]] QString tooltip_of(StorageBarPlace place) const;
    [[nodiscard]] std::optional<StorageBarPlace> place_at(QPointF point) const;
    [[nodiscard]] StorageBarsLayout bars_layout() const;
    [[nodiscard]] ExportedPicture exported() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    StoragePainting painting_;
    std::optional<StorageBarPlace> lit_;
    QString empty_text_;
};

} // namespace sparsight
