-- Queries of people who read traces, as they are. Perfetto and fxt sql run each one unchanged.

-- names
select name, count(*) as count, sum(dur) as total, avg(dur) as mean, min(dur) as least,
    max(dur) as most
from slice where dur >= 0 group by name order by total desc, name;

-- longest
INCLUDE PERFETTO MODULE slices.with_context;
select ts, dur, name, thread_name, process_name, tid, pid, depth from thread_slice
order by dur desc, ts, depth, name limit 50;

-- slices
select s.ts, s.dur, s.depth, s.category, s.name, t.tid, p.pid, u.ts as parent_ts,
    u.name as parent_name
from slice s join thread_track k on k.id = s.track_id join thread t using (utid)
left join process p using (upid) left join slice u on u.id = s.parent_id
order by s.ts, s.depth, t.tid, s.dur, s.name, s.category, p.pid;

-- asyncs
select s.ts, s.dur, s.depth, s.category, s.name
from slice s left join thread_track k on k.id = s.track_id where k.id is null
order by s.ts, s.depth, s.dur, s.name, s.category;

-- args
select s.ts, s.name, a.key, a.flat_key, a.value_type, a.int_value, a.string_value, a.real_value
from slice s join args a using (arg_set_id)
order by s.ts, s.depth, s.name, a.key, a.int_value, a.string_value, a.real_value;

-- extracted
select ts, name, extract_arg(arg_set_id, 'a') as a, extract_arg(arg_set_id, 'size') as size
from slice order by ts, depth, name, dur, a, size;

-- counters
select c.ts, c.value, k.name, p.pid
from counter c join process_counter_track k on k.id = c.track_id left join process p using (upid)
order by c.ts, k.name, p.pid, c.value;

-- rates
select k.name, count(*) as count, min(c.value) as least, max(c.value) as most
from counters c join counter_track k on k.id = c.track_id group by k.name order by k.name;

-- cpu_time
select t.tid, sum(s.dur) as total, count(*) as count from sched s join thread t using (utid)
where s.dur >= 0 group by t.tid order by t.tid;

-- sched
select s.ts, s.dur, s.cpu, t.tid, s.end_state, s.priority, s.ts_end
from sched s join thread t using (utid) order by s.ts, s.cpu, t.tid;

-- states
select s.ts, s.dur, s.cpu, t.tid, s.state, w.tid as waker
from thread_state s join thread t using (utid) left join thread w on w.utid = s.waker_utid
order by s.ts, t.tid, s.state, s.dur, s.cpu, w.tid;

-- latency
select tid, dur, after from (
    select t.tid, s.ts, s.dur, s.state, lead(s.state) over (partition by s.utid order by s.ts, s.id)
        as after
    from thread_state s join thread t using (utid))
where state in ('R', 'W') and dur >= 0 order by ts, tid, dur, after;

-- self
select s.ts, s.name, s.dur - coalesce((select sum(k.dur) from slice k where k.parent_id = s.id), 0)
    as self
from slice s where s.dur >= 0 and s.depth < 3 order by s.ts, s.depth, s.name, self limit 100;

-- gaps
select name, max(gap) as longest from (
    select name, lead(ts) over (partition by name order by ts, id) - (ts + dur) as gap
    from slice where dur > 0)
group by name order by name;

-- flows
select o.ts as out_ts, o.name as out_name, i.ts as in_ts, i.name as in_name
from flow f join slice o on o.id = f.slice_out join slice i on i.id = f.slice_in
order by out_ts, in_ts, out_name, in_name;

-- instants
select ts, name from instant order by ts, name;

-- threads
select t.tid, t.name, p.pid, p.name as process, t.is_main_thread
from thread t left join process p using (upid)
where p.pid > 0 and (t.name is not null or t.utid in (select utid from thread_track))
order by t.tid, p.pid, t.name;

-- processes
select pid, name from process where name is not null order by pid, name;

-- open
select ts, name, iif(dur = -1, trace_end() - ts, dur) as lasted from slice
where dur = -1 order by ts, name, lasted;

-- ancestors
select s.ts, s.name, s.depth, a.ts as above_ts, a.name as above, a.depth as above_depth
from slice s join ancestor_slice(s.id) a
order by s.ts, s.depth, s.name, s.dur, a.depth, a.ts, a.name;

-- descendants
select s.ts, s.name, s.depth, d.ts as below_ts, d.name as below, d.depth as below_depth
from slice s join descendant_slice(s.id) d
order by s.ts, s.depth, s.name, s.dur, d.ts, d.depth, d.name;

-- flows_connected
select s.ts, s.name, o.ts as out_ts, o.name as out_name, i.ts as in_ts, i.name as in_name
from slice s join directly_connected_flow(s.id) f join slice o on o.id = f.slice_out
join slice i on i.id = f.slice_in order by s.ts, s.depth, s.name, o.ts, o.name, i.ts, i.name;

-- flows_following
select s.ts, s.name, o.ts as out_ts, o.name as out_name, i.ts as in_ts, i.name as in_name
from slice s join following_flow(s.id) f join slice o on o.id = f.slice_out
join slice i on i.id = f.slice_in order by s.ts, s.depth, s.name, o.ts, o.name, i.ts, i.name;

-- flows_preceding
select s.ts, s.name, o.ts as out_ts, o.name as out_name, i.ts as in_ts, i.name as in_name
from slice s join preceding_flow(s.id) f join slice o on o.id = f.slice_out
join slice i on i.id = f.slice_in order by s.ts, s.depth, s.name, o.ts, o.name, i.ts, i.name;
