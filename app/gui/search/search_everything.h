// "Search everything" (Ctrl+K): one field that finds matrices, schedules, machines and their parameters,
// pages, commands, settings, lessons and the text of the help, with the score that ranks its matches.
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace sparsight {

/// 0: no match. Higher scores are better matches, in this order: the whole text, its beginning, the beginning
/// of a word, any place in it, and its letters in the order of the query with gaps. Upper and lower case are
/// equal. All words of the query must match.
[[nodiscard]] int search_score(const QString& query, const QString& text);

struct SearchItem {
    QString title;
    QString detail; ///< the kind of the item: shown beside the title, dimmed
    QString icon;
    std::function<void()> open;
    QString text{}; ///< what it says: searched after all names; the sentence that matches is shown
};

/// How well the item answers the query; 0: not at all. Names come first, then kinds, then texts, and at last
/// the letters of the query with gaps in a name. In a text each word of the query begins a word, or is in the
/// name.
[[nodiscard]] int item_score(const QString& query, const SearchItem& item);
/// The sentence of the text that the query is in, or its first one; cut to the length of a line.
[[nodiscard]] QString matching_line(const QString& query, const QString& text);

/// Called each time the field is opened.
using SearchSource = std::function<std::vector<SearchItem>()>;

class SearchEverything : public QDialog {
    Q_OBJECT

public:
    explicit SearchEverything(std::vector<SearchSource> sources, QWidget* parent = nullptr);

    /// Opens below the top of its window.
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
