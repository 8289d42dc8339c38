"""Without Dask the package says what to install."""

import subprocess
import sys


def test_a_missing_dask_is_named():
    program = "import sys; sys.modules['dask'] = None; import ardent.dask"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.returncode == 1
    assert "ardent.dask needs Dask: pip install 'dask[distributed]'" in found.stderr
