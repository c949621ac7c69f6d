// The left side of the help window: the table of contents or, while the user searches, the matches.
#pragma once

#include "gui/help/help_text.h"

#include <QStyledItemDelegate>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace sparsight {

/// Paints a line of the list: a group's heading, a page, or a match with an excerpt of its text.
class HelpLineDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    enum Role { TopicRole = Qt::UserRole, AnchorRole, ExcerptRole };

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The list and the search field above it.
class HelpContents : public QWidget {
    Q_OBJECT

public:
    explicit HelpContents(QWidget* parent = nullptr);

    /// Marks the topic that is shown.
    void set_current(const QString& topic);
    void seek(const QString& query);
    void focus_search();

    [[nodiscard]] QStringList listed_topics() const; ///< topics of the lines that are shown, in their order

Q_SIGNALS:
    /// `words` are the searched words; empty when chosen from the table of contents.
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
