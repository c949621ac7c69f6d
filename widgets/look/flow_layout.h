// Widgets side by side, those that do not fit below them: a row of fields that asks for no more width than
// the widest of them.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace sparsight {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    /// This widget and those after it stand at the right end of the last line.
    void begin_end();

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    [[nodiscard]] QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;    ///< all in one line
    [[nodiscard]] QSize minimumSize() const override; ///< of the widest
    void setGeometry(const QRect& room) override;

private:
    /// Places of the items that are shown, an empty one for the others, as high as each line.
    [[nodiscard]] std::vector<QRect> places(const QRect& room) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    std::size_t end_ = static_cast<std::size_t>(-1); ///< where the items at the right end begin
};

} // namespace sparsight
