// The stories of the failures, one under the other, each in two lines; the first line is all of them
// together.
#pragma once

#include <QListView>
#include <QStringList>
#include <vector>

class QStandardItemModel;

namespace sparsight {

struct ToldStory {
    QString key{};
    QString title{};
    QString text{};  ///< may take two lines
    QString count{}; ///< "7 cases"
    QString hint{};
};

class StoryList : public QListView {
    Q_OBJECT

public:
    explicit StoryList(QWidget* parent = nullptr);

    /// The one that was chosen stays chosen where it is still there, otherwise the first is.
    void set_stories(const std::vector<ToldStory>& stories);
    [[nodiscard]] int current_story() const; ///< −1 without one
    void choose(int story);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(int story);

protected:
    void changeEvent(QEvent* event) override;

private:
    QStandardItemModel* stories_;
    bool is_filling_ = false;
};

} // namespace sparsight
