"""Games played by the workers of a dask cluster; the journal stays here.

Needs the extra ``cluster``. Workers need this program, the engines' commands, and the files
of rule sets at the same paths. The cluster runs a game again elsewhere when its worker dies.
"""

import queue
from contextlib import suppress
from functools import partial
from typing import Any

from taflengine import __version__
from taflengine.errors import TaflError
from taflengine.match.crew import Brief, Crew, Result, Table
from taflengine.match.plan import GamePlan
from taflengine.match.process import Guard

_CONNECT_SECONDS = 5


class ClusterError(TaflError):
    """A cluster that cannot be used."""


class Cluster(Crew):
    """Lets the workers of a cluster play, as many games at a time as they have threads.

    Args:
        brief: What they must know.
        address: The scheduler's, as ``tcp://host:8786``.

    Raises:
        ClusterError: it does not answer, or its workers cannot play.
    """

    def __init__(self, brief: Brief, address: str) -> None:
        try:
            from distributed import Client
            from distributed.comm import resolve_address
        except ImportError:
            raise ClusterError(
                "--cluster needs dask.distributed: pip install 'taflengine[cluster]'"
            ) from None
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        try:
            # A client that cannot read its address would hold up the end of the program.
            resolve_address(address)
            self._client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"cluster {address}: {error}") from None
        try:
            versions = self._client.run(version)
        except Exception as error:  # whatever the workers lack, they say so
            self._client.close()
            raise ClusterError(f"cluster {address}: a worker cannot play: {error}") from None
        for worker, found in versions.items():
            if found != __version__:
                self._client.close()
                raise ClusterError(f"{worker} has version {found}, here is {__version__}")
        # It goes with each game: what is scattered is lost with the workers that hold it.
        self._play = partial(play, brief)

    @property
    def places(self) -> int:
        """As ``Crew.places``; workers may come and go."""
        threads = [int(count) for count in self._client.nthreads().values()]
        return max(1, sum(threads))

    def start(self, plan: GamePlan) -> None:
        """As ``Crew.start``."""
        future = self._client.submit(self._play, plan, pure=False)
        self._futures[plan.number] = future
        future.add_done_callback(lambda done: self._results.put(self._result_of(plan, done)))

    def _result_of(self, plan: GamePlan, future: Any) -> Result:
        try:
            found = future.result()
        except BaseException as error:  # it died with several workers, or was cancelled
            return Result(plan.number, None, f"{type(error).__name__}: {error}")
        assert isinstance(found, Result)
        return found

    def result(self, seconds: float) -> Result | None:
        """As ``Crew.result``."""
        try:
            found = self._results.get(timeout=seconds)
        except queue.Empty:
            return None
        self._futures.pop(found.number, None)
        return found

    def abort(self) -> None:
        """As ``Crew.abort``; what a worker plays at the moment it plays to its end, for nobody."""
        with suppress(Exception):
            self._client.cancel(list(self._futures.values()), force=True)
        self.close()

    def close(self) -> None:
        """As ``Crew.close``."""
        with suppress(Exception):
            self._client.close()


def version() -> str:
    """The version of this program, on a worker."""
    return __version__


def play(brief: Brief, plan: GamePlan) -> Result:
    """Play a game, on a worker; its engines end with it, or with the worker if that dies."""
    with Guard() as guard:
        table = Table(brief, guard)
        try:
            return table.play(plan)
        finally:
            table.clear()
