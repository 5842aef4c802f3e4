/* The status codes of the tracing system: 0, or a negative number for each error. */
#ifndef ZIRCON_ERRORS_H
#define ZIRCON_ERRORS_H

#define ZX_OK 0
#define ZX_ERR_INTERNAL (-1)
#define ZX_ERR_NOT_SUPPORTED (-2)
#define ZX_ERR_NO_RESOURCES (-3)
#define ZX_ERR_NO_MEMORY (-4)
#define ZX_ERR_INVALID_ARGS (-10)
#define ZX_ERR_OUT_OF_RANGE (-14)
#define ZX_ERR_BAD_STATE (-20)
#define ZX_ERR_TIMED_OUT (-21)
#define ZX_ERR_SHOULD_WAIT (-22)
#define ZX_ERR_CANCELED (-23)
#define ZX_ERR_PEER_CLOSED (-24)
#define ZX_ERR_NOT_FOUND (-25)
#define ZX_ERR_ALREADY_EXISTS (-26)
#define ZX_ERR_ACCESS_DENIED (-30)
#define ZX_ERR_IO (-40)

#endif
