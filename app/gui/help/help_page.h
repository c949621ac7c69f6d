// The help: contents and search at the left, the page at the right, walked like a browser. The way back
// begins with the topic that is seen first whenever the page is shown; before that, the window goes back.
#pragma once

#include "gui/page/page.h"

#include <QStringList>

#include <optional>
#include <vector>

class QLabel;
class QSplitter;
class QToolButton;
class QUrl;

namespace sparsight {

class HelpBrowser;
class HelpContents;

class HelpPage : public Page {
    Q_OBJECT

public:
    explicit HelpPage(QWidget* parent = nullptr);

    /// A topic of help_topics and, where given, a heading's anchor or a statistic's name on it. An unknown
    /// topic shows the index.
    void show_topic(const QString& topic, const QString& anchor = {});
    /// Fills in the search field, which lists what is found.
    void seek(const QString& query);

    [[nodiscard]] QString topic() const;
    [[nodiscard]] QStringList listed_topics() const;
    [[nodiscard]] bool can_go_back() const { return place_ > first_seen_; }
    [[nodiscard]] bool can_go_forward() const { return place_ + 1 < history_.size(); }
    void go_back();
    void go_forward();

    /// In percent of the application's font.
    [[nodiscard]] int text_size() const;
    void set_text_size(int percent);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& state) override;

Q_SIGNALS:
    void topic_shown(const QString& topic);

protected:
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Visit {
        QString topic;
        QString anchor;
        int scroll = -1; ///< where it was left; −1 while it is shown
    };

    enum class Way { Back, Forward, Search, Enlarge, Reduce, UsualSize };

    [[nodiscard]] static std::optional<Way> way_of(const QKeyEvent& event);
    [[nodiscard]] std::optional<Way> own_way(const QKeyEvent& event) const;
    QWidget* make_bar();
    QToolButton* make_button(const QString& icon, const QString& text, void (HelpPage::*action)());
    void visit(const QString& topic, const QString& anchor, const QStringList& words);
    void show_visit(const QStringList& words);
    void show_ways();
    void leave();
    void follow(const QUrl& link);
    void enlarge() { set_text_size(text_size() + 10); }
    void reduce() { set_text_size(text_size() - 10); }
    void reset_size() { set_text_size(100); }

    HelpContents* contents_ = nullptr;
    HelpBrowser* browser_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* forward_ = nullptr;
    QLabel* title_ = nullptr;
    QToolButton* size_ = nullptr;
    std::vector<Visit> history_;
    std::size_t place_ = 0;
    std::size_t first_seen_ = 0; ///< place of the topic that was there when the page was shown last
};

} // namespace sparsight
