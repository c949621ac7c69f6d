// Messages that need no answer. They lie over the lower left corner of the page and never move what is in it:
// nobody clicks at something that has just jumped away. Never a dialog, because nothing modal may stand in
// the way of work that runs.
#pragma once

#include <QWidget>
#include <vector>

class QFrame;
class QLabel;
class QVBoxLayout;

namespace sparsight {

class Banner;

class Notices : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t most_in_sight = 2;

    /// Lies over this widget.
    explicit Notices(QWidget* page);

    /// A problem stays until it is closed; anything else goes by itself. The same text is shown once. The
    /// newest are in sight; of the others is said how many there are.
    void tell(const QString& text, bool is_problem);
    void clear();
    /// All of them, the oldest first.
    [[nodiscard]] QStringList texts() const;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drop(Banner* banner);
    void show_newest();
    void place();

    std::vector<Banner*> banners_; ///< the oldest first
    QVBoxLayout* column_;
    QFrame* rest_; ///< "and 3 more"
    QLabel* rest_text_;
};

} // namespace sparsight
