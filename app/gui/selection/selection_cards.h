// Short facts about the selected workload, machine, configuration and model, a card each. A domain may have
// cards of its own for its workloads and configurations.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "store/results.h"
#include "widgets/look/card.h"

#include <QString>
#include <vector>

namespace sparsight {

class TrainingRuns;

/// A table of two columns for a label: dimmed names and their values.
class FactTable {
public:
    /// Leaves out empty values.
    void add(const QString& name, QString value);
    [[nodiscard]] QString html() const;

private:
    QString rows_;
};

/// A dimmed text, shown where there are no facts. `text` may contain links.
[[nodiscard]] QString dimmed(const QString& text);
[[nodiscard]] QLabel* facts_label(QWidget* parent);

/// One subject of the selection. It shows it anew whenever the selection, the workspace or the look of
/// numbers has changed.
class SelectionCard : public Card {
    Q_OBJECT

public:
    SelectionCard(Services services, const QString& title, QWidget* parent = nullptr);

Q_SIGNALS:
    void page_requested(const QString& id);

protected:
    /// Follows the selection from now on.
    void begin();
    virtual void show_selected() = 0;
    [[nodiscard]] const Services& services() const { return services_; }
    /// A label whose links request pages.
    [[nodiscard]] QLabel* add_facts_label();

private:
    Services services_;
};

/// A workload of any domain: what its domain calls statistics, and what else is known of it.
class WorkloadCard : public SelectionCard {
    Q_OBJECT

public:
    explicit WorkloadCard(Services services, QWidget* parent = nullptr);

private:
    void show_selected() override;

    QLabel* facts_;
};

class MachineCard : public SelectionCard {
    Q_OBJECT

public:
    explicit MachineCard(Services services, QWidget* parent = nullptr);

private:
    void show_selected() override;

    QLabel* facts_;
};

/// A configuration of any domain: its decisions, and its times on the selected workload and machine.
class ConfigurationCard : public SelectionCard {
    Q_OBJECT

public:
    explicit ConfigurationCard(Services services, QWidget* parent = nullptr);

private:
    void show_selected() override;
    void show_times(const std::vector<ResultRecord>& results);

    QLabel* facts_;
    NewestAnswer<Result<std::vector<ResultRecord>>> times_{this};
};

/// The facts about the selected model: its operator, its training data and its accuracy.
class ModelCard : public SelectionCard {
    Q_OBJECT

public:
    ModelCard(Services services, const TrainingRuns& runs, QWidget* parent = nullptr);

private:
    void show_selected() override;

    const TrainingRuns& runs_;
    QLabel* facts_;
};

} // namespace sparsight
