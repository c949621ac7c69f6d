// A short list to choose one entry of, or to tick some: each has a text for people and a value.
#pragma once

#include <QListWidget>

namespace sparsight {

class ChoiceList : public QListWidget {
    Q_OBJECT

public:
    ChoiceList(const QString& id, const QString& name, const QString& tip, QWidget* parent = nullptr);

    QListWidgetItem* add(const QString& text, const QString& value);
    void add_tickable(const QString& text, const QString& value, bool is_ticked);

    [[nodiscard]] QString value() const; ///< of the current one; empty without
    [[nodiscard]] bool has(const QString& value) const;
    /// The first where there is no such value.
    void choose(const QString& value);
    [[nodiscard]] QStringList ticked() const;
};

} // namespace sparsight
