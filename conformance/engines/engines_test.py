#!/usr/bin/env python3
"""DuckDB and ClickHouse load what `fxt export` writes, as docs/sql.md says, and answer as `fxt sql`.

Usage: engines_test.py DUCKDB_JS FXT
Skips an engine that is not installed.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

TRACE = """\
magic
string index=1 value="cat"
string index=2 value="work"
string index=3 value="a,\\"b\\"\\n\\xff"
thread index=1 process=100 thread=9223372036854775809
event duration_complete timestamp=10 thread=@1 category=@1 name=@2 end=30 { "u" uint64 18446744073709551615 }
event duration_complete timestamp=12 thread=@1 category=@1 name=@3 end=20
event counter timestamp=15 thread=@1 category=@1 name=@2 id=1 { "n" double 1.5, "x" double 0x7ff8000000000000 }
"""
QUERY = "select id, ts, dur, name, depth, parent_id, fxt_event from slice order by id"
CONFIG = """<yandex>
<logger><level>warning</level><log>%(work)s/log</log><errorlog>%(work)s/errors</errorlog></logger>
<tcp_port>%(tcp)d</tcp_port><http_port>%(http)d</http_port><listen_host>127.0.0.1</listen_host>
<path>%(work)s/data/</path><tmp_path>%(work)s/tmp/</tmp_path>
<users_config>%(work)s/users.xml</users_config><mark_cache_size>67108864</mark_cache_size>
<default_profile>default</default_profile><default_database>default</default_database>
</yandex>"""
USERS = """<yandex><profiles><default/></profiles><users><default><password/>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
</users><quotas><default/></quotas></yandex>"""
PATIENCE = 120  # seconds, for a server to start on a machine that is busy


def lines(command, **kwargs):
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True, **kwargs).stdout
    return [json.loads(line) for line in out.decode("utf-8").splitlines()]


def plain(rows):
    """Without the difference of numbers and their texts."""
    return [[None if value is None else str(value) for value in row.values()] for row in rows]


def check(what, got, expected):
    assert plain(got) == plain(expected), f"{what}\ngot:      {got!r}\nexpected: {expected!r}"
    print("ok", what)


def duckdb_is_here(script):
    return shutil.which("node") and subprocess.run(
        ["node", script], stderr=subprocess.DEVNULL, check=False).returncode == 0


def test_duckdb(script, expected):
    def ask(*statements):
        return lines(["node", script, *statements])

    with open("one/schema.sql", encoding="utf-8") as file:
        schema = file.read()
    tables = [name[:-len(".jsonl")] for name in os.listdir("one") if name.endswith(".jsonl")]
    loads = [f"copy {table} from 'one/{table}.jsonl' (format json)" for table in tables]
    check("DuckDB: JSON Lines", ask(schema, *loads, QUERY)[-len(expected):], expected)
    rows = ask(schema, *loads, "copy slice to 'slice.parquet' (format parquet)",
               "copy counter to 'counter.parquet' (format parquet)",
               QUERY.replace("slice", "'slice.parquet'"))
    check("DuckDB: Parquet and back", rows[-len(expected):], expected)
    csv = [f"copy {table} from 'csv/{table}.csv' (header, nullstr '')" for table in ("slice", "args")]
    check("DuckDB: CSV", ask(schema, *csv, QUERY)[-len(expected):], expected)
    check("DuckDB: exact values",
          ask(schema, *loads, "select display_value, (select min(fxt_koid) from thread where utid > 0)"
              " as koid, (select count(*) from counter where value is null) as nan from args")[-1:],
          [{"a": "18446744073709551615", "b": "9223372036854775809", "c": 1}])
    many = ask("select filename, count(*) as n from read_json('*/slice.jsonl', filename = true, "
               "columns = {id: 'BIGINT', name: 'VARCHAR'}) group by filename order by filename")
    check("DuckDB: two traces", many, [{"f": "./one/slice.jsonl", "n": 2},
                                       {"f": "./two/slice.jsonl", "n": 2}])


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def clickhouse(port, sql, data=None):
    result = subprocess.run(["clickhouse-client", "--host", "127.0.0.1", "--port", str(port),
                             "--multiquery", "--query", sql], input=data, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    return result


def start_clickhouse(work, port):
    for name, text in (("config.xml", CONFIG % {"work": work, "tcp": port, "http": free_port()}),
                       ("users.xml", USERS)):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(text)
    server = subprocess.Popen(["clickhouse-server", f"--config-file={work}/config.xml"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        if clickhouse(port, "select 1").returncode == 0:
            return server
        time.sleep(0.2)
    server.kill()
    server.wait()
    return None


def test_clickhouse(expected):
    port = free_port()
    work = os.path.abspath("clickhouse")
    os.mkdir(work)
    server = start_clickhouse(work, port)
    if server is None:
        print("skipped: clickhouse-server does not start here")
        return
    try:
        with open("one/schema.sql", encoding="utf-8") as file:
            schema = file.read()
        for name, theirs in (("BIGINT", "Nullable(Int64)"), ("VARCHAR", "Nullable(String)"),
                             ("DOUBLE PRECISION", "Nullable(Float64)"),
                             (");\n", ") ENGINE = Log;\n")):
            schema = schema.replace(name, theirs)
        result = clickhouse(port, schema)
        assert result.returncode == 0, result.stderr
        with open("one/slice.jsonl", "rb") as file:
            result = clickhouse(port, "INSERT INTO slice FORMAT JSONEachRow", file.read())
        assert result.returncode == 0, result.stderr
        result = clickhouse(port, QUERY + " FORMAT JSONEachRow")
        assert result.returncode == 0, result.stderr
        check("ClickHouse: JSON Lines", [json.loads(line) for line in result.stdout.splitlines()],
              expected)
    finally:
        server.terminate()
        server.wait()


def main(script, fxt):
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        trace = subprocess.run([fxt, "asm"], input=TRACE.encode(), stdout=subprocess.PIPE,
                               check=True).stdout
        with open("a.fxt", "wb") as file:
            file.write(trace)
        expected = lines([fxt, "sql", "--json", "a.fxt", QUERY])
        assert len(expected) == 2, expected
        for out, form in (("one", "jsonl"), ("two", "jsonl"), ("csv", "csv")):
            subprocess.run([fxt, "export", "--format", form, "-o", out, "a.fxt"], check=True)
        if duckdb_is_here(script):
            test_duckdb(script, expected)
        else:
            print("SKIP: DuckDB: conformance/readers install has not been run")
        if shutil.which("clickhouse-server") and shutil.which("clickhouse-client"):
            test_clickhouse(expected)
        else:
            print("SKIP: ClickHouse: there is no clickhouse-server")


if __name__ == "__main__":
    main(*(os.path.abspath(path) for path in sys.argv[1:3]))
