# The format of format.md, section by section, for the Kaitai Struct compiler. The bytes and nothing
# else: tables, providers and times are for the program that reads.
#
# A type is a record, an argument or a part of one, and its `seq` is the diagram of format.md, the
# header divided into the fields of its table. A record whose type, subtype or format is unknown is
# an `unknown`. Generated parsers throw an exception at bytes that break a malformed rule; the
# private key `-rule` names the rule that is broken when the attribute cannot be read, or is not
# valid. The innermost attribute that has one counts.
#
# Kaitai reads all of a file or nothing. A program that refuses a malformed record alone, as section
# 4.4 wants it, drives the type `record` itself: conformance/kaitai/fxt.js does.
#
# Fields of up to 64 bits are read as unsigned numbers; where the language has no exact ones
# (JavaScript), the program has to help. Strings are bytes here, because those that are not UTF-8
# are delivered, too [STR-05].
meta:
  id: fxt
  title: Fuchsia trace format
  application: Fuchsia, Perfetto, magic-trace
  file-extension: fxt
  license: MIT
  ks-version: 0.9
  endian: le
  bit-endian: le
doc: |
  A trace is a run of records, laid end to end [REC-01]. There is no index and no trailer. Words are
  64 bits, little-endian [REC-07]; every record and every stream starts at a multiple of 8 bytes.
doc-ref: spec/format.md

seq:
  - id: records
    type: record
    repeat: eos
instances:
  byte_order:
    doc: |
      Is 0x1000044678541600, the magic number reversed, when the machine that wrote the trace was
      big-endian. Such a trace is refused as a whole [REC-10].
    pos: 0
    type: u8
    if: _io.size >= 8

types:

  # 4.3 The record header

  record:
    doc: |
      One record, framed by its header: whatever is in it, the next one begins after `frame.words`
      words. A word of value 0 is no record; it is skipped alone [REC-09].
    seq:
      - id: contents
        size: 8 * frame.words
        type:
          switch-on: frame.kind
          cases:
            'record_type::metadata': metadata
            'record_type::initialization': initialization
            'record_type::string': string
            'record_type::thread': thread
            'record_type::event': event
            'record_type::blob': blob
            'record_type::userspace_object': userspace_object
            'record_type::kernel_object': kernel_object
            'record_type::scheduling': scheduling
            'record_type::log': log
            'record_type::profiler': profiler
            'record_type::large': large
            _: unknown
        -rule: REC-03
    instances:
      frame:
        doc: The first word of the record, read ahead.
        pos: _io.pos
        size: 8
        type: frame
        -rule: REC-01

  frame:
    doc: |
      What the first word of any record says: its type and its size. Type 15 alone has a size of 32
      bits. The size counts words, the header too, so that 0 is refused [REC-02].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
        if: type != 15
        valid:
          expr: _ != 0 or is_zero
        -rule: REC-02
      - id: large_size
        type: b32
        if: type == 15
        valid:
          min: 1
        -rule: REC-02
    instances:
      kind:
        value: type
        enum: record_type
      is_zero:
        doc: An unwritten word [REC-09].
        value: first_half == 0 and second_half == 0
      first_half:
        pos: 0
        type: u4
      second_half:
        pos: 4
        type: u4
      words:
        value: 'is_zero ? 1 : type == 15 ? large_size : size'

  unknown:
    doc: |
      A record of an unknown type, subtype or format. It is skipped by its size; nothing in it but
      the common header is known [REC-06, MET-01, SCH-02, PRF-01, LRG-01, LRG-02].
    seq:
      - id: words
        type: u8
        repeat: eos

  # 5 Primitives

  stream:
    doc: |
      Bytes whose length is stated elsewhere, and padding to the next multiple of 8 bytes, which a
      writer fills with zeros [REC-05].
    params:
      - id: length
        type: u8
    seq:
      - id: value
        size: length
      - id: padding
        size: (8 - _io.pos % 8) % 8

  koids:
    doc: An inline thread. The two words are taken together [THR-01, THR-03].
    seq:
      - id: process
        type: u8
      - id: thread
        type: u8

  # 8.1 Metadata records (type 0)

  metadata:
    doc: About the trace, not about the traced program. Written by the manager only.
    seq:
      - id: contents
        type:
          switch-on: metadata_type
          cases:
            1: provider_info
            2: provider_section
            3: provider_event
            4: trace_info
            _: unknown
    instances:
      third_byte:
        pos: 2
        type: u1
      metadata_type:
        doc: Bits 16 .. 19 of the header. Of another type is an `unknown` [MET-01].
        value: third_byte & 0xf

  provider_info:
    doc: |
      Introduces a provider, gives it a name, and selects it [MET-08]. Its tables stay as they are.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: metadata_type
        type: b4
      - id: provider_id
        type: b32
      - id: name_length
        type: b8
      - id: reserved
        type: b4
      - id: name
        type: stream(name_length)
        -rule: MET-02
      - id: tail
        type: u8
        repeat: eos

  provider_section:
    doc: Selects a provider [MET-08]; one that is new is created, without a name [MET-03].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: metadata_type
        type: b4
      - id: provider_id
        type: b32
      - id: reserved
        type: b12
      - id: tail
        type: u8
        repeat: eos

  provider_event:
    doc: Something happened to a provider. It selects and creates nothing [MET-03, MET-08].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: metadata_type
        type: b4
      - id: provider_id
        type: b32
      - id: event_id
        doc: 0 says that a buffer filled up. Others are delivered as the number [MET-04].
        type: b4
      - id: reserved
        type: b8
      - id: tail
        type: u8
        repeat: eos

  trace_info:
    doc: |
      About the trace as a whole. The only type is 0, the magic number; others are delivered with
      their type and data [MET-05]. The magic number is exactly the word 0x0016547846040010, one
      word long; what differs in any bit has no effect [MET-06]. One that is not the first record
      begins a new trace [MET-10].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: metadata_type
        type: b4
      - id: trace_info_type
        type: b4
      - id: data
        type: b40
      - id: tail
        type: u8
        repeat: eos
    instances:
      word:
        pos: 0
        type: u8

  # 8.2 to 8.4 Initialization, string and thread records

  initialization:
    doc: The clock of the selected provider [INI-03, INI-04].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: reserved
        type: b48
      - id: ticks_per_second
        doc: 0 has no effect [INI-02].
        type: u8
        -rule: INI-01
      - id: tail
        type: u8
        repeat: eos

  string:
    doc: Registers a string of the selected provider, in place of an earlier one [STT-03].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: index
        doc: 0 registers nothing [STT-02].
        type: b15
      - id: reserved
        type: b1
      - id: length
        type: b15
      - id: reserved_high
        type: b17
      - id: value
        type: stream(length)
        -rule: STT-01
      - id: tail
        type: u8
        repeat: eos

  thread:
    doc: Registers a thread of the selected provider, in place of an earlier one [THT-03].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: index
        doc: 0 registers nothing [THT-02].
        type: b8
      - id: reserved
        type: b40
      - id: process_koid
        type: u8
        -rule: THT-01
      - id: thread_koid
        type: u8
        -rule: THT-01
      - id: tail
        type: u8
        repeat: eos

  # 8.5 Event record (type 4)

  event:
    doc: |
      Something happened on a thread at a time. String ref 0 is the empty string, 0x8000 and above
      are inline, with the length in bits 0 .. 14 [STR-01]. Thread ref 0 is inline [THR-01]. Other
      refs are indices of the tables of the selected provider [STR-02, THR-02].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: event_type
        doc: Of another type, what follows the arguments is a tail [EVT-02].
        type: b4
        enum: event_type
      - id: arg_count
        type: b4
      - id: thread
        type: b8
      - id: category
        type: b16
      - id: name
        type: b16
      - id: timestamp
        type: u8
        -rule: EVT-01
      - id: inline_thread
        type: koids
        if: thread == 0
        -rule: THR-03
      - id: inline_category
        type: stream(category & 0x7fff)
        if: category >= 0x8000
        -rule: STR-03
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: args
        type: argument
        repeat: expr
        repeat-expr: arg_count
      - id: scope
        doc: 0 or absent is the thread, 1 its process, 2 global; else the thread [EVT-10].
        type: u8
        if: event_type == event_type::instant and not _io.eof
      - id: end_time
        type: u8
        if: event_type == event_type::duration_complete
        -rule: EVT-03
      - id: id
        doc: Of the counter, the async operation or the flow.
        type: u8
        if: >-
          event_type == event_type::counter or event_type == event_type::async_begin
          or event_type == event_type::async_instant or event_type == event_type::async_end
          or event_type == event_type::flow_begin or event_type == event_type::flow_step
          or event_type == event_type::flow_end
        -rule: EVT-03
      - id: tail
        type: u8
        repeat: eos

  # 8.6 Blob record (type 5)

  blob:
    doc: Bytes that the format does not look into.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: payload_size
        type: b15
      - id: reserved
        type: b1
      - id: blob_type
        doc: 1 data, 2 last branch records, 3 packets of Perfetto [BLB-02].
        type: b8
      - id: reserved_high
        type: b8
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: payload
        type: stream(payload_size)
        -rule: BLB-01
      - id: tail
        type: u8
        repeat: eos

  # 8.7 and 8.8 Objects

  userspace_object:
    doc: An object in the memory of a process. A pointer argument refers to it.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: process
        doc: |
          A thread ref of which only the process counts. Inline it is the process koid alone, after
          the pointer [UOB-02].
        type: b8
      - id: name
        type: b16
      - id: arg_count
        type: b4
      - id: reserved
        type: b20
      - id: pointer
        type: u8
        -rule: UOB-01
      - id: inline_process
        type: u8
        if: process == 0
        -rule: UOB-01
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: args
        type: argument
        repeat: expr
        repeat-expr: arg_count
      - id: tail
        type: u8
        repeat: eos

  kernel_object:
    doc: A kernel object; how processes and threads get their names. A koid argument refers to it.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: object_type
        doc: A number of the Zircon kernel, not limited. 1 is a process, 2 a thread.
        type: b8
      - id: name
        doc: Inline it is any bytes [KOB-02].
        type: b16
      - id: arg_count
        type: b4
      - id: reserved
        type: b20
      - id: koid
        type: u8
        -rule: KOB-01
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: args
        type: argument
        repeat: expr
        repeat-expr: arg_count
      - id: tail
        type: u8
        repeat: eos

  # 8.9 Scheduling records (type 8)

  scheduling:
    doc: What the scheduler of a processor did.
    seq:
      - id: contents
        type:
          switch-on: scheduling_type
          cases:
            0: legacy_switch
            1: context_switch
            2: thread_wakeup
            _: unknown
    instances:
      top_byte:
        pos: 7
        type: u1
      scheduling_type:
        doc: Bits 60 .. 63 of the header, whatever the edition. Another type is `unknown` [SCH-02].
        value: top_byte >> 4

  legacy_switch:
    doc: A processor passed from the outgoing thread to the incoming one.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: cpu
        type: b8
      - id: outgoing_state
        doc: 0 new, 1 running, 2 suspended, 3 blocked, 4 dying, 5 dead [SCH-03].
        type: b4
      - id: outgoing_thread
        type: b8
      - id: incoming_thread
        type: b8
      - id: outgoing_priority
        type: b8
      - id: incoming_priority
        type: b8
      - id: scheduling_type
        type: b4
      - id: timestamp
        type: u8
        -rule: SCH-01
      - id: inline_outgoing_thread
        type: koids
        if: outgoing_thread == 0
        -rule: SCH-01
      - id: inline_incoming_thread
        type: koids
        if: incoming_thread == 0
        -rule: SCH-01
      - id: tail
        type: u8
        repeat: eos

  context_switch:
    doc: As above; the threads are koids, without their processes.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: arg_count
        type: b4
      - id: cpu
        type: b16
      - id: outgoing_state
        type: b4
      - id: reserved
        type: b20
      - id: scheduling_type
        type: b4
      - id: timestamp
        type: u8
        -rule: SCH-04
      - id: outgoing_thread
        type: u8
        -rule: SCH-04
      - id: incoming_thread
        type: u8
        -rule: SCH-04
      - id: args
        type: argument
        repeat: expr
        repeat-expr: arg_count
      - id: tail
        type: u8
        repeat: eos

  thread_wakeup:
    doc: A thread became ready to run on a processor.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: arg_count
        type: b4
      - id: cpu
        type: b16
      - id: reserved
        type: b24
      - id: scheduling_type
        type: b4
      - id: timestamp
        type: u8
        -rule: SCH-05
      - id: waking_thread
        type: u8
        -rule: SCH-05
      - id: args
        type: argument
        repeat: expr
        repeat-expr: arg_count
      - id: tail
        type: u8
        repeat: eos

  # 8.10 Log record (type 9)

  log:
    doc: A line of a log.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: length
        type: b15
      - id: reserved
        type: b1
      - id: thread
        type: b8
      - id: reserved_high
        type: b24
      - id: timestamp
        type: u8
        -rule: LOG-01
      - id: inline_thread
        type: koids
        if: thread == 0
        -rule: THR-03
      - id: message
        type: stream(length)
        -rule: LOG-01
      - id: tail
        type: u8
        repeat: eos

  # 8.11 Profiler records (type 10)

  profiler:
    doc: Samples of call stacks, and what names their addresses.
    seq:
      - id: contents
        type:
          switch-on: profiler_type
          cases:
            0: module
            1: mmap
            2: backtrace
            _: unknown
    instances:
      third_byte:
        pos: 2
        type: u1
      profiler_type:
        doc: Bits 16 .. 19 of the header. Another type is `unknown` [PRF-01].
        value: third_byte & 0xf

  module:
    doc: Introduces a loaded file. Of the thread, only the process is meant.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: profiler_type
        type: b4
      - id: thread
        type: b8
      - id: module_id
        type: b16
      - id: name_length
        type: b8
      - id: build_id_length
        type: b8
      - id: reserved
        type: b4
      - id: timestamp
        type: u8
        -rule: PRF-02
      - id: inline_thread
        type: koids
        if: thread == 0
        -rule: THR-03
      - id: name
        type: stream(name_length)
        -rule: PRF-02
      - id: build_id
        type: stream(build_id_length)
        -rule: PRF-02
      - id: tail
        type: u8
        repeat: eos

  mmap:
    doc: Where a part of a module lies in the memory of a process.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: profiler_type
        type: b4
      - id: thread
        type: b8
      - id: module_id
        type: b16
      - id: flags
        type: b3
      - id: reserved
        type: b17
      - id: timestamp
        type: u8
        -rule: PRF-03
      - id: inline_thread
        type: koids
        if: thread == 0
        -rule: THR-03
      - id: start_address
        type: u8
        -rule: PRF-03
      - id: address_range
        doc: In bytes.
        type: u8
        -rule: PRF-03
      - id: vaddr
        doc: Relative to the module.
        type: u8
        -rule: PRF-03
      - id: tail
        type: u8
        repeat: eos

  backtrace:
    doc: The call stack of a thread at a time.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: profiler_type
        type: b4
      - id: thread
        type: b8
      - id: frame_count
        type: b8
      - id: reserved
        type: b28
      - id: timestamp
        type: u8
        -rule: PRF-04
      - id: inline_thread
        type: koids
        if: thread == 0
        -rule: THR-03
      - id: frames
        type: u8
        repeat: expr
        repeat-expr: frame_count
        -rule: PRF-04
      - id: tail
        type: u8
        repeat: eos

  # 8.12 Large records (type 15)

  large:
    doc: Records that may be longer than 4095 words.
    seq:
      - id: contents
        type:
          switch-on: 'large_type == 0 ? blob_format : -1'
          cases:
            0: large_blob
            1: large_blob_without_metadata
            _: unknown
    instances:
      fifth_byte:
        pos: 4
        type: u1
      large_type:
        doc: Bits 36 .. 39 of the header; 0 is a blob. Another type is `unknown` [LRG-01].
        value: fifth_byte >> 4
      sixth_byte:
        pos: 5
        type: u1
      blob_format:
        doc: Bits 40 .. 43. Another format is `unknown` [LRG-02].
        value: sixth_byte & 0xf

  large_blob:
    doc: |
      Bytes that the format does not look into, with what an event has. The strings come before the
      timestamp, unlike in an event.
    seq:
      - id: type
        type: b4
      - id: size
        type: b32
      - id: large_type
        type: b4
      - id: blob_format
        type: b4
      - id: reserved
        type: b20
      - id: metadata
        type: large_blob_metadata
        -rule: LRG-03
      - id: inline_category
        type: stream(metadata.category & 0x7fff)
        if: metadata.category >= 0x8000
        -rule: STR-03
      - id: inline_name
        type: stream(metadata.name & 0x7fff)
        if: metadata.name >= 0x8000
        -rule: STR-03
      - id: timestamp
        type: u8
        -rule: LRG-03
      - id: inline_thread
        type: koids
        if: metadata.thread == 0
        -rule: THR-03
      - id: args
        type: argument
        repeat: expr
        repeat-expr: metadata.arg_count
      - id: payload_size
        doc: Of 64 bits; compared with what is left of the record before it is used [LRG-04].
        type: u8
        -rule: LRG-03
      - id: payload
        type: stream(payload_size)
        -rule: LRG-04
      - id: tail
        type: u8
        repeat: eos

  large_blob_metadata:
    seq:
      - id: category
        type: b16
      - id: name
        type: b16
      - id: arg_count
        type: b4
      - id: thread
        type: b8
      - id: reserved
        type: b20

  large_blob_without_metadata:
    doc: Bytes that the format does not look into, with a category and a name.
    seq:
      - id: type
        type: b4
      - id: size
        type: b32
      - id: large_type
        type: b4
      - id: blob_format
        type: b4
      - id: reserved
        type: b20
      - id: metadata
        type: large_blob_no_metadata
        -rule: LRG-03
      - id: inline_category
        type: stream(metadata.category & 0x7fff)
        if: metadata.category >= 0x8000
        -rule: STR-03
      - id: inline_name
        type: stream(metadata.name & 0x7fff)
        if: metadata.name >= 0x8000
        -rule: STR-03
      - id: payload_size
        type: u8
        -rule: LRG-03
      - id: payload
        type: stream(payload_size)
        -rule: LRG-04
      - id: tail
        type: u8
        repeat: eos

  large_blob_no_metadata:
    seq:
      - id: category
        type: b16
      - id: name
        type: b16
      - id: reserved
        type: b32

  # 9 Arguments

  argument:
    doc: |
      A typed value with a name, framed by its own header. One of size 0 makes its record malformed,
      because nothing after it can be found [ARG-02].
    seq:
      - id: contents
        size: 8 * frame.size
        type:
          switch-on: frame.type
          cases:
            0: arg_null
            1: arg_int32
            2: arg_uint32
            3: arg_int64
            4: arg_word
            5: arg_double
            6: arg_string
            7: arg_word
            8: arg_word
            9: arg_bool
            10: arg_blob
            _: arg_unknown
        -rule: ARG-03
    instances:
      frame:
        doc: The header of the argument, read ahead.
        pos: _io.pos
        size: 8
        type: argument_frame
        -rule: ARG-01

  argument_frame:
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
        valid:
          min: 1
        -rule: ARG-02

  arg_null:
    doc: A name without a value (type 0).
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: reserved
        type: b32
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: tail
        type: u8
        repeat: eos

  arg_int32:
    doc: Type 1.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: value
        type: s4
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: tail
        type: u8
        repeat: eos

  arg_uint32:
    doc: Type 2.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: value
        type: u4
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: tail
        type: u8
        repeat: eos

  arg_int64:
    doc: Type 3.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: reserved
        type: b32
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: value
        type: s8
        -rule: ARG-05
      - id: tail
        type: u8
        repeat: eos

  arg_word:
    doc: A uint64 (type 4), a pointer (7) or a koid (8).
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: reserved
        type: b32
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: value
        type: u8
        -rule: ARG-05
      - id: tail
        type: u8
        repeat: eos

  arg_double:
    doc: Type 5. Every bit pattern is allowed and kept, NaN included.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: reserved
        type: b32
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: value
        size: 8
        type: binary64
        -rule: ARG-05
      - id: tail
        type: u8
        repeat: eos

  binary64:
    seq:
      - id: number
        type: f8
    instances:
      bits:
        pos: 0
        type: u8

  arg_string:
    doc: Type 6. The stream of the name comes before that of the value.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: value
        type: b16
      - id: reserved
        type: b16
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: inline_value
        type: stream(value & 0x7fff)
        if: value >= 0x8000
        -rule: STR-03
      - id: tail
        type: u8
        repeat: eos

  arg_bool:
    doc: Type 9.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: value
        type: b1
      - id: reserved
        type: b31
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: tail
        type: u8
        repeat: eos

  arg_blob:
    doc: Type 10.
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: payload_size
        type: b32
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: value
        type: stream(payload_size)
        -rule: ARG-08
      - id: tail
        type: u8
        repeat: eos

  arg_unknown:
    doc: Types 11 .. 15. The name is known; the other words are handed out as they are [ARG-04].
    seq:
      - id: type
        type: b4
      - id: size
        type: b12
      - id: name
        type: b16
      - id: data
        type: b32
      - id: inline_name
        type: stream(name & 0x7fff)
        if: name >= 0x8000
        -rule: STR-03
      - id: tail
        type: u8
        repeat: eos

enums:
  record_type:
    0: metadata
    1: initialization
    2: string
    3: thread
    4: event
    5: blob
    6: userspace_object
    7: kernel_object
    8: scheduling
    9: log
    10: profiler
    15: large
  event_type:
    0: instant
    1: counter
    2: duration_begin
    3: duration_end
    4: duration_complete
    5: async_begin
    6: async_instant
    7: async_end
    8: flow_begin
    9: flow_step
    10: flow_end
