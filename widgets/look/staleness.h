// What is still on the screen though something else was asked for is paler until the answer is there.
#pragma once

#include <QObject>
#include <QTimer>
#include <QWidget>
#include <vector>

namespace sparsight {

class Staleness : public QObject {
    Q_OBJECT
public:
    /// For answers that come within this time nothing flickers.
    static constexpr std::chrono::milliseconds patience{150};

    /// Owned by `owner`, of whose children the widgets are some.
    Staleness(std::vector<QWidget*> widgets, QObject* owner);

    void begin();
    void end();
    [[nodiscard]] bool is_shown() const { return is_shown_; }

private:
    void show();

    std::vector<QWidget*> widgets_;
    QTimer wait_;
    bool is_shown_ = false;
};

} // namespace sparsight
