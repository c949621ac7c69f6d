#include "gui/help/help_document.h"

#include "gui/help/help_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>

#include <algorithm>
#include <array>
#include <vector>

namespace sparsight {

namespace {

constexpr double line_height = 142; // percent
constexpr double table_line_height = 125;
constexpr int least_margin = 3 * grid_step;

struct Heading {
    double size; ///< against the text
    double above;
    double below; ///< in heights of the text
};
constexpr std::array<Heading, 3> headings{Heading{1.75, 0.4, 0.7}, Heading{1.3, 1.5, 0.45},
                                          Heading{1.1, 1.1, 0.3}};

QFont with_size(QFont font, double factor) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    return font;
}

class HelpTypography {
public:
    HelpTypography(QTextDocument& document, const HelpStyle& style)
        : document_(document)
        , style_(style)
        , em_(QFontMetricsF(style.text).height()) {}

    void apply() {
        for (QTextBlock block = document_.begin(); block.isValid(); block = block.next())
            format_block(block);
        for (QTextFrame* const frame : document_.rootFrame()->childFrames())
            if (auto* const table = qobject_cast<QTextTable*>(frame))
                format_table(*table);
        frame_code();
    }

private:
    static bool is_code(const QTextBlock& block) {
        return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
               block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage) ||
               block.blockFormat().nonBreakableLines();
    }

    /// What is not said by Markdown itself: sizes, colours, the distance between lines.
    void format_block(const QTextBlock& block) {
        const int level = block.blockFormat().headingLevel();
        format_characters(block, level);
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        format.clearBackground();
        const bool in_table = cursor.currentTable() != nullptr;
        const bool holds_picture =
            block.begin() != block.end() && block.begin().fragment().charFormat().isImageFormat();
        if (level > 0) {
            const Heading& heading = headings[static_cast<std::size_t>(std::clamp(level, 1, 3) - 1)];
            format.setTopMargin(heading.above * em_);
            format.setBottomMargin(heading.below * em_);
        } else if (is_code(block)) {
            format.setTopMargin(0);
            format.setBottomMargin(0);
            format.setLineHeight(table_line_height, QTextBlockFormat::ProportionalHeight);
        } else if (in_table) {
            format.setLineHeight(table_line_height, QTextBlockFormat::ProportionalHeight);
        } else {
            if (!holds_picture) // its height would grow, too
                format.setLineHeight(line_height, QTextBlockFormat::ProportionalHeight);
            format.setTopMargin(holds_picture ? 0.5 * em_ : 0);
            format.setBottomMargin((block.textList() != nullptr ? 0.25 : 0.65) * em_);
        }
        cursor.setBlockFormat(format);
    }

    void format_characters(const QTextBlock& block, int level) {
        struct Piece {
            int begin;
            int end;
            QTextCharFormat format;
        };
        std::vector<Piece> pieces; // formatting while walking would make the walk invalid
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            QTextCharFormat format = fragment.charFormat();
            if (format.isImageFormat())
                continue;
            const bool code = format.fontFixedPitch() || is_code(block);
            format.clearProperty(QTextFormat::FontSizeAdjustment);
            QFont font = code ? style_.code : style_.text;
            font.setItalic(format.fontItalic());
            font.setWeight(format.fontWeight() > QFont::Normal ? QFont::DemiBold : QFont::Normal);
            format.setForeground(format.isAnchor() ? style_.theme.accent : style_.theme.text);
            format.setFontUnderline(false);
            if (level > 0) {
                const Heading& heading = headings[static_cast<std::size_t>(std::clamp(level, 1, 3) - 1)];
                font = with_size(font, heading.size);
                font.setWeight(level == 1 ? QFont::Bold : QFont::DemiBold);
                format.setAnchorNames({anchor_of_heading(block.text())});
            } else if (code && !is_code(block)) {
                if (it == block.begin())
                    format.setAnchorNames({fragment.text().trimmed()});
                format.setBackground(code_background());
            }
            format.setFont(font, QTextCharFormat::FontPropertiesAll);
            pieces.push_back({fragment.position(), fragment.position() + fragment.length(), format});
        }
        for (const Piece& piece : pieces) {
            QTextCursor cursor(&document_);
            cursor.setPosition(piece.begin);
            cursor.setPosition(piece.end, QTextCursor::KeepAnchor);
            cursor.setCharFormat(piece.format);
        }
    }

    [[nodiscard]] QColor code_background() const {
        return mixed(style_.theme.surface, style_.theme.text, style_.theme.dark ? 0.08 : 0.05);
    }

    void format_table(QTextTable& table) {
        QTextTableFormat format = table.format();
        format.setBorder(0);
        format.setBorderCollapse(true);
        format.setCellSpacing(0);
        format.setCellPadding(0.35 * em_);
        format.setTopMargin(0.2 * em_);
        format.setBottomMargin(0.9 * em_);
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        format.setHeaderRowCount(1);
        table.setFormat(format);
        for (int row = 0; row < table.rows(); ++row)
            for (int column = 0; column < table.columns(); ++column)
                format_cell(table.cellAt(row, column), row);
    }

    void format_cell(QTextTableCell cell, int row) {
        QTextTableCellFormat format = cell.format().toTableCellFormat();
        format.setBottomBorder(row == 0 ? 1.5 : 1);
        format.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBottomBorderBrush(row == 0 ? style_.theme.outline : style_.theme.border);
        cell.setFormat(format);
        if (row > 0)
            return;
        QTextCursor cursor = cell.firstCursorPosition();
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
        QTextCharFormat heading;
        heading.setFontWeight(QFont::DemiBold);
        heading.setForeground(style_.theme.dim_text);
        cursor.mergeCharFormat(heading);
    }

    /// Lines of code that follow each other into one box. From the end, as frames move what stands behind.
    void frame_code() {
        std::vector<std::pair<int, int>> runs;
        for (QTextBlock block = document_.begin(); block.isValid(); block = block.next()) {
            if (!is_code(block))
                continue;
            const int last = block.position() + block.length() - 1;
            if (!runs.empty() && runs.back().second + 1 == block.position())
                runs.back().second = last;
            else
                runs.emplace_back(block.position(), last);
        }
        QTextFrameFormat box;
        box.setBackground(code_background());
        box.setPadding(0.6 * em_);
        box.setTopMargin(0.3 * em_);
        box.setBottomMargin(0.5 * em_);
        for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
            QTextCursor cursor(&document_);
            cursor.setPosition(run->first);
            cursor.setPosition(run->second, QTextCursor::KeepAnchor);
            set_up_box(*cursor.insertFrame(box));
        }
    }

    /// A frame leaves an empty line before it, and its first line loses its format.
    void set_up_box(const QTextFrame& frame) {
        const QTextBlock before = document_.findBlock(frame.firstPosition() - 1);
        if (before.isValid() && before.length() == 1) {
            QTextBlockFormat nothing;
            nothing.setLineHeight(1, QTextBlockFormat::FixedHeight);
            QTextCursor(before).setBlockFormat(nothing);
        }
        QTextCursor lines(&document_);
        lines.setPosition(frame.firstPosition());
        lines.setPosition(frame.lastPosition(), QTextCursor::KeepAnchor);
        QTextBlockFormat line;
        line.setLineHeight(table_line_height, QTextBlockFormat::ProportionalHeight);
        line.setNonBreakableLines(true);
        lines.setBlockFormat(line);
    }

    QTextDocument& document_;
    const HelpStyle& style_;
    double em_;
};

} // namespace

void fill_help_document(QTextDocument& document, const QString& markdown, const HelpStyle& style) {
    document.clear();
    document.setUndoRedoEnabled(false);
    document.setDefaultFont(style.text);
    document.setDocumentMargin(0);
    document.setIndentWidth(2 * QFontMetricsF(style.text).averageCharWidth());
    document.setMarkdown(markdown);
    HelpTypography(document, style).apply();
}

int comfortable_width(const QFont& font) {
    // The width of running text, not the mean of an alphabet: letters are not equally frequent. Lines end a
    // few characters before the edge.
    static const QString sample =
        QStringLiteral("the storage format of a sparse matrix and the loops that run over it");
    return qRound(QFontMetricsF(font).horizontalAdvance(sample) / static_cast<double>(sample.size()) * 78);
}

void set_side_margins(QTextDocument& document, int available_width, int text_width) {
    const int margin = std::max(least_margin, (available_width - text_width) / 2);
    QTextFrame* const root = document.rootFrame();
    QTextFrameFormat format = root->frameFormat();
    format.setLeftMargin(margin);
    format.setRightMargin(margin);
    format.setTopMargin(least_margin);
    format.setBottomMargin(2 * least_margin);
    if (format != root->frameFormat())
        root->setFrameFormat(format);
}

} // namespace sparsight
