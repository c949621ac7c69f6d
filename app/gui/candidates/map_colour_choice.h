// What a blended score is made of, and which of it colours the map: the walk is the network's in any case.
#pragma once

#include "gui/candidates/walk_drawing.h"

#include <QWidget>

class QComboBox;

namespace sparsight {

class MapColourChoice : public QWidget {
    Q_OBJECT

public:
    explicit MapColourChoice(QWidget* parent = nullptr);

    [[nodiscard]] MapColours colours() const;
    [[nodiscard]] QComboBox& box() { return *box_; }

Q_SIGNALS:
    void changed();

private:
    QComboBox* box_;
};

} // namespace sparsight
