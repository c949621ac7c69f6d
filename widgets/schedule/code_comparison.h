// The code of two schedules side by side: lines that correspond at the same height, what differs marked,
// scrolled together.
#pragma once

#include <QWidget>
#include <vector>

namespace sparsight {

class CodeView;

class CodeComparison : public QWidget {
    Q_OBJECT

public:
    explicit CodeComparison(QWidget* parent = nullptr);

    void set_codes(const QString& left, const QString& right);
    void set_empty_text(const QString& text);
    [[nodiscard]] CodeView& left() const { return *left_; }
    [[nodiscard]] CodeView& right() const { return *right_; }
    [[nodiscard]] int differing_lines() const { return static_cast<int>(differing_.size()); }
    /// To the next place that differs, or the one before; from the last to the first again.
    void go_to_difference(int step);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    CodeView* left_;
    CodeView* right_;
    std::vector<int> differing_; ///< lines
    int shown_ = -1;             ///< which place one was led to
};

} // namespace sparsight
