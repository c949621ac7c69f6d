// Code to read: highlighted C with line numbers, a button that copies it, Ctrl+wheel for larger type.
#pragma once

#include <QPlainTextEdit>

class QToolButton;

namespace sparsight {

class CodeHighlighter;

class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    /// Keeps the place that is read where the new code is as long.
    void set_code(const QString& code);
    /// What stands there while there is no code.
    void set_empty_text(const QString& text);
    void copy_all();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* receiver, QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class LineNumbers;

    void zoom(int steps);
    void dress();
    void place_margin();
    [[nodiscard]] int margin_width() const;
    void paint_line_numbers(QPaintEvent* event);

    CodeHighlighter* highlighter_;
    QWidget* line_numbers_;
    QToolButton* copy_;
    QString code_;
    int zoom_steps_ = 0;
};

} // namespace sparsight
