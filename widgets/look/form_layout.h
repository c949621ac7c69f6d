// Widgets side by side, those that do not fit below them: a row of fields that asks for no more width than
// the widest of them.
#pragma once

#include <QLayout>
#include <QString>
#include <initializer_list>
#include <memory>
#include <vector>

class QLabel;
class QVBoxLayout;
class QWidget;
class QFormLayout;

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

// Fields side by side, each with its caption above it; those that do not fit stand in the next line.

class FlowLayout;

class FieldRow {
public:
    explicit FieldRow(QVBoxLayout& column);

    /// The caption is the field's buddy; field and caption share the tooltip.
    QLabel* add(const QString& caption, QWidget* field, const QString& tip);
    void add(QWidget* field);
    /// What follows stands at the right.
    void begin_end();

private:
    FlowLayout* flow_; ///< owned by the column
};

// Forms whose labels and fields stand in lines.

/// Each label stands beside the middle of its field, and the fields of all these forms in one column. To be
/// called again when rows were added.
void align_forms(std::initializer_list<QFormLayout*> forms);

} // namespace sparsight
