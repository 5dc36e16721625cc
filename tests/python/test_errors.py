"""Every message that the module alone gives is shown by an example in docs/errors.md, which is carried out."""

import pathlib
import re
import warnings

import pytest

import trellis as tr

PAGE = pathlib.Path(__file__).parents[2] / "docs/errors.md"


def examples():
    """(code, program) for each `In Python:`."""
    for section in re.split(r"^## ", PAGE.read_text(), flags=re.M)[1:]:
        _, mark, behind = section.partition("\nIn Python:\n\n")
        if mark:
            block = re.match(r"(?:    .*\n|\n)+", behind).group()
            yield section[:5], re.sub(r"^    ", "", block, flags=re.M)


@pytest.mark.parametrize("code, program", examples())
def test_the_example_of_each_section_gives_that_very_code(code, program):
    with warnings.catch_warnings():
        if code.startswith("W"):
            warnings.simplefilter("always")
            with pytest.warns(tr.TrellisWarning, match=rf"\[{code}\]"):
                exec(program, {})
        else:
            warnings.simplefilter("ignore", tr.TrellisWarning)
            with pytest.raises(tr.Error) as refused:
                exec(program, {})
            assert refused.value.code == code


def test_there_are_such_examples():
    assert {code for code, _ in examples()} >= {"E0701", "E0702", "E0703", "E0704", "E0705", "E0710", "E0711", "W0701",
                                                "W0702"}
