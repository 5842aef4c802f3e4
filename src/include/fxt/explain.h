/* Why the writer refuses a record: after FXT_INVALID of fxt_write_NAME, fxt_explain_NAME returns the name
   of the member that it refuses, such as "category".

     #include <stdio.h>

     void say_why(const struct fxt_event *event, const struct fxt_arg *args, size_t count)
     {
         const char *field = fxt_explain_event(event, args, count);
         if (field != NULL)
             printf("an event cannot be written: %s\n", field);
         for (size_t i = 0; i < count; i++)
             if (fxt_explain_arg(&args[i]) != NULL)
                 printf("argument %zu: %s\n", i, fxt_explain_arg(&args[i]));
     }

   Each function takes what its writer took, and returns NULL exactly if the writer would accept it, with
   room or without. Otherwise it returns the first of these:
   - the name of a member whose value cannot be encoded: <fxt/write.h> lists the reasons. Numbers come
     before references, strings and bytes.
   - "arg_count" if there are more arguments than the record may have, else "args" if one of them
     cannot be encoded (fxt_explain_arg says which and why) or `args` is NULL
   - "size" if the record, or the argument, would be too long

   The functions are pure and thread-safe. The names are static strings. Provider sections and the magic
   number have no function, because the writer refuses none. */
#ifndef FXT_EXPLAIN_H
#define FXT_EXPLAIN_H

#include <fxt/write.h>

FXT_API const char *fxt_explain_arg(const struct fxt_arg *arg);
FXT_API const char *fxt_explain_provider_info(const struct fxt_provider_info *in);
FXT_API const char *fxt_explain_provider_event(const struct fxt_provider_event *in);
FXT_API const char *fxt_explain_initialization(const struct fxt_initialization *in);
FXT_API const char *fxt_explain_string(const struct fxt_string *in);
FXT_API const char *fxt_explain_thread(const struct fxt_thread *in);
FXT_API const char *fxt_explain_event(const struct fxt_event *in, const struct fxt_arg *args,
                                      size_t arg_count);
FXT_API const char *fxt_explain_blob(const struct fxt_blob *in);
FXT_API const char *fxt_explain_userspace_object(const struct fxt_userspace_object *in,
                                                 const struct fxt_arg *args, size_t arg_count);
FXT_API const char *fxt_explain_kernel_object(const struct fxt_kernel_object *in,
                                              const struct fxt_arg *args, size_t arg_count);
FXT_API const char *fxt_explain_legacy_switch(const struct fxt_legacy_switch *in);
FXT_API const char *fxt_explain_context_switch(const struct fxt_context_switch *in,
                                               const struct fxt_arg *args, size_t arg_count);
FXT_API const char *fxt_explain_thread_wakeup(const struct fxt_thread_wakeup *in,
                                              const struct fxt_arg *args, size_t arg_count);
FXT_API const char *fxt_explain_log(const struct fxt_log *in);
FXT_API const char *fxt_explain_module(const struct fxt_module *in);
FXT_API const char *fxt_explain_mmap(const struct fxt_mmap *in);
FXT_API const char *fxt_explain_backtrace(const struct fxt_backtrace *in);
FXT_API const char *fxt_explain_large_blob(const struct fxt_large_blob *in,
                                           const struct fxt_arg *args, size_t arg_count);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/explain.h"
#endif

#endif
