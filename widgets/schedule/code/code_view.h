// A read-only view of C code with highlighting, line numbers, what each line costs, a button that copies the
// code, and larger type with Ctrl+wheel.
#pragma once

#include "widgets/look/theme.h"

#include <QPlainTextEdit>
#include <QString>
#include <QSyntaxHighlighter>
#include <vector>

class QPainter;
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

/// What a line costs, left of its number.
struct LineCostMark {
    double share = 0;  ///< of the whole, 0 to 1: a bar, and the tint of the line
    QString text{};    ///< "0.124"; empty where the line costs nothing
    QString meaning{}; ///< shown while the mouse is over the line; rich text
    QString note{};    ///< behind the code, or over the end of a line that is too long
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
    /// By line of the code that is shown; none: no column of costs. Other code has none.
    void set_line_costs(std::vector<LineCostMark> costs);
    [[nodiscard]] const std::vector<LineCostMark>& line_costs() const { return costs_; }
    /// Scrolls so that the line stands in the middle, where it is not seen yet.
    void show_line(int line);
    /// Of the column of costs, in the coordinates of the view.
    [[nodiscard]] QRect cost_cell(int line) const;
    /// The text shown while there is no code.
    void set_empty_text(const QString& text);
    void copy_all();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* receiver, QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class LineNumbers;

    void zoom(int steps);
    void dress();
    void show_text(const QString& text);
    void mark_lines();
    void mark_differences(QList<QTextEdit::ExtraSelection>& selections) const;
    void mark_costs(QList<QTextEdit::ExtraSelection>& selections) const;
    [[nodiscard]] QString meaning_at(int y) const;
    [[nodiscard]] int costs_width() const;
    void paint_cost(QPainter& painter, int line, double top) const;
    [[nodiscard]] QString number_of(int block) const;
    void place_margin();
    [[nodiscard]] int margin_width() const;
    void paint_line_numbers(QPaintEvent* event);

    CodeHighlighter* highlighter_;
    QWidget* line_numbers_;
    QToolButton* copy_;
    QString code_;
    std::vector<FacingLine> facing_;
    std::vector<LineCostMark> costs_;
    int zoom_steps_ = 0;
};

} // namespace sparsight
