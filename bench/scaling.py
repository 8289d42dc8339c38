#!/usr/bin/env python3
"""One fit over 1, 2, … processes: time, memory, bytes sent; and what that says of many machines.

    bench/scaling.py BUILD [--rows N] [--columns M] [--stages S] [--ranks 1,2] [--link RATE] [--delay TIME]

The data are planted by `ardent synth`. --link 1gbit puts two processes on two hosts
(`ip netns`, joined by a link that tc limits; as root), --delay 500us makes each end wait so long (where the
kernel has netem). The projection at the end is arithmetic, not a measurement: from the CPU seconds of one
process on two widths, which tell work on entries from work on columns, and from the bytes that two send.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

HOSTS = ["10.77.0.1", "10.77.0.2"]
AGENT = '#!/bin/sh\nhost=$1; shift\nexec ip netns exec "ardent-$host" sh -c "$*"\n'
OPEN_MPI = ["mpirun", "--allow-run-as-root", "--mca", "mpi_yield_when_idle", "1"]


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


class Link:
    """Two hosts of this machine's kernel and a link between them, while it lives."""

    def __init__(self, rate, delay):
        self.rate, self.delay = rate, delay

    def __enter__(self):
        for host in HOSTS:
            run(["ip", "netns", "add", f"ardent-{host}"])
        run("ip link add ardent-a type veth peer name ardent-b".split())
        for host, end in zip(HOSTS, ("ardent-a", "ardent-b")):
            run(["ip", "link", "set", end, "netns", f"ardent-{host}"])
            inside = ["ip", "netns", "exec", f"ardent-{host}"]
            run([*inside, "ip", "addr", "add", f"{host}/24", "dev", end])
            run([*inside, *f"ip link set {end} up".split()])
            run([*inside, *"ip link set lo up".split()])
            shape = f"tc qdisc add dev {end} root handle 1: tbf rate {self.rate}"
            run([*inside, *f"{shape} burst 256kb latency 50ms".split()])
            if self.delay:
                late = f"tc qdisc add dev {end} parent 1:1 handle 2: netem delay {self.delay}"
                run([*inside, *late.split()])
        return self

    def __exit__(self, *_):
        for host in HOSTS:
            subprocess.run(["ip", "netns", "del", f"ardent-{host}"], check=False)

    @staticmethod
    def command(agent):
        network = ["--mca", "btl_tcp_if_include", "10.77.0.0/24"]
        network += ["--mca", "oob_tcp_if_include", "10.77.0.0/24"]
        hosts = ",".join(f"{host}:1" for host in HOSTS)
        inside = ["ip", "netns", "exec", f"ardent-{HOSTS[0]}"]
        local = ["--mca", "plm_rsh_agent", agent, "--mca", "btl", "self,tcp"]
        return [*inside, *OPEN_MPI, *local, *network, "-H", hosts, "-n", "2"]


def measured(name, command, data, options):
    """What `train --json` says of one fit, and the CPU seconds of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    fit = json.loads(run([*command, "train", data, *options, "--json"]))
    row = {
        "where": name,
        "seconds": fit["seconds"],
        "cpu": resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before,
        "MiB": fit["peak_bytes"] / 2**20,
        "MB sent": fit.get("bytes_sent", 0) / 1e6,
        "vectors": fit.get("vectors", 0),
        "rounds": fit.get("rounds", 0),
    }
    print(
        f"| {name} | {row['seconds']:.2f} | {row['cpu']:.2f} | {row['MiB']:.0f} "
        f"| {row['MB sent']:.1f} | {row['vectors']} | {row['rounds']} |",
        flush=True,
    )
    return row


def project(narrow, wide, entries, columns, nodes=64, cores=16):
    """Seconds per sum of one number per column, at 1e9 rows of 40 entries and 1e7 columns on many
    nodes; the parts, by name. `narrow` and `wide`: (one process, two) at `columns` and four times as
    many, with equal entries, whose CPU seconds tell work on entries from work on columns."""
    per_vector = [alone["cpu"] / two["vectors"] for alone, two in (narrow, wide)]
    by_column = max(0.0, per_vector[1] - per_vector[0]) / (3 * columns)
    by_entry = max(0.0, per_vector[0] - by_column * columns) / entries
    rounds = wide[1]["rounds"] / wide[1]["vectors"]
    bandwidth, latency = 25e9 / 8, 20e-6
    return {
        f"products ({cores} cores a node)": by_entry * 40e9 / (nodes * cores),
        "bytes": 2 * 8 * 1e7 * (nodes - 1) / nodes / bandwidth,
        "rounds": rounds * latency * nodes.bit_length(),
        "work on columns, on every node, one core": by_column * 1e7,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=400_000)
    parser.add_argument("--stages", type=int, default=5)
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--link", default="")
    parser.add_argument("--delay", default="")
    arguments = parser.parse_args()
    mpi = (arguments.build / "bin/ardent-mpi").resolve()
    with tempfile.TemporaryDirectory() as folder:
        options = ["--engine", "diagonal", "--max-stages", arguments.stages, "--threads", "1"]
        print(f"{arguments.rows} rows of 40 entries, {arguments.stages} stages\n")
        print("| columns and processes | seconds | CPU s | MiB, most | MB sent by one | vectors | rounds |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        pairs = []
        for columns in (arguments.columns, 4 * arguments.columns):
            data = pathlib.Path(folder, f"{columns}.cache")
            synth = ["--rows", arguments.rows, "--columns", columns, "--nonzeros", 40]
            run([arguments.build / "bin/ardent", "synth", *synth, "-o", data])
            rows = {}
            for count in map(int, arguments.ranks.split(",")):
                local = [*OPEN_MPI, "--oversubscribe", "--mca", "btl", "self,vader", "-n", count]
                # One process is not started by mpirun, whose own time would be counted.
                command = [mpi] if count == 1 else [*local, mpi]
                rows[count] = measured(f"{columns}, {count}", command, data, options)
            pairs.append((rows.get(1), rows.get(2)))
            if not arguments.link:
                continue
            agent = pathlib.Path(folder, "agent")
            agent.write_text(AGENT)
            agent.chmod(0o755)
            with Link(arguments.link, arguments.delay):
                name = f"{columns}, 2 hosts, {arguments.link} {arguments.delay}".strip()
                measured(name, [*Link.command(agent), mpi], data, options)
        if all(all(pair) for pair in pairs):
            parts = project(*pairs, arguments.rows * 40, arguments.columns)
            print(
                "\nprojected, not measured: seconds for each vector that is summed, on 64 nodes at "
                "25 Gb/s with 1e9 rows x 1e7 columns"
            )
            for name, seconds in parts.items():
                print(f"  {name}: {seconds:.3f}")
            print(f"  times {pairs[1][1]['vectors'] / arguments.stages:.0f} vectors a stage")


if __name__ == "__main__":
    main()
