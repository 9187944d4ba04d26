"""The bundle as somebody gets it: a folder put anywhere, on a computer that has nothing else for it."""

import shutil

import pytest

from tests.bundle.bundle import BUILT, Bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A copy of the bundle, far from the sources that it was made from."""
    if not (BUILT / "ira").exists():
        pytest.fail("there is no bundle: run `make test-bundle`, which makes it first")
    folder = tmp_path_factory.mktemp("bundle") / "Ira Home"
    shutil.copytree(BUILT, folder, symlinks=True)
    return Bundle(folder)
