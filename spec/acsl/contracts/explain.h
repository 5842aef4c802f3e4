/* The contracts of <fxt/explain.h>: each says NULL exactly if the writer accepts. Only Frama-C reads
   this. */
#ifndef FXT_ACSL_CONTRACTS_EXPLAIN_H
#define FXT_ACSL_CONTRACTS_EXPLAIN_H

#include "spec/acsl/write.h"

/*@ requires \valid_read(arg);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_arg(arg);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_arg(const struct fxt_arg *arg);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_provider_info(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_provider_info(const struct fxt_provider_info *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_provider_event(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_provider_event(const struct fxt_provider_event *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_initialization(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_initialization(const struct fxt_initialization *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_string(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_string(const struct fxt_string *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_thread(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_thread(const struct fxt_thread *in);

/*@ requires \valid_read(in);
  @ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_event(in, args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_event(const struct fxt_event *in, const struct fxt_arg *args, size_t arg_count);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_blob(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_blob(const struct fxt_blob *in);

/*@ requires \valid_read(in);
  @ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_userspace_object(in, args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_userspace_object(const struct fxt_userspace_object *in, const struct fxt_arg *args, size_t arg_count);

/*@ requires \valid_read(in);
  @ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_kernel_object(in, args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_kernel_object(const struct fxt_kernel_object *in, const struct fxt_arg *args, size_t arg_count);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_legacy_switch(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_legacy_switch(const struct fxt_legacy_switch *in);

/*@ requires \valid_read(in);
  @ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_context_switch(in, args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_context_switch(const struct fxt_context_switch *in, const struct fxt_arg *args, size_t arg_count);

/*@ requires \valid_read(in);
  @ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_thread_wakeup(in, args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_thread_wakeup(const struct fxt_thread_wakeup *in, const struct fxt_arg *args, size_t arg_count);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_log(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_log(const struct fxt_log *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_module(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_module(const struct fxt_module *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_mmap(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_mmap(const struct fxt_mmap *in);

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_backtrace(in);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_backtrace(const struct fxt_backtrace *in);

/*@ requires \valid_read(in);
  @ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_large_blob(in, args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
const char *fxt_explain_large_blob(const struct fxt_large_blob *in, const struct fxt_arg *args, size_t arg_count);

#endif
