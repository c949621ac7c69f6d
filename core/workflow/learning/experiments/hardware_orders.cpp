#include "workflow/learning/experiments/hardware_orders.h"

#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view orders_kind = "experiment hardware: orders";

std::string order_series(const OrderCell& cell, std::string_view what) {
    return fmt::format("order/{}/{}/{}/{}", cell.pair, cell.seed, cell.is_without_kind ? "kind" : "machine",
                       what);
}

Json orders_parameters(const HardwareRequest& request, const HardwareStudy& study,
                       const HardwareOutcome& outcome) {
    Json pairs = Json::array();
    for (const HardwarePair& pair : outcome.pairs)
        pairs.push_back({pair.setting, pair.workload, pair.machine});
    return {{"pairs", std::move(pairs)},
            {"measurements", request.shots.front()},
            {"seeds", request.seeds},
            {"seed", request.seed},
            {"data", fmt::format("{:016x}", digest_of(study.spaces, study.sheets))}};
}

} // namespace

HardwareOrders::HardwareOrders(const HardwareRequest& request, const HardwareStudy& study)
    : request_(request)
    , study_(study) {
    if (!request.orders)
        return;
    for (std::size_t pair = 0; pair < study.targets.size(); ++pair)
        for (const bool is_without_kind : {false, true})
            if (!is_without_kind || without_its_kind(study.targets[pair], study.sheets))
                for (int seed = 1; seed <= request.seeds; ++seed)
                    cells_.push_back({pair, is_without_kind, seed});
}

Result<HardwareOrders> HardwareOrders::claim(Workspace& workspace, const HardwareRequest& request,
                                             const HardwareStudy& study, const HardwareOutcome& outcome) {
    HardwareOrders orders(request, study);
    if (orders.all() == 0)
        return orders;
    auto record = ExperimentRecord::claim(workspace, orders_kind, orders_parameters(request, study, outcome));
    if (!record)
        return std::unexpected(std::move(record).error());
    orders.record_.emplace(*std::move(record));
    return orders;
}

std::optional<LearnedOrder> HardwareOrders::known(const OrderCell& cell) const {
    const auto& points = record_->points();
    const auto corrected = points.find({order_series(cell, "corrected"), 0});
    const auto source = points.find({order_series(cell, "source"), 0});
    if (corrected == points.end() || source == points.end())
        return std::nullopt;
    return LearnedOrder{corrected->second, source->second};
}

std::uint64_t HardwareOrders::done() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(cells_, [this](const OrderCell& cell) { return known(cell).has_value(); }));
}

Result<void> HardwareOrders::run(const HardwareOutcome& outcome, Observer& observer,
                                 const std::stop_token& stop, std::uint64_t before) {
    for (std::size_t first = 0; first < cells_.size();) {
        const OrderCell& of = cells_[first];
        std::size_t end = first;
        while (end < cells_.size() && cells_[end].pair == of.pair &&
               cells_[end].is_without_kind == of.is_without_kind)
            ++end;
        const TransferTarget& whole = study_.targets[of.pair];
        const auto part =
            of.is_without_kind ? without_its_kind(whole, study_.sheets) : std::optional<TransferTarget>();
        const TransferTarget& target = part ? *part : whole;
        std::optional<CopiedPrior> prior; // the same for all seeds
        for (; first < end; ++first) {
            const OrderCell& cell = cells_[first];
            if (known(cell))
                continue;
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            const HardwarePair& pair = outcome.pairs[cell.pair];
            const std::string stage = fmt::format("order of {} on {}", pair.workload, pair.machine);
            observer.progress({.stage = stage, .done = before + first, .total = before + all()});
            if (!prior)
                prior = order_prior(target, study_.sheets);
            const LearnedOrder order =
                learned_order(target, *prior, request_.shots.front(),
                              request_.seed + static_cast<std::uint64_t>(cell.seed) - 1);
            const std::array<std::pair<ExperimentRecord::Place, double>, 2> points{
                {{{order_series(cell, "corrected"), 0}, order.corrected},
                 {{order_series(cell, "source"), 0}, order.source}}};
            if (auto kept = record_->add(points); !kept)
                return kept;
            observer.event("order", order_json(outcome, cell, order));
        }
    }
    return {};
}

void HardwareOrders::read(HardwareOutcome& outcome) const {
    for (const OrderCell& cell : cells_)
        if (const auto order = known(cell))
            outcome.orders.emplace(cell, *order);
}

Json order_json(const HardwareOutcome& outcome, const OrderCell& cell, const LearnedOrder& order) {
    const HardwarePair& pair = outcome.pairs[cell.pair];
    return {{"space", pair.setting},   {"workload", pair.workload},
            {"machine", pair.machine}, {"is_without_kind", cell.is_without_kind},
            {"seed", cell.seed},       {"corrected", order.corrected},
            {"source", order.source}};
}

} // namespace sparsight
