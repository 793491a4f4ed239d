"""Where a scheduler is: an address, a file with one, or one of Dask's packages that starts it."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from topline.errors import OptionError

PACKAGES = {
    "slurm": ("dask_jobqueue", "SLURMCluster", "dask-jobqueue"),
    "ssh": ("distributed", "SSHCluster", "asyncssh"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster", "dask-kubernetes"),
}
"""Module, class and package to install, by what `--scheduler` may be."""
_LAST_PORT = 65535
_FORMS = "tcp://host:8786, a scheduler file, slurm, ssh or kubernetes"


def address_of(scheduler: str) -> str:
    """The address that was given, or that of a scheduler file, if Dask can use it.

    Of others Dask finds fault late, and in many words.
    """
    address = scheduler if "://" in scheduler else _address_in(Path(scheduler))
    found = re.fullmatch(r"(tcp|tls|ws|wss|ucx)://(.+):(\d{1,5})/?", address)
    if found is None or int(found[3]) > _LAST_PORT:
        raise OptionError(f"{address!r} is no address of a scheduler", hint=_FORMS)
    if found[1] in ("tls", "wss"):
        security: Any = import_module("distributed.security")
        if security.Security().get_connection_args("client").get("ssl_context") is None:
            raise OptionError(
                f"{found[1]}:// needs certificates",
                hint="name them under distributed.comm.tls in Dask's files",
            )
    return address


def _address_in(path: Path) -> str:
    """The address in a scheduler file, which is JSON: read here, so that a bad one is a plain error."""
    try:
        return str(json.loads(path.read_text("utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(
            f"{str(path)!r} is no scheduler file: {error}",
            hint=f"give {_FORMS}",
        ) from error


def started(name: str, workers: int) -> Any:
    """A cluster started through Dask's own package, configured as Dask's files say."""
    module, kind, package = PACKAGES[name]
    try:
        start = getattr(import_module(module), kind)
        if name == "ssh":
            import_module("asyncssh")
    except ImportError as error:
        raise OptionError(f"{package} is not installed", hint=f"pip install {package}") from error
    if name == "ssh":
        return start(_ssh_hosts())
    cluster = start()
    cluster.scale(workers)
    return cluster


def _ssh_hosts() -> list[str]:
    """The hosts for SSH: Dask's configuration has no place for them, so they are named in the environment."""
    hosts = os.environ.get("TOPLINE_SSH_HOSTS", "").replace(",", " ").split()
    if len(hosts) < 2:
        raise OptionError(
            "--scheduler ssh needs hosts: the scheduler's, then one or more workers'",
            hint="TOPLINE_SSH_HOSTS='head node1 node2', or start them with `dask ssh` and give the address",
        )
    return hosts
