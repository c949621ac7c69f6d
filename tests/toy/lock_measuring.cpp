#include "toy/lock_measuring.h"

#include "toy/digit_space.h"
#include "toy/lock_domain.h"

#include <cstdlib>
#include <fmt/format.h>

namespace sparsight::toy {

namespace {

class LockMeasurer final : public WorkloadMeasurer {
public:
    explicit LockMeasurer(std::string secret)
        : secret_(std::move(secret)) {}

    Result<Measurement> measure(const WrittenConfiguration& combination) override {
        Measurement measurement;
        if (combination.text == "4444") {
            measurement.reason = "the lock is jammed";
            return measurement;
        }
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        measurement.repeats = 1;
        for (std::size_t place = 0; place < secret_.size(); ++place)
            measurement.median += Milliseconds(std::abs(secret_[place] - combination.text[place]));
        return measurement;
    }

private:
    std::string secret_;
};

class LockSession final : public MeasuringSession {
public:
    Result<std::unique_ptr<WorkloadMeasurer>> open(Workspace&, const WorkloadRecord& lock) override {
        std::string secret;
        for (const auto& [digit, value] : numeric_facts(lock))
            secret += static_cast<char>('0' + static_cast<int>(value));
        if (secret.empty())
            return fail(Fault::Input, fmt::format("nobody knows the digits of {}", lock.name));
        return std::make_unique<LockMeasurer>(std::move(secret));
    }
};

class LockMeasuring final : public MeasuringDomain {
public:
    const Domain& domain() const override { return *domain_; }
    std::string engine() const override { return "lock 1"; }
    Result<std::unique_ptr<MeasuringSession>> begin(const MeasuringConditions&) const override {
        return std::make_unique<LockSession>();
    }

private:
    std::unique_ptr<const Domain> domain_ = make_lock_domain();
};

} // namespace

std::unique_ptr<const MeasuringDomain> make_lock_measuring() {
    return std::make_unique<LockMeasuring>();
}

} // namespace sparsight::toy
