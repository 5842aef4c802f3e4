// A loop as a C++ object. It is shut down and freed at the end of its scope.
#ifndef LIB_ASYNC_LOOP_CPP_LOOP_H
#define LIB_ASYNC_LOOP_CPP_LOOP_H

#include <lib/async-loop/loop.h>

#ifdef __cplusplus

namespace async
{

// If the loop cannot be created, every method is still safe to call: it does nothing, and returns the
// status of async_loop_create. loop() and dispatcher() are nullptr then.
class Loop
{
  public:
    explicit Loop(const async_loop_config_t *config) : status_(async_loop_create(config, &loop_))
    {
    }
    ~Loop()
    {
        async_loop_destroy(loop_);
    }
    Loop(const Loop &) = delete;
    Loop &operator=(const Loop &) = delete;

    bool is_valid() const
    {
        return loop_ != nullptr;
    }
    async_loop_t *loop() const
    {
        return loop_;
    }
    async_dispatcher_t *dispatcher() const
    {
        return is_valid() ? async_loop_get_dispatcher(loop_) : nullptr;
    }
    void Shutdown()
    {
        if (is_valid())
            async_loop_shutdown(loop_);
    }
    zx_status_t Run(zx_time_t deadline = ZX_TIME_INFINITE, bool once = false)
    {
        return is_valid() ? async_loop_run(loop_, deadline, once) : status_;
    }
    zx_status_t RunUntilIdle()
    {
        return is_valid() ? async_loop_run_until_idle(loop_) : status_;
    }
    void Quit()
    {
        if (is_valid())
            async_loop_quit(loop_);
    }
    zx_status_t ResetQuit()
    {
        return is_valid() ? async_loop_reset_quit(loop_) : status_;
    }
    zx_status_t StartThread(const char *name = nullptr, thrd_t *out_thread = nullptr)
    {
        return is_valid() ? async_loop_start_thread(loop_, name, out_thread) : status_;
    }
    void JoinThreads()
    {
        if (is_valid())
            async_loop_join_threads(loop_);
    }

  private:
    async_loop_t *loop_ = nullptr; // before status_, whose initializer sets it
    zx_status_t status_;
};

} // namespace async

#endif

#endif
