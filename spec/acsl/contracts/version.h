/* The contract of <fxt/version.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_VERSION_H
#define FXT_ACSL_CONTRACTS_VERSION_H

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_text((char *)\result);
  @*/
const char *fxt_version(void);

#endif
