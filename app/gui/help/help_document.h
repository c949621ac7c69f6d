// A help page as a document to look at: Markdown with the window's type, colours and spacing.
#pragma once

#include <QFont>
#include <QString>

class QTextDocument;

namespace sparsight {

struct Theme;

struct HelpStyle {
    QFont text; ///< of paragraphs; everything else follows its size
    QFont code;
    const Theme& theme;
};

/// Replaces what is in the document. Headings get the anchors that links use; so does a name in code at the
/// beginning of a paragraph (`row_length_mean`), by itself.
void fill_help_document(QTextDocument& document, const QString& markdown, const HelpStyle& style);

/// The width of about 75 characters, beyond which lines are hard to follow.
[[nodiscard]] int comfortable_width(const QFont& font);

/// Space at the left and the right of the text, so that it is at most `text_width` wide, in the middle.
void set_side_margins(QTextDocument& document, int available_width, int text_width);

} // namespace sparsight
