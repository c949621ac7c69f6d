// An editor of assembly or of the bytes of machine code: colours, line numbers, the line with an error, and
// what each line is in the code's critical chain, ports and explanation.
#pragma once

#include "widgets/look/theme.h"

#include <QPlainTextEdit>
#include <QString>
#include <QSyntaxHighlighter>
#include <optional>
#include <vector>

namespace sparsight {

/// Colours mnemonics, registers, numbers and comments of either syntax.
class AssemblyHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    AssemblyHighlighter(QTextDocument* document, const CodeColours& colours);

    void set_colours(const CodeColours& colours);

protected:
    void highlightBlock(const QString& text) override;

private:
    CodeColours colours_;
};

/// What is said of one line.
struct AssemblyMark {
    bool is_critical = false;  ///< a bar beside the line
    bool is_explained = false; ///< the whole line is tinted
    QString note{};            ///< behind the code: "port 1"
    QString meaning{};         ///< shown while the mouse is over the line
    bool operator==(const AssemblyMark&) const = default;
};

class AssemblyEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit AssemblyEdit(QWidget* parent = nullptr);

    /// By line, counted from 0; lines behind the last one have none.
    void set_marks(std::vector<AssemblyMark> marks);
    [[nodiscard]] const std::vector<AssemblyMark>& marks() const { return marks_; }
    /// The line is underlined; absent: none is wrong.
    void set_error_line(std::optional<int> line);
    [[nodiscard]] std::optional<int> error_line() const { return error_line_; }
    /// Replaces the text as an edit that can be undone.
    void replace_text(const QString& text);
    /// The cursor goes there without taking the focus.
    void go_to_line(int line);

Q_SIGNALS:
    /// The cursor came to another line.
    void line_entered(int line);
    void files_dropped(const QStringList& paths);

protected:
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    class Margin;

    void dress();
    void mark_lines();
    void place_margin();
    [[nodiscard]] int margin_width() const;
    void paint_margin(QPaintEvent* event);
    void paint_notes(QPainter& painter, int bottom) const;
    [[nodiscard]] const AssemblyMark* mark_of(int line) const;

    AssemblyHighlighter* highlighter_;
    QWidget* margin_;
    std::vector<AssemblyMark> marks_;
    std::optional<int> error_line_;
    int line_ = 0; ///< of the cursor
};

} // namespace sparsight
