//! Reads FXT traces through libfxtref.
//!
//! ```
//! let trace = 0x0016547846040010u64.to_le_bytes(); // or std::fs::read("trace.fxt")?
//! let mut reader = fxtref::Reader::new(&trace);
//! for event in &mut reader {
//!     println!("{} {:?} {:?}", event.ns, event.kind, event.name);
//! }
//! assert_eq!((reader.skipped(), reader.error()), (0, None));
//! ```
#![deny(unsafe_op_in_unsafe_fn)]

use fxtref_sys as sys;
use std::alloc::{alloc_zeroed, handle_alloc_error, Layout};
use std::ffi::CStr;
use std::marker::PhantomData;

/// How many providers' tables are kept. One more takes the place of the last.
pub const PROVIDERS: usize = 256;

/// Bytes of a trace; usually UTF-8.
pub type Text = Vec<u8>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Instant,
    Counter,
    DurationBegin,
    DurationEnd,
    DurationComplete,
    AsyncBegin,
    AsyncInstant,
    AsyncEnd,
    FlowBegin,
    FlowStep,
    FlowEnd,
}

const KINDS: [Kind; 11] = [
    Kind::Instant,
    Kind::Counter,
    Kind::DurationBegin,
    Kind::DurationEnd,
    Kind::DurationComplete,
    Kind::AsyncBegin,
    Kind::AsyncInstant,
    Kind::AsyncEnd,
    Kind::FlowBegin,
    Kind::FlowStep,
    Kind::FlowEnd,
];

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Int(i64),
    /// Also a pointer and a koid.
    Uint(u64),
    Double(f64),
    Bool(bool),
    Text(Option<Text>),
    Blob(Vec<u8>),
}

/// An event with its references resolved; `None` stands for what the trace does not register.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub kind: Kind,
    pub provider: u32,
    /// The koids of the process and of the thread.
    pub thread: Option<(u64, u64)>,
    pub category: Option<Text>,
    pub name: Option<Text>,
    pub ticks: u64,
    pub ns: u64,
    /// Of counter, async and flow events.
    pub id: u64,
    /// Of complete durations: ticks and nanoseconds.
    pub end: (u64, u64),
    /// Of instant events: 0 thread, 1 process, 2 global.
    pub scope: u16,
    /// Arguments whose name is registered, in the order of the record.
    pub args: Vec<(Text, Value)>,
}

/// Where a trace breaks which rule of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    pub offset: u64,
    pub rule: &'static str,
}

/// Iterates over the events of a trace. Events, definitions and objects that cannot be decoded are
/// skipped and counted, and so are events of unknown types; other records are passed over. An argument
/// of an unknown type, or with a name that is not registered, is left out. If a trace has more than `PROVIDERS`, a record that begins a provider without a place is counted, too.
pub struct Reader<'a> {
    reader: sys::fxt_reader,
    tables: sys::fxt_tables,
    skipped: u64,
    error: Option<Error>,
    _memory: (Vec<sys::fxt_provider>, Vec<u32>, Vec<u8>), // of the tables
    _trace: PhantomData<&'a [u8]>,
}

// The pointers inside lead to the trace, which is only read, and to memory that the reader owns.
unsafe impl Send for Reader<'_> {}

/// `T` is a struct of C that may be all zeros; `count` is not 0.
fn zeroed<T>(count: usize) -> Vec<T> {
    let layout = Layout::array::<T>(count).expect("fits into memory");
    unsafe {
        let memory = alloc_zeroed(layout) as *mut T;
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        Vec::from_raw_parts(memory, count, count)
    }
}

fn one<T: Copy>() -> T {
    zeroed(1)[0]
}

/// The bytes at a pointer of the library, which is null only when there are none.
unsafe fn copy(bytes: *const u8, size: u64) -> Vec<u8> {
    if size == 0 {
        return Vec::new();
    }
    unsafe { std::slice::from_raw_parts(bytes, size as usize).to_vec() }
}

/// The library that is loaded may have other structs. Panics then: nothing here would be safe.
fn check_version() {
    let found = unsafe { CStr::from_ptr(sys::fxt_version()) }.to_string_lossy();
    let wanted = format!("{}.{}.", sys::FXT_VERSION_MAJOR, sys::FXT_VERSION_MINOR);
    assert!(found.starts_with(&wanted), "libfxtref has version {found}; this crate needs {wanted}x");
}

impl<'a> Reader<'a> {
    /// Panics if the library has another version.
    pub fn new(trace: &'a [u8]) -> Self {
        check_version();
        let providers = PROVIDERS.min(1 + trace.len() / 8);
        // Holds all that is registered: a string record of 16 bytes takes 24 here, and longer ones
        // take less than that in proportion.
        let arena = trace.len().saturating_add(trace.len() / 2).clamp(65536, u32::MAX as usize);
        let mut memory = (zeroed(providers), zeroed(providers), zeroed(arena));
        let mut reader = one();
        let mut tables = one();
        let given = sys::fxt_tables_memory {
            providers: memory.0.as_mut_ptr(),
            provider_ids: memory.1.as_mut_ptr(),
            objects: std::ptr::null_mut(),
            arena: memory.2.as_mut_ptr(),
            provider_max: providers as u32,
            object_max: 0,
            arena_size: arena as u64,
            zeroed: 1,
        };
        unsafe {
            sys::fxt_reader_init(&mut reader, trace.as_ptr(), trace.len() as u64);
            sys::fxt_tables_init(&mut tables, &given);
        }
        Reader { reader, tables, skipped: 0, error: None, _memory: memory, _trace: PhantomData }
    }

    /// How many records could not be decoded so far, or registered for lack of room.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Why reading ended before the end of the trace.
    pub fn error(&self) -> Option<Error> {
        self.error
    }

    fn text(&self, reference: sys::fxt_string_ref) -> Option<Text> {
        let mut text = one::<sys::fxt_bytes>();
        unsafe {
            let found = sys::fxt_tables_string(&self.tables, &mut text, reference);
            found.then(|| copy(text.bytes, text.size))
        }
    }

    fn value(&self, arg: &sys::fxt_arg) -> Option<Value> {
        Some(match arg.r#type as sys::c_int {
            sys::FXT_ARG_NULL => Value::Null,
            sys::FXT_ARG_INT32 | sys::FXT_ARG_INT64 => Value::Int(unsafe { sys::fxt_arg_int64(arg) }),
            sys::FXT_ARG_DOUBLE => Value::Double(f64::from_bits(arg.value)),
            sys::FXT_ARG_STRING => Value::Text(self.text(arg.text)),
            sys::FXT_ARG_BOOL => Value::Bool(arg.value != 0),
            sys::FXT_ARG_BLOB => Value::Blob(unsafe { copy(arg.blob.bytes, arg.blob.size) }),
            kind if kind < sys::FXT_ARG_BLOB => Value::Uint(arg.value),
            _ => return None,
        })
    }

    fn event(&self, event: &sys::fxt_event, args: &[sys::fxt_arg]) -> Option<Event> {
        let kind = *KINDS.get(event.event_type as usize)?;
        let provider = unsafe { &*sys::fxt_tables_provider(&self.tables) };
        let ns = |ticks| unsafe { sys::fxt_ticks_to_ns(ticks, provider.ticks_per_second) };
        let mut koids = one::<sys::fxt_thread_ref>();
        let known = unsafe { sys::fxt_tables_thread(&self.tables, &mut koids, event.thread) };
        let complete = kind == Kind::DurationComplete;
        let has_id = !complete && kind != Kind::Instant;
        Some(Event {
            kind,
            provider: provider.id,
            thread: known.then(|| (koids.process, koids.thread)),
            category: self.text(event.category),
            name: self.text(event.name),
            ticks: event.timestamp,
            ns: ns(event.timestamp),
            id: if has_id { event.value } else { 0 },
            end: if complete { (event.value, ns(event.value)) } else { (0, 0) },
            scope: if event.scope <= 2 { event.scope } else { 0 },
            args: (args.iter())
                .filter_map(|arg| Some((self.text(arg.name)?, self.value(arg)?)))
                .collect(),
        })
    }
}

impl Iterator for Reader<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let mut record = one();
        let mut error = one::<sys::fxt_error>();
        let mut event = one();
        let mut args = one::<[sys::fxt_arg; sys::FXT_ARGS_MAX as usize]>();
        loop {
            match unsafe { sys::fxt_reader_next(&mut self.reader, &mut record, &mut error) } {
                sys::FXT_OK => (),
                sys::FXT_ZERO_WORD => continue,
                sys::FXT_END => return None,
                _ => {
                    let rule = unsafe { CStr::from_ptr(sys::fxt_rule_id(error.rule) as *const _) };
                    let rule = rule.to_str().unwrap_or("");
                    self.error = Some(Error { offset: error.offset, rule });
                    return None;
                }
            }
            if record.r#type as sys::c_int != sys::FXT_RECORD_EVENT {
                let status = unsafe { sys::fxt_tables_apply(&mut self.tables, &record, &mut error) };
                self.skipped += (status != sys::FXT_OK) as u64;
                continue;
            }
            let status = unsafe {
                sys::fxt_read_event_args(&record, &mut event, args.as_mut_ptr(), &mut error)
            };
            if status != sys::FXT_OK {
                self.skipped += 1;
            } else if let Some(event) = self.event(&event, &args[..event.args.count as usize]) {
                return Some(event);
            } else {
                self.skipped += 1; // its type is unknown
            }
        }
    }
}
