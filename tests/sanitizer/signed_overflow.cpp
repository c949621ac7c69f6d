// Adds past the largest int: UndefinedBehaviorSanitizer must stop it.
#include <limits>

int main(int count, char**) {
    volatile int sum = std::numeric_limits<int>::max();
    sum = sum + count;
    return sum == 0 ? 1 : 0;
}
