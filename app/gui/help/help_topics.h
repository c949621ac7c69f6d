// The pages of the help, in the order of the contents. An id is the name of the file resources/help/ID.md,
// and what show_topic() and help_requested() take.
#pragma once

#include <QtGlobal>

#include <array>

namespace sparsight {

struct HelpTopic {
    const char* id;
    const char* group; ///< heading in the contents; translated with the context "HelpContents"
};

inline constexpr std::array help_topics{
    HelpTopic{"index", QT_TRANSLATE_NOOP("HelpContents", "Start")},
    HelpTopic{"super-schedule", QT_TRANSLATE_NOOP("HelpContents", "Ideas")},
    HelpTopic{"level-formats", QT_TRANSLATE_NOOP("HelpContents", "Ideas")},
    HelpTopic{"sparsity-plot", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"statistics", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"speedup-chart", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"coordinate-tree", QT_TRANSLATE_NOOP("HelpContents", "Reading the pictures")},
    HelpTopic{"measuring", QT_TRANSLATE_NOOP("HelpContents", "Measuring")},
    HelpTopic{"machines", QT_TRANSLATE_NOOP("HelpContents", "Measuring")},
    HelpTopic{"jobs", QT_TRANSLATE_NOOP("HelpContents", "Measuring")},
    HelpTopic{"what-if", QT_TRANSLATE_NOOP("HelpContents", "Simulating")},
    HelpTopic{"training", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"fine-tuning", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"search", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"results", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"failures", QT_TRANSLATE_NOOP("HelpContents", "Learning")},
    HelpTopic{"shortcuts", QT_TRANSLATE_NOOP("HelpContents", "To look up")},
    HelpTopic{"glossary", QT_TRANSLATE_NOOP("HelpContents", "To look up")},
};

} // namespace sparsight
