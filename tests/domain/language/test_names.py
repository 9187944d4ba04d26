"""Which of the known names somebody means."""

import pytest

from ira_home.domain.language.names import meant, near

NAMES = ("Asha Deshpande", "Ravi Kulkarni", "Ravi Menon", "Sunita Pawar", "Sana Sheikh", "Meera Joshi", "X-ray film")  # fmt: skip


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("asha", ["Asha Deshpande"]),
        ("ASHA DESHPANDE", ["Asha Deshpande"]),
        ("Deshpande, Asha", ["Asha Deshpande"]),
        ("Dr. Asha ji", ["Asha Deshpande"]),
        ("Asha's", ["Asha Deshpande"]),
        ("Asha\u2019s", ["Asha Deshpande"]),
        ("आशा", ["Asha Deshpande"]),
        ("आशा जी", ["Asha Deshpande"]),
        ("Mira", ["Meera Joshi"]),
        ("सुनीता पवार", ["Sunita Pawar"]),
        ("ravi", ["Ravi Kulkarni", "Ravi Menon"]),
        ("Ravi Menon", ["Ravi Menon"]),
        ("x-ray", ["X-ray film"]),
        ("Asha Menon", []),
        ("Anil", []),
        ("", []),
        ("ji", []),
        ("the", []),
        ("?!", []),
    ],
)
def test_a_name_is_known_in_any_script_and_spelling(said: str, found: list[str]) -> None:
    assert meant(said, NAMES) == found


def test_what_is_written_goes_before_what_only_sounds_so() -> None:
    assert meant("Asha", ["Aasha Rao", "Asha Rao"]) == ["Asha Rao"]
    assert meant("आशा", ["Aasha Rao", "Asha Rao"]) == ["Aasha Rao", "Asha Rao"]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Sunithi", ["Sunita Pawar"]),
        ("Kulk", ["Ravi Kulkarni"]),
        ("desh", ["Asha Deshpande"]),
        ("as", []),
        ("Zorro", []),
        ("", []),
    ],
)
def test_a_name_that_is_almost_one_is_near(said: str, found: list[str]) -> None:
    assert near(said, NAMES) == found


def test_a_whole_book_is_no_name_and_takes_no_time() -> None:
    book = "asha " * 100_000
    assert meant(book + "zorro", NAMES) == ["Asha Deshpande"]
    assert near(book, NAMES) == ["Asha Deshpande"]
