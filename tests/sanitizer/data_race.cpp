// Two threads write one variable without a lock: ThreadSanitizer must report it.
#include <thread>

int main() {
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
