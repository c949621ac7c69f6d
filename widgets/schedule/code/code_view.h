// Colours C: keywords, types, numbers, comments, pragmas and function names.
#pragma once

#include "widgets/look/theme.h"
#include "widgets/schedule/code/line_alignment.h"

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <vector>

class QToolButton;

namespace sparsight {

class CodeHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    CodeHighlighter(QTextDocument* document, const CodeColours& colours);

    void set_colours(const CodeColours& colours);

protected:
    void highlightBlock(const QString& text) override;

private:
    [[nodiscard]] QTextCharFormat format_of_word(const QString& word, bool is_called) const;

    CodeColours colours_;
};

// Code to read: highlighted C with line numbers, a button that copies it, Ctrl+wheel for larger type.

class CodeHighlighter;

/// A line that stands beside one of other code.
struct FacingLine {
    QString text{};
    int number = 0; ///< in its code, from 1; 0: a gap
    bool differs = false;
    std::vector<TextRange> marks{}; ///< the words that the other one does not have
};

class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    /// Keeps the place that is read where the new code is as long.
    void set_code(const QString& code);
    /// The same with gaps where the other code has lines of its own, and with what differs marked.
    void set_facing_lines(const QString& code, std::vector<FacingLine> lines);
    [[nodiscard]] const std::vector<FacingLine>& facing_lines() const { return facing_; }
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
    void show_text(const QString& text);
    void mark_differences();
    [[nodiscard]] QString number_of(int block) const;
    void place_margin();
    [[nodiscard]] int margin_width() const;
    void paint_line_numbers(QPaintEvent* event);

    CodeHighlighter* highlighter_;
    QWidget* line_numbers_;
    QToolButton* copy_;
    QString code_;
    std::vector<FacingLine> facing_;
    int zoom_steps_ = 0;
};

} // namespace sparsight
