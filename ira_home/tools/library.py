"""The tools of the house: those that come with Ira, and the files in `<data>/tools`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
import importlib.util
from pathlib import Path
import sys
from traceback import walk_tb
from types import ModuleType

from ira_home.base.discover import modules
from ira_home.base.text import cut, one_line
from ira_home.tools.declare import DeclaredTool, tools_in

BUILTIN = "ira_home.tools.builtin"
_OF_THE_HOUSE = "_ira_house_tools_"  # before the name of a file, as a module
_IRA = "Ira itself"
_REASON_CHARS = 200


@dataclass(frozen=True, slots=True)
class BrokenTool:
    """A file of tools that could not be used, and one sentence on why."""

    file: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Library:
    """All tools of the house. A broken file never keeps the others, or the server, from working."""

    tools: tuple[DeclaredTool, ...]
    broken: tuple[BrokenTool, ...]


def load(folder: Path) -> Library:
    """Ira's own tools and those of every `*.py` in the folder, in order of their names."""
    found = {tool.name: tool for module in modules(BUILTIN) for tool in tools_in(module)}
    owner = dict.fromkeys(found, _IRA)
    keeper = dict.fromkeys(_keeps(found.values()), _IRA)
    broken: list[BrokenTool] = []
    _share(folder)
    for path in _files(folder):
        try:
            tools = tools_in(_loaded(path))
            _refuse_taken(tools, owner)
            _refuse_tables(tools, keeper)
        except BaseException as error:  # noqa: BLE001 - somebody else's file: any error is its own
            broken.append(_broken(path, error))
            continue
        found |= {tool.name: tool for tool in tools}
        owner |= {tool.name: path.name for tool in tools}
        keeper |= dict.fromkeys(_keeps(tools), path.name)
    return Library(tuple(found.values()), tuple(broken))


def tables_name(tool: DeclaredTool) -> str:
    """What the tables of a tool's file go by: the file's name, in small letters and digits."""
    stem = tool.function.__module__.rpartition(".")[2].removeprefix(_OF_THE_HOUSE)
    return "".join(one for one in stem.casefold() if one.isascii() and one.isalnum())


def may_keep(tool: DeclaredTool) -> bool:
    """Whether a tool may keep what it is given and give it back later: any but Ira's own."""
    return not tool.function.__module__.startswith(BUILTIN)


class _SharedCode(MetaPathFinder):
    """Lets tool files import the `_*.py` beside them by their names; asked last, it hides no other module."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: set[str] = set()

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002 - the signature of the import system
    ) -> ModuleSpec | None:
        file = self.folder / f"{fullname}.py"
        if path is not None or not fullname.startswith("_") or not file.is_file():
            return None
        self.found.add(fullname)
        return importlib.util.spec_from_file_location(fullname, file)


def _share(folder: Path) -> None:
    """Let what is loaded from now on import the shared code of this folder, and of no earlier one."""
    for earlier in [one for one in sys.meta_path if isinstance(one, _SharedCode)]:
        sys.meta_path.remove(earlier)
        for name in earlier.found:
            sys.modules.pop(name, None)
    sys.meta_path.append(_SharedCode(folder))


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.py")) if not path.name.startswith(("_", "."))]


def _loaded(path: Path) -> ModuleType:
    name = f"{_OF_THE_HOUSE}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        message = "it is not a Python file"
        raise ImportError(message)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while they are made
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _refuse_taken(tools: Iterable[DeclaredTool], owner: dict[str, str]) -> None:
    for tool in tools:
        if tool.name in owner:
            message = f"a tool named {tool.name} is already in {owner[tool.name]}"
            raise ValueError(message)


def _keeps(tools: Iterable[DeclaredTool]) -> set[str]:
    """The tables that some tools could open; one that is given no context can open none."""
    return {tables_name(tool) for tool in tools if tool.takes_context}


def _refuse_tables(tools: Iterable[DeclaredTool], keeper: dict[str, str]) -> None:
    for name in sorted(_keeps(tools) & keeper.keys()):
        message = (
            f"its tables would be {name}, which is the name of those of {keeper[name]}:"
            " give the file another name"
        )
        raise ValueError(message)


def words_of(error: BaseException) -> str:
    """What somebody else's error says of itself; an error that cannot say it says nothing."""
    try:
        return one_line(str(error))
    except Exception:  # noqa: BLE001 - silent-ok: the error's own text is broken, its type is still told
        return ""


def _broken(path: Path, error: BaseException) -> BrokenTool:
    if isinstance(error, SyntaxError):
        said = error.msg
    else:
        said = f"{type(error).__name__}: {words_of(error)}"
    reason = cut(one_line(_place(path, error) + said), _REASON_CHARS)
    return BrokenTool(path.name, f"{path.name} cannot be used: {reason}")


def _place(path: Path, error: BaseException) -> str:
    """Where in the file it went wrong, as the beginning of a sentence; "" where that is unknown."""
    if isinstance(error, SyntaxError) and error.filename:
        file = Path(error.filename).name
        return f"line {error.lineno}: " if file == path.name else f"line {error.lineno} of {file}: "
    frames = walk_tb(error.__traceback__)
    lines = [number for frame, number in frames if frame.f_code.co_filename == str(path)]
    return f"line {lines[-1]}: " if lines else ""
