// A part of what is told of a case, with the question that it answers above it.
#pragma once

#include <QLabel>
#include <QVBoxLayout>
#include <QWidget>

namespace sparsight {

class CaseStudy;

class CaseSection : public QWidget {
    Q_OBJECT

public:
    CaseSection(QString question, QString caption, QWidget* parent = nullptr);

    /// Again whenever something new is known.
    virtual void show_study(const CaseStudy& study) = 0;
    [[nodiscard]] const QString& question() const { return question_; }
    /// The same in a word.
    [[nodiscard]] const QString& caption() const { return caption_; }

protected:
    /// A text over the whole width that breaks its lines; hidden while it is empty.
    QLabel* add_text(const char* name);
    /// The same, less loud.
    QLabel* add_remark(const char* name);
    [[nodiscard]] QVBoxLayout& column() const { return *column_; }

    static void set_text(QLabel& label, const QString& text);

private:
    QString question_;
    QString caption_;
    QVBoxLayout* column_;
};

} // namespace sparsight
