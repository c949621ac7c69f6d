// One defect for each sanitizer, which must report it; the build says which one a program has.
#include <limits>
#include <thread>
#include <vector>

namespace {

/// Reads behind the end of an array.
[[maybe_unused]] int heap_overflow(int count) {
    const std::vector<int> values(static_cast<std::size_t>(count));
    return values.data()[count];
}

/// Adds past the largest int.
[[maybe_unused]] int signed_overflow(int count) {
    volatile int sum = std::numeric_limits<int>::max();
    sum = sum + count;
    return sum == 0 ? 1 : 0;
}

/// Two threads write one variable without a lock.
[[maybe_unused]] int data_race(int) {
    int shared = 0;
    const auto write = [&shared] {
        for (int i = 0; i < 1000; ++i)
            shared += i;
    };
    std::thread other(write);
    write();
    other.join();
    return shared == 0 ? 1 : 0;
}

} // namespace

int main(int count, char**) {
    return SPARSIGHT_DEFECT(count);
}
