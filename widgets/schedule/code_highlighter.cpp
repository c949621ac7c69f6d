#include "widgets/schedule/code_highlighter.h"

#include <QRegularExpression>
#include <QSet>

namespace sparsight {

namespace {

enum State { InCode = 0, InComment = 1 };

const QSet<QString>& keywords() {
    static const QSet<QString> words{
        QStringLiteral("for"),    QStringLiteral("if"),       QStringLiteral("else"),
        QStringLiteral("while"),  QStringLiteral("do"),       QStringLiteral("return"),
        QStringLiteral("const"),  QStringLiteral("static"),   QStringLiteral("break"),
        QStringLiteral("inline"), QStringLiteral("continue"), QStringLiteral("restrict"),
        QStringLiteral("struct"), QStringLiteral("sizeof")};
    return words;
}

const QSet<QString>& types() {
    static const QSet<QString> words{
        QStringLiteral("void"), QStringLiteral("int"),  QStringLiteral("float"),    QStringLiteral("double"),
        QStringLiteral("char"), QStringLiteral("long"), QStringLiteral("unsigned"), QStringLiteral("bool")};
    return words;
}

QTextCharFormat coloured(const QColor& colour, bool bold = false, bool italic = false) {
    QTextCharFormat format;
    format.setForeground(colour);
    if (bold)
        format.setFontWeight(QFont::DemiBold);
    format.setFontItalic(italic);
    return format;
}

} // namespace

CodeHighlighter::CodeHighlighter(QTextDocument* document, const CodeColours& colours)
    : QSyntaxHighlighter(document)
    , colours_(colours) {}

void CodeHighlighter::set_colours(const CodeColours& colours) {
    colours_ = colours;
    rehighlight();
}

QTextCharFormat CodeHighlighter::format_of_word(const QString& word, bool is_called) const {
    if (keywords().contains(word))
        return coloured(colours_.keyword);
    if (types().contains(word) || word.endsWith(QStringLiteral("_t")))
        return coloured(colours_.type);
    return coloured(is_called ? colours_.function : colours_.text);
}

void CodeHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression token(QStringLiteral(
        R"((?<line>//.*)|(?<open>/\*)|(?<directive>^\s*#.*)|(?<word>[A-Za-z_]\w*)|(?<number>\b\d[\w.]*))"));
    setCurrentBlockState(InCode);
    qsizetype at = 0;
    const auto comment_from = [&](qsizetype begin) {
        const qsizetype end = text.indexOf(QStringLiteral("*/"), begin);
        setCurrentBlockState(end < 0 ? InComment : InCode);
        at = end < 0 ? text.size() : end + 2;
        setFormat(static_cast<int>(begin), static_cast<int>(at - begin),
                  coloured(colours_.comment, false, true));
    };
    if (previousBlockState() == InComment)
        comment_from(0);
    while (at < text.size()) {
        const QRegularExpressionMatch found = token.match(text, at);
        if (!found.hasMatch())
            return;
        const qsizetype begin = found.capturedStart();
        const auto colour = [&](const QTextCharFormat& format) {
            setFormat(static_cast<int>(begin), static_cast<int>(found.capturedLength()), format);
        };
        at = found.capturedEnd();
        if (found.hasCaptured(QStringLiteral("open")))
            comment_from(begin);
        else if (found.hasCaptured(QStringLiteral("line")))
            colour(coloured(colours_.comment, false, true));
        else if (found.hasCaptured(QStringLiteral("directive")))
            colour(coloured(colours_.keyword, true));
        else if (found.hasCaptured(QStringLiteral("number")))
            colour(coloured(colours_.number));
        else
            colour(format_of_word(found.captured(), at < text.size() && text[at] == u'('));
    }
}

} // namespace sparsight
