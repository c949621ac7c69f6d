// One line of the help's contents: a group's heading, a page, or what was found with a piece of its text.
#pragma once

#include "gui/help/help_text.h"

#include <QStyledItemDelegate>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace sparsight {

class HelpLineDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    enum Role { TopicRole = Qt::UserRole, AnchorRole, ExcerptRole };

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The left side of the help: its table of contents, or, while something is sought, what was found.

class HelpContents : public QWidget {
    Q_OBJECT

public:
    explicit HelpContents(QWidget* parent = nullptr);

    /// Marks the topic that is shown.
    void set_current(const QString& topic);
    void seek(const QString& query);
    void focus_search();

    [[nodiscard]] QStringList listed_topics() const; ///< of the lines that are shown, in their order

Q_SIGNALS:
    /// `words` are those that were sought; none from the table of contents.
    void chosen(const QString& topic, const QString& anchor, const QStringList& words);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void list_all();
    void list_matches(const QString& query);
    void choose(const QListWidgetItem* item);

    HelpIndex index_;
    QLineEdit* search_;
    QListWidget* list_;
    QLabel* nothing_;
    QString current_;
};

} // namespace sparsight
