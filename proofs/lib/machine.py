"""The machine that a run proves for. `prove --machdep` chooses it before anything else is done."""
OWN = "gcc_x86_64"
# Other machines of Frama-C, and the rooms whose proofs are repeated for them.
OTHERS = {
    "gcc_x86_32": ("src/include/fxt/", "src/base/", "src/buffer/", "src/wire/", "src/read/", "src/write/"),
}
name = OWN
