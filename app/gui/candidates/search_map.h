// The map of a search for the plot of the Search page, and the choice of which part of a blended score
// colours the map.
#pragma once

#include "gui/candidates/search_features.h"
#include "gui/candidates/stored_searches.h"
#include "widgets/chart/plots/walk_picture.h"

#include <QWidget>

class QComboBox;

namespace sparsight {

/// Which score colours the map. The walk always follows the network's score; a model that is not blended with
/// the simulator has no other score.
enum class MapColours { Score, Network, Simulated };

/// Empty where the search has no map. Keys are the texts of the configurations; `name` is as in
/// SearchFeatures.
[[nodiscard]] WalkPicture walk_drawing(const CandidateSearch& search, const Domain& domain,
                                       const NameConfigurations& name,
                                       MapColours colours = MapColours::Score);

/// Shows the parts of a blended score and lets the user choose which part colours the map. The walk always
/// follows the network's score.
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
