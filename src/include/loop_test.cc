// A loop that cannot be created is safe to use, also for a provider, and says why.
#include <lib/async-loop/cpp/loop.h>
#include <trace-provider/provider.h>

#include <sys/resource.h>

#include <cassert>

static void UseWithoutDescriptors()
{
    async::Loop loop(&kAsyncLoopConfigNoAttachToThread);
    assert(!loop.is_valid() && loop.loop() == nullptr && loop.dispatcher() == nullptr);
    assert(loop.Run() == ZX_ERR_NO_RESOURCES);
    assert(loop.RunUntilIdle() == ZX_ERR_NO_RESOURCES);
    assert(loop.ResetQuit() == ZX_ERR_NO_RESOURCES);
    assert(loop.StartThread("loop") == ZX_ERR_NO_RESOURCES);
    const trace::TraceProvider provider(loop.dispatcher());
    assert(!provider.is_valid());
    loop.Quit();
    loop.JoinThreads();
    loop.Shutdown();
}

static void Use()
{
    async::Loop loop(&kAsyncLoopConfigNoAttachToThread);
    assert(loop.is_valid() && loop.loop() != nullptr && loop.dispatcher() != nullptr);
    assert(loop.RunUntilIdle() == ZX_OK);
    loop.Quit();
    assert(loop.Run() == ZX_ERR_CANCELED);
    assert(loop.ResetQuit() == ZX_OK);
    assert(loop.StartThread("loop") == ZX_OK);
    loop.Quit();
    loop.JoinThreads();
    loop.Shutdown();
    assert(loop.Run() == ZX_ERR_BAD_STATE);
}

int main()
{
    rlimit limit;
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    const rlimit none = {0, limit.rlim_max};
    assert(setrlimit(RLIMIT_NOFILE, &none) == 0);
    UseWithoutDescriptors();
    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    Use();
    return 0;
}
