"""A Ray cluster of some nodes on this machine, for as long as standard input stays open.

``python ray_nodes.py FOLDER NODES`` prints one JSON line: the address, the process of the raylet
of each node, the head first, and the process that is asked about the cluster. Everything Ray
writes is below the folder, whose path must be short.
"""

import json
import logging
import os
import sys
from pathlib import Path

QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


def main() -> None:
    """Start the nodes, tell who they are, and end them with standard input."""
    os.environ.update(RAY_TMPDIR=sys.argv[1], **QUIET)  # before Ray is imported
    (Path(sys.argv[1]) / "ray").mkdir(parents=True)
    from ray._private.ray_constants import PROCESS_TYPE_GCS_SERVER, PROCESS_TYPE_RAYLET
    from ray.cluster_utils import Cluster

    logging.getLogger("ray").setLevel(logging.CRITICAL)
    common = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=common)
    nodes = [cluster.head_node, *(cluster.add_node(**common) for _ in range(int(sys.argv[2]) - 1))]
    head = cluster.head_node.all_processes[PROCESS_TYPE_GCS_SERVER][0].process.pid
    raylets = [node.all_processes[PROCESS_TYPE_RAYLET][0].process.pid for node in nodes]
    told = {"address": cluster.address, "raylets": raylets, "head": head}
    print(json.dumps(told), flush=True)
    sys.stdin.read()
    cluster.shutdown()


if __name__ == "__main__":
    main()
