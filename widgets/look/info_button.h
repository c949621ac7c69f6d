// A word of the field is explained where it stands: on hover in a sentence, on a click in Help.
#pragma once

#include <QToolButton>

namespace sparsight {

class InfoButton : public QToolButton {
    Q_OBJECT
public:
    /// explanation: one or two sentences; topic: the page of Help, empty if there is none.
    InfoButton(const QString& explanation, const QString& topic, QWidget* parent = nullptr);

    [[nodiscard]] QString topic() const { return topic_; }

Q_SIGNALS:
    void help_requested(const QString& topic);

private:
    QString topic_;
};

/// Rich text for a tooltip that breaks its lines: a bold title above the text.
[[nodiscard]] QString explained_tooltip(const QString& title, const QString& text);

} // namespace sparsight
