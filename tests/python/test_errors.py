"""Every message that the module alone gives is shown by an example in docs/errors.md, which is carried out."""

import pathlib
import re
import warnings

import numpy as np
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


def test_a_fault_is_told_in_the_same_words_in_this_process_and_in_a_child():
    count = tr.compile("tensor at(m): i64\ntensor y(n): f64\nloops { for k { y(at(k)) += 1.0 } }")
    at, y = np.array([0, 2, 9]), np.zeros(4)
    assert np.array_equal(count.run(at=at[:2], y=y), [1, 0, 1, 0])
    said = []
    for isolate in (False, True):
        with pytest.raises(tr.Fault) as fault:
            count.run(at=at, y=y, isolate=isolate)
        said.append(str(fault.value))
    assert said[0] == said[1] and "is out of range" in said[0]
    assert not y.any()
