"""A cluster on this machine: says its address and its workers' processes; ends with its input."""

import os
import sys

from distributed import Client, LocalCluster

if __name__ == "__main__":
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
    ):
        print(cluster.scheduler_address, *client.run(os.getpid).values(), flush=True)
        sys.stdin.read()
