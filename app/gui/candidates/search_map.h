// The map of a search as the plot shows it.
#pragma once

#include "gui/candidates/stored_searches.h"
#include "widgets/chart/plots/walk_picture.h"

#include <QWidget>

class QComboBox;

namespace sparsight {

/// What the colours of the map tell. Whatever they do, the walk goes by the network's score: of a model that
/// is not blended with the simulator that is its score.
enum class MapColours { Score, Network, Simulated };

/// Nothing where the search has no map. Keys are the texts of the schedules.
[[nodiscard]] WalkPicture walk_drawing(const CandidateSearch& search, MapColours colours = MapColours::Score);

// What a blended score is made of, and which of it colours the map: the walk is the network's in any case.

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
