/* The contracts of <fxt/status.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_STATUS_H
#define FXT_ACSL_CONTRACTS_STATUS_H

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \valid_read(\result);
  @*/
const char *fxt_status_name(enum fxt_status status);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures 0 < rule < FXT_RULE_COUNT ==> \valid_read(\result + (0 .. 7));
  @ ensures !(0 < rule < FXT_RULE_COUNT) ==> \valid_read(\result);
  @*/
const char *fxt_rule_id(enum fxt_rule rule);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \valid_read(\result);
  @*/
const char *fxt_rule_title(enum fxt_rule rule);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures !(0 < rule < FXT_RULE_COUNT) ==> \result == FXT_DEFINITION;
  @*/
enum fxt_class fxt_rule_class(enum fxt_rule rule);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures !(0 < rule < FXT_RULE_COUNT) ==> \result == FXT_EDITION_2020;
  @*/
enum fxt_edition fxt_rule_edition(enum fxt_rule rule);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \valid_read(\result);
  @*/
const char *fxt_class_name(enum fxt_class severity);

/*@ predicate fxt_text(char *s) =
  @   \exists integer n; 0 <= n && \valid_read(s + (0 .. n)) && s[n] == 0;
  @*/

/*@ requires fxt_text(id);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures 0 <= \result < FXT_RULE_COUNT;
  @*/
enum fxt_rule fxt_rule_by_id(const char *id);

#endif
