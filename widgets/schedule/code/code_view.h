// A read-only view of C code with highlighting, line numbers, a button that copies the code, and larger type
// with Ctrl+wheel.
#pragma once

#include "widgets/look/theme.h"

#include <QPlainTextEdit>
#include <QString>
#include <QSyntaxHighlighter>
#include <vector>

class QToolButton;

namespace sparsight {

/// Colours C code: keywords, types, numbers, comments, pragmas and function names.
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

/// A part of a line.
struct TextRange {
    int begin = 0;
    int length = 0;
    bool operator==(const TextRange&) const = default;
};

/// A line of code that faces a line of other code.
struct FacingLine {
    QString text{};
    int number = 0; ///< line number, from 1; 0: a gap
    bool differs = false;
    std::vector<TextRange> marks{}; ///< words that the other line does not have
};

class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    /// Keeps the scroll position where the new code has as many lines.
    void set_code(const QString& code);
    /// The same with gaps where the other code has extra lines, and with the differences marked.
    void set_facing_lines(const QString& code, std::vector<FacingLine> lines);
    [[nodiscard]] const std::vector<FacingLine>& facing_lines() const { return facing_; }
    /// The text shown while there is no code.
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
