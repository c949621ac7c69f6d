// Layouts of forms: widgets in a row that wraps, fields with captions above them, and forms whose labels and
// fields line up.
#pragma once

#include <QLayout>
#include <QString>
#include <initializer_list>
#include <memory>
#include <vector>

class QFormLayout;
class QLabel;
class QVBoxLayout;
class QWidget;

namespace sparsight {

/// Widgets side by side; those that do not fit wrap to the next line. The layout requires no more width than
/// its widest widget.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    /// This widget and those after it stand at the right end of the last line.
    void begin_end();
    /// Items stand in the middle of the height of their line, not at its bottom as fields below captions do.
    void set_level() { is_level_ = true; }
    /// Each line stands in the middle.
    void set_centred() { is_centred_ = true; }

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    [[nodiscard]] QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;    ///< all in one line
    [[nodiscard]] QSize minimumSize() const override; ///< as wide as the widest item
    void setGeometry(const QRect& room) override;

private:
    /// Positions of the shown items, as high as their lines; empty for hidden items.
    [[nodiscard]] std::vector<QRect> places(const QRect& room) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    std::size_t end_ = static_cast<std::size_t>(-1); ///< index of the first item at the right end
    bool is_level_ = false;
    bool is_centred_ = false;
};

/// Fields side by side, each with its caption above it; fields that do not fit wrap to the next line.
class FieldRow {
public:
    explicit FieldRow(QVBoxLayout& column);

    /// The field is the caption's buddy; field and caption share the tooltip.
    QLabel* add(const QString& caption, QWidget* field, const QString& tip);
    void add(QWidget* field);
    /// The following fields stand at the right.
    void begin_end();

private:
    FlowLayout* flow_; ///< owned by the column
};

/// Aligns each label with the middle of its field, and the fields of all these forms in one column. Call it
/// again after rows were added.
void align_forms(std::initializer_list<QFormLayout*> forms);

} // namespace sparsight
