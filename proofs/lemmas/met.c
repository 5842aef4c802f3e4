/* Each `requires` of a function is met by somebody: by a caller that is proved and, where the calls begin, by one
   of these functions, which require nothing. `prove scope` follows the calls. A contract that nothing can meet
   would let its function be proved, whatever it does. */
#include <fxt/buffer.h>
#include <fxt/check.h>
#include <fxt/intern.h>
#include <fxt/read.h>
#include <fxt/rule.h>
#include <fxt/write.h>

#include "spec/acsl/read.h"
#include "spec/acsl/write.h"
#include "src/base/word.h"
#include "src/buffer/parts.h"
#include "src/engine/put.h"
#include "src/engine/ring.h"
#include "src/protocol/controller.h"
#include "src/protocol/fifo.h"
#include "src/protocol/packet.h"
#include "src/wire/layout.h"

/*@ terminates \true; assigns \nothing; */
static inline void met_by_a_writer(void)
{
    uint8_t memory[8];
    struct fxt_writer writer;

    fxt_writer_init(&writer, memory, sizeof memory);
    fxt_write_magic(&writer);
    fxt_write_raw(&writer, NULL, 0);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_event(void)
{
    uint8_t memory[8];
    struct fxt_writer writer;
    struct fxt_event in = {0};

    fxt_writer_init(&writer, memory, sizeof memory);
    fxt_explain_event(&in, NULL, 0);
    fxt_write_event(&writer, &in, NULL, 0);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_large_blob(void)
{
    uint8_t memory[8];
    struct fxt_writer writer;
    struct fxt_large_blob in = {0};

    fxt_writer_init(&writer, memory, sizeof memory);
    fxt_explain_large_blob(&in, NULL, 0);
    fxt_write_large_blob(&writer, &in, NULL, 0);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_a_reader(void)
{
    uint8_t memory[8] = {0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_reader_init(&reader, NULL, 0);
    fxt_reader_continue(&reader, memory, sizeof memory, true);
    fxt_reader_rest(&reader);
    if (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_reader_pass(&reader, &record);
    fxt_load_word_arithmetic(memory);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_a_record(void)
{
    uint8_t memory[8] = {0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_trace_info info;
    struct fxt_error error;

    fxt_reader_init(&reader, memory, sizeof memory);
    if (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        fxt_read_trace_info(&record, &info, &error);
        fxt_check_canonical(&record, &error);
    }
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_frames(void)
{
    uint8_t memory[8] = {0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_backtrace backtrace;
    struct fxt_error error;

    fxt_reader_init(&reader, memory, sizeof memory);
    if (fxt_reader_next(&reader, &record, &error) == FXT_OK &&
        fxt_read_backtrace(&record, &backtrace, &error) == FXT_OK && backtrace.frame_count > 0) {
        fxt_backtrace_frame(&backtrace, 0);
        if (backtrace.tail.words > 0)
            fxt_tail_word(&backtrace.tail, 0);
    }
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_an_event(void)
{
    uint8_t memory[8] = {0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_event event;
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_error error;

    fxt_reader_init(&reader, memory, sizeof memory);
    if (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_read_event_args(&record, &event, args, &error);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_tables(void)
{
    uint8_t text[64];
    struct fxt_provider provider;
    uint32_t provider_id;
    struct fxt_tables_memory memory = {0};
    struct fxt_tables tables;
    struct fxt_bytes name;
    struct fxt_string_ref ref = {0};

    memory.providers = &provider;
    memory.provider_ids = &provider_id;
    memory.provider_max = 1;
    memory.arena = text;
    memory.arena_size = sizeof text;
    fxt_tables_init(&tables, &memory);
    fxt_tables_provider(&tables);
    fxt_tables_string(&tables, &name, ref);
    fxt_tables_kernel_object(&tables, 1, 1);
    const struct fxt_object *object = fxt_tables_userspace_object(&tables, 1, 1);
    if (object != NULL)
        fxt_tables_object_name(&tables, object);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_a_checker(void)
{
    uint8_t bytes[8] = {0}, text[64];
    struct fxt_provider provider;
    uint32_t provider_id;
    struct fxt_check_memory memory = {0};
    struct fxt_checker checker;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    memory.tables.providers = &provider;
    memory.tables.provider_ids = &provider_id;
    memory.tables.provider_max = 1;
    memory.tables.arena = text;
    memory.tables.arena_size = sizeof text;
    fxt_reader_init(&reader, bytes, sizeof bytes);
    if (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
        fxt_check_record(&checker, &record);
    }
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_an_error(void)
{
    struct fxt_checker checker;
    struct fxt_error error = {0};
    struct fxt_arg arg = {0};
    char id[1] = {'\0'};

    fxt_check_error(&checker, &error);
    fxt_arg_int64(&arg);
    /*@ assert id[0] == 0; */
    fxt_rule_by_id(id);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_an_interner(void)
{
    uint8_t memory[64], text[64];
    struct fxt_intern_slot slots[4];
    struct fxt_interner interner;
    struct fxt_writer writer;
    struct fxt_string_ref string;
    struct fxt_thread_ref thread;

    fxt_writer_init(&writer, memory, sizeof memory);
    if (fxt_intern_init(&interner, slots, 4, text, sizeof text, FXT_INTERN_INLINE) == FXT_OK) {
        fxt_intern_begin_record(&interner);
        fxt_intern_string(&interner, &writer, &string, NULL, 0);
        fxt_intern_thread(&interner, &writer, &thread, 1, 2);
    }
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_a_buffer(void)
{
    uint8_t bytes[256];
    struct fxt_buffer_header header;
    struct fxt_buffer_span span;
    struct fxt_i_source source, sources[FXT_BUFFER_PARTS_MAX];
    struct fxt_error error;
    uint64_t at = 0;

    if (fxt_buffer_sizes(&header, 65536, 0) == FXT_OK) {
        fxt_buffer_write_header(bytes, &header);
        fxt_i_half_source(&source, &header, 1);
    }
    if (fxt_buffer_read_header(&header, bytes, sizeof bytes, sizeof bytes, &error) == FXT_OK)
        fxt_i_sources(sources, &header, false, 1);
    fxt_buffer_salvage(&span, &at, bytes, sizeof bytes, 64);
    fxt_i_header_second(1, 0, 0);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_the_engine(void)
{
    uint8_t lease[64] = {0};
    uint32_t names[1] = {0};
    struct trace_arg_value values[1] = {0};
    struct fxt_i_position at = {0, 0};
    struct fxt_i_ring ring;

    fxt_i_ring_init(&ring, 4096);
    fxt_i_ring_chunk_at(&ring, 0);
    fxt_i_ring_chunks_of(&ring, 8);
    fxt_i_ring_take(&ring, at, 1);
    fxt_i_ring_turn(&ring, at);
    fxt_i_put_lease(lease, sizeof lease, 0, 1);
    fxt_i_put_record(lease + 8, sizeof lease - 8, 8, 0);
    fxt_i_hot_event(lease, 4, names, 0, 0, 0, values, 0);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_packets(void)
{
    uint8_t names[104] = {0}, bytes[FXT_I_PACKET_BYTES_MAX], fifo_bytes[FXT_I_FIFO_BYTES];
    struct fxt_i_packet packet = {0};
    struct fxt_i_fifo fifo = {0};
    struct fxt_error error;

    fxt_i_packet_name(names, 0);
    uint64_t size = fxt_i_packet_write(bytes, &packet, NULL);
    fxt_i_packet_read(&packet, bytes, size, 0, &error);
    fifo.request = 1;
    fxt_i_fifo_write(fifo_bytes, &fifo);
    fxt_i_fifo_read(&fifo, fifo_bytes, sizeof fifo_bytes, 0, &error);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_a_controller(void)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct fxt_i_controller_packet packet = {0};
    struct fxt_error error;

    fxt_i_controller_write(bytes, &packet, NULL);
    fxt_i_controller_read(&packet, bytes, 8, 0, &error);
}

/*@ terminates \true; assigns \nothing; */
static inline void met_by_headers(void)
{
    fxt_pack_arg_blob_header(2, 0, 0);
    fxt_pack_arg_bool_header(1, 0, 1);
    fxt_pack_profiler_header(1, 0, 0);
    fxt_pack_record_header(0, 1);
    fxt_pack_scheduling_header(1, 0);
    fxt_pack_trace_info_header(1, 0, 0);
}

/* Generated by spec/generate.py from met.in of provider_info provider_section
   provider_event initialization string thread blob userspace_object kernel_object
   legacy_switch context_switch thread_wakeup log module mmap backtrace. */
/* End of what is generated. */
