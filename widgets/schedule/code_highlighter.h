// Colours C: keywords, types, numbers, comments, pragmas and function names.
#pragma once

#include "widgets/look/theme.h"

#include <QSyntaxHighlighter>

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

} // namespace sparsight
