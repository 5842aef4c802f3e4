// A loop as a C++ object. It is shut down and freed at the end of its scope.
#ifndef LIB_ASYNC_LOOP_CPP_LOOP_H
#define LIB_ASYNC_LOOP_CPP_LOOP_H

#include <lib/async-loop/loop.h>

#ifdef __cplusplus

namespace async
{

class Loop
{
  public:
    explicit Loop(const async_loop_config_t *config)
    {
        async_loop_create(config, &loop_);
    }
    ~Loop()
    {
        async_loop_destroy(loop_);
    }
    Loop(const Loop &) = delete;
    Loop &operator=(const Loop &) = delete;

    async_loop_t *loop() const
    {
        return loop_;
    }
    async_dispatcher_t *dispatcher() const
    {
        return async_loop_get_dispatcher(loop_);
    }
    void Shutdown()
    {
        async_loop_shutdown(loop_);
    }
    zx_status_t Run(zx_time_t deadline = ZX_TIME_INFINITE, bool once = false)
    {
        return async_loop_run(loop_, deadline, once);
    }
    zx_status_t RunUntilIdle()
    {
        return async_loop_run_until_idle(loop_);
    }
    void Quit()
    {
        async_loop_quit(loop_);
    }
    zx_status_t ResetQuit()
    {
        return async_loop_reset_quit(loop_);
    }
    zx_status_t StartThread(const char *name = nullptr, thrd_t *out_thread = nullptr)
    {
        return async_loop_start_thread(loop_, name, out_thread);
    }
    void JoinThreads()
    {
        async_loop_join_threads(loop_);
    }

  private:
    async_loop_t *loop_ = nullptr;
};

} // namespace async

#endif

#endif
