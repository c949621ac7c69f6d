#include "gui/domains/blocks/analysis/example_blocks.h"

#include <QFile>
#include <QStringList>

namespace sparsight {

namespace {

/// The first line of a file is its title, the second one its origin.
ExampleBlock read_example(const QString& name) {
    QFile file(QStringLiteral(":/blocks/%1.s").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString code = QString::fromUtf8(file.readAll());
    const auto comment = [&code](int line) { return code.section(u'\n', line, line).mid(2); };
    return {comment(0), comment(1), code};
}

} // namespace

const std::vector<ExampleBlock>& example_blocks() {
    static const std::vector<ExampleBlock> blocks = [] {
        std::vector<ExampleBlock> all;
        for (const char* const name : {"dot-product", "dot-product-four-sums", "list-sum", "hash",
                                       "sparse-row", "scaled-sum", "reverse", "division"})
            all.push_back(read_example(QString::fromLatin1(name)));
        return all;
    }();
    return blocks;
}

} // namespace sparsight
