/* expect: violated data-race */
/* Two threads use one future: which of them may get the value is a race. */
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    promise.set_value(3);
    auto take = [&] {
        if (future.valid())
            future.get();
    };
    std::thread first(take), second(take);
    first.join();
    second.join();
}
