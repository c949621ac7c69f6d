// The tables of an evaluation: a row for each model, and one for each model and workload.
#pragma once

#include "evaluation/model_evaluation.h"
#include "widgets/table/record_model.h"

namespace sparsight {

struct ModelResult {
    EvaluatedModel model;
    std::size_t place = 0; ///< among the models: its colour
    bool is_alone = false;
};

class SummaryModel : public RecordModel<ModelResult> {
public:
    explicit SummaryModel(const DomainWords& words, QObject* parent = nullptr);
    void show_evaluation(const ModelEvaluation& evaluation);

    enum Column { Model, Geometric, Median, Mean, Losing, Worst, Regret, Tau };
};

struct WorkloadResult {
    QString model;
    EvaluatedWorkload found;
    QString best_name{}; ///< of the best configuration: its nickname, or else its text
};

class WorkloadResultsModel : public RecordModel<WorkloadResult> {
public:
    explicit WorkloadResultsModel(const DomainWords& words, QObject* parent = nullptr);
    void show_evaluation(const ModelEvaluation& evaluation);
    [[nodiscard]] QString workload(int row) const;

    enum Column { Workload, Model, Speedup, Best, Baseline, BestKnown, Regret, Tau, Configuration, Code };
};

} // namespace sparsight
