"""The package as it is installed elsewhere."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from connectlab import __version__

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed, away from the repository; return what it prints."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    ran = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def constraints(name: str = "constraints.txt") -> dict[str, str]:
    """Read a file of constraints: version by name."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonical(name): version for name, version in pins}


def project() -> dict[str, object]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        parsed: dict[str, object] = tomllib.load(file)["project"]
    return parsed


def test_versions_agree() -> None:
    assert project()["version"] == __version__
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def requirements(name: str, extras: set[str]) -> set[str]:
    """Return the packages that one package needs in this environment."""
    found = set()
    for line in requires(name) or []:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            found.add(canonical(requirement.name))
    return found


def test_everything_that_make_installs_is_pinned_exactly() -> None:
    """Walk what the package and its extras require; constraints.txt has each as installed."""
    waiting, seen = requirements("connectlab", {"env", "web", "test", "check"}), set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        waiting |= requirements(name, set()) - seen
    assert len(seen) > 20
    # What stands behind a plus, as in 2.13.0+cpu, is how a package was built, not its version.
    installed = {name: version(name).partition("+")[0] for name in seen}
    assert {name: constraints().get(name) for name in seen} == installed


def test_every_declared_dependency_is_pinned() -> None:
    parsed = project()
    assert isinstance(parsed["dependencies"], list)
    assert isinstance(parsed["optional-dependencies"], dict)
    extras = [item for items in parsed["optional-dependencies"].values() for item in items]
    names = {canonical(Requirement(item).name) for item in [*parsed["dependencies"], *extras]}
    assert names <= constraints().keys()
    assert constraints()["torch"] == "2.13.0"


def test_the_environment_for_kaggle_pins_no_package_a_second_time() -> None:
    added = constraints("constraints-kaggle.txt")
    assert "kaggle-environments" in added
    assert "requests" in constraints(), "ConnectX needs it too"
    assert not added.keys() & constraints().keys(), "the two files could come to disagree"
    assert all(re.fullmatch(r"[\w.]+", version) for version in added.values())


def files_of(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_wheel_works_when_installed_elsewhere(tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path, ROOT,
        cwd=tmp_path)  # fmt: skip
    (wheel,) = tmp_path.glob("connectlab-*.whl")
    home = tmp_path / "elsewhere"
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel,
        cwd=tmp_path)  # fmt: skip
    # Only the dependencies come from here: the folder's own .pth files are not followed.
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    python = home / "bin" / "python"
    where = run(python, "-c", "import connectlab; print(connectlab.__file__)", cwd=home).strip()
    assert Path(where).is_relative_to(site)
    document = json.loads(run(python, "-m", "connectlab", "solve", "4453", "--json", cwd=home))
    assert document["score"] == -2
    assert (site / "connectlab" / "py.typed").is_file()
    page = Path("connectlab", "web", "static")
    assert files_of(site / page) == files_of(ROOT / "src" / page) > {Path("index.html")}
    assert (site / "bin" / "connectlab").is_file()
    assert "perfect" in run(python, "-m", "connectlab", "agents", cwd=home)
