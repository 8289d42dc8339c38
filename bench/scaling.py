#!/usr/bin/env python3
"""One fit over 1, 2, … processes: time, memory, bytes sent; and what that says of many machines.

    bench/scaling.py BUILD [--rows N] [--columns M] [--stages S] [--ranks 1,2] [--link RATE] [--delay TIME]

The data are planted by `ardent synth`. --link 1gbit puts two processes on two hosts
(`ip netns`, joined by a link that tc limits; as root), --delay 500us makes each end wait so long (where the
kernel has netem). The projection at the end is arithmetic on what was
measured here, not a measurement, and worth something only where every process had an idle core.
"""

import argparse
import json
import pathlib
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
    """What `train --json` says of one fit."""
    fit = json.loads(run([*command, "train", data, *options, "--json"]))
    row = {
        "where": name,
        "seconds": fit["seconds"],
        "MiB": fit["peak_bytes"] / 2**20,
        "MB sent": fit.get("bytes_sent", 0) / 1e6,
        "vectors": fit.get("vectors", 0),
        "rounds": fit.get("rounds", 0),
    }
    print(
        f"| {name} | {row['seconds']:.2f} | {row['MiB']:.0f} | {row['MB sent']:.1f} "
        f"| {row['vectors']} | {row['rounds']} |",
        flush=True,
    )
    return row


def project(one, two, entries, columns, nodes=64, rows=1e9, wide=1e7, per_row=40, cores=16):
    """Seconds of the same fit at rows × wide on many nodes; the parts of the sum, by name."""
    # Of two processes: what a second one does not halve is work on columns, which all repeat.
    repeated = max(0, 2 * two["seconds"] - one["seconds"]) / columns * wide
    work = max(0, one["seconds"] - repeated / wide * columns) / entries * rows * per_row
    vectors, rounds = two["vectors"], two["rounds"]
    sent = vectors * 2 * 8 * wide * (nodes - 1) / nodes
    bandwidth, latency = 25e9 / 8, 20e-6
    return {
        "products": work / (nodes * cores),
        "bytes": sent / bandwidth,
        "rounds": rounds * latency * nodes.bit_length(),
        "columns, on every node": repeated,
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
        data = pathlib.Path(folder, "rows.svm")
        synth = ["--rows", arguments.rows, "--columns", arguments.columns, "--nonzeros", 40]
        run([arguments.build / "bin/ardent", "synth", *synth, "-o", data])
        options = ["--engine", "diagonal", "--max-stages", arguments.stages, "--threads", "1"]
        print(f"{arguments.rows} rows x {arguments.columns} columns, {arguments.stages} stages\n")
        print("| processes | seconds | MiB, most | MB sent by one | vectors | rounds |")
        print("|---|--:|--:|--:|--:|--:|")
        rows = {}
        for count in map(int, arguments.ranks.split(",")):
            local = [*OPEN_MPI, "--oversubscribe", "--mca", "btl", "self,vader", "-n", count, mpi]
            rows[count] = measured(f"{count}", local, data, options)
        if arguments.link:
            agent = pathlib.Path(folder, "agent")
            agent.write_text(AGENT)
            agent.chmod(0o755)
            with Link(arguments.link, arguments.delay):
                name = f"2 hosts, {arguments.link} {arguments.delay}".strip()
                measured(name, [*Link.command(agent), mpi], data, options)
        if 1 in rows and 2 in rows:
            parts = project(rows[1], rows[2], arguments.rows * 40, arguments.columns)
            print(
                "\nprojected, not measured: 64 nodes of 16 cores at 25 Gb/s, 1e9 rows x 1e7 columns"
            )
            for name, seconds in parts.items():
                print(f"  {name}: {seconds:.0f} s")


if __name__ == "__main__":
    main()
