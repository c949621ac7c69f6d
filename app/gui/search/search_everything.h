// How well a text fits what is typed, for "search everything".
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace sparsight {

/// 0: not at all. Otherwise the more the better: the whole text, its beginning, the beginning of a word,
/// anywhere in it, and last its letters in this order with gaps. Upper and lower case are the same. Several
/// words in the query must all fit.
[[nodiscard]] int search_score(const QString& query, const QString& text);

// Ctrl+K: one field that finds matrices, schedules, machines, pages, commands and help.

struct SearchItem {
    QString title;
    QString detail; ///< beside it, dimmed: what it is
    QString icon;
    std::function<void()> open;
};

/// Asked each time the field is opened.
using SearchSource = std::function<std::vector<SearchItem>()>;

class SearchEverything : public QDialog {
    Q_OBJECT

public:
    explicit SearchEverything(std::vector<SearchSource> sources, QWidget* parent = nullptr);

    /// Opens below the top of the window it belongs to.
    void ask();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find(const QString& query);
    void choose(int row);

    std::vector<SearchSource> sources_;
    std::vector<SearchItem> items_;
    std::vector<std::size_t> shown_;
    QLineEdit* field_;
    QListWidget* list_;
    QLabel* nothing_;
};

} // namespace sparsight
