"""Four times the work that the server can do, in short; how fast it refuses is measured by `make bench`."""

import pytest

from test_soak import passes

pytestmark = pytest.mark.alone


@pytest.mark.slow
def test_overload_is_refused_and_nothing_hangs():
    passes("overload.py", "--seconds", "8")
