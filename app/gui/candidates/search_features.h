// What a domain adds to the Search page beyond its codec and its spaces. All of it is optional.
#pragma once

#include "gui/candidates/searched_setting.h"
#include "gui/jobs/job_request.h"
#include "gui/page/offered_comparison.h"
#include "study/workload.h"

#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// A configuration as people read it in a table.
struct ConfigurationName {
    QString short_form;
    QString in_full; ///< for a tooltip: what its text says, explained
};

/// Of texts, in the same order; names are distinct within the list.
using NameConfigurations =
    std::function<std::vector<ConfigurationName>(const Setting&, const QStringList& texts)>;

/// Configurations that a search has found, to be measured on this computer.
struct MeasuredCandidates {
    QString workspace;
    QString workload;
    Setting setting;
    QStringList configurations; ///< texts
    bool again = false;         ///< those that are measured, too
};
/// The job that measures them, and under which conditions: their times are those of the table.
struct CandidateMeasurement {
    JobRequest job;
    std::string protocol;
    int threads = 1;
};

struct SearchFeatures {
    /// Fields that say what is computed, owned by the panel; absent: a choice among what models and times are
    /// there for.
    std::function<SearchedSetting*(QWidget* panel)> make_setting{};
    /// Absent: configurations are shown by their decisions, a column each.
    NameConfigurations name_configurations{};
    QString code_meaning{}; ///< for a column of texts beside the names: how they are read
    OfferComparison offer_comparison{};
    /// Absent: nothing can be measured from the window.
    std::function<CandidateMeasurement(const MeasuredCandidates&)> measure{};
    /// A workload of which only the name is known can't be searched for.
    bool needs_data = false;
    // Where a workload is chosen, and where the times of a configuration are:
    QString workloads_page = QStringLiteral("workloads");
    QString configurations_page = QStringLiteral("configurations");
};

} // namespace sparsight
