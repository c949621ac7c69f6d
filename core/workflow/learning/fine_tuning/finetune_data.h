// The data of a fine-tuning: workloads of one machine to learn from, and other workloads to test with.
#pragma once

#include "workflow/learning/fine_tuning/finetune_request.h"
#include "workflow/learning/training/training_data.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct FinetuneData {
    TrainingData data;              ///< with one task
    std::vector<std::size_t> tuned; ///< the training workloads that are learned from
    /// If split by row: the workloads of all rows that are not learned from. Otherwise empty, and the split's
    /// test side is used.
    std::vector<std::size_t> other_rows{};
    /// Workloads that are neither learned from nor tested with: what a gray box states of its doubt is
    /// calibrated by them. Those that the model has not seen, where there are enough.
    std::vector<std::size_t> validated{};
    Json model_ids{};    ///< ids of the model and the models to compare with; a re-trained model has a new id
    std::string split{}; ///< the split in use; empty: drawn by the shares

    /// Whether configurations were drawn, and not workloads.
    [[nodiscard]] bool is_by_row() const { return data.by == SplitBy::Row; }
    /// The workloads that test the model before and after. The shot curve is tested with the split's test
    /// side, since its points learn from different workloads.
    [[nodiscard]] const std::vector<std::size_t>& tested() const {
        return is_by_row() ? other_rows : data.split.test;
    }
    /// What a shot of the curve is.
    [[nodiscard]] const Noun& shot() const {
        return is_by_row() ? data.set.words.configuration : data.set.words.workload;
    }
    [[nodiscard]] std::size_t available_shots() const {
        return is_by_row() ? count_rows(data.set.tasks.front(), data.split.train) : data.split.train.size();
    }
};

[[nodiscard]] Result<FinetuneData> finetune_data(Workspace& workspace, const FinetuneRequest& request,
                                                 const Setting& setting, const StoredModel& model,
                                                 const std::stop_token& stop, const ProgressSink& progress);

/// If split by row: a sentence on what is learned from, what is tested, and what the regret compares with.
[[nodiscard]] std::string rows_sentence(const FinetuneData& data);

/// Sentences about settings that have no effect in this fine-tuning.
[[nodiscard]] std::vector<std::string>
settings_without_effect(const RunSettings& settings, const FinetuneRequest& request, const FinetuneData& data,
                        const FineTuningOptions& options, const StoredModel& model);

} // namespace sparsight
